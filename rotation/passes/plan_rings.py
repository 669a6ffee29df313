"""`plan_rings`: decides how many slots each buffer gets; nothing else does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rotation.passes.base import PassResult, State, Statistic
from rotation.passes.preconditions import refusals_of, skipped_calls
from rotation.rings.planning import searched_plan, single_slots
from rotation.rings.rooms import trials_of
from rotation.unrolled.unroll import unroll

TRIALS: Final = Statistic("trials", "schedules", "ring sizes that were scheduled")
ROTATING: Final = Statistic("rotating", "tensors", "buffers with more than one slot")


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
        plan, made = searched_plan(trials)
        kept = replace(
            state,
            refusals=(*state.refusals, *skipped_calls(state.function)),
            plan=plan,
            program=program,
            cells=trials.cells,
            flow=trials.flow,
            bound=trials.bound,
            known=tuple(trials.known),
            packed=trials.packed,
        )
        rotating = sum(ring.slots > 1 for ring in plan.rings)
        return PassResult(kept, {TRIALS: made, ROTATING: rotating})
