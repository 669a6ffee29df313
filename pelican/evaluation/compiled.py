"""Compiled expressions: one function over whole arrays of index values.

The function runs the expression's straight-line program block by block, each block
small enough for the cache, and tests the values of a block before it uses them. Its
values are of the narrowest of int32 and int64 that holds every intermediate value, by
the ranges of the indices; where neither does, they are Python integers, which are
exact, and `reason` says why. The steps run in the narrowest unsigned integers, uint16
to uint64, that make the same values. For very many points the program becomes machine
code, where numba is installed.

With its neighbours `columns` and `calls` it is all of pelican that imports numpy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Set
from typing import Any, Final

import numpy as np

from pelican.errors import OperandError, UnboundIndexError
from pelican.evaluation.calls import Calls
from pelican.evaluation.columns import (
    EXACT,
    Array,
    column_of,
    cut_to_64_bits,
    faults,
    is_fit,
    shape_of,
)
from pelican.evaluation.jitted import MachineCode
from pelican.evaluation.machine import machine_program
from pelican.evaluation.program import lower
from pelican.expr import AffineIdx
from pelican.expr.node import Expr
from pelican.tree.arguments import as_mapping
from pelican.tree.kinds import is_expr, is_index
from pelican.tree.printing import brief_text

BLOCK: Final = 65_536
"""Values per block, for calls of numpy and for machine code.

Source: measured over a million points of three rings by calls of numpy. Blocks of
4,096 take twice as long, as each call has its cost; blocks of 16,384 or 524,288 a
fifth more. Machine code has no columns between its steps, so the size matters less.
"""

_SIGNED: Final = ((32, np.dtype(np.int32)), (64, np.dtype(np.int64)))


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
        self.dtype = EXACT
        for bits, dtype in _SIGNED:
            self.reason = program.misfit(bits)
            if self.reason is None:
                self.dtype = dtype
                break
        self._constant = program.steps[program.result].value
        is_exact = self.dtype == EXACT
        self._calls = Calls(program, self.dtype)
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
        shape = shape_of(columns)
        late = self._late(columns, math.prod(shape)) if check else frozenset()
        early = [idx for idx in columns if idx not in late]
        result = None
        if not check or all(is_fit(idx, columns[idx]) for idx in early):
            own = [columns[idx] for idx in self.indices]
            if not check and self.dtype != EXACT:
                own = [cut_to_64_bits(column) for column in own]
            result = self._values(own, late, shape, check=check)
        if result is None:
            raise next(faults(columns))
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
        return {idx: column_of(idx, value) for idx, value in at.items()}

    def _late(self, columns: Mapping[AffineIdx, Array], points: int) -> Set[AffineIdx]:
        """Return the indices whose values are tested in blocks, while in the cache.

        Others are tested before: of a shorter column each block would test the same
        values again, and exact integers take long anyway.
        """
        if self.dtype == EXACT or self._constant is not None:
            return frozenset()
        return frozenset(
            idx
            for idx in self.indices
            if columns[idx].size == points and columns[idx].dtype != EXACT
        )

    def _values(
        self,
        columns: list[Array],
        late: Set[AffineIdx],
        shape: tuple[int, ...],
        *,
        check: bool,
    ) -> Array | None:
        """Return the values, or None if an index has one that it cannot have.

        Args:
            columns: Values of each index of the program, of shapes that broadcast.
            late: The indices whose values are still to be tested.
            shape: That of all columns, those of other indices too.
            check: False skips the test.
        """
        if self._constant is not None:
            return np.asarray(self._constant, self.dtype)
        points = math.prod(shape)
        if not points:
            return np.empty(shape, self.dtype)
        kernel, given = self._kernel(columns, late, points)
        walk = _walk(columns, given, self.dtype)
        with walk:
            for blocks in walk:
                if kernel(*blocks) and check:
                    return None
            result: Array = walk.operands[-1]
        return result

    def _kernel(
        self, columns: list[Array], late: Set[AffineIdx], points: int
    ) -> tuple[Callable[..., bool], list[np.dtype[Any]]]:
        """Return what computes a block, and the types in which it takes the columns.

        Args:
            columns: Values of each index of the program.
            late: The indices whose values are still to be tested.
            points: How many values are computed, >= 1.
        """
        code = None if any(map(_is_wide, columns)) else self._code.after(points)
        if code is not None:
            # Code is made for each type of the columns, so all of them get one of two.
            is_narrow = all(column.dtype == np.int32 for column in columns)
            return code, [np.dtype(np.int32 if is_narrow else np.int64)] * len(columns)
        given = [
            column.dtype.newbyteorder("=") if idx in late else self._calls.work_dtype
            for idx, column in zip(self.indices, columns, strict=True)
        ]
        is_late = [idx in late for idx in self.indices]
        return self._calls.over(min(points, BLOCK), is_late), given


def compile_expr(expr: Expr, engine: str = "auto") -> Compiled:
    """Return the function of an expression over arrays; see `pelican.compile`."""
    if not is_expr(expr):
        raise OperandError(f"an expression is needed, got {brief_text(expr)}")
    return Compiled(expr, engine)


def _walk(
    columns: list[Array], given: list[np.dtype[Any]], dtype: np.dtype[Any]
) -> np.nditer:
    """Return what goes over columns in blocks, and over a new one for the values.

    Args:
        columns: Values of each index, of shapes that broadcast.
        given: What the values of each become, in the machine's byte order.
        dtype: The type of the new column.
    """
    operands: list[Any] = [*columns, None]
    op_flags: list[Any] = [["readonly", "contig"]] * len(columns)
    op_flags.append(["writeonly", "allocate", "contig"])
    return np.nditer(
        operands,
        flags=["external_loop", "buffered", "refs_ok"],
        op_flags=op_flags,
        op_dtypes=[*given, dtype],
        casting="unsafe",
        buffersize=BLOCK,
    )


def _is_wide(column: Array) -> bool:
    """Tell whether a column may hold integers that int64 does not."""
    return column.dtype in (EXACT, np.uint64)
