"""`post_sched`: one total order, by list scheduling with a portfolio of priorities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rotation.passes.attributes import FunctionAttribute
from rotation.passes.base import PassResult, State, Statistic, built
from rotation.schedule.list_scheduler import PRIORITIES, best_schedule, shortest

TRIED: Final = Statistic("tried", "priorities", "orders that were compared")


@dataclass(frozen=True, slots=True)
class PostSched:
    """Order the instructions by the dependences in force."""

    name: ClassVar[str] = "post_sched"
    statistics: ClassVar[tuple[Statistic, ...]] = (TRIED,)

    def run(self, state: State) -> PassResult:
        """Return the state with the shortest schedule of the portfolio.

        A shorter one from the trials of the plan is taken where it is legal: what the
        plan promised is kept.
        """
        program = built(state.program, "unrolled program")
        edges = built(state.edges, "dependences")
        own = best_schedule(program, edges)
        schedule = shortest(program, edges, own, state.known)
        attributes = {**state.attributes, FunctionAttribute.POST_SCHEDULED: True}
        after = replace(state, schedule=schedule, attributes=attributes)
        return PassResult(after, {TRIED: len(PRIORITIES)})
