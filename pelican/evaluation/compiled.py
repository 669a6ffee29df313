"""Compiled expressions: one function over whole arrays of index values.

The only module of pelican that imports numpy.

The function runs the expression's straight-line program block by block, each block
small enough for the cache. Its integers are the narrowest of int32 and int64 that
hold every intermediate value, by the ranges of the indices; where neither does, it
computes with Python integers, which are exact, and says why in `reason`. For very many
points the program becomes machine code, where numba is installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from pelican.errors import IndexRangeError, OperandError, UnboundIndexError
from pelican.evaluation.jitted import MachineCode
from pelican.evaluation.machine import machine_program
from pelican.evaluation.program import Program, lower
from pelican.expr import AffineIdx
from pelican.expr.node import Expr
from pelican.integers import brief
from pelican.tree.build import as_int, as_mapping
from pelican.tree.kinds import is_expr, is_index
from pelican.tree.printing import brief_text

BLOCK: Final = 16_384
"""Values per block: a few columns of a block fit the second-level cache.

Source: measured over 4 million values of two mods and a floordiv. Blocks of 4,096
take twice as long, blocks of 65,536 a fifth less, one block of all values twice as
long.
"""

JIT_BLOCK: Final = 65_536
"""Values per block for machine code, which has no columns between its steps."""

Array = np.ndarray[Any, Any]

_WIDTHS: Final = ((32, np.dtype(np.int32)), (64, np.dtype(np.int64)))
_EXACT: Final = np.dtype(object)
_INT64_MAX: Final = (1 << 63) - 1

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


class Compiled:
    """A function from index values to the values of one expression.

    Attributes:
        expr: The expression.
        dtype: int32 or int64, or object for exact Python integers.
        reason: Why the integers are exact ones, or None for machine integers.
        indices: The indices that need a value, in term order.
    """

    def __init__(self, expr: Expr, engine: str = "auto") -> None:
        self.expr = expr
        self._asked = engine
        program = machine_program(lower(expr))
        self.indices = program.indices
        self.reason: str | None = None
        self.dtype = _EXACT
        for bits, dtype in _WIDTHS:
            self.reason = program.misfit(bits)
            if self.reason is None:
                self.dtype = dtype
                break
        self._constant = program.steps[program.result].value
        self._plan = _Plan(program, self.indices)
        is_exact = self.dtype == _EXACT
        self._code = MachineCode(program, str(self.dtype), engine, is_exact=is_exact)

    def __reduce__(self) -> tuple[Any, ...]:
        return Compiled, (self.expr, self._asked)

    @property
    def engine(self) -> str:
        """What computed the last values: ``"numpy"`` or ``"numba"``."""
        return "numpy" if self._code.kernel is None else "numba"

    def __repr__(self) -> str:
        names = ", ".join(idx.name for idx in self.indices)
        return f"<compiled function of ({names}) over {self.dtype}>"

    def __call__(self, at: Mapping[Any, Any], *, check: bool = True) -> Any:  # noqa: ANN401
        """Return the value at every point.

        Args:
            at: Value of each index: an integer or an array of integers. The shapes
                broadcast; other indices may be bound too.
            check: False skips the test that values are in their index's range and on
                its step. A value that is not gives an arbitrary result then.

        Returns:
            An array of the broadcast shape and of `dtype`; an int if all values are
            integers.

        Raises:
            UnboundIndexError: If an index has no value.
            IndexRangeError: If a value is outside its index's range or off its step.
            OperandError: If a key is no index, a value holds no integers or hides some
                behind a mask, or the shapes do not broadcast.
        """
        columns = self._columns(at)
        shape = _shape(columns)
        own = [columns[idx] for idx in self.indices]
        kernel = self._kernel(own, math.prod(shape))
        if check:
            for idx, column in columns.items():
                if kernel is None or idx not in self.indices:
                    _check(idx, column)
        if kernel is None:
            result = self._run(own)
        else:
            result, is_bad = self._run_kernel(kernel, own)
            if is_bad and check:  # the value and its place are found by another way
                for idx in self.indices:
                    _check(idx, columns[idx])
        if result.shape != shape:  # another index than those of the program is wider
            result = np.broadcast_to(result, shape).copy()
        return result if shape else int(result[()])

    def _columns(self, at: Mapping[Any, Any]) -> dict[AffineIdx, Array]:
        """Return the values of each index that is bound, as arrays."""
        for key in as_mapping(at, "a compiled function"):
            if not is_expr(key) or not is_index(key):
                raise OperandError(
                    f"a key must be an index, got {brief_text(key)}",
                    hint="use f({i: values})",
                )
        missing = [idx.name for idx in self.indices if idx not in at]
        if missing:
            raise UnboundIndexError(
                f"no value for {', '.join(missing)}",
                hint="bind every index: f({i: values, j: 0})",
            )
        return {idx: _column(idx, value) for idx, value in at.items()}

    def _kernel(self, columns: list[Array], points: int) -> Callable[..., bool] | None:
        """Return machine code that takes some columns, if it is worth it by now."""
        if self._constant is not None or any(map(_is_wide, columns)):
            return None
        return self._code.after(points)

    def _run(self, columns: list[Array]) -> Array:
        if self._constant is not None:
            return np.asarray(self._constant, self.dtype)
        walk = _walk(columns, self.dtype, self.dtype, BLOCK)
        work = np.empty((self._plan.columns, BLOCK), self.dtype)
        with walk:
            for blocks in walk if walk.itersize else ():
                self._plan.run(list(blocks[:-1]), work, blocks[-1])
            result: Array = walk.operands[-1]
        return result

    def _run_kernel(
        self, kernel: Callable[..., bool], columns: list[Array]
    ) -> tuple[Array, bool]:
        """Return the values, and whether one of an index is none that it can have."""
        # Code is made for each type of the columns, so all of them get one of two.
        is_narrow = all(column.dtype == np.int32 for column in columns)
        given = np.dtype(np.int32 if is_narrow else np.int64)
        walk = _walk(columns, given, self.dtype, JIT_BLOCK)
        is_bad = False
        with walk:
            for blocks in walk if walk.itersize else ():
                is_bad |= kernel(*blocks)
            result: Array = walk.operands[-1]
        return result, is_bad


def compile_expr(expr: Expr, engine: str = "auto") -> Compiled:
    """Return the function of an expression over arrays; see `pelican.compile`."""
    if not is_expr(expr):
        raise OperandError(f"an expression is needed, got {brief_text(expr)}")
    return Compiled(expr, engine)


def _walk(
    columns: list[Array],
    given: np.dtype[Any],
    made: np.dtype[Any],
    size: int,
) -> Any:  # noqa: ANN401 - numpy's iterator over blocks has no better type
    """Return what goes over columns in blocks, and over a new one for the values.

    Args:
        columns: Values of each index, of shapes that broadcast.
        given: What the values of the indices become.
        made: The type of the new column.
        size: Most values of a block.
    """
    operands: list[Any] = [*columns, None]
    op_flags: list[Any] = [["readonly", "contig"]] * len(columns)
    op_flags.append(["writeonly", "allocate", "contig"])
    return np.nditer(
        operands,
        flags=["external_loop", "buffered", "zerosize_ok", "refs_ok"],
        op_flags=op_flags,
        op_dtypes=[given] * len(columns) + [made],
        casting="unsafe",
        buffersize=size,
    )


def _is_wide(column: Array) -> bool:
    """Tell whether a column may hold integers that int64 does not."""
    return column.dtype in (_EXACT, np.uint64)


class _Plan:
    """The calls of a program, each with the work column that it writes.

    A column is used again as soon as its value is needed no more, so that a long
    program needs few.
    """

    def __init__(self, program: Program, indices: tuple[AffineIdx, ...]) -> None:
        inputs = {idx: k for k, idx in enumerate(indices)}
        last_use = {k: n for n, step in enumerate(program.steps) for k in step.args}
        self.inputs = len(inputs)
        self.columns = 0
        self.calls: list[tuple[Callable[..., Any], tuple[Any, ...], int]] = []
        place: dict[int, int] = {}  # number of an operand: inputs first, then columns
        free: list[int] = []
        for number, step in enumerate(program.steps):
            if step.value is not None:
                continue
            if step.index is not None:
                place[number] = inputs[step.index]
                continue
            operands: list[Any] = [
                _Column(place[k]) if k in place else program.steps[k].value
                for k in step.args
            ]
            if step.literal is not None:
                operands.append(step.literal)
            for k in set(step.args):
                kept = k not in place or place[k] < self.inputs
                if not kept and last_use[k] == number:
                    free.append(place[k])
            if not free:
                free.append(self.inputs + self.columns)
                self.columns += 1
            place[number] = free.pop()
            self.calls.append((_FUNCTIONS[step.op], tuple(operands), place[number]))
        self.result = place.get(program.result, 0)

    def run(self, inputs: list[Array], work: Array, out: Array) -> None:
        """Write the values of one block.

        Args:
            inputs: Values of each index, of shape (block,).
            work: Room of shape (columns, at least block).
            out: Where the values go, of shape (block,).
        """
        size = len(out)
        places = [*inputs, *work[:, :size]]
        for function, operands, target in self.calls:
            values = [places[v.place] if type(v) is _Column else v for v in operands]
            function(*values, out=places[target])
        out[...] = places[self.result]


class _Column:
    """An operand that is a column, by its place."""

    __slots__ = ("place",)

    def __init__(self, place: int) -> None:
        self.place = place


def _column(idx: AffineIdx, value: object) -> Array:
    """Return the values of an index as an array of integers."""
    if isinstance(value, np.ma.MaskedArray):
        raise OperandError(
            f"{idx.name} takes integers, got a masked array",
            hint="compute the values that stand: values.compressed()",
        )
    try:
        column = np.asarray(value)
    except ValueError as error:
        raise OperandError(f"{idx.name} takes an array of integers: {error}") from None
    if column.dtype.kind in "iu":
        return column
    if column.dtype == _EXACT:
        exact = np.empty(column.shape, _EXACT)
        exact[...] = np.frompyfunc(as_int, 1, 1)(column)
        return exact
    if not column.size and column.dtype.kind == "f" and isinstance(value, list):
        return column.astype(np.int64)  # an empty list holds no floats
    raise OperandError(
        f"{idx.name} takes integers, got values of type {column.dtype}",
        hint="convert them: values.astype(int)",
    )


def _shape(columns: Mapping[AffineIdx, Array]) -> tuple[int, ...]:
    """Return the shape that all columns broadcast to."""
    try:
        return np.broadcast_shapes(*(column.shape for column in columns.values()))
    except ValueError:
        shapes = ", ".join(f"{idx.name} {c.shape}" for idx, c in columns.items())
        raise OperandError(
            f"the shapes do not broadcast: {shapes}",
            hint="numpy's rules: axes are equal or 1, counted from the last",
        ) from None


def _check(idx: AffineIdx, column: Array) -> None:
    """Test least value, greatest value and step of a column once."""
    if not column.size:
        return
    ends = () if _is_inside(idx, column) else (column.argmin(), column.argmax())
    for end in ends:
        number = int(column.flat[end])
        if number not in idx.range:
            raise IndexRangeError(
                f"{_at(idx, column, int(end))} is outside {idx.describe()}"
            )
    if idx.lo is None or idx.step == 1:
        return
    if idx.step > _INT64_MAX:
        column = column.astype(_EXACT)
    elif column.dtype != _EXACT and column.dtype.itemsize < np.dtype(np.int64).itemsize:
        column = column.astype(np.int64)
    off = np.flatnonzero(column % idx.step != idx.lo % idx.step)
    if off.size:
        raise IndexRangeError(
            f"{_at(idx, column, int(off[0]))} is off the step of {idx.describe()}"
        )


def _is_inside(idx: AffineIdx, column: Array) -> bool:
    """Tell of a range from 0, in one pass, whether it holds all values.

    As unsigned integers negative ones are larger than any other of their type.
    """
    if idx.range.lo != 0 or idx.range.hi is None or column.dtype.kind != "i":
        return False
    unsigned = column.view(column.dtype.str.replace("i", "u"))
    return int(unsigned.max()) <= min(idx.range.hi, np.iinfo(column.dtype).max)


def _at(idx: AffineIdx, column: Array, flat: int) -> str:
    number = int(column.flat[flat])
    if not column.ndim:
        return f"{idx.name} = {brief(number)}"
    place = ", ".join(str(int(k)) for k in np.unravel_index(flat, column.shape))
    return f"{idx.name}[{place}] = {brief(number)}"
