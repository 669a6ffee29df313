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


class Calls:
    """The calls of a program, each with the work column that it writes.

    A column is used again as soon as its value is needed no more, so that a long
    program needs few.

    Attributes:
        columns: Number of work columns.
        integers: What the calls compute in: the narrowest unsigned integers that do,
            as twice as many of half the width are computed at a time, and a floordiv
            without signs has nothing to round; else those of the values.
    """

    def __init__(self, program: Program, made: np.dtype[Any]) -> None:
        """Plan the calls.

        Args:
            program: What to do.
            made: The type of its values, which holds every intermediate value.
        """
        self._indices = program.indices
        bits = None if made == EXACT else wrapping_bits(program, 8 * made.itemsize)
        self.integers = made if bits is None else np.dtype(f"u{bits // 8}")
        self.columns = 0
        self._calls: list[tuple[Callable[..., Any], Callable[[Any], Any]]] = []
        literals: list[Any] = []

        def literal(number: int) -> int:
            """Return the place of a literal, counted from the last: -1, -2, ..."""
            literals.append(self._literal(number))
            return -len(literals)

        inputs = {idx: k for k, idx in enumerate(self._indices)}
        last_use = {k: n for n, step in enumerate(program.steps) for k in step.args}
        last_use[program.result] = len(program.steps)
        place: dict[int, int] = {}  # inputs first, then work columns
        free: list[int] = []
        for number, step in enumerate(program.steps):
            if step.value is not None:
                place[number] = literal(step.value)
                continue
            if step.index is not None:
                place[number] = inputs[step.index]
                continue
            operands = [place[k] for k in step.args]
            if step.literal is not None:
                operands.append(literal(step.literal))
            free += [
                place[k]
                for k in sorted(set(step.args))
                if place[k] >= len(inputs) and last_use[k] == number
            ]
            if not free:
                free.append(len(inputs) + self.columns)
                self.columns += 1
            place[number] = free.pop()
            call = _FUNCTIONS[step.op], itemgetter(*operands, place[number])
            self._calls.append(call)
        self._result = place[program.result]
        self._literals = literals[::-1]

    def over(self, size: int, is_tested: Sequence[bool]) -> Callable[..., bool]:
        """Return what takes blocks as `MachineCode.kernel` does.

        Args:
            size: Most values of a block.
            is_tested: Of each index whether to test its values; those of a wrong one
                that is not tested make arbitrary results.
        """
        work = np.empty((len(self._indices) + self.columns, size), self.integers)
        return partial(self._run, work, is_tested)

    def _literal(self, number: int) -> Any:  # noqa: ANN401 - an integer or an array
        """Return a literal as what the calls take.

        An array of no axes takes half the time of a Python integer.
        """
        if self.integers == EXACT:
            return number
        if self.integers.kind == "u":
            number %= 1 << 8 * self.integers.itemsize
        return np.array(number, self.integers)

    def _run(self, work: Array, is_tested: Sequence[bool], *blocks: Array) -> bool:
        """Write the values of a block, the last one; tell if one of an index is none.

        Args:
            work: Room of shape (indices and columns, at least block).
            is_tested: As for `over`.
            blocks: Values of each index and room for the values, of shape (block,).
        """
        *given, out = blocks
        places: list[Any] = list(work[:, : len(out)])
        for k, block in enumerate(given):
            # A test comes before a narrower type makes another value of one.
            if is_tested[k] and not is_inside(self._indices[k], block):
                return True
            if block.dtype.itemsize == work.dtype.itemsize:
                places[k] = block.view(work.dtype)
            else:
                places[k][...] = block
            if is_tested[k] and not is_on_step(self._indices[k], places[k]):
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
