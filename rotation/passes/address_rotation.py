"""`address_rotation_psum`, `_sb` and `_dram`: instance k goes to slot k mod N.

The pass only re-binds addresses. The new map is computed whole, checked, and then
installed; if it does not pass the check the old one stays and the reason is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from rotation.binding import bound_to_rings
from rotation.binding_check import binding_fault
from rotation.kernel import MemorySpace
from rotation.passes.base import PassResult, Refusal, State, Statistic, built
from rotation.passes.preconditions import refusals_of

ROTATED: Final = Statistic("rotated", "tensors", "buffers given more than one slot")
MOVED: Final = Statistic("moved", "locations", "instances bound to another address")
LEFT: Final = Statistic("left", "spaces", "spaces left as coloured, for a reason")


@dataclass(frozen=True, slots=True)
class AddressRotationPsum:
    """Bind each PSUM instance to the slot that the ring plan gives it."""

    name: ClassVar[str] = "address_rotation_psum"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, LEFT)

    def run(self, state: State) -> PassResult:
        """Return the state with PSUM rotated, or as it was with the reason."""
        return rotate(state, MemorySpace.PSUM)


@dataclass(frozen=True, slots=True)
class AddressRotationSb:
    """Bind each SB instance to the slot that the ring plan gives it."""

    name: ClassVar[str] = "address_rotation_sb"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, LEFT)

    def run(self, state: State) -> PassResult:
        """Return the state with SB rotated, or as it was with the reason."""
        return rotate(state, MemorySpace.SB)


@dataclass(frozen=True, slots=True)
class AddressRotationDram:
    """Bind each DRAM instance to the slot that the ring plan gives it."""

    name: ClassVar[str] = "address_rotation_dram"
    statistics: ClassVar[tuple[Statistic, ...]] = (ROTATED, MOVED, LEFT)

    def run(self, state: State) -> PassResult:
        """Return the state with DRAM rotated, or as it was with the reason."""
        return rotate(state, MemorySpace.DRAM)


def rotate(state: State, space: MemorySpace) -> PassResult:
    """Return the state with the rings of one space in use.

    A space without private arenas has no rings and stays as it is, and so does a
    function that may not be rotated.
    """
    refusals = refusals_of(state.function)
    if refusals:
        untold = (r for r in refusals if r not in state.refusals)
        left = replace(state, refusals=(*state.refusals, *untold))
        return PassResult(left, {ROTATED: 0, MOVED: 0, LEFT: 1})
    program = built(state.program, "unrolled program")
    old = built(state.placement, "placement")
    plan = built(state.plan, "ring plan").slots()
    arenas = state.arenas.get(space)
    if arenas is None:
        return PassResult(state, {ROTATED: 0, MOVED: 0, LEFT: 0})
    new = bound_to_rings(program, old, arenas, plan)
    fault = binding_fault(program, new, state.machine, space)
    if fault is not None:
        refusal = Refusal(f"{space.value} was not rotated: {fault}")
        left = replace(state, refusals=(*state.refusals, refusal))
        return PassResult(left, {ROTATED: 0, MOVED: 0, LEFT: 1})
    counts = {
        ROTATED: sum(plan[tensor] > 1 for tensor in arenas),
        MOVED: int(np.count_nonzero(new.byte != old.byte)),
        LEFT: 0,
    }
    return PassResult(replace(state, placement=new), counts)
