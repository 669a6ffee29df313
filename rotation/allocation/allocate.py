"""An offset for each buffer, with a peak close to the most bytes that live at once."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final

import numpy as np

from rotation.allocation.buffers import FREE, Buffers, TimeSlots, time_slots
from rotation.allocation.check import faults
from rotation.allocation.packing import first_fit, settled
from rotation.allocation.skyline import Search, Skyline
from rotation.allocation.sweep import swept
from rotation.columns import Bools, Ints
from rotation.errors import AllocationError, CapacityError

FAST_STEPS: Final = 20_000
"""Placed buffers of a search that takes well below a second."""

SEARCH_STEPS: Final = 400_000
"""Placed buffers of a search that takes some seconds."""

MOST_TOGETHER: Final = 2_000
"""Buffers that one search handles; a step takes time in proportion to them."""

HOT: Final = 0.75
"""Time slots whose load is above this share of the greatest are placed first."""

ENOUGH: Final = 1.03
"""A peak at most this many times the least that can be is not worth another round."""

ALLOWED: Final = 1.05
"""A peak at most this many times the most that lives is good enough to allow."""

NEAR: Final = 1.1
"""A peak from `ALLOWED` to this many times the most that lives is worth more steps."""

NEAR_STEPS: Final = 4 * FAST_STEPS
"""So many they are."""

LARGE_TABLE: Final = 1_000
"""Buffers from which on these steps are not the most of the work."""

MOST_ROUNDS: Final = 4
"""Rounds of searches, each around what had no room in the round before."""


@dataclass(frozen=True, slots=True, eq=False)
class Allocation:
    """An offset for each buffer; those that live together do not overlap.

    Attributes:
        offset: Offset of each buffer, in the order of the table, (n,) [bytes].
        peak: End of the highest byte in use; 0 without buffers [bytes].
        max_live: The most bytes that live at one moment; never above the peak.
        steps: How many buffers the search has placed.
    """

    offset: Ints
    peak: int
    max_live: int
    steps: int


def allocate(
    table: Buffers, *, steps: int = FAST_STEPS, capacity: int | None = None
) -> Allocation:
    """Return offsets with a low peak.

    Each of a few rounds of the search ends when the peak is the least that can be, or
    after its steps. The result depends on the arguments alone, never on time.

    Args:
        table: The buffers.
        steps: Steps of a round, each of which places one buffer; `FAST_STEPS`,
            `SEARCH_STEPS` or any other number. 0 leaves a few tries of greedy orders.
            In a large table that is close to an allowed peak fewer than `NEAR_STEPS`
            count as so many.
        capacity: What no buffer may end above; with it, the search ends at the first
            placement that fits [bytes].

    Raises:
        CapacityError: If no placement that fits was found, with the need, which is
            the lowest peak that was found, and the capacity.
        AllocationError: If pinned buffers overlap.

    >>> from rotation.allocation import buffers
    >>> found = allocate(buffers([0, 2, 3], [3, 5, 6], [8, 4, 8]))
    >>> found.offset.tolist(), found.peak, found.max_live
    ([0, 8, 0], 12, 12)
    """
    if not len(table):
        return Allocation(np.zeros(0, np.int64), 0, 0, 0)
    _refuse_pins_that_overlap(table)
    slots = time_slots(table)
    live = int(slots.load.max())
    pinned_ends = np.where(table.pinned == FREE, 0, table.pinned + table.size)
    least = max(live, int(pinned_ends.max()))
    offset, placed = swept(table, least), len(table)
    if offset is None:
        goal = least if capacity is None else max(least, capacity)
        offset, placed = _searched(table, slots, goal, steps)
    peak = int((offset + table.size).max())
    if capacity is not None and peak > capacity:
        raise _does_not_fit(peak, live, capacity, placed)
    return Allocation(offset, peak, live, placed)


def _searched(
    table: Buffers, slots: TimeSlots, goal: int, steps: int
) -> tuple[Ints, int]:
    """Return the best offsets of some rounds, and the steps taken.

    Where much lives, buffers are placed by a search, and before all others: these
    find their room around them. Where they do not, the next round searches too.
    """
    best, least_peak = slots.first, sys.maxsize
    live = int(slots.load.max())
    enough = max(goal, int(ENOUGH * live))
    allowed, near = int(ALLOWED * live), int(NEAR * live)
    goes_on = len(table) >= LARGE_TABLE and 0 < steps < NEAR_STEPS
    hot = slots.load >= HOT * slots.load.max()
    known: dict[bytes, Search] = {}
    found = pinned = table.pinned
    offset = np.full(len(table), FREE, np.int64)
    for _ in range(MOST_ROUNDS):
        rows = _searched_rows(table, slots, hot)
        searches = [
            _search(known, table, slots, group, goal)
            for group in _apart(slots, rows)
            if len(group) <= MOST_TOGETHER
        ]
        hot_peak = _turned(searches, goal, steps)
        if goes_on and allowed < hot_peak <= near:
            hot_peak = _turned(searches, max(goal, allowed), NEAR_STEPS - steps)
        before, found = found, _found(table, searches)
        pinned = _kept(slots, found, before, offset)
        offset = _with_the_rest(table, slots, pinned)
        ends = offset + table.size
        peak = int(ends.max())
        if peak < least_peak:
            best, least_peak = offset, peak
        if peak <= max(hot_peak, enough):
            break
        hot = hot | _alive(slots, np.flatnonzero(ends > max(hot_peak, enough)))
    return best, sum(search.steps for search in known.values())


def _searched_rows(table: Buffers, slots: TimeSlots, hot: Bools) -> Ints:
    """Return the free buffers that live in hot slots, or all where that is most."""
    free = table.pinned == FREE
    rows = np.flatnonzero(free & _lives_in(slots, hot))
    count = int(free.sum())
    if count <= MOST_TOGETHER and 2 * len(rows) > count:
        return np.flatnonzero(free)
    return rows


def _alive(slots: TimeSlots, rows: Ints) -> Bools:
    """Return the slots in which any of some buffers lives, (t,)."""
    change = np.zeros(len(slots.load) + 1, np.int64)
    np.add.at(change, slots.first[rows], 1)
    np.subtract.at(change, slots.last[rows], 1)
    alive: Bools = np.cumsum(change)[:-1] > 0
    return alive


def _lives_in(slots: TimeSlots, chosen: Bools) -> Bools:
    """Return which buffers live in any of some slots, (n,)."""
    before = np.concatenate(([0], np.cumsum(chosen)))
    lives: Bools = before[slots.last] > before[slots.first]
    return lives


def _apart(slots: TimeSlots, rows: Ints) -> list[Ints]:
    """Return the rows in groups of which no two share a time slot, each ascending."""
    if not len(rows):
        return []
    rows = rows[np.argsort(slots.first[rows], kind="stable")]
    reach = np.maximum.accumulate(slots.last[rows])
    cuts = np.flatnonzero(slots.first[rows][1:] >= reach[:-1]) + 1
    return [np.sort(group) for group in np.split(rows, cuts)]


def _turned(searches: list[Search], goal: int, steps: int) -> int:
    """Return the peak of all searches after turns of the worst."""
    steps += sum(search.steps for search in searches)
    while searches:
        worst = max(searches, key=lambda search: search.peak)
        if worst.peak <= goal or sum(search.steps for search in searches) >= steps:
            return worst.peak
        worst.turn()
    return 0


def _search(
    known: dict[bytes, Search], table: Buffers, slots: TimeSlots, rows: Ints, goal: int
) -> Search:
    """Return the search of some rows, which goes on where an earlier round left it."""
    name = rows.tobytes()
    if name not in known:
        known[name] = Search(Skyline(table, slots, rows), goal)
    return known[name]


def _found(table: Buffers, searches: list[Search]) -> Ints:
    """Return the offsets of pinned buffers and those of the searches, else `FREE`."""
    found = table.pinned.copy()
    for search in searches:
        found[search.skyline.rows] = search.offset
    return found


def _kept(slots: TimeSlots, found: Ints, before: Ints, offset: Ints) -> Ints:
    """Return offsets that stay: what is found, and what lives with nothing new.

    Args:
        slots: The time slots.
        found: Offsets of this round's searches; `FREE` for the rest.
        before: Those of the round before.
        offset: Offsets of all in the round before, `FREE` in the first.
    """
    new = _alive(slots, np.flatnonzero(found != before))
    stays = (found == FREE) & ~_lives_in(slots, new)
    return np.where(stays, offset, found)


def _with_the_rest(table: Buffers, slots: TimeSlots, pinned: Ints) -> Ints:
    """Return offsets of all: those that are given, and first fit for the rest."""
    rest = np.flatnonzero(pinned == FREE)
    if not len(rest):
        return pinned
    near = np.flatnonzero(_lives_in(slots, _alive(slots, rest)))
    columns = (table.start, table.end, table.size, table.alignment, pinned)
    around = Buffers(*(column[near] for column in columns))
    times = TimeSlots(slots.first[near], slots.last[near], slots.load)
    order = rest[np.argsort(-table.size[rest], kind="stable")]
    packing = first_fit(around, times, np.searchsorted(near, order).tolist())
    placed = np.array(packing.offset, np.int64) * packing.unit
    placed = np.where(around.pinned == FREE, placed, around.pinned)
    fixed_peak = int((pinned + table.size)[pinned != FREE].max(initial=0))
    if int((placed + around.size).max()) > fixed_peak:
        placed = settled(around, times, placed)
    offset = pinned.copy()
    offset[near] = placed
    return offset


def _refuse_pins_that_overlap(table: Buffers) -> None:
    rows = np.flatnonzero(table.pinned != FREE)
    columns = (table.start, table.end, table.size, table.alignment, table.pinned)
    fixed = Buffers(*(column[rows] for column in columns))
    for fault in faults(fixed, fixed.pinned):
        first, second = (int(rows[row]) for row in fault.rows)
        raise AllocationError(f"pinned buffers {first} and {second} overlap")


def _does_not_fit(peak: int, live: int, capacity: int, steps: int) -> CapacityError:
    reason = (
        f"{live} live at one moment"
        if live > capacity
        else f"{live} live at one moment, and {steps} steps found no lower peak"
    )
    return CapacityError(
        f"the buffers do not fit: they need {peak} bytes, the capacity is {capacity}; "
        f"{reason}",
        need=peak,
        capacity=capacity,
        unit="bytes",
        hint="allow more steps" if live <= capacity else "shorten or shrink buffers",
    )
