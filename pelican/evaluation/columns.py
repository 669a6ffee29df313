"""What is given for the indices of a compiled function: columns, and their tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from pelican.errors import IndexRangeError, OperandError
from pelican.expr import AffineIdx
from pelican.integers import brief
from pelican.tree.arguments import as_int

Array = np.ndarray[Any, Any]

EXACT: Final = np.dtype(object)
"""The type of columns of Python integers."""

_UNSIGNED: Final = {
    np.dtype(f"{order}i{size}"): np.dtype(f"{order}u{size}")
    for order in "<>"
    for size in (1, 2, 4, 8)
}
_INT64_MAX: Final = (1 << 63) - 1


def column_of(idx: AffineIdx, value: object) -> Array:
    """Return the values of an index as an array of integers.

    Raises:
        OperandError: If a value holds no integers, or hides some behind a mask.
    """
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
    if column.dtype == EXACT:
        exact = np.empty(column.shape, EXACT)
        exact[...] = np.frompyfunc(as_int, 1, 1)(column)
        return exact
    if not column.size and column.dtype.kind == "f" and isinstance(value, list):
        return column.astype(np.int64)  # an empty list holds no floats
    raise OperandError(
        f"{idx.name} takes integers, got values of type {column.dtype}",
        hint="convert them: values.astype(int)",
    )


def cut_to_64_bits(column: Array) -> Array:
    """Return a column of Python integers without what int64 does not hold of them.

    Values that nobody checks may be of any size; other columns come back as they are.
    """
    if column.dtype != EXACT:
        return column
    return np.bitwise_and(column, _INT64_MAX).astype(np.int64)


def shape_of(columns: Mapping[AffineIdx, Array]) -> tuple[int, ...]:
    """Return the shape that all columns broadcast to.

    Raises:
        OperandError: If they do not.
    """
    # One shape needs no look at its axes, which takes longer than a dozen values.
    shapes: list[tuple[int, ...]] = list({column.shape for column in columns.values()})
    if len(shapes) == 1:
        return shapes[0]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        named = ", ".join(f"{idx.name} {c.shape}" for idx, c in columns.items())
        raise OperandError(
            f"the shapes do not broadcast: {named}",
            hint="numpy's rules: axes are equal or 1, counted from the last",
        ) from None


def faults(columns: Mapping[AffineIdx, Array]) -> Iterator[IndexRangeError]:
    """Yield what to say of each column with a value that its index cannot have."""
    for idx, column in columns.items():
        if column.size and not is_inside(idx, column):
            ends = int(column.argmin()), int(column.argmax())
            end = next(k for k in ends if int(column.flat[k]) not in idx.range)
            yield IndexRangeError(
                f"{_at(idx, column, end)} is outside {idx.describe()}"
            )
        elif not is_on_step(idx, column):
            first = int(np.flatnonzero(_off_step(idx, column))[0])
            yield IndexRangeError(
                f"{_at(idx, column, first)} is off the step of {idx.describe()}"
            )


def is_fit(idx: AffineIdx, column: Array) -> bool:
    """Tell whether an index can have all values of a column."""
    return not column.size or (is_inside(idx, column) and is_on_step(idx, column))


def is_inside(idx: AffineIdx, values: Array) -> bool:
    """Tell whether an index's range holds all values, of which there is one at least.

    A range from 0 takes one pass: as unsigned integers negative ones are larger than
    any other of their type.
    """
    lo, hi = idx.range.lo, idx.range.hi
    unsigned = _UNSIGNED.get(values.dtype)
    if lo == 0 and hi is not None and unsigned is not None:
        most = min(hi, (1 << 8 * unsigned.itemsize - 1) - 1)
        return int(np.maximum.reduce(values.view(unsigned), axis=None)) <= most
    return (lo is None or lo <= int(values.min())) and (
        hi is None or int(values.max()) <= hi
    )


def is_on_step(idx: AffineIdx, values: Array) -> bool:
    """Tell whether all values are on an index's step; each is in its range."""
    return idx.lo is None or idx.step == 1 or not _off_step(idx, values).any()


def _off_step(idx: AffineIdx, values: Array) -> Array:
    """Return of each value whether it is off the step, of shape (values,).

    It takes a floordiv, since numpy's remainder takes some ten times as long.
    """
    values = values.reshape(-1)
    if values.dtype != EXACT and idx.step > np.iinfo(values.dtype).max:
        values = values.astype(EXACT if idx.step > _INT64_MAX else np.int64)
    # The next value below on a step from 0, and what lies between; where this wraps
    # around it differs from the value still, as it is less than a step away.
    on_step = values // idx.step * idx.step + (idx.lo or 0) % idx.step
    off: Array = on_step != values
    return off


def _at(idx: AffineIdx, column: Array, flat: int) -> str:
    number = int(column.flat[flat])
    if not column.ndim:
        return f"{idx.name} = {brief(number)}"
    place = ", ".join(str(int(k)) for k in np.unravel_index(flat, column.shape))
    return f"{idx.name}[{place}] = {brief(number)}"
