"""Which units are taken when: a mask of bits for each time slot.

A mask is an integer whose bit u stands for unit u of memory. What is free over a whole
interval is found with a few operations on whole masks, however many buffers live in
it. Blocks of time slots keep what an interval costs at about the square root of its
length.
"""

from __future__ import annotations

from functools import reduce
from math import isqrt
from operator import or_
from typing import Final

LEAST_BLOCK_SLOTS: Final = 8


class Occupancy:
    """Units of memory that are taken in each time slot; all are free at first.

    Intervals are half open, ``0 <= first < last <= num_slots``. Blocks are made for
    those of a typical length [time slots]; others cost more, and are as right.

    >>> taken = Occupancy(num_slots=8, typical=4)
    >>> taken.add(0, 4, 0b0011)
    >>> taken.add(2, 6, 0b0100)
    >>> bin(taken.over(3, 5)), bin(taken.over(4, 8))
    ('0b111', '0b100')
    """

    __slots__ = ("_anywhere", "_block", "_throughout", "_units")

    def __init__(self, num_slots: int, typical: int) -> None:
        self._block = max(LEAST_BLOCK_SLOTS, isqrt(typical))
        blocks = num_slots // self._block + 1
        # Taken in a slot, but for what is taken throughout its block.
        self._units = [0] * num_slots
        self._throughout = [0] * blocks
        # Taken in any slot of a block.
        self._anywhere = [0] * blocks

    def over(self, first: int, last: int) -> int:
        """Return the units that are taken in any slot of an interval."""
        block, units = self._block, self._units
        low, high = first // block, (last - 1) // block
        taken = self._throughout[low] | self._throughout[high]
        if high - low < 2:
            return reduce(or_, units[first:last], taken)
        taken = reduce(or_, self._anywhere[low + 1 : high], taken)
        taken = reduce(or_, units[first : (low + 1) * block], taken)
        return reduce(or_, units[high * block : last], taken)

    def add(self, first: int, last: int, mask: int) -> None:
        """Take units that are free over an interval."""
        block, units, anywhere = self._block, self._units, self._anywhere
        low, high = first // block, (last - 1) // block
        anywhere[low] |= mask
        anywhere[high] |= mask
        if high - low < 2:
            units[first:last] = [u | mask for u in units[first:last]]
            return
        for whole in range(low + 1, high):
            self._throughout[whole] |= mask
            anywhere[whole] |= mask
        for a, b in ((first, (low + 1) * block), (high * block, last)):
            units[a:b] = [u | mask for u in units[a:b]]


def lowest_gap(taken: int, size: int, alignment: int) -> int:
    """Return the lowest aligned unit from which `size` units are free.

    >>> lowest_gap(0b0100_0001, 3, 1), lowest_gap(0b0100_0001, 3, 4)
    (1, 8)
    """
    # Bit u of `taken` comes to say that one of the units u to u + size - 1 is taken.
    width = 1
    while width < size:
        step = min(width, size - width)
        taken |= taken >> step
        width += step
    free = ~taken & (taken + 1)
    unit = free.bit_length() - 1
    while unit % alignment:
        unit += alignment - unit % alignment
        above = taken >> unit
        unit += (~above & (above + 1)).bit_length() - 1
    return unit
