"""Which iterations ``@`` selects, where the ifs around an operation say when."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from pelican.expr.node import Expr
from pelican.known.interval import Interval
from rotation.loop_form.kernel import Arm
from rotation.loop_form.points import (
    all_values,
    arms_at_points,
    deciding_exprs,
    fits_64_bits,
    grid,
    loops_in,
    values_at_points,
)

MAX_POINTS: Final = 2**18
"""So many iterations are looked at one by one; of more, ranges are taken."""


def selected_trips(trip: Expr, arms: Sequence[Arm]) -> Interval | None:
    """Return an interval that holds all trips of the scope loop that are selected.

    Iterations that the arms leave out select nothing; None if none is left.

    Args:
        trip: The trip number, an expression of the loops.
        arms: The arms of ifs around the operand.
    """
    asked = deciding_exprs(arms)
    if not asked:
        return trip.range
    used = loops_in((trip, *asked))
    count = prod(index.trip_count for index in used)
    if count > MAX_POINTS or not all(map(fits_64_bits, (trip, *asked))):
        return trip.range
    columns = grid({index: all_values(index) for index in used})
    done = arms_at_points(arms, columns, count)
    found = values_at_points(trip, columns, count)[done]
    return Interval(int(found.min()), int(found.max())) if len(found) else None
