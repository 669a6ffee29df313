"""How many slots each buffer may have, and the trials that start from there."""

from __future__ import annotations

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.errors import PlanError
from rotation.loop_form.instances import instance_text
from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace
from rotation.placement.binding import (
    PLACED,
    UNITS,
    bound_compactly,
    capacity_bytes,
    initial_placement,
    private_arenas,
    slot_layout,
    unit_bytes,
)
from rotation.placement.dram import rotation_window_bytes
from rotation.rings.asked import asked_names, require_instances, without_room
from rotation.rings.legal import least_slots, slot_clash
from rotation.rings.search import RingRoom, Trials, good_enough_ps
from rotation.schedule.bound import constraint_edges, lower_bound
from rotation.schedule.list_scheduler import best_schedule
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.liveness import LiveIntervals, live_intervals
from rotation.unrolled.pins import place_count
from rotation.unrolled.program import Program


def trials_of(program: Program, rooms: tuple[RingRoom, ...] = ()) -> Trials:
    """Return the trials of a program whose least rings are known to fit.

    Args:
        program: The program.
        rooms: The rooms of its rings; worked out if there are none. Those of the
            first iterations are those of the whole: more may be needed later.

    Raises:
        CapacityError: If the buffers do not fit even when packed tightly.
        PlanError: If a ring that the user asked for cannot be given.
    """
    machine = program.machine
    intervals = live_intervals(program)
    packed = initial_placement(program)
    for space in PLACED:
        packed = bound_compactly(program, packed, machine, space, intervals)
    cells = logical_cells(program)
    flow = flow_edges(program, cells)
    edges = merged(flow, storage_edges(program, cells, packed))
    bound = lower_bound(program, constraint_edges(program, cells))
    rooms = rooms or _rooms(program, intervals)
    legal = {room.tensor: room.legal for room in rooms}
    shared = frozenset(
        space
        for space in PLACED
        if not private_arenas(program, machine, space, legal).fit
    )
    for space in shared:
        windows = [t.window for t in legal if t.space is space and t.window]
        if windows:
            raise PlanError(
                f"the window of {windows[0].callee} and the other buffers do not fit "
                f"{space.value} side by side",
                windows[0].span,
                "make the window smaller, or call it with scope global",
            )
    trials = Trials(
        program,
        cells,
        flow,
        intervals,
        rooms,
        shared,
        bound,
        good_enough_ps(bound),
        [best_schedule(program, edges)],
        packed=packed,
    )
    _refuse_rings_without_room(trials)
    return trials


def _rooms(program: Program, intervals: LiveIntervals) -> tuple[RingRoom, ...]:
    legal = least_slots(program, intervals)
    return tuple(
        _room(program, intervals, tensor, legal[tensor])
        for tensor in program.function.tensors
        if tensor.is_placed
    )


def _room(
    program: Program, intervals: LiveIntervals, tensor: MemoryLocationSet, legal: int
) -> RingRoom:
    count = program.function.instance_spans[tensor].count
    asked = tensor.ring_slots
    if tensor.pin is not None:
        return _pinned_room(program, tensor)
    if asked is None:
        most = max(legal, count) if tensor.rotates else legal
        return RingRoom(tensor, legal, most, legal)
    require_instances(tensor, count)
    clash = slot_clash(program, intervals, tensor, asked)
    if clash is not None:
        raise _ring_too_short(program, intervals, tensor, clash, legal)
    return RingRoom(tensor, asked, asked, min(asked, legal))


def _pinned_room(program: Program, tensor: MemoryLocationSet) -> RingRoom:
    """Return the room of a pinned buffer: as many slots as it has places.

    Raises:
        PlanError: If its ``ring`` says something else.
    """
    places = place_count(program, tensor)
    if tensor.ring_slots not in {None, places}:
        raise PlanError(
            f"ring {tensor.ring_slots} of {tensor.name} is not the {places} places "
            "that its instances are put in",
            tensor.span,
            f"write ring {places}, or leave the ring out",
        )
    return RingRoom(tensor, places, places, places)


def _refuse_rings_without_room(trials: Trials) -> None:
    """Raise if the rings that users asked for do not fit beside single slots."""
    least = tuple(room.least for room in trials.rooms)
    if trials.fits(least):
        return
    slots = trials.by_tensor(least)
    asked = {
        tensor
        for tensor, count in slots.items()
        if tensor.ring_slots is not None and count > 1 and tensor.pin is None
    }
    for space in PLACED:
        mine = [tensor for tensor in slots if tensor in asked and tensor.space is space]
        arenas = private_arenas(trials.program, trials.program.machine, space, slots)
        if mine and not arenas.fit:
            raise _ring_too_long(mine, slots, space, trials.program)


def _ring_too_short(
    program: Program,
    intervals: LiveIntervals,
    tensor: MemoryLocationSet,
    clash: tuple[int, int],
    legal: int,
) -> PlanError:
    """Return the error of a ring in which two instances need a slot at a time."""
    older, newer = clash
    function = program.function
    begin, end = int(intervals.first[newer]), int(intervals.last[older])
    names = [function.instructions[program.statement[row]].name for row in (begin, end)]
    old, new = (
        instance_text(function, tensor, int(program.location_instance[location]))
        for location in clash
    )
    message = f"{names[0]} needs {new} while {names[1]} still needs {old}"
    if begin == end:
        message = f"{names[0]} needs {old} and {new} at once"
    return PlanError(
        f"ring {tensor.ring_slots} of {tensor.name} puts both into one slot: {message}",
        tensor.span,
        f"write ring {legal} or more, or leave the ring to the plan",
    )


def _ring_too_long(
    tensors: list[MemoryLocationSet],
    slots: dict[MemoryLocationSet, int],
    space: MemorySpace,
    program: Program,
) -> PlanError:
    machine = program.machine
    unit, what = unit_bytes(space, machine), UNITS[space]
    if space is MemorySpace.DRAM:
        room = "the rotation window has"
        capacity = rotation_window_bytes(program, machine)
    else:
        room = f"{space.value} of {machine.name} has"
        capacity = capacity_bytes(space, machine) // unit
    sizes = {
        t: count * slot_layout(t, machine).size_bytes // unit
        for t, count in slots.items()
        if t.space is space
    }
    need = sum(sizes[t] for t in tensors)
    rest = sum(sizes.values()) - need
    verb = "needs" if len(tensors) == 1 else "need"
    others = f" and the other buffers {rest}" if rest else ""
    names = asked_names(tensors, slots)
    message = f"{names} {verb} {need} {what}{others}; {room} {capacity}"
    return without_room(message, tensors, slots)
