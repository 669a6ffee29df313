"""From trials to a ring plan: the sizes, and why no ring has more slots."""

from __future__ import annotations

from typing import Final

from rotation.loop_form.instances import instance_number
from rotation.loop_form.kernel import MemoryLocationSet
from rotation.loop_form.loop_carried import carried_tensors
from rotation.passes.preconditions import refusals_of
from rotation.rings.plan import Limit, Ring, RingPlan
from rotation.rings.rooms import trials_of
from rotation.rings.search import RingRoom, Slots, Trials, search_rings, wanted_slots
from rotation.rings.window import LONG_PROGRAM, leading_iterations
from rotation.unrolled.program import Program

MAX_WINDOWS: Final = 3
"""Windows that are tried, each twice as long as the one before; the whole program is
scheduled once for each."""


def searched_plan(trials: Trials) -> tuple[RingPlan, int]:
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
    # A function that is not rotated is packed by life: none of its rings is given.
    given = not refusals_of(trials.program.function)
    return RingPlan(
        tuple(
            _ring(
                trials.program,
                room,
                room.least if given else room.legal,
                Limit.USER if given and _fixed(room.tensor) else Limit.NONE,
                wanted=None,
            )
            for room in trials.rooms
        )
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
        wanted: int | None = slots[row]
        limit = Limit.NONE
        if not reached or _fixed(room.tensor):
            wanted = wanted_slots(trials, slots, row)
            limit = _limit(trials, slots, row)
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
