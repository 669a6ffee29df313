"""PSUM rotation: three forward walks over a grid of bands and banks."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import islice

from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.live_grid import LiveGrid
from rotation.modelled.psum_schedule import PSUM_SWEEPS, PsumSweep, start_banks
from rotation.modelled.regions import Regions, in_region
from rotation.modelled.reuse import Extent, farthest, num_bands
from rotation.modelled.rotation import Rotation, moved_units, unit_name
from rotation.modelled.units import Unit, units_of
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Placement, Program


def rotated_psum(
    program: Program,
    placement: Placement,
    intervals: LiveIntervals,
    regions: Regions,
    sweeps: Sequence[PsumSweep] = PSUM_SWEEPS,
) -> Rotation:
    """Return PSUM with each unit at a bank that its latest neighbours do not hold.

    Args:
        program: The program.
        placement: Where its locations live; those of PSUM at the start of a bank.
        intervals: Their lives, in source order or in that of a schedule.
        regions: The banks of each call with a window, in bytes.
        sweeps: The walks, in order.
    """
    units = units_of(program, placement, MemorySpace.PSUM, intervals)
    log: list[str] = []
    for sweep in sweeps:
        moved = _Walk(program, units, regions).run(sweep, log)
        changed = sum(
            len(new.members)
            for new, old in zip(moved, units, strict=True)
            if new.byte != old.byte
        )
        log.append(
            f"PSUM Rotation rotated {changed} PSUM address for target "
            f"{sweep.target.name}"
        )
        units = moved
    new = moved_units(program, placement, MemorySpace.PSUM, units)
    return Rotation(new, tuple(log))


class _Walk:
    """One walk: places a unit at its first access, releases it after its last."""

    __slots__ = ("_bank_bytes", "_banks", "_grid", "_program", "_regions", "_units")

    def __init__(self, program: Program, units: list[Unit], regions: Regions) -> None:
        self._program = program
        self._units = units
        self._regions = regions
        self._banks = program.machine.psum_banks
        self._bank_bytes = program.machine.psum_bank_bytes
        self._grid = LiveGrid(num_bands(program), self._banks)

    def run(self, sweep: PsumSweep, log: list[str]) -> list[Unit]:
        """Return the units where they are now."""
        live: list[tuple[int, int]] = []
        recent: deque[Extent] = deque(maxlen=sweep.distance)
        placed: list[Unit] = []
        for number, unit in enumerate(self._units):
            while live and live[0][0] < unit.first:
                self._count(placed[heappop(live)[1]], -1)
            now = unit if unit.stays else self._moved(number, recent, log)
            self._count(now, 1)
            heappush(live, (now.last, number))
            recent.append(now.extent)
            placed.append(now)
        return placed

    def _moved(self, number: int, recent: Sequence[Extent], log: list[str]) -> Unit:
        """Return a unit at the first acceptable bank, or as it is without one."""
        unit = self._units[number]
        name, bank = unit_name(self._program, unit), unit.byte // self._bank_bytes
        log.append(f"Attempting to find a rotation for {name}")
        held = self._held(number)
        width = -(-unit.size_bytes // self._bank_bytes)

        def acceptable(avoided: Sequence[Extent]) -> int | None:
            for start in start_banks(width, self._banks):
                there = unit.at(start * self._bank_bytes)
                if not in_region(unit.window, *there[2:], self._regions):
                    continue
                if any(there.overlaps(extent) for extent in (*held, *avoided)):
                    continue
                if self._grid.is_free(*there[:2], start, width):
                    return start
            return None

        found = farthest(tuple(recent), acceptable)
        if found is None:
            log.append(f"Cannot Rotate PSUM Bank for {name} from start bank {bank}")
            return unit
        log.append(f"Rotating {name} from start bank {bank} picked new range {found}")
        return unit.moved(found * self._bank_bytes)

    def _held(self, number: int) -> list[Extent]:
        """Return the old places of units that come while a unit lives.

        They have not been placed yet, and may have to stay: nobody may be there.
        """
        unit = self._units[number]
        held = []
        for later in islice(self._units, number + 1, None):
            if later.first > unit.last:
                break
            held.append(later.extent)
        return held

    def _count(self, unit: Unit, delta: int) -> None:
        bank = unit.byte // self._bank_bytes
        width = -(-unit.extent.end_byte // self._bank_bytes) - bank
        self._grid.add(*unit.extent[:2], bank, width, delta=delta)
