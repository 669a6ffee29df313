"""Compiled expressions: one function over whole arrays of index values.

The only module of pelican that imports numpy.

The function runs the expression's straight-line program block by block, each block
small enough for the cache, and tests the values of a block before it uses them. Its
integers are the narrowest of int32 and int64 that hold every intermediate value, by
the ranges of the indices; where neither does, it computes with Python integers, which
are exact, and says why in `reason`. For very many points the program becomes machine
code, where numba is installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from operator import itemgetter
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

BLOCK: Final = 65_536
"""Values per block: all columns of a block stay in the cache from step to step.

SOURCE
"""

Array = np.ndarray[Any, Any]

_WIDTHS: Final = ((32, np.dtype(np.int32)), (64, np.dtype(np.int64)))
_AS_UNSIGNED: Final = {
    np.dtype(f"{order}i{size}"): np.dtype(f"{order}u{size}")
    for order in "<>"
    for size in (1, 2, 4, 8)
}
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
        is_exact = self.dtype == _EXACT
        self._plan = _Plan(program, self.dtype)
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
        points = math.prod(shape)
        late = self._late(columns, points)
        is_fit = not check or all(
            _is_fit(idx, column) for idx, column in columns.items() if idx not in late
        )
        own = [columns[idx] for idx in self.indices]
        result = self._values(own, late, points, check=check) if is_fit else None
        if result is None:
            raise next(_faults(columns))
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

    def _late(self, columns: Mapping[AffineIdx, Array], points: int) -> Set[AffineIdx]:
        """Return the indices whose values are tested in blocks, while in the cache.

        Others are tested before: of a shorter column each block would test the same
        values again, and exact integers take long anyway.
        """
        if self.dtype == _EXACT or self._constant is not None:
            return frozenset()
        return frozenset(
            idx
            for idx in self.indices
            if columns[idx].size == points and columns[idx].dtype != _EXACT
        )

    def _values(
        self, columns: list[Array], late: Set[AffineIdx], points: int, *, check: bool
    ) -> Array | None:
        """Return the values, or None if an index has one that it cannot have.

        Args:
            columns: Values of each index of the program, of shapes that broadcast.
            late: The indices whose values are still to be tested.
            points: How many values there are.
            check: False skips the test.
        """
        if self._constant is not None:
            return np.asarray(self._constant, self.dtype)
        if not points:
            return np.empty(0, self.dtype)
        kernel = None if any(map(_is_wide, columns)) else self._code.after(points)
        if kernel is None:
            is_late = [idx in late for idx in self.indices]
            given = [
                column.dtype.newbyteorder("=") if is_native else self._plan.integers
                for column, is_native in zip(columns, is_late, strict=True)
            ]
            kernel = self._plan.over(min(points, BLOCK), is_late, check=check)
        else:
            # Code is made for each type of the columns, so all of them get one of two.
            is_narrow = all(column.dtype == np.int32 for column in columns)
            given = [np.dtype(np.int32 if is_narrow else np.int64)] * len(columns)
        walk = _walk(columns, given, self.dtype)
        with walk:
            for blocks in walk:
                if kernel(*blocks) and check:
                    return None
            result: Array = walk.operands[-1]
        return result


def compile_expr(expr: Expr, engine: str = "auto") -> Compiled:
    """Return the function of an expression over arrays; see `pelican.compile`."""
    if not is_expr(expr):
        raise OperandError(f"an expression is needed, got {brief_text(expr)}")
    return Compiled(expr, engine)


def _walk(columns: list[Array], given: list[np.dtype[Any]], made: np.dtype[Any]) -> Any:  # noqa: ANN401 - numpy's iterator over blocks has no better type
    """Return what goes over columns in blocks, and over a new one for the values.

    Args:
        columns: Values of each index, of shapes that broadcast.
        given: What the values of each become, in the machine's byte order.
        made: The type of the new column.
    """
    operands: list[Any] = [*columns, None]
    op_flags: list[Any] = [["readonly", "contig"]] * len(columns)
    op_flags.append(["writeonly", "allocate", "contig"])
    return np.nditer(
        operands,
        flags=["external_loop", "buffered", "refs_ok"],
        op_flags=op_flags,
        op_dtypes=[*given, made],
        casting="unsafe",
        buffersize=BLOCK,
    )


def _is_wide(column: Array) -> bool:
    """Tell whether a column may hold integers that int64 does not."""
    return column.dtype in (_EXACT, np.uint64)


class _Plan:
    """The calls of a program, each with the work column that it writes.

    A column is used again as soon as its value is needed no more, so that a long
    program needs few. The values that the program is for are made in their own place.

    Attributes:
        columns: Number of work columns.
        integers: What the calls compute in: without signs where no value is negative,
            since a floordiv takes two thirds of the time then.
    """

    def __init__(self, program: Program, dtype: np.dtype[Any]) -> None:
        self._indices = program.indices
        self.integers = _integers(program, dtype)
        self.columns = 0
        self._calls: list[tuple[Callable[..., Any], Callable[[Any], Any]]] = []
        literals: list[Any] = []

        def literal(number: int | None) -> int:
            """Return the place of a literal: -1, -2 and so on."""
            is_exact = self.integers == _EXACT
            literals.append(number if is_exact else np.array(number, self.integers))
            return -len(literals)

        inputs = {idx: k for k, idx in enumerate(self._indices)}
        last_use = {k: n for n, step in enumerate(program.steps) for k in step.args}
        last_use[program.result] = len(program.steps)
        place: dict[int, int] = {}  # number of an operand: inputs first, then columns
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
            for k in set(step.args):
                if place[k] >= len(inputs) and last_use[k] == number:
                    free.append(place[k])
            if not free:
                free.append(len(inputs) + self.columns)
                self.columns += 1
            place[number] = free.pop()
            call = _FUNCTIONS[step.op], itemgetter(*operands, place[number])
            self._calls.append(call)
        self._result = place[program.result]
        self._literals = literals[::-1]

    def over(
        self, size: int, is_late: Sequence[bool], *, check: bool
    ) -> Callable[..., bool]:
        """Return what `MachineCode.kernel` is, for blocks of at most so many values.

        Args:
            size: Most values of a block.
            is_late: Of each index, whether its values are to be tested.
            check: False for no test at all.
        """
        work = np.empty((len(self._indices) + self.columns, size), self.integers)
        return partial(self._run, work, [check and late for late in is_late])

    def _run(self, work: Array, is_tested: list[bool], *blocks: Array) -> bool:
        *given, out = blocks
        places: list[Any] = list(work[:, : len(out)])
        for k, (idx, block) in enumerate(zip(self._indices, given, strict=True)):
            if is_tested[k] and not _is_inside(idx, block):
                return True
            if block.dtype.itemsize == work.dtype.itemsize:
                places[k] = block.view(work.dtype)
            else:
                places[k][...] = block
            if is_tested[k] and not _is_on_step(idx, places[k]):
                return True
        values = out.view(work.dtype)
        if self._result < len(given):
            values[...] = places[self._result]
        else:
            places[self._result] = values
        places += self._literals
        for function, operands in self._calls:
            function(*operands(places))
        return False


def _integers(program: Program, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return what the steps of a program are computed in, as wide as its values."""
    if dtype == _EXACT:
        return dtype
    for step in program.steps:
        if min(step.interval.lo or 0, step.literal or 0) < 0:
            return dtype
    return _AS_UNSIGNED[dtype]


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
        # One shape needs no look at its axes, which takes longer than ten values.
        shapes = {column.shape for column in columns.values()}
        return shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
    except ValueError:
        shapes = ", ".join(f"{idx.name} {c.shape}" for idx, c in columns.items())
        raise OperandError(
            f"the shapes do not broadcast: {shapes}",
            hint="numpy's rules: axes are equal or 1, counted from the last",
        ) from None


def _faults(columns: Mapping[AffineIdx, Array]) -> Iterator[IndexRangeError]:
    """Yield what is wrong with each column that holds a value that is none."""
    for idx, column in columns.items():
        if column.size and not _is_inside(idx, column):
            ends = int(column.argmin()), int(column.argmax())
            end = next(k for k in ends if int(column.flat[k]) not in idx.range)
            yield IndexRangeError(
                f"{_at(idx, column, end)} is outside {idx.describe()}"
            )
        elif not _is_on_step(idx, column):
            first = int(np.flatnonzero(_off_step(idx, column))[0])
            yield IndexRangeError(
                f"{_at(idx, column, first)} is off the step of {idx.describe()}"
            )


def _is_fit(idx: AffineIdx, column: Array) -> bool:
    """Tell whether all values are in an index's range and on its step."""
    return not column.size or (_is_inside(idx, column) and _is_on_step(idx, column))


def _is_inside(idx: AffineIdx, values: Array) -> bool:
    """Tell whether an index's range holds all values, of which there is one at least.

    A range from 0 takes one pass: as unsigned integers negative ones are larger than
    any other of their type.
    """
    lo, hi = idx.range.lo, idx.range.hi
    unsigned = _AS_UNSIGNED.get(values.dtype)
    if lo == 0 and hi is not None and unsigned is not None:
        most = min(hi, (1 << 8 * unsigned.itemsize - 1) - 1)
        return int(np.maximum.reduce(values.view(unsigned), axis=None)) <= most
    return (lo is None or lo <= int(values.min())) and (
        hi is None or int(values.max()) <= hi
    )


def _is_on_step(idx: AffineIdx, values: Array) -> bool:
    """Tell whether all values of an index's range are on its step."""
    return idx.lo is None or idx.step == 1 or not _off_step(idx, values).any()


def _off_step(idx: AffineIdx, values: Array) -> Array:
    """Tell of each value of an index's range whether it is off the step.

    Returns:
        Booleans of shape (values,).
    """
    values = values.reshape(-1)
    if values.dtype != _EXACT and idx.step > np.iinfo(values.dtype).max:
        values = values.astype(_EXACT if idx.step > _INT64_MAX else np.int64)
    # What wraps around differs by less than the step from what does not.
    off: Array = values // idx.step * idx.step + idx.lo % idx.step != values
    return off


def _at(idx: AffineIdx, column: Array, flat: int) -> str:
    number = int(column.flat[flat])
    if not column.ndim:
        return f"{idx.name} = {brief(number)}"
    place = ", ".join(str(int(k)) for k in np.unravel_index(flat, column.shape))
    return f"{idx.name}[{place}] = {brief(number)}"
