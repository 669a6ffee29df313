"""Which iterations ``@`` selects, where the ifs around an operation say when."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

import numpy as np

from pelican.expr import SimpleExpr
from pelican.interval import Interval
from pelican.node import Expr
from pelican.traverse import fold, indices
from rotation.loop_form.joins import arm_mask
from rotation.loop_form.kernel import Arm
from rotation.unrolled.program import Ints
from rotation.verify.regions import fits_64_bits

MAX_POINTS: Final = 2**18
"""So many iterations are looked at one by one; of more, ranges are taken."""


def selected_trips(trip: Expr, arms: Sequence[Arm]) -> Interval | None:
    """Return an interval that holds all trips of the scope loop that are selected.

    Iterations that the arms leave out select nothing; None if none is left.

    Args:
        trip: The trip number, an expression of the loops.
        arms: The arms of ifs around the operand.
    """
    compared = [comparison for arm in arms for comparison in arm.choice.comparisons]
    if not compared:
        return trip.range
    asked = [side.expr for c in compared for side in (c.left, c.right)]
    used = dict.fromkeys(index for expr in (trip, *asked) for index in indices(expr))
    count = prod(index.trip_count for index in used)
    if count > MAX_POINTS or not all(map(fits_64_bits, (trip, *asked))):
        return trip.range
    columns = _columns(tuple(used))

    def values(expr: Expr) -> Ints:
        column = np.asarray(fold(expr, columns.__getitem__), np.int64)
        return np.broadcast_to(column, (count,))

    found = values(trip)[arm_mask(arms, values, count)]
    return Interval(int(found.min()), int(found.max())) if len(found) else None


def _columns(used: tuple[SimpleExpr, ...]) -> dict[SimpleExpr, Ints]:
    """Return the values of loops at all points of their nest, each (p,)."""
    inside = prod(index.trip_count for index in used)
    linear = np.arange(inside, dtype=np.int64)
    columns: dict[SimpleExpr, Ints] = {}
    for index in used:
        inside //= index.trip_count
        own = linear // inside % index.trip_count
        columns[index] = (index.lo or 0) + index.step * own
    return columns
