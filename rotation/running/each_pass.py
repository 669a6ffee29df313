"""``--verify-each``: after each pass, what can be checked of the state is checked.

* What a dump of the state says, reads back to the same state.
* As soon as locations have places: those that are alive together in source order do
  not overlap.
* As soon as there are anti edges: they order every conflict of the source order.
* As soon as there is a schedule: all that is checked of a finished run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from pelican.errors import Source
from rotation.check import Hazard, check_equivalence, check_overlap, check_races
from rotation.errors import InternalError
from rotation.passes.base import State
from rotation.running.dump import dump, read_placed
from rotation.schedule.list_scheduler import timed
from rotation.text.parse import parse
from rotation.text.print import print_kernels
from rotation.unrolled.program import Placement, Program, Schedule


@dataclass(slots=True)
class PassCheck:
    """Collects what is wrong after each pass that it is told of."""

    hazards: list[Hazard] = field(default_factory=list)

    def __call__(self, name: str, state: State) -> None:
        """Check a state.

        Raises:
            InternalError: If the dump of the state does not read back to it.
        """
        _require_same_dump(name, state)
        # Loads that are set apart have another order than the text, from here on.
        in_order = name != "build_fdeps" and state.separation is None
        for hazard in _hazards(state, with_races=in_order):
            self.hazards.append(
                replace(hazard, message=f"after {name}: {hazard.message}")
            )


def _require_same_dump(name: str, state: State) -> None:
    text = dump(state)
    source = Source(f"<after {name}>", text)
    if state.placement is None:
        *_, function = parse(text, source.name, own=state.machine)
        again = print_kernels(function)
    else:
        placed = read_placed(source, own=state.machine)
        again = dump(
            State(
                placed.function,
                state.machine,
                program=placed.program,
                placement=placed.placement,
                edges=None if state.edges is None else placed.edges,
                schedule=placed.schedule,
            )
        )
    if again != text:
        raise InternalError(f"the dump after {name} does not read back to itself")


def _hazards(state: State, *, with_races: bool) -> list[Hazard]:
    """Return what the checkers find in a state that may be unfinished.

    Args:
        state: The state.
        with_races: False where the edges are not those of the source order.
    """
    program, placement, edges = state.program, state.placement, state.edges
    if program is None or placement is None:
        return []
    schedule = state.schedule
    if schedule is None:
        part, places = bound_part(program, placement)
        found = check_overlap(part, places, one_by_one(part))
        if edges is not None and with_races:
            found += check_races(program, placement, edges, one_by_one(program))
        return found
    return [
        *check_overlap(program, placement, schedule),
        *([] if edges is None else check_races(program, placement, edges, schedule)),
        *check_equivalence(program, placement, schedule),
    ]


def one_by_one(program: Program) -> Schedule:
    """Return the schedule of the source order, each complete before the next starts."""
    done = np.cumsum(program.busy_ps + program.latency_ps)
    start = done - program.busy_ps - program.latency_ps
    return timed(program, start, "one-by-one")


def bound_part(program: Program, placement: Placement) -> tuple[Program, Placement]:
    """Return a program without the locations that have no place yet."""
    bound = placement.byte >= 0
    number = np.cumsum(bound) - 1
    kept = bound[program.access_location]
    part = replace(
        program,
        access_instruction=program.access_instruction[kept],
        access_location=number[program.access_location[kept]],
        access_is_write=program.access_is_write[kept],
        access_start=program.access_start[kept],
        access_extent=program.access_extent[kept],
        location_tensor=program.location_tensor[bound],
        location_instance=program.location_instance[bound],
    )
    places = Placement(
        placement.partition[bound], placement.byte[bound], placement.slot[bound]
    )
    return part, places
