"""First fit in order of start: one walk over time with one mask of what is taken.

The memory of a tiled kernel comes and goes in the same pattern again and again, and
there this walk finds a placement that no other can beat.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import gcd
from typing import Final

import numpy as np

from rotation.allocation.buffers import FREE, Buffers
from rotation.allocation.occupancy import lowest_gap
from rotation.columns import Ints

LONGEST_MASK: Final = 1 << 15
"""Bits of the longest mask that is worth its time."""


def swept(table: Buffers, limit: int) -> Ints | None:
    """Return offsets whose peak is at most a limit, or None if the walk ends higher.

    None too where the walk does not apply: with pinned buffers, or where sizes and
    alignments have no common divisor that keeps the mask short.

    Args:
        table: The buffers.
        limit: The peak that is wanted [bytes].
    """
    unit = gcd(int(np.gcd.reduce(table.size)), int(np.gcd.reduce(table.alignment)))
    if limit > unit * LONGEST_MASK or (table.pinned != FREE).any():
        return None
    size, step = (table.size // unit).tolist(), (table.alignment // unit).tolist()
    start, end = table.start.tolist(), table.end.tolist()
    offset = np.zeros(len(table), np.int64)
    ending: list[tuple[int, int]] = []  # (end, mask) of what lives
    taken = 0
    for row in np.argsort(table.start, kind="stable").tolist():
        while ending and ending[0][0] <= start[row]:
            taken ^= heappop(ending)[1]
        unit_offset = lowest_gap(taken, size[row], step[row])
        if (unit_offset + size[row]) * unit > limit:
            return None
        mask = ((1 << size[row]) - 1) << unit_offset
        taken |= mask
        heappush(ending, (end[row], mask))
        offset[row] = unit_offset * unit
    return offset
