"""What another slot would cost and bring: the kernel is placed and scheduled again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace
from rotation.machine.machine import Machine
from rotation.passes.base import Pass, State, built
from rotation.placement.binding import PLACED, private_arenas, slot_layout
from rotation.rings.plan import Ring, RingPlan


@dataclass(frozen=True, slots=True)
class Trial:
    """A run with other slots than the plan's.

    Attributes:
        tensors: The buffers that have one slot more.
        slots: How many each of them has now.
        cost_bytes: What the slots take of each partition, by space [bytes].
        fits: True if all buffers have room.
        makespan_ps: Makespan of the run; None if they have not [ps].
    """

    tensors: tuple[MemoryLocationSet, ...]
    slots: tuple[int, ...]
    cost_bytes: dict[MemorySpace, int]
    fits: bool
    makespan_ps: int | None


SCHEDULED_BY: Final = "post_sched"
"""The last pass of a trial: its times are final, as no edge is added later."""


class WhatIf:
    """Runs of a finished state with more slots for some of its buffers."""

    def __init__(self, state: State, passes: Iterable[Pass]) -> None:
        """Keep what does not depend on the slots.

        Args:
            state: A finished state.
            passes: The passes of the pipeline, in order.
        """
        self.state = state
        self.plan = built(state.plan, "ring plan")
        every = list(passes)
        names = [step.name for step in every]
        self.passes = every[names.index("unroll") + 1 : names.index(SCHEDULED_BY) + 1]

    def can_grow(self, ring: Ring) -> bool:
        """Return whether a buffer has more instances than slots."""
        return ring.slots < self.state.function.instance_spans[ring.tensor].count

    def with_room(
        self, tensors: Sequence[MemoryLocationSet]
    ) -> list[MemoryLocationSet]:
        """Return the buffers in spaces that have room for one slot more of them all."""
        fitting: list[MemoryLocationSet] = []
        for space in PLACED:
            mine = [tensor for tensor in tensors if tensor.space is space]
            if self._fits(self._plan(mine)):
                fitting += mine
        return [tensor for tensor in tensors if tensor in fitting]

    def with_one_more(self, tensors: Collection[MemoryLocationSet]) -> Trial:
        """Return what happens if each of some buffers gets another slot.

        A schedule for fewer slots is legal for more, so the makespan never grows.
        """
        grown = [ring for ring in self.plan.rings if ring.tensor in tensors]
        plan = self._plan(tensors)
        fits = self._fits(plan)
        return Trial(
            tuple(ring.tensor for ring in grown),
            tuple(ring.slots + 1 for ring in grown),
            cost_bytes(grown, self.state.machine),
            fits,
            self._makespan_ps(plan) if fits else None,
        )

    def _plan(self, tensors: Collection[MemoryLocationSet]) -> RingPlan:
        """Return the plan with another slot for some buffers."""
        return RingPlan(
            tuple(
                replace(ring, slots=ring.slots + 1) if ring.tensor in tensors else ring
                for ring in self.plan.rings
            )
        )

    def _makespan_ps(self, plan: RingPlan) -> int:
        schedule = built(self.state.schedule, "schedule")
        state = State(
            self.state.function,
            self.state.machine,
            plan=plan,
            program=self.state.program,
            cells=self.state.cells,
            flow=self.state.flow,
            bound=self.state.bound,
            known=(schedule, *self.state.known),
            packed=self.state.packed,
        )
        for step in self.passes:
            state = step.run(state).state
        return built(state.schedule, "schedule").makespan_ps

    def _fits(self, plan: RingPlan) -> bool:
        program = built(self.state.program, "unrolled program")
        slots, legal = plan.slots(), plan.legal_slots()
        return all(
            private_arenas(program, self.state.machine, space, slots).fit
            for space in PLACED
            if any(slots[t] > legal[t] for t in slots if t.space is space)
        )


def cost_bytes(rings: Sequence[Ring], machine: Machine) -> dict[MemorySpace, int]:
    """Return what another slot of each of some rings takes of a partition, by space."""
    cost: dict[MemorySpace, int] = {}
    for ring in rings:
        stride = slot_layout(ring.tensor, machine).stride_bytes
        cost[ring.tensor.space] = cost.get(ring.tensor.space, 0) + stride
    return cost
