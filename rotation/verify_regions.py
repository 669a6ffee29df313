"""Check that regions stay inside their buffers and accesses inside PSUM banks."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

import numpy as np

from pelican.expr import AffineExpr, SimpleExpr
from pelican.kinds import is_affine, is_divlike, is_mult
from pelican.node import Expr
from pelican.points import point_text
from pelican.printing import brief_text
from pelican.traverse import fold, indices, postorder
from rotation.errors import KernelError
from rotation.kernel import MAX_INTEGER, MemorySpace, Region
from rotation.machine import Machine
from rotation.program import Ints

MAX_POINTS: Final = 1_000_000
"""Points at which an expression is evaluated to find a violation."""


def region_mistakes(region: Region, machine: Machine) -> Iterator[KernelError]:
    """Yield what is provably wrong with one operand on a machine."""
    name, shape = region.tensor.name, region.tensor.shape
    if len(region.extents) != len(shape):
        yield KernelError(
            f"{name} has {len(shape)} dimensions, and {len(region.extents)} are given",
            region.span,
            f"its shape is {list(shape)}: write START:+EXTENT for each dimension",
        )
        return
    mistakes = [
        mistake
        for dimension in range(len(shape))
        for mistake in _dimension_mistakes(region, dimension)
    ]
    yield from mistakes
    if region.tensor.space is MemorySpace.PSUM and not mistakes:
        yield from _bank_mistakes(region, machine)


def _dimension_mistakes(region: Region, dimension: int) -> Iterator[KernelError]:
    start, extent = region.starts[dimension], region.extents[dimension]
    name, size = region.tensor.name, region.tensor.shape[dimension]
    which = f"dimension {dimension} of {name} has {size} elements"
    last = size - extent
    if last < 0:
        hint = f"make the extent at most {size}"
        yield KernelError(f"{which}, and {extent} are used", region.span, hint)
        return
    if not fits_64_bits(start.expr):
        message = "an index expression needs more than 64 bits"
        yield KernelError(message, start.span, "make the numbers in it smaller")
        return
    outside = _find_outside(start.expr, last)
    if outside is not None:
        value, where = outside
        yield KernelError(
            f"{which}, and {value} to {value + extent - 1} are used{where}",
            start.span,
            f"keep {brief_text(start.raw)} in [0, {last}]: change it, the extent or a "
            "loop",
        )


def _bank_mistakes(region: Region, machine: Machine) -> Iterator[KernelError]:
    """Yield an error if an access to a tile of several banks crosses into another.

    Such a tile starts where a bank starts; a smaller one lies inside one bank.
    """
    tensor, bank_bytes = region.tensor, machine.psum_bank_bytes
    if tensor.bytes_per_partition <= bank_bytes:
        return
    offset: Expr = AffineExpr((), 0)
    size_bytes = stride_bytes = tensor.elem_bytes
    for dimension in reversed(range(1, len(tensor.shape))):
        offset += region.starts[dimension].expr * stride_bytes
        size_bytes += (region.extents[dimension] - 1) * stride_bytes
        stride_bytes *= tensor.shape[dimension]
    last = bank_bytes - size_bytes
    outside = (0, "") if last < 0 else _find_outside(offset % bank_bytes, last)
    if outside is not None:
        yield KernelError(
            f"an access to {size_bytes} bytes of {tensor.name} crosses into another "
            f"psum bank{outside[1]}",
            region.span,
            f"a bank holds {bank_bytes // tensor.elem_bytes} elements of "
            f"{tensor.dtype} per partition: use one bank at a time",
        )


def fits_64_bits(expr: Expr) -> bool:
    """Tell whether 64-bit integers evaluate an expression exactly.

    Sums may wrap around on the way, as long as each whole node fits.
    """
    for node in postorder(expr):
        numbers: list[int | None] = [node.range.lo, node.range.hi]
        if is_affine(node):
            numbers += [node.constant, *(coefficient for _, coefficient in node.terms)]
        elif is_mult(node):
            numbers.append(node.scale)
        elif is_divlike(node):
            numbers.append(node.denom)
        if any(number is None or abs(number) > MAX_INTEGER for number in numbers):
            return False
    return True


def _find_outside(expr: Expr, last: int) -> tuple[int, str] | None:
    """Return a value of an expression outside [0, last], and where it has it.

    All values are tried when there are few; else the first and last of each loop.
    None if no violation is found, or if ranges show that there is none.
    """
    least, most = expr.range.lo, expr.range.hi
    if least is not None and most is not None and least >= 0 and most <= last:
        return None
    columns = _points(indices(expr))
    if columns is None:
        return None
    values = np.atleast_1d(fold(expr, columns.__getitem__))
    wrong = np.flatnonzero((values < 0) | (values > last))
    if not len(wrong):
        return None
    first = wrong[0]
    at = point_text({index: column[first] for index, column in columns.items()})
    return int(values[first]), f" at {at}" if at else ""


def _points(used: tuple[SimpleExpr, ...]) -> dict[SimpleExpr, Ints] | None:
    """Return the values of loops at points of their nest, each (p,).

    All points when there are at most `MAX_POINTS`, else the corners; None if those
    are too many as well.
    """
    # A loop may have more trips than 64 bits count, so they are counted in Python.
    few = prod(index.trip_count for index in used) <= MAX_POINTS
    values = [_all_values(index) if few else _ends(index) for index in used]
    inside = prod(map(len, values))
    if inside > MAX_POINTS:
        return None
    linear = np.arange(inside, dtype=np.int64)
    columns: dict[SimpleExpr, Ints] = {}
    for index, own in zip(used, values, strict=True):
        inside //= len(own)
        columns[index] = own[linear // inside % len(own)]
    return columns


def _all_values(index: SimpleExpr) -> Ints:
    return (index.lo or 0) + index.step * np.arange(index.trip_count, dtype=np.int64)


def _ends(index: SimpleExpr) -> Ints:
    """Return the first and the last value of a loop, (1,) or (2,)."""
    first = index.lo or 0
    last = first + (index.trip_count - 1) * index.step
    return np.array([first] if first == last else [first, last], dtype=np.int64)
