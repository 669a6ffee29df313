"""`plan_rings`: decides how many slots each buffer gets; nothing else does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.errors import PlanError
from rotation.loop_form.instances import (
    instance_number,
    instance_text,
    least_slots,
    slot_clash,
)
from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace
from rotation.loop_form.loop_carried import carried_tensors
from rotation.loop_form.pins import place_count
from rotation.passes.base import PassResult, State, Statistic
from rotation.passes.preconditions import refusals_of, skipped_calls
from rotation.placement.binding import (
    PLACED,
    UNITS,
    bound_compactly,
    capacity_bytes,
    initial_placement,
    private_arenas,
    slot_layout,
)
from rotation.placement.dram import rotation_window_bytes
from rotation.rings.asked import asked_names, require_instances, without_room
from rotation.rings.plan import Limit, Ring, RingPlan
from rotation.rings.search import (
    RingRoom,
    Slots,
    Trials,
    good_enough_ps,
    search_rings,
    wanted_slots,
)
from rotation.rings.window import leading_iterations
from rotation.schedule.bound import constraint_edges, lower_bound
from rotation.schedule.list_scheduler import best_schedule
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.liveness import LiveIntervals, live_intervals
from rotation.unrolled.program import Program
from rotation.unrolled.unroll import unroll

TRIALS: Final = Statistic("trials", "schedules", "ring sizes that were scheduled")
ROTATING: Final = Statistic("rotating", "tensors", "buffers with more than one slot")

LONG_PROGRAM: Final = 20_000
"""From so many instructions on, rings are searched on the first iterations."""

MAX_WINDOWS: Final = 3
"""Windows that are tried, each twice as long as the one before; the whole program is
scheduled once for each."""


@dataclass(frozen=True, slots=True)
class PlanRings:
    """Plan the rings by trials on the full program."""

    name: ClassVar[str] = "plan_rings"
    statistics: ClassVar[tuple[Statistic, ...]] = (TRIALS, ROTATING)

    def run(self, state: State) -> PassResult:
        """Return the state with a plan; what was computed for it is kept.

        A function that may not be rotated gets the fewest slots for each buffer, and
        the reason is kept.

        Raises:
            CapacityError: If the buffers do not fit even when packed tightly.
            PlanError: If a ring that the user asked for cannot be given.
        """
        program = state.program or unroll(state.function, state.machine)
        refusals = refusals_of(state.function)
        if refusals:
            plan = single_slots(program)
            refusals = (*state.refusals, *refusals)
            kept = replace(state, plan=plan, program=program, refusals=refusals)
            return PassResult(kept, {TRIALS: 0, ROTATING: 0})
        trials = trials_of(program)
        plan, made = _searched(trials)
        kept = replace(
            state,
            refusals=(*state.refusals, *skipped_calls(state.function)),
            plan=plan,
            program=program,
            cells=trials.cells,
            flow=trials.flow,
            bound=trials.bound,
            known=tuple(trials.known),
        )
        rotating = sum(ring.slots > 1 for ring in plan.rings)
        return PassResult(kept, {TRIALS: made, ROTATING: rotating})


def _searched(trials: Trials) -> tuple[RingPlan, int]:
    """Return the plan of a program, and how many schedules were made for it.

    A short program is searched as a whole. A long one is searched on its first
    iterations; each plan that is found so is tried on the whole, and the window is
    doubled while that misses the target. Of windows that all miss, the best counts.
    """
    if len(trials.program) < LONG_PROGRAM:
        slots = search_rings(trials)
        return ring_plan(trials, trials, slots), len(trials.made)
    found: dict[Slots, Trials] = {}
    for doubled in range(MAX_WINDOWS):
        part = trials_of(leading_iterations(trials.program, doubled), trials.rooms)
        slots = search_rings(part)
        if not trials.fits(slots):  # lives that meet in no iteration of the part
            slots = tuple(room.least for room in trials.rooms)
        found.setdefault(slots, part)
        if trials.makespan_ps(slots) <= trials.target_ps:
            break
    best = min(found, key=trials.makespan_ps)
    made = len(trials.made) + sum(len(part.made) for part in found.values())
    return ring_plan(trials, found[best], best), made


def single_slots(program: Program) -> RingPlan:
    """Return the plan of the fewest slots, or of what users asked for.

    In a function that may not be rotated it is the fewest, whatever was asked for.

    Raises:
        CapacityError: If the buffers do not fit even when packed tightly.
        PlanError: If a ring that the user asked for cannot be given.
    """
    return least_plan(trials_of(program))


def least_plan(trials: Trials) -> RingPlan:
    """Return the plan that gives every buffer its least ring."""
    rings = []
    program = trials.program
    if refusals_of(program.function):
        # Each instance gets bytes of its own: none of the rings is asked for.
        none = Limit.NONE
        return RingPlan(
            tuple(_ring(program, r, r.legal, none, None) for r in trials.rooms)
        )
    for room in trials.rooms:
        limit = Limit.USER if _fixed(room.tensor) else Limit.NONE
        rings.append(_ring(program, room, room.least, limit, None))
    return RingPlan(tuple(rings))


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
    compact = initial_placement(program)
    for space in PLACED:
        compact = bound_compactly(program, compact, machine, space, intervals)
    cells = logical_cells(program)
    flow = flow_edges(program, cells)
    packed = merged(flow, storage_edges(program, cells, compact))
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
        [best_schedule(program, packed)],
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
    unit = machine.psum_bank_bytes if space is MemorySpace.PSUM else 1
    what = UNITS[space]
    room = f"{space.value} of {machine.name} has"
    if space is MemorySpace.DRAM:
        room, capacity = (
            "the rotation window has",
            rotation_window_bytes(program, machine),
        )
    else:
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


def ring_plan(whole: Trials, trials: Trials, slots: Slots) -> RingPlan:
    """Return the plan of some ring sizes.

    Args:
        whole: Trials of the whole program.
        trials: Trials of the program on which the sizes were searched.
        slots: The sizes.
    """
    reached = whole.makespan_ps(slots) <= whole.target_ps
    rings = []
    for row, room in enumerate(trials.rooms):
        grows = not _fixed(room.tensor)
        wanted = slots[row] if reached and grows else wanted_slots(trials, slots, row)
        limit = Limit.NONE if reached and grows else _limit(trials, slots, row)
        rings.append(_ring(trials.program, room, slots[row], limit, wanted))
    return RingPlan(tuple(rings))


def _fixed(tensor: MemoryLocationSet) -> bool:
    """Return whether the user decides the slots of a buffer."""
    asked = tensor.ring_slots is not None or tensor.pin is not None
    return asked or not tensor.rotates


def _limit(trials: Trials, slots: Slots, row: int) -> Limit:
    """Return what keeps a ring from another slot."""
    room = trials.rooms[row]
    if _fixed(room.tensor):
        return Limit.USER
    if slots[row] == room.most:
        carried = carried_tensors(trials.program.function)
        return Limit.CARRIED if room.tensor in carried else Limit.TRIP
    more = (*slots[:row], slots[row] + 1, *slots[row + 1 :])
    return Limit.NONE if trials.fits(more) else Limit.CAPACITY


def _ring(
    program: Program, room: RingRoom, slots: int, limit: Limit, wanted: int | None
) -> Ring:
    tensor = room.tensor
    number = instance_number(program.function, tensor)
    return Ring(tensor, tensor.scope, slots, number, limit, wanted, room.legal)
