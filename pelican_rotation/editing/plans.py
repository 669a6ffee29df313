"""The ring plan of a kernel that is being written."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rotation.errors import RotationError
from rotation.loop_form.kernel import Function
from rotation.machine.machine import get_machine
from rotation.passes.base import State
from rotation.passes.plan_rings import PlanRings
from rotation.rings.plan import RingPlan
from rotation.unrolled.unroll import count_instructions
from rotation.verify.verify import verify

MOST_PLANNED: Final = 4_000
"""Kernels of so many instructions are planned at once, in a second or two."""


@lru_cache(maxsize=16)
def planned(function: Function) -> RingPlan | str:
    """Return the ring plan of a kernel, or a sentence on why there is none.

    >>> from rotation import load
    >>> plan = planned(load("examples/stream_add.kernel"))
    >>> [ring.slots for ring in plan.rings]
    [2, 1, 1]
    """
    if function.registers:
        return "Its loops run to a register: `rotation run` plans their rings."
    try:
        machine = get_machine(function.machine)
        verify(function, machine)
        number = count_instructions(function.body)
        if number > MOST_PLANNED:
            return f"`rotation run` plans its rings: it has {number:,} instructions."
        plan = PlanRings().run(State(function, machine)).state.plan
    except RotationError as error:
        return f"No ring plan: {error.message}."
    return "No ring plan." if plan is None else plan
