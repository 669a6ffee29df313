"""Which ids live over an interval: sets of ids by time, as roaring bitmaps.

The modelled system keeps dense ids of locations in a roaring bitmap. Here the union of
the sets of all moments of a life, cut with the set of what occupies a window, is made
for every location that moves: that is what such bitmaps are fast at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyroaring import BitMap

BUCKET_POSITIONS: Final = 64
"""Positions that share a set; a choice of speed only."""

LONG_BUCKETS: Final = 64
"""Ids that live in more buckets are kept in one set beside them."""


class LiveIds:
    """Ids 0, 1, 2, ... by the closed interval of positions over which each lives.

    >>> ids = LiveIds([(0, 2), (500, 900), (1, 6000)])
    >>> list(ids.near(0, 10)), list(ids.near(800, 801))
    ([0, 2], [1, 2])
    """

    __slots__ = ("_buckets", "_long")

    def __init__(self, intervals: Sequence[tuple[int, int]]) -> None:
        self._buckets: dict[int, BitMap] = {}
        self._long = BitMap()
        for number, (first, last) in enumerate(intervals):
            begin, end = first // BUCKET_POSITIONS, last // BUCKET_POSITIONS
            if end - begin > LONG_BUCKETS:
                self._long.add(number)
                continue
            for bucket in range(begin, end + 1):
                self._buckets.setdefault(bucket, BitMap()).add(number)

    def near(self, first: int, last: int) -> BitMap:
        """Return all ids that live at some position of an interval, and perhaps more.

        What is added lives close by; who needs the exact set compares intervals.
        """
        begin, end = first // BUCKET_POSITIONS, last // BUCKET_POSITIONS
        found = self._long.copy()
        for bucket in range(begin, end + 1):
            if bucket in self._buckets:
                found |= self._buckets[bucket]
        return found
