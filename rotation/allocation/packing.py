"""First fit in any order, for any number of buffers.

Sizes are rounded up to units, few enough for masks of bits to be short; `settled`
takes the rounding out again.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import Final

import numpy as np

from rotation.allocation.buffers import FREE, Buffers, TimeSlots
from rotation.allocation.occupancy import Occupancy, lowest_gap
from rotation.columns import Ints

MOST_UNITS: Final = 512
"""Into how many units the most bytes that live at one moment are cut, at most."""


class Packing:
    """Offsets of some buffers; those that live together do not overlap.

    Pinned buffers are in it from the start and stay.

    Attributes:
        unit: What sizes and offsets are rounded up to [bytes].
        offset: Offset of each row, -1 if it has none [units].
    """

    __slots__ = ("_first", "_last", "_size", "_step", "_taken", "offset", "unit")

    def __init__(self, table: Buffers, slots: TimeSlots) -> None:
        self.unit = _unit(table, slots)
        self._first: list[int] = slots.first.tolist()
        self._last: list[int] = slots.last.tolist()
        self._size: list[int] = (-(-table.size // self.unit)).tolist()
        self._step: list[int] = (
            table.alignment // np.gcd(table.alignment, self.unit)
        ).tolist()
        typical = int((slots.last - slots.first).mean())
        self._taken = Occupancy(len(slots.load), typical)
        self.offset = [-1] * len(table)
        for row in np.flatnonzero(table.pinned != FREE).tolist():
            # Rounded outwards: a unit that is partly taken is taken.
            begin = int(table.pinned[row]) // self.unit
            end = -(-int(table.pinned[row] + table.size[row]) // self.unit)
            self.offset[row], self._size[row] = begin, end - begin
            self._taken.add(self._first[row], self._last[row], self._mask(row))

    def insert(self, row: int) -> None:
        """Give a buffer the lowest offset that is free over its whole life."""
        first, last = self._first[row], self._last[row]
        taken = self._taken.over(first, last)
        self.offset[row] = lowest_gap(taken, self._size[row], self._step[row])
        self._taken.add(first, last, self._mask(row))

    def _mask(self, row: int) -> int:
        return ((1 << self._size[row]) - 1) << self.offset[row]


def _unit(table: Buffers, slots: TimeSlots) -> int:
    """Return the bytes of a unit: what divides all sizes, or more to have few units."""
    exact = gcd(int(np.gcd.reduce(table.size)), int(np.gcd.reduce(table.alignment)))
    largest = -(-int(slots.load.max()) // MOST_UNITS)
    return exact if exact >= largest else -(-largest // exact) * exact


def first_fit(table: Buffers, slots: TimeSlots, order: Iterable[int]) -> Packing:
    """Return the packing that comes of inserting the free rows in some order."""
    packing = Packing(table, slots)
    for row in order:
        packing.insert(row)
    return packing


def settled(table: Buffers, slots: TimeSlots, offset: Ints) -> Ints:
    """Return the offsets after all free buffers have sunk as far as they can.

    In order of their offsets, each comes to lie on what is below it: none rises, and
    what was rounded up is exact again.

    Args:
        table: The buffers.
        slots: Their time slots.
        offset: A placement; free buffers may have more room than they need [bytes].
    """
    height = np.zeros(len(slots.load), np.int64)
    lowest = np.where(table.pinned == FREE, offset, table.pinned)
    first, last, size = slots.first.tolist(), slots.last.tolist(), table.size.tolist()
    alignment, free = table.alignment.tolist(), (table.pinned == FREE).tolist()
    result, highest = lowest.tolist(), np.maximum.reduce
    for row in np.argsort(lowest, kind="stable").tolist():
        below = height[first[row] : last[row]]
        if free[row]:
            floor, step = int(highest(below)), alignment[row]
            result[row] = -(-floor // step) * step
        below[:] = result[row] + size[row]
    return np.array(result, np.int64)
