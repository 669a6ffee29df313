"""SB rotation: one batch after the other, each into its byte window."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from pyroaring import BitMap

from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.free_matrix import FreeMatrix
from rotation.modelled.live_ids import LiveIds
from rotation.modelled.regions import Regions
from rotation.modelled.reuse import PARTITIONS_PER_BAND, Extent, farthest, num_bands
from rotation.modelled.rotation import Rotation, moved_units, unit_name
from rotation.modelled.sb_schedule import ByteWindow, SbStep, byte_windows
from rotation.modelled.targets import Traffic, target_of, traffic_of
from rotation.modelled.units import Unit, guarded_locations, units_of
from rotation.placement.binding import SB_GRANULE_BYTES
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Placement, Program


def rotated_sb(
    program: Program,
    placement: Placement,
    intervals: LiveIntervals,
    regions: Regions,
    schedule: Sequence[SbStep],
) -> Rotation:
    """Return SB with the locations of each batch in its window, where there is room.

    Args:
        program: The program.
        placement: Where its locations live.
        intervals: Their lives, in source order or in that of a schedule.
        regions: The bytes of each call with a window.
        schedule: The batches, in order.
    """
    traffic = traffic_of(program)
    whole = byte_windows(program.machine.sb_bytes_per_partition)
    inner = {call: byte_windows(end - at, at) for call, (at, end) in regions.items()}
    units = units_of(program, placement, MemorySpace.SB, intervals)
    batches = _Batches(program, units, regions)
    for step in schedule:
        chosen = [
            number
            for number, unit in enumerate(units)
            if _in_batch(step, traffic[unit.members[0]])
        ]
        for call, windows in ((None, whole), *inner.items()):
            numbers = [n for n in chosen if units[n].window is call]
            batches.run(step, windows[step.window], numbers)
    new = moved_units(program, placement, MemorySpace.SB, batches.units)
    return Rotation(new, tuple(batches.log), guarded_locations(units))


def _in_batch(step: SbStep, traffic: Traffic) -> bool:
    engine = step.engine is None or step.engine is traffic.engine
    return engine and target_of(traffic) is step.target


class _Batches:
    """Moves units one by one; nothing that lives at a time ever shares bytes.

    A unit keeps its old place, and others stay away from it, until it has a new one:
    so it can always stay.
    """

    __slots__ = ("_bands", "_live", "_occupied", "_program", "_regions", "log", "units")

    def __init__(
        self, program: Program, units: Sequence[Unit], regions: Regions
    ) -> None:
        self._program = program
        self._bands = num_bands(program)
        self._live = LiveIds([(unit.first, unit.last) for unit in units])
        self._occupied = BitMap()
        self._regions = regions
        self.units = list(units)
        self.log: list[str] = []

    def run(self, step: SbStep, window: ByteWindow, numbers: Sequence[int]) -> None:
        """Move the units of one batch, in order of their first access."""
        recent: deque[Extent] = deque(maxlen=step.period)
        cursor = window.first_byte
        inside = Extent(0, self._bands, *window)
        self._occupied = BitMap(
            number
            for number, unit in enumerate(self.units)
            if unit.extent.overlaps(inside)
        )
        for number in numbers:
            unit = self.units[number]
            byte = None
            if unit.movable:
                start = cursor if step.rotate else window.first_byte
                byte = self._room(number, window, start, tuple(recent))
            if byte is not None:
                self._move(number, byte)
                cursor = byte + unit.size_bytes
            recent.append(self.units[number].extent)

    def _room(
        self, number: int, window: ByteWindow, start: int, recent: Sequence[Extent]
    ) -> int | None:
        """Return where a unit may go in a window, or None.

        Room from `start` on comes first, then room from the window's first byte on.
        """
        unit = self.units[number]
        free = FreeMatrix(self._bands, *window, SB_GRANULE_BYTES)
        if unit.window is None:
            for first, end in self._regions.values():
                free.take(Extent(0, self._bands, first, end))
        for other in self._live.near(unit.first, unit.last) & self._occupied:
            if other != number and unit.meets(self.units[other]):
                free.take(self.units[other].extent)

        def found(avoided: Sequence[Extent]) -> int | None:
            left = free.copy()
            for extent in avoided:
                left.take(extent)
            bands = unit.extent[:2]
            for begin in (start, window.first_byte):
                byte = left.lowest(*bands, unit.size_bytes, from_byte=begin)
                if byte is not None:
                    return byte
            return None

        return farthest(recent, found)

    def _move(self, number: int, byte: int) -> None:
        unit = self.units[number]
        name = unit_name(self._program, unit)
        partition = unit.extent.first_band * PARTITIONS_PER_BAND
        if byte != unit.byte:
            self.log.append(f"{name} picked new range for {name} {byte} {partition}")
        self.units[number] = unit.moved(byte)
        self._occupied.add(number)
