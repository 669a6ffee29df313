"""Units: the locations of a space, by what must move together and what stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from rotation.loop_form.kernel import MemorySpace, Role, Window
from rotation.modelled.coverage import covered_locations
from rotation.modelled.reuse import Extent, bands_of
from rotation.placement.binding import resident_tensors, slot_layout
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Placement, Program


@dataclass(frozen=True, slots=True)
class Unit:
    """Locations that keep their distances, as one rectangle and one interval.

    Attributes:
        members: Rows of the locations; most units have one.
        offsets_bytes: Where each member begins in the unit.
        first: Position of the first access to any of them.
        last: Position of the last. Its place is free strictly after it.
        extent: The rectangle that it takes; in PSUM whole banks, unless it is pinned.
        stays: True if it may not be moved.
        window: The window of the call that it belongs to, if there is one.
    """

    members: tuple[int, ...]
    offsets_bytes: tuple[int, ...]
    first: int
    last: int
    extent: Extent
    stays: bool
    window: Window | None

    @property
    def movable(self) -> bool:
        """True if it may move: one location that need not stay.

        Of the operands of one in-place operation none is moved, whatever their types.
        """
        return not self.stays and len(self.members) == 1

    @property
    def byte(self) -> int:
        """Where it begins, in each of its partitions."""
        return self.extent.first_byte

    @property
    def size_bytes(self) -> int:
        """What it takes of each partition."""
        return self.extent.end_byte - self.extent.first_byte

    def at(self, byte: int) -> Extent:
        """Return the rectangle that it would take elsewhere."""
        first_band, end_band, begin, end = self.extent
        return Extent(first_band, end_band, byte, byte + end - begin)

    def moved(self, byte: int) -> Unit:
        """Return the unit elsewhere."""
        return replace(self, extent=self.at(byte))

    def meets(self, other: Unit) -> bool:
        """Return whether two units live at a common position."""
        return self.first <= other.last and other.first <= self.last


def guarded_locations(units: Iterable[Unit]) -> int:
    """Return how many locations stay only since they are operands of one operation."""
    return sum(
        len(unit.members) for unit in units if not unit.stays and not unit.movable
    )


def units_of(
    program: Program,
    placement: Placement,
    space: MemorySpace,
    intervals: LiveIntervals,
) -> list[Unit]:
    """Return the units of a space, by first position, then by row.

    Members of one unit are the operands of one in-place operation, and locations that
    share bytes while both live, such as clones that were given one slot. What is read
    before it is written is taken as alive all the time, and so is what the user has
    pinned: the bytes of pins are kept free.
    """
    tensors = program.function.tensors
    rows = np.flatnonzero(
        np.isin(program.location_tensor, resident_tensors(program, space))
    ).tolist()
    covered = covered_locations(program)
    last_position = len(program) - 1
    single = {}
    for row in rows:
        tensor = tensors[program.location_tensor[row]]
        pinned = tensor.pin is not None
        always = pinned or not covered[row] or tensor.role is not Role.INTERNAL
        size = slot_layout(tensor, program.machine).size_bytes
        size = tensor.bytes_in_space if pinned else size
        byte = int(placement.byte[row])
        partition = int(placement.partition[row])
        single[row] = Unit(
            (row,),
            (0,),
            0 if always else int(intervals.first[row]),
            last_position if always else int(intervals.last[row]),
            Extent(*bands_of(partition, tensor.num_partitions), byte, byte + size),
            always or tensor.ring_slots is not None or not tensor.rotates,
            tensor.window,
        )
    pairs = [*_in_place(program, single), *_sharing(single)]
    units = [_joined(single, group) for group in _groups(rows, pairs)]
    return sorted(units, key=lambda unit: (unit.first, unit.members))


def _in_place(program: Program, single: dict[int, Unit]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of instances of one buffer that an in-place operation works on.

    It reads the one where it writes the other, element by element.
    """
    owner = program.location_tensor
    inplace = np.array([i.inplace for i in program.function.instructions], np.bool_)
    chosen = inplace[program.statement][program.access_instruction]
    reads: dict[int, list[int]] = {}
    for access in np.flatnonzero(chosen).tolist():
        row = int(program.access_instruction[access])
        location = int(program.access_location[access])
        if location not in single:
            continue
        if not program.access_is_write[access]:
            reads.setdefault(row, []).append(location)
            continue
        for source in reads.get(row, ()):
            if source != location and owner[source] == owner[location]:
                yield source, location


def _sharing(single: dict[int, Unit]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of locations that share bytes while both live."""
    live: list[Unit] = []
    for unit in sorted(single.values(), key=lambda unit: unit.first):
        live = [other for other in live if other.last >= unit.first]
        for other in live:
            if other.extent.overlaps(unit.extent):
                yield other.members[0], unit.members[0]
        live.append(unit)


def _groups(rows: list[int], pairs: list[tuple[int, int]]) -> list[list[int]]:
    """Return the rows in groups, such that both of each pair are in one."""
    parent = {row: row for row in rows}

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for one, other in pairs:
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    groups: dict[int, list[int]] = {}
    for row in rows:
        groups.setdefault(root(row), []).append(row)
    return list(groups.values())


def _joined(single: dict[int, Unit], rows: list[int]) -> Unit:
    members = [single[row] for row in rows]
    if len(members) == 1:
        return members[0]
    byte = min(unit.byte for unit in members)
    return Unit(
        tuple(rows),
        tuple(unit.byte - byte for unit in members),
        min(unit.first for unit in members),
        max(unit.last for unit in members),
        Extent(
            min(unit.extent.first_band for unit in members),
            max(unit.extent.end_band for unit in members),
            byte,
            max(unit.extent.end_byte for unit in members),
        ),
        any(unit.stays for unit in members) or len({u.window for u in members}) > 1,
        members[0].window,
    )
