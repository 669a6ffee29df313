"""A program as calls of numpy, which do one step after the other over a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final

import numpy as np

from pelican.evaluation.columns import EXACT, Array, is_inside, is_on_step
from pelican.evaluation.machine import wrapping_bits
from pelican.evaluation.program import Program

_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "neg": np.negative,
    "mul": np.multiply,
    "add": np.add,
    "sub": np.subtract,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "and": np.bitwise_and,
    "shift": np.right_shift,
}
"""The operation of each step; a literal is the second argument."""

_Call = tuple[Callable[..., Any], Callable[[Any], Any]]
"""A function, and what takes its arguments and the column it writes from a list."""


class Calls:
    """The calls of a program, each with the work column that it writes.

    A column is used again as soon as its value is needed no more, so that a long
    program needs few.

    Attributes:
        columns: Number of work columns.
        work_dtype: What the calls compute in: the narrowest unsigned integers that do,
            as twice as many of half the width are computed at a time, and a floordiv
            without signs has nothing to round; else the type of the values.
    """

    def __init__(self, program: Program, dtype: np.dtype[Any]) -> None:
        """Plan the calls.

        Args:
            program: What to do.
            dtype: The type of its values, which holds every intermediate value.
        """
        self._indices = program.indices
        bits = None if dtype == EXACT else wrapping_bits(program, 8 * dtype.itemsize)
        self.work_dtype = dtype if bits is None else np.dtype(f"u{bits // 8}")
        self._calls, self._result, literals, self.columns = _planned(program)
        self._literals = [self._literal(number) for number in literals]

    def over(self, size: int, is_late: Sequence[bool]) -> Callable[..., bool]:
        """Return what takes blocks as `MachineCode.kernel` does.

        Args:
            size: Most values of a block.
            is_late: Of each index whether its values are tested here; a wrong one
                that nothing has tested makes an arbitrary result.
        """
        work = np.empty((len(self._indices) + self.columns, size), self.work_dtype)
        return partial(self._run, work, is_late)

    def _literal(self, number: int) -> Any:  # noqa: ANN401 - an integer or an array
        """Return a literal as what the calls take.

        An array of no axes takes half the time of a Python integer.
        """
        if self.work_dtype == EXACT:
            return number
        if self.work_dtype.kind == "u":
            number %= 1 << 8 * self.work_dtype.itemsize
        return np.array(number, self.work_dtype)

    def _run(self, work: Array, is_late: Sequence[bool], *blocks: Array) -> bool:
        """Write the last block; tell whether an index cannot have one of its values.

        Args:
            work: Room of shape (indices and columns, at least block).
            is_late: As for `over`.
            blocks: Values of each index and room for the values, of shape (block,).
        """
        *given, out = blocks
        places: list[Any] = list(work[:, : len(out)])
        for k, block in enumerate(given):
            # A test comes before a narrower type makes another value of one.
            if is_late[k] and not is_inside(self._indices[k], block):
                return True
            if block.dtype.itemsize == work.dtype.itemsize:
                places[k] = block.view(work.dtype)
            else:
                places[k][...] = block
            if is_late[k] and not is_on_step(self._indices[k], places[k]):
                return True
        is_made_there = (
            self._result >= len(given) and out.dtype.itemsize == work.dtype.itemsize
        )
        if is_made_there:
            places[self._result] = out.view(work.dtype)
        places += self._literals
        for function, operands in self._calls:
            function(*operands(places))
        if not is_made_there:
            out[...] = places[self._result]
        return False


def _planned(program: Program) -> tuple[list[_Call], int, list[int], int]:
    """Return what to call, in order, and where each value is.

    A place is a number in the list of the values of the indices, the work columns and
    the literals; literals are counted from the end of it: -1, -2, ...

    Returns:
        The calls, the place of the result, the literals as they stand at the end of
        the list, and the number of work columns.
    """
    inputs = {idx: k for k, idx in enumerate(program.indices)}
    last_use = _last_uses(program)
    calls: list[_Call] = []
    literals: list[int] = []
    places: list[int] = []  # of the value of each step
    free: list[int] = []
    columns = 0
    for number, step in enumerate(program.steps):
        if step.value is not None:
            literals.append(step.value)
            places.append(-len(literals))
            continue
        if step.index is not None:
            places.append(inputs[step.index])
            continue
        operands = [places[k] for k in step.args]
        if step.literal is not None:
            literals.append(step.literal)
            operands.append(-len(literals))
        ended = [k for k in sorted(set(step.args)) if last_use[k] == number]
        free += [places[k] for k in ended if places[k] >= len(inputs)]
        if not free:
            free.append(len(inputs) + columns)
            columns += 1
        places.append(free.pop())
        calls.append((_FUNCTIONS[step.op], itemgetter(*operands, places[-1])))
    return calls, places[program.result], literals[::-1], columns


def _last_uses(program: Program) -> dict[int, int]:
    """Return which step takes the value of each one last; the result's none does."""
    last_use = {
        k: number for number, step in enumerate(program.steps) for k in step.args
    }
    last_use[program.result] = len(program.steps)
    return last_use
