"""Liveness in straight-line code: when a memory location holds what is needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.unrolled.program import Ints, Program, positions


@dataclass(frozen=True, slots=True, eq=False)
class LiveIntervals:
    """Closed intervals of positions, one for each memory location.

    Attributes:
        first: Position of the first access, (l,).
        last: Position of the last access, (l,). The bytes are free strictly after
            it: what that very instruction defines may not be put into them.
    """

    first: Ints
    last: Ints


def live_intervals(program: Program, order: Ints | None = None) -> LiveIntervals:
    """Return the interval of each location.

    Args:
        program: The program.
        order: A total order of its instructions, whose positions are meant; None for
            the source order.
    """
    moment = program.access_instruction
    if order is not None:
        moment = positions(order)[moment]
    count = len(program.location_tensor)
    first = np.full(count, len(program), np.int64)
    last = np.full(count, -1, np.int64)
    np.minimum.at(first, program.access_location, moment)
    np.maximum.at(last, program.access_location, moment)
    return LiveIntervals(first, last)
