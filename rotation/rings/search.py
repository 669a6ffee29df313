"""The search for ring sizes: every trial schedules the full program.

A candidate is a tuple of slots, one for each on-chip buffer. It is judged by the
makespan of its best schedule against a target slightly above the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from rotation.dependence.dependences import merged, storage_edges
from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace
from rotation.placement.binding import (
    PLACED,
    bound_compactly,
    bound_to_rings,
    initial_placement,
    private_arenas,
    slot_layout,
)
from rotation.placement.dram import rotation_window_bytes
from rotation.schedule.bound import Bound
from rotation.schedule.list_scheduler import best_schedule, shortest
from rotation.unrolled.footprint import Cells
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Edges, Placement, Program, Schedule

TARGET_PERCENT: Final = 105
"""A makespan of at most this part of the bound is good enough.

Source: trials on the public kernel set; fewer slots are then worth more than time.
"""

LEAST_GAIN_PER_MILLE: Final = 5
"""A step of the search that gains less than this is not taken."""

Slots = tuple[int, ...]


def good_enough_ps(bound: Bound) -> int:
    """Return the makespan at which a search may stop [ps]."""
    return bound.total_ps * TARGET_PERCENT // 100


@dataclass(frozen=True, slots=True)
class RingRoom:
    """How many slots a buffer may have.

    Attributes:
        tensor: The buffer.
        least: Slots that it always has.
        most: Slots that it may have; equal to `least` if it may not grow.
        legal: Slots that it must have, whatever it costs; the places of a pinned one.
    """

    tensor: MemoryLocationSet
    least: int
    most: int
    legal: int = 1


@dataclass(slots=True)
class Trials:
    """Makespans of ring sizes on the full program, each computed once.

    Attributes:
        program: The unrolled program.
        cells: Logical cells of the program.
        flow: Its flow edges.
        intervals: Live intervals in source order.
        rooms: One for each buffer that the compiler places.
        shared: Spaces that do not have room for one slot of every buffer.
        bound: A makespan that no plan can beat.
        target_ps: A makespan that is good enough [ps].
        known: Schedules that a trial keeps where they are legal and shorter than its
            own: that of the compact placement, and those of trials before. So a
            makespan seldom grows with a ring, though greedy orders are not monotone.
        made: The makespan of each trial so far [ps].
        packed: Where the locations live when every space is packed tightly; None where
            nobody asks.
    """

    program: Program
    cells: Cells
    flow: Edges
    intervals: LiveIntervals
    rooms: tuple[RingRoom, ...]
    shared: frozenset[MemorySpace]
    bound: Bound
    target_ps: int
    known: list[Schedule] = field(default_factory=list)
    made: dict[Slots, int] = field(default_factory=dict)
    packed: Placement | None = None

    def fits(self, slots: Slots) -> bool:
        """Return whether every buffer gets an arena of its own; the legal least does.

        With no more slots than that, a space that is too small is shared by live
        interval.
        """
        by_tensor = self.by_tensor(slots)
        legal = {room.tensor: room.legal for room in self.rooms}
        return all(
            private_arenas(self.program, self.program.machine, space, by_tensor).fit
            or all(s == legal[t] for t, s in by_tensor.items() if t.space is space)
            for space in PLACED
        )

    def makespan_ps(self, slots: Slots) -> int:
        """Return the makespan of the best schedule; capacity does not matter here."""
        if slots not in self.made:
            self.made[slots] = self._scheduled(slots).makespan_ps
        return self.made[slots]

    def _scheduled(self, slots: Slots) -> Schedule:
        placement = self._placement(slots)
        storage = storage_edges(self.program, self.cells, placement)
        edges = merged(self.flow, storage)
        own = best_schedule(self.program, edges, self.target_ps)
        schedule = shortest(self.program, edges, own, self.known)
        if schedule is own:
            self.known.append(own)
        return schedule

    def by_tensor(self, slots: Slots) -> dict[MemoryLocationSet, int]:
        """Return the slots of each buffer."""
        pairs = zip(self.rooms, slots, strict=True)
        return {room.tensor: count for room, count in pairs}

    def size_bytes(self, slots: Slots) -> int:
        """Return the bytes of all slots in each partition, of which SB has as many."""
        return sum(count * self.slot_bytes(row) for row, count in enumerate(slots))

    def slot_bytes(self, row: int) -> int:
        """Return what a slot of a buffer takes of each partition.

        One in DRAM counts as that part of SB that it takes of the rotation window.
        """
        tensor, machine = self.rooms[row].tensor, self.program.machine
        size_bytes = slot_layout(tensor, machine).size_bytes
        if tensor.on_chip:
            return size_bytes
        window = max(1, rotation_window_bytes(self.program, machine))
        return size_bytes * machine.sb_bytes_per_partition // window

    def _placement(self, slots: Slots) -> Placement:
        placement = initial_placement(self.program)
        by_tensor = self.by_tensor(slots)
        for space in PLACED:
            placement = self._bound(placement, space, by_tensor)
        return placement

    def _bound(
        self,
        placement: Placement,
        space: MemorySpace,
        slots: Mapping[MemoryLocationSet, int],
    ) -> Placement:
        arenas = private_arenas(self.program, self.program.machine, space, slots)
        if space in self.shared:
            return bound_compactly(
                self.program, placement, self.program.machine, space, self.intervals
            )
        return bound_to_rings(self.program, placement, arenas.of, slots)


def search_rings(trials: Trials) -> Slots:
    """Return ring sizes of which none can be lowered by one without a loss.

    When the target is reached, a loss is to leave it; otherwise it is any longer
    makespan.
    """
    return _trimmed(trials, _grown(trials))


def wanted_slots(trials: Trials, slots: Slots, row: int) -> int | None:
    """Return the least slots of one buffer that reach the target, or None.

    The others stay as they are. Capacity does not count, the number of instances
    does. Sizes below the present one are tried by halves, those above by doubling
    first.
    """
    room = trials.rooms[row]
    trips = trials.program.function.instance_spans[room.tensor].count

    def reaches(count: int) -> bool:
        return trials.makespan_ps(_with(slots, row, count)) <= trials.target_ps

    if reaches(slots[row]):
        return _least(reaches, room.legal - 1, slots[row])
    low, step = slots[row], 1
    while low < trips and not reaches(min(trips, low + step)):
        low, step = min(trips, low + step), 2 * step
    return None if low >= trips else _least(reaches, low, min(trips, low + step))


def _least(enough: Callable[[int], bool], low: int, high: int) -> int:
    """Return a count in (low, high] that is enough, and whose predecessor is not.

    Args:
        enough: What is asked of a count; fewer are seldom enough where more are not.
        low: A count that is not enough.
        high: A count that is.
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _grown(trials: Trials) -> Slots:
    """Return sizes that reach the target, or that no step improves."""
    best = tuple(room.least for room in trials.rooms)
    while trials.makespan_ps(best) > trials.target_ps:
        steps = sorted(_steps(trials, best), key=trials.size_bytes)
        chosen = best
        for step in steps:
            if trials.makespan_ps(step) < trials.makespan_ps(chosen):
                chosen = step
            if trials.makespan_ps(chosen) <= trials.target_ps:
                break
        if not _gains(trials, best, chosen):
            break
        best = chosen
    return best


def _gains(trials: Trials, slots: Slots, larger: Slots) -> bool:
    """Return whether larger sizes are worth a step: all that reach the target are."""
    if trials.makespan_ps(larger) <= trials.target_ps:
        return True
    present_ps = trials.makespan_ps(slots)
    gain_ps = present_ps - trials.makespan_ps(larger)
    return gain_ps * 1000 >= LEAST_GAIN_PER_MILLE * present_ps


def _steps(trials: Trials, slots: Slots) -> Iterator[Slots]:
    """Yield the larger sizes that fit: one more of one or of all, twice all."""
    most = [room.most for room in trials.rooms]
    larger = [_with(slots, row, slots[row] + 1) for row in range(len(slots))]
    larger.append(tuple(s + 1 for s in slots))
    larger.append(tuple(2 * s for s in slots))
    for step in larger:
        capped = tuple(min(s, m) for s, m in zip(step, most, strict=True))
        if capped != slots and trials.fits(capped):
            yield capped


def _trimmed(trials: Trials, slots: Slots) -> Slots:
    """Return sizes lowered one after the other, the largest buffers first."""
    limit_ps = max(trials.target_ps, trials.makespan_ps(slots))

    rows = sorted(range(len(slots)), key=lambda row: -trials.slot_bytes(row))
    before = None
    while slots != before:
        before = slots
        for row in rows:
            slots = _with(slots, row, _least_slots(trials, slots, row, limit_ps))
    return slots


def _least_slots(trials: Trials, slots: Slots, row: int, limit_ps: int) -> int:
    """Return slots of a ring that keep the limit, and of which one less misses it.

    They are looked for by halves and not one by one: fewer slots may be enough where
    one less is not, as greedy orders are not monotone.
    """

    def enough(count: int) -> bool:
        return trials.makespan_ps(_with(slots, row, count)) <= limit_ps

    return _least(enough, trials.rooms[row].least - 1, slots[row])


def _with(slots: Slots, row: int, count: int) -> Slots:
    return (*slots[:row], count, *slots[row + 1 :])
