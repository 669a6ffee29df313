"""Binding: from instances of buffers to addresses, computed whole.

Two ways to lay out a space: *private arenas*, where each buffer owns ``slots`` slots
and instance k lives in slot ``k mod slots``; and *compact*, where every instance gets
the lowest bytes that are free over its live interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from rotation.allocation import (
    FREE,
    SEARCH_STEPS,
    Buffers,
    Room,
    allocate,
    buffers,
    side_by_side,
)
from rotation.errors import CapacityError
from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace, Window
from rotation.machine.machine import Machine
from rotation.placement.dram import (
    DRAM_ALIGNMENT_BYTES,
    Request,
    dram_lives,
    packed_by_cursor,
    rotation_window_bytes,
    tensor_lives,
    visible_end_bytes,
    visible_rows,
)
from rotation.rounding import round_up
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.pins import pinned, reserved_bytes
from rotation.unrolled.program import Placement, Program

SB_GRANULE_BYTES: Final = 8
"""SB addresses and sizes are multiples of it.

Source: the SB allocator of the modelled system (docs/trust.md).
"""

ON_CHIP: Final = (MemorySpace.PSUM, MemorySpace.SB)
"""The spaces on the chip, in pipeline order."""

PLACED: Final = (*ON_CHIP, MemorySpace.DRAM)
"""The spaces that are coloured, in pipeline order."""

UNITS: Final = {
    MemorySpace.PSUM: "banks",
    MemorySpace.SB: "bytes/partition",
    MemorySpace.DRAM: "bytes",
}
"""What the memory of each space is counted in."""


@dataclass(frozen=True, slots=True)
class Arena:
    """The bytes of one ring: slot s begins at ``base_bytes + s * stride_bytes``."""

    base_bytes: int
    stride_bytes: int


@dataclass(frozen=True, slots=True)
class Arenas:
    """The arenas of one space, which share no byte.

    Attributes:
        of: One for each buffer that the program touches.
        fit: True if they all lie inside the space.
    """

    of: dict[MemoryLocationSet, Arena]
    fit: bool


class SlotLayout(NamedTuple):
    """Bytes that one slot takes, and what its first byte is a multiple of."""

    size_bytes: int
    alignment_bytes: int

    @property
    def stride_bytes(self) -> int:
        """Distance between the slots of one ring."""
        return round_up(self.size_bytes, self.alignment_bytes)


def slot_layout(tensor: MemoryLocationSet, machine: Machine) -> SlotLayout:
    """Return how a slot of a buffer is laid out.

    A PSUM slot takes the whole banks that it needs, and its start is aligned to the
    next power of two of their number: no bank holds two buffers at a time, and what
    does not cross a bank inside the buffer does not cross one in the slot.

    Source: the PSUM allocator of the modelled system (docs/trust.md), which keeps the
    banks of one accumulation in one aligned range of a power of two.
    """
    if tensor.space is MemorySpace.SB:
        size = round_up(tensor.bytes_in_space, SB_GRANULE_BYTES)
        return SlotLayout(size, SB_GRANULE_BYTES)
    if tensor.space is MemorySpace.DRAM:
        return SlotLayout(tensor.bytes_in_space, DRAM_ALIGNMENT_BYTES)
    banks = -(-tensor.bytes_in_space // machine.psum_bank_bytes)
    aligned = 1 << (banks - 1).bit_length()
    return SlotLayout(
        banks * machine.psum_bank_bytes, aligned * machine.psum_bank_bytes
    )


def capacity_bytes(space: MemorySpace, machine: Machine) -> int:
    """Return the bytes of an on-chip space in each partition."""
    if space is MemorySpace.SB:
        return machine.sb_bytes_per_partition
    return machine.psum_bytes_per_partition


def unit_bytes(space: MemorySpace, machine: Machine) -> int:
    """Return the bytes of what the memory of a space is counted in, one of `UNITS`."""
    return machine.psum_bank_bytes if space is MemorySpace.PSUM else 1


def resident_tensors(program: Program, space: MemorySpace) -> list[int]:
    """Return the rows of the buffers that the compiler places and the program touches.

    In DRAM, what the outside world sees is not among them.
    """
    tensors = program.function.tensors
    touched = program.touched_tensors().tolist()
    return [r for r in touched if tensors[r].space is space and tensors[r].is_placed]


def initial_placement(program: Program) -> Placement:
    """Return a placement of what the outside sees in DRAM, one after another, and pins.

    A location that is not bound has byte -1.
    """
    base = np.full(len(program.function.tensors), -1, np.int64)
    cursor = 0
    for row in visible_rows(program):
        tensor = program.function.tensors[row]
        base[row] = cursor
        cursor += round_up(tensor.bytes_in_space, DRAM_ALIGNMENT_BYTES)
    places = pinned(program)
    byte = np.where(places.here, places.byte, base[program.location_tensor])
    return Placement(places.partition, byte, places.slot)


def private_arenas(
    program: Program,
    machine: Machine,
    space: MemorySpace,
    slots: Mapping[MemoryLocationSet, int],
) -> Arenas:
    """Return an arena for each buffer of a space, whether they fit or not.

    Buffers of coarse alignment come first, so that none of it is lost. Those of a call
    with a window lie in it, and nothing else does. Pinned ones have places of their
    own, which are kept free. In DRAM they come in the order of the text, as a cursor
    runs.
    """
    if space is MemorySpace.DRAM:
        return _dram_arenas(program, machine, slots)
    residents = [program.function.tensors[r] for r in resident_tensors(program, space)]
    tensors = [tensor for tensor in residents if tensor.pin is None]
    layouts = {tensor: slot_layout(tensor, machine) for tensor in tensors}
    tensors.sort(key=lambda t: (-layouts[t].alignment_bytes, -layouts[t].size_bytes))
    windows: dict[Window, list[MemoryLocationSet]] = {}
    for tensor in tensors:
        if tensor.window is not None:
            windows.setdefault(tensor.window, []).append(tensor)
    alone = [tensor for tensor in tensors if tensor.window is None]

    def rings(mine: Sequence[MemoryLocationSet]) -> list[Room]:
        return [ring_room(layouts[tensor], slots[tensor]) for tensor in mine]

    inner = {window: side_by_side(rings(mine)) for window, mine in windows.items()}
    rooms = [
        Room(
            window_bytes(window, space, machine),
            max(layouts[tensor].alignment_bytes for tensor in mine),
        )
        for window, mine in windows.items()
    ]
    reserved = reserved_bytes(program, space)
    bases, end = side_by_side([*rooms, *rings(alone)], reserved)
    of = {
        tensor: Arena(base, layouts[tensor].stride_bytes)
        for tensor, base in zip(alone, bases[len(rooms) :], strict=True)
    }
    for (window, mine), base in zip(windows.items(), bases, strict=False):
        for tensor, offset in zip(mine, inner[window][0], strict=True):
            of[tensor] = Arena(base + offset, layouts[tensor].stride_bytes)
    fit = end <= capacity_bytes(space, machine) and all(
        inner[window][1] <= window_bytes(window, space, machine) for window in windows
    )
    return Arenas(of, fit)


def window_bytes(window: Window, space: MemorySpace, machine: Machine) -> int:
    """Return the bytes of an on-chip space that a window has in each partition."""
    if space is MemorySpace.SB:
        return window.sb_bytes_per_partition
    return window.psum_banks * machine.psum_bank_bytes


def _dram_arenas(
    program: Program, machine: Machine, slots: Mapping[MemoryLocationSet, int]
) -> Arenas:
    """Return the arenas that a cursor gives in the rotation window.

    Two of them share bytes only if no instance of one lives while one of the other
    does, in source order.
    """
    rows = resident_tensors(program, MemorySpace.DRAM)
    if not rows:
        return Arenas({}, fit=True)
    tensors = [program.function.tensors[row] for row in rows]
    lives = tensor_lives(program)
    requests = [
        Request(*ring_room(slot_layout(tensor, machine), slots[tensor]), *lives[row])
        for row, tensor in zip(rows, tensors, strict=True)
    ]
    base = visible_end_bytes(program)
    packing = packed_by_cursor(requests, rotation_window_bytes(program, machine))
    of = {
        tensor: Arena(base + offset, slot_layout(tensor, machine).stride_bytes)
        for tensor, offset in zip(tensors, packing.offsets_bytes, strict=True)
    }
    return Arenas(of, packing.fit)


def bound_to_rings(
    program: Program,
    placement: Placement,
    arenas: Mapping[MemoryLocationSet, Arena],
    slots: Mapping[MemoryLocationSet, int],
) -> Placement:
    """Return the placement with each instance k in slot ``k mod slots`` of its arena.

    Args:
        program: The program.
        placement: What locations without an arena keep.
        arenas: The arenas of some buffers.
        slots: How many slots each of these has.
    """
    count = len(program.function.tensors)
    base, stride = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    ring = np.ones(count, np.int64)
    for row, tensor in enumerate(program.function.tensors):
        if tensor in arenas:
            base[row] = arenas[tensor].base_bytes
            stride[row] = arenas[tensor].stride_bytes
            ring[row] = slots[tensor]
    tensor_of = program.location_tensor
    moved = base[tensor_of] >= 0
    slot = program.location_instance % ring[tensor_of]
    byte = base[tensor_of] + slot * stride[tensor_of]
    return Placement(
        np.where(moved, 0, placement.partition),
        np.where(moved, byte, placement.byte),
        np.where(moved, slot, placement.slot),
    )


def bound_compactly(
    program: Program,
    placement: Placement,
    machine: Machine,
    space: MemorySpace,
    intervals: LiveIntervals,
) -> Placement:
    """Return the placement with the locations of one space packed tightly.

    Pinned ones stay, and nothing is put on the bytes that they ever take.

    Raises:
        CapacityError: If they do not fit.
    """
    tensors = program.function.tensors
    residents = [
        row for row in resident_tensors(program, space) if tensors[row].pin is None
    ]
    size, alignment = np.ones((2, len(tensors)), np.int64)
    for row in residents:
        size[row], alignment[row] = slot_layout(tensors[row], machine)
    mine = np.isin(program.location_tensor, residents)
    rows = np.flatnonzero(mine)
    owner = program.location_tensor[rows]
    in_dram = space is MemorySpace.DRAM
    if in_dram and len(rows):
        intervals = dram_lives(program)
        # Whole pages: what can be reached is then what is alive, and no search looks
        # for less.
        size = -(-size // alignment) * alignment
    reserved = reserved_bytes(program, space)
    table = _with_reserved(
        buffers(
            intervals.first[rows],
            intervals.last[rows] + 1,
            size[owner],
            alignment=alignment[owner],
        ),
        reserved,
    )
    found = allocate(table)
    # DRAM has room; only its window has an end.
    limit = found.peak if in_dram else capacity_bytes(space, machine)
    if found.peak > limit:
        try:
            found = allocate(table, steps=SEARCH_STEPS, capacity=limit)
        except CapacityError as error:
            owners = [tensors[row] for row in owner.tolist()]
            need = error.need
            raise _does_not_fit(space, machine, owners, table, need, reserved) from None
    base = visible_end_bytes(program) if in_dram else 0
    byte = placement.byte.copy()
    byte[rows] = base + found.offset[: len(rows)]
    return Placement(placement.partition, byte, np.where(mine, 0, placement.slot))


def placed_as_in(
    program: Program, placement: Placement, other: Placement, space: MemorySpace
) -> Placement:
    """Return a placement with the locations of one space where another has them."""
    inside = np.array([t.space is space for t in program.function.tensors], np.bool_)
    here = inside[program.location_tensor]
    return Placement(
        np.where(here, other.partition, placement.partition),
        np.where(here, other.byte, placement.byte),
        np.where(here, other.slot, placement.slot),
    )


def _with_reserved(table: Buffers, reserved: Sequence[tuple[int, int]]) -> Buffers:
    """Return a table with a pinned buffer, alive all the time, for each range."""
    if not reserved:
        return table
    first, last = np.array(reserved, np.int64).T
    whole = np.ones(len(reserved), np.int64)
    return buffers(
        np.concatenate((table.start, whole * table.start.min(initial=0))),
        np.concatenate((table.end, whole * table.end.max(initial=1))),
        np.concatenate((table.size, last - first)),
        alignment=np.concatenate((table.alignment, whole)),
        pinned=np.concatenate((np.full(len(table), FREE), first)),
    )


def ring_room(layout: SlotLayout, slots: int) -> Room:
    """Return the room of an arena with so many slots."""
    size_bytes = (slots - 1) * layout.stride_bytes + layout.size_bytes
    return Room(size_bytes, layout.alignment_bytes)


def _does_not_fit(
    space: MemorySpace,
    machine: Machine,
    owners: Sequence[MemoryLocationSet],
    table: Buffers,
    need_bytes: int,
    reserved: Sequence[tuple[int, int]],
) -> CapacityError:
    """Return the error that names the buffers which are live where most is."""
    start, end, size = (
        column[: len(owners)] for column in (table.start, table.end, table.size)
    )
    moments, where = np.unique(start, return_inverse=True)
    load = np.zeros(len(moments) + 1, np.int64)
    np.add.at(load, where, size)
    np.subtract.at(load, np.searchsorted(moments, end), size)
    moment = moments[np.cumsum(load).argmax()]
    rows = np.flatnonzero((start <= moment) & (moment < end)).tolist()
    live = {owners[row]: int(size[row]) for row in rows}
    each, unit = unit_bytes(space, machine), UNITS[space]
    need, capacity = need_bytes // each, capacity_bytes(space, machine) // each
    names = ", ".join(f"{t.name} {size // each}" for t, size in live.items())
    taken = sum(end - begin for begin, end in reserved) // each
    around = f" around {taken} that are placed by hand" if taken else ""
    return CapacityError(
        f"{space.value} is too small: {names} are live together and need "
        f"{need} {unit}{around}, {machine.name} has {capacity}",
        need=need,
        capacity=capacity,
        unit=unit,
        span=max(live, key=lambda t: live[t]).span,
        hint="make a tile smaller, declare it in a loop further in"
        + (", or place fewer by hand" if taken else ""),
    )
