"""`plan_rings`: decides how many slots each on-chip buffer gets; nothing else does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rotation.binding import (
    ON_CHIP,
    bound_compactly,
    capacity_bytes,
    initial_placement,
    private_arenas,
    slot_layout,
)
from rotation.dependences import flow_edges, merged, storage_edges
from rotation.errors import PlanError
from rotation.footprint import logical_cells
from rotation.kernel import MemoryLocationSet, MemorySpace
from rotation.liveness import live_intervals
from rotation.machine import Machine
from rotation.passes.base import PassResult, State, Statistic
from rotation.passes.preconditions import refusals_of, skipped_calls
from rotation.pins import place_count, place_expr
from rotation.plan import Limit, Ring, RingPlan
from rotation.program import Program
from rotation.ring_search import (
    TARGET_PERCENT,
    RingRoom,
    Slots,
    Trials,
    search_rings,
    wanted_slots,
)
from rotation.schedule.bound import constraint_edges, lower_bound
from rotation.schedule.list_scheduler import best_schedule
from rotation.trips import linear_trip
from rotation.unroll import unroll
from rotation.window import leading_iterations

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

        A function that may not be rotated gets one slot for each buffer, and the
        reason is kept.

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
        part = trials_of(leading_iterations(trials.program, doubled))
        slots = search_rings(part)
        found.setdefault(slots, part)
        if trials.makespan_ps(slots) <= trials.target_ps:
            break
    best = min(found, key=trials.makespan_ps)
    made = len(trials.made) + sum(len(part.made) for part in found.values())
    return ring_plan(trials, found[best], best), made


def single_slots(program: Program) -> RingPlan:
    """Return the plan that gives every buffer one slot, or what its user asked for.

    In a function that may not be rotated it is one slot, whatever was asked for.

    Raises:
        CapacityError: If the buffers do not fit even when packed tightly.
        PlanError: If a ring that the user asked for cannot be given.
    """
    return least_plan(trials_of(program))


def least_plan(trials: Trials) -> RingPlan:
    """Return the plan that gives every buffer its least ring."""
    rings = []
    if refusals_of(trials.program.function):
        chip = (t for t in trials.program.function.tensors if t.on_chip)
        none = Limit.NONE
        return RingPlan(tuple(_ring(trials.program, t, 1, none, None) for t in chip))
    for room in trials.rooms:
        limit = Limit.USER if _fixed(room.tensor) else Limit.NONE
        rings.append(_ring(trials.program, room.tensor, room.least, limit, None))
    return RingPlan(tuple(rings))


def trials_of(program: Program) -> Trials:
    """Return the trials of a program whose least rings are known to fit.

    Raises:
        CapacityError: If the buffers do not fit even when packed tightly.
        PlanError: If a ring that the user asked for cannot be given.
    """
    machine = program.machine
    intervals = live_intervals(program)
    compact = initial_placement(program)
    for space in ON_CHIP:
        compact = bound_compactly(program, compact, machine, space, intervals)
    cells = logical_cells(program)
    flow = flow_edges(program, cells)
    packed = merged(flow, storage_edges(program, cells, compact))
    bound = lower_bound(program, constraint_edges(program, cells))
    tensors = [t for t in program.function.tensors if t.on_chip]
    rooms = tuple(_room(program, tensor) for tensor in tensors)
    one = dict.fromkeys(tensors, 1)
    shared = frozenset(
        space
        for space in ON_CHIP
        if not private_arenas(program, machine, space, one).fit
    )
    for space in shared:
        windows = [t.window for t in tensors if t.space is space and t.window]
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
        bound.total_ps * TARGET_PERCENT // 100,
        [best_schedule(program, packed)],
    )
    _refuse_rings_without_room(trials)
    return trials


def _room(program: Program, tensor: MemoryLocationSet) -> RingRoom:
    trips = program.function.linear_trips(tensor.scope)
    asked = tensor.ring_slots
    if tensor.pin is not None:
        return _pinned_room(program, tensor)
    if asked is None:
        return RingRoom(tensor, 1, trips)
    if asked > trips:
        raise PlanError(
            f"ring {asked} of {tensor.name} has more slots than the {trips} instances "
            "that the loops make",
            tensor.span,
            f"write ring {trips} or less",
        )
    return RingRoom(tensor, asked, asked)


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
    return RingRoom(tensor, places, places)


def _refuse_rings_without_room(trials: Trials) -> None:
    """Raise if the rings that users asked for do not fit beside single slots."""
    least = tuple(room.least for room in trials.rooms)
    if trials.fits(least):
        return
    slots = trials.by_tensor(least)
    for space in ON_CHIP:
        mine = [
            tensor
            for tensor, count in slots.items()
            if tensor.space is space and count > 1 and tensor.pin is None
        ]
        arenas = private_arenas(trials.program, trials.program.machine, space, slots)
        if mine and not arenas.fit:
            raise _ring_too_long(mine, slots, space, trials.program.machine)


def _ring_too_long(
    tensors: list[MemoryLocationSet],
    slots: dict[MemoryLocationSet, int],
    space: MemorySpace,
    machine: Machine,
) -> PlanError:
    widest = max(tensors, key=lambda t: slots[t] * t.bytes_per_partition)
    names = ", ".join(f"ring {slots[t]} of {t.name}" for t in tensors)
    unit = machine.psum_bank_bytes if space is MemorySpace.PSUM else 1
    what = "banks" if space is MemorySpace.PSUM else "bytes/partition"
    sizes = {
        t: count * slot_layout(t, machine).size_bytes // unit
        for t, count in slots.items()
        if t.space is space
    }
    need = sum(sizes[t] for t in tensors)
    rest = sum(sizes.values()) - need
    verb = "needs" if len(tensors) == 1 else "need"
    others = f" and the other buffers {rest}" if rest else ""
    return PlanError(
        f"{names} {verb} {need} {what}{others}; {space.value} of {machine.name} has "
        f"{capacity_bytes(space, machine) // unit}",
        widest.span,
        f"ask for fewer slots of {widest.name}, or leave the ring to the plan",
    )


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
        rings.append(_ring(trials.program, room.tensor, slots[row], limit, wanted))
    return RingPlan(tuple(rings))


def _fixed(tensor: MemoryLocationSet) -> bool:
    """Return whether the user decides the slots of a buffer."""
    return tensor.ring_slots is not None or tensor.pin is not None


def _limit(trials: Trials, slots: Slots, row: int) -> Limit:
    """Return what keeps a ring from another slot."""
    room = trials.rooms[row]
    if _fixed(room.tensor):
        return Limit.USER
    if slots[row] == room.most:
        return Limit.TRIP
    more = (*slots[:row], slots[row] + 1, *slots[row + 1 :])
    return Limit.NONE if trials.fits(more) else Limit.CAPACITY


def _ring(
    program: Program,
    tensor: MemoryLocationSet,
    slots: int,
    limit: Limit,
    wanted: int | None,
) -> Ring:
    loops = () if tensor.scope is None else program.function.nests[tensor.scope]
    place = place_expr(tensor)
    slot = linear_trip(loops) % slots if place is None else place
    return Ring(tensor, tensor.scope, slots, slot, limit, wanted)
