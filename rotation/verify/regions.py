"""Check that regions stay inside their buffers and accesses inside PSUM banks."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Final

import numpy as np

from pelican.expr import AffineExpr, SimpleExpr
from pelican.expr.node import Expr
from pelican.tree.points import point_text
from pelican.tree.printing import brief_text
from pelican.tree.traverse import indices
from rotation.columns import Bools, Ints
from rotation.errors import KernelError
from rotation.loop_form.kernel import Arm, MemorySpace, Region
from rotation.loop_form.loop_values import first_value, value_at
from rotation.loop_form.points import (
    Columns,
    all_values,
    arms_at_points,
    deciding_exprs,
    fits_64_bits,
    grid,
    loops_in,
    values_at_points,
)
from rotation.machine.machine import Machine

MAX_POINTS: Final = 1_000_000
"""Points at which an expression is evaluated to find a violation."""


def region_mistakes(
    region: Region, machine: Machine, arms: tuple[Arm, ...] = ()
) -> Iterator[KernelError]:
    """Yield what is provably wrong with one operand on a machine.

    Args:
        region: The operand.
        machine: Where it is accessed.
        arms: The arms around it; iterations that do not do them do not count.
    """
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
        for mistake in _dimension_mistakes(region, dimension, arms)
    ]
    yield from mistakes
    if region.tensor.space is MemorySpace.PSUM and not mistakes:
        yield from _bank_mistakes(region, machine, arms)


def _dimension_mistakes(
    region: Region, dimension: int, arms: tuple[Arm, ...]
) -> Iterator[KernelError]:
    start, extent = region.starts[dimension], region.extents[dimension]
    name, size = region.tensor.name, region.tensor.shape[dimension]
    which = f"dimension {dimension} of {name} has {size} elements"
    terms = region.terms(dimension)
    if terms:
        yield from _partial_mistakes(region, dimension, arms)
        return
    last = size - extent
    if last < 0:
        hint = f"make the extent at most {size}"
        yield KernelError(f"{which}, and {extent} are used", region.span, hint)
        return
    if not fits_64_bits(start.expr):
        message = "an index expression needs more than 64 bits"
        yield KernelError(message, start.span, "make the numbers in it smaller")
        return
    outside = find_outside(start.expr, last, arms)
    if outside is not None:
        value, where = outside
        yield KernelError(
            f"{which}, and {value} to {value + extent - 1} are used{where}",
            start.span,
            f"keep {brief_text(start.raw)} in [0, {last}]: change it, the extent or a "
            "loop",
        )


def _partial_mistakes(
    region: Region, dimension: int, arms: tuple[Arm, ...]
) -> Iterator[KernelError]:
    """Yield what is wrong with an extent that differs from iteration to iteration."""
    start, terms = region.starts[dimension], region.terms(dimension)
    name, size = region.tensor.name, region.tensor.shape[dimension]
    exprs = [start.expr, *(term.expr for term in terms)]
    if not all(map(fits_64_bits, exprs)):
        message = "an index expression needs more than 64 bits"
        yield KernelError(message, start.span, "make the numbers in it smaller")
        return
    iterations = _iterations(exprs, arms)
    if iterations is None:
        return
    columns, mask = iterations
    first, *others = (values_at_points(e, columns, len(mask))[mask] for e in exprs)
    extent = np.minimum.reduce(others)
    for wrong, message, hint in (
        (
            extent < 1,
            "an extent must be >= 1, got {extent}{where}",
            "let the loop end earlier, or put the operation in an if",
        ),
        (
            (first < 0) | (first + extent > size),
            f"dimension {dimension} of {name} has {size} elements, and {{first}} to "
            "{last} are used{where}",
            "let a term of the min end where the buffer does: "
            f"{size} - ({brief_text(start.raw)})",
        ),
    ):
        found = np.flatnonzero(wrong)
        if len(found):
            at = int(found[0])
            text = point_text({i: c[mask][at] for i, c in columns.items()})
            values = {
                "extent": int(extent[at]),
                "first": int(first[at]),
                "last": int(first[at] + extent[at]) - 1,
                "where": f" at {text}" if text else "",
            }
            yield KernelError(message.format(**values), terms[0].span, hint)
            return


def _bank_mistakes(
    region: Region, machine: Machine, arms: tuple[Arm, ...]
) -> Iterator[KernelError]:
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
    outside = (0, "") if last < 0 else find_outside(offset % bank_bytes, last, arms)
    if outside is not None:
        yield KernelError(
            f"an access to {size_bytes} bytes of {tensor.name} crosses into another "
            f"psum bank{outside[1]}",
            region.span,
            f"a bank holds {bank_bytes // tensor.elem_bytes} elements of "
            f"{tensor.dtype} per partition: use one bank at a time",
        )


def find_outside(
    expr: Expr, last: int, arms: tuple[Arm, ...] = ()
) -> tuple[int, str] | None:
    """Return a value of an expression outside [0, last], and where it has it.

    All values are tried when there are few; else the first and last of each loop.
    None if no violation is found, or if ranges show that there is none.
    """
    least, most = expr.range.lo, expr.range.hi
    if least is not None and most is not None and least >= 0 and most <= last:
        return None
    iterations = _iterations([expr], arms)
    if iterations is None:
        return None
    columns, mask = iterations
    values = values_at_points(expr, columns, len(mask))[mask]
    wrong = np.flatnonzero((values < 0) | (values > last))
    if not len(wrong):
        return None
    first = wrong[0]
    mine = set(indices(expr))
    at = point_text({i: c[mask][first] for i, c in columns.items() if i in mine})
    return int(values[first]), f" at {at}" if at else ""


def _iterations(
    exprs: list[Expr], arms: tuple[Arm, ...]
) -> tuple[Columns, Bools] | None:
    """Return points at which to look at expressions, and which of them do the arms.

    All points of the loops that are used when there are at most `MAX_POINTS`, else
    the corners; None if those are too many as well, or if numbers are too large.

    Returns:
        The values of the loops and the mask, both (p,).
    """
    asked = deciding_exprs(arms)
    if not all(map(fits_64_bits, asked)):
        return None
    used = loops_in((*exprs, *asked))
    # A loop may have more trips than 64 bits count, so they are counted in Python.
    few = prod(index.trip_count for index in used) <= MAX_POINTS
    values = {index: all_values(index) if few else _ends(index) for index in used}
    count = prod(map(len, values.values()))
    if count > MAX_POINTS:
        return None
    columns = grid(values)
    return columns, arms_at_points(arms, columns, count)


def _ends(index: SimpleExpr) -> Ints:
    """Return the first and the last value of a loop, (1,) or (2,)."""
    first, last = first_value(index), value_at(index, index.trip_count - 1)
    return np.array([first] if first == last else [first, last], dtype=np.int64)
