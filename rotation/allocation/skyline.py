"""A search for tight placements of some hundred buffers that live close together.

A placement is built from the bottom up: next comes always a buffer that would lie
below where any other could end, the one of the highest score among these. Then no
room is left that a single buffer could sink into. The score is first a measure such
as bytes times length of life, and later what experience makes of it: a buffer that
did not fit below the goal gets a higher one.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rotation.allocation.buffers import FREE, Buffers, TimeSlots
from rotation.columns import Ints

PLACED: Final = 1 << 60
"""Stands for the floor of a buffer that is not to be placed any more."""

TURNS_OF_EACH: Final = 3
"""Turns of each measure before the best one goes on alone."""

LEAST_LIFT: Final = 0.1
MOST_LIFT: Final = 0.5
"""How far up a buffer that did not fit is lifted, as a share of all ranks."""


class Interval(NamedTuple):
    """Bytes that a pinned buffer takes."""

    begin: int
    end: int


class Skyline:
    """Placements of some free rows of a table, from the bottom up.

    Attributes:
        rows: The rows, ascending, (m,).
        size: Their sizes, (m,) [bytes].
        length: How many time slots each lives, (m,).
    """

    __slots__ = ("_alignment", "_near", "_pins", "length", "rows", "size")

    def __init__(self, table: Buffers, slots: TimeSlots, rows: Ints) -> None:
        first, last = slots.first[rows], slots.last[rows]
        self.rows = rows
        self.size = table.size[rows]
        self.length = last - first
        alignment = table.alignment[rows]
        self._alignment = alignment if (alignment > 1).any() else None
        self._near = [
            np.flatnonzero((first < end) & (last > begin))
            for begin, end in zip(first.tolist(), last.tolist(), strict=True)
        ]
        self._pins = _pins(table, slots, rows)

    def offsets(self, score: NDArray[np.float64], limit: int) -> tuple[Ints, list[int]]:
        """Return an offset for each row, and the positions that did not fit.

        Args:
            score: Which of two rows comes first where either can, (m,), >= 0.
            limit: What no buffer may end above [bytes].
        """
        size, near = self.size, self._near
        everything = np.arange(len(size))
        floor = self._raised(np.zeros(len(size), np.int64), everything)
        offset = np.full(len(size), -1, np.int64)
        failed = []
        for _ in range(len(size)):
            end = floor + size
            row = int(np.where(floor < end.min(), score, -1.0).argmax())
            top = int(end[row])
            if top > limit:
                failed.append(row)
            else:
                offset[row] = floor[row]
                others = near[row]
                above = np.maximum(floor[others], top)
                # What is placed already must stay out of the choice.
                floor[others] = self._raised(above, others)
            floor[row] = PLACED
        return offset, failed

    def _raised(self, floor: Ints, rows: Ints) -> Ints:
        """Return the lowest places from some floors on that rows may have."""
        if self._alignment is not None:
            step = self._alignment[rows]
            floor = -(-floor // step) * step
        for at, row in enumerate(rows.tolist()) if self._pins else ():
            for pin in self._pins.get(row, ()):
                if pin.begin < floor[at] + self.size[row] and floor[at] < pin.end:
                    least = 1 if self._alignment is None else int(self._alignment[row])
                    floor[at] = -(-pin.end // least) * least
        return floor


def _pins(
    table: Buffers, slots: TimeSlots, rows: Ints
) -> dict[int, tuple[Interval, ...]]:
    """Return what pinned buffers take while some rows live, by position, ascending."""
    fixed = np.flatnonzero(table.pinned != FREE)
    fixed = fixed[np.argsort(table.pinned[fixed], kind="stable")]
    if not len(fixed):
        return {}
    pins = {}
    for at, row in enumerate(rows.tolist()):
        together = (slots.first[fixed] < slots.last[row]) & (
            slots.last[fixed] > slots.first[row]
        )
        begins = table.pinned[fixed[together]]
        ends = begins + table.size[fixed[together]]
        if len(begins):
            pairs = zip(begins.tolist(), ends.tolist(), strict=True)
            pins[at] = tuple(Interval(begin, end) for begin, end in pairs)
    return pins


class Search:
    """The best placement so far of some rows, and the next try.

    Attributes:
        skyline: Builds placements of the rows.
        offset: Offset of each row in the best placement, (m,) [bytes].
        peak: Its peak [bytes].
        steps: How many buffers were placed in all tries.
    """

    __slots__ = (
        "_chosen",
        "_least",
        "_random",
        "_scores",
        "_turns",
        "offset",
        "peak",
        "skyline",
        "steps",
    )

    def __init__(self, skyline: Skyline, least: int) -> None:
        """Try each measure once, until one reaches a peak of `least` bytes."""
        self.skyline = skyline
        self.steps = 0
        self._least = least
        self._random = Random(0)
        self.peak = PLACED
        self._scores = _measured(skyline)
        self._chosen = self._turns = 0
        for measure in range(len(self._scores)):
            if self.peak > least:
                self._attempt(measure, self.peak - 1)

    def turn(self) -> None:
        """Try once for a lower peak, and lift what does not fit below it.

        The measures take turns at first; then goes on what has found the best.
        """
        measure, count = self._chosen, len(self._scores)
        if self._turns < count * TURNS_OF_EACH:
            measure = self._turns % count
        self._turns += 1
        failed = self._attempt(measure, max(self._least, self.peak - 1))
        score = self._scores[measure]
        for row in failed:
            score[row] += len(score) * self._random.uniform(LEAST_LIFT, MOST_LIFT)

    def _attempt(self, measure: int, limit: int) -> list[int]:
        score = self._scores[measure]
        self.steps += len(score)
        offset, failed = self.skyline.offsets(score, limit)
        if not failed:
            self.offset = offset
            self.peak = int((offset + self.skyline.size).max())
            self._chosen = measure
        return failed


def _measured(skyline: Skyline) -> list[NDArray[np.float64]]:
    """Return the ranks of the rows by several measures, the greatest rank first."""
    size, length = skyline.size.astype(np.float64), skyline.length
    ranks = []
    for measure in (size * length, length, size * np.sqrt(length), size):
        rank = np.empty(len(size))
        by_measure = np.lexsort((-size, -length, -measure))
        rank[by_measure] = np.arange(len(size), 0, -1)
        ranks.append(rank)
    return ranks
