"""`coloring_allocator_psum`, `_sb` and `_dram`: every location gets bytes.

A function that may not be rotated is packed under either objective. Objective
``rotated``: each buffer gets a private arena with room for its planned ring, and its
instances start in as few slots of it as are legal, which is mostly one. When not even
these fit, the space is packed as by ``compact``. Objective ``compact``: instances
share bytes over time, with a peak close to the most bytes that live at one moment.
Objective ``modelled``: the same, but that rings which the kernel asks for are in use
already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

from rotation.errors import InternalError
from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace
from rotation.passes.attributes import FunctionAttribute
from rotation.passes.base import PassResult, State, Statistic, built
from rotation.passes.preconditions import refusals_of
from rotation.placement.binding import (
    bound_compactly,
    bound_to_rings,
    initial_placement,
    placed_as_in,
    private_arenas,
    resident_tensors,
)
from rotation.placement.binding_check import high_water_bytes
from rotation.unrolled.liveness import live_intervals
from rotation.unrolled.program import Placement, Program

PLACED: Final = Statistic("placed", "tensors", "buffers that were given bytes")
PRIVATE: Final = Statistic("private", "tensors", "buffers with bytes of their own")
PEAK: Final = Statistic("peak", "bytes", "end of the highest byte in use")

Objective = Literal["rotated", "compact", "modelled"]

ALLOCATED: Final = {
    MemorySpace.PSUM: FunctionAttribute.PSUM_ALLOCATED,
    MemorySpace.SB: FunctionAttribute.SB_ALLOCATED,
    MemorySpace.DRAM: FunctionAttribute.DRAM_ALLOCATED,
}
"""What a function is marked with once a space of it is coloured."""


@dataclass(frozen=True, slots=True)
class ColoringAllocatorPsum:
    """Give every PSUM location its banks."""

    name: ClassVar[str] = "coloring_allocator_psum"
    statistics: ClassVar[tuple[Statistic, ...]] = (PLACED, PRIVATE, PEAK)
    objective: Objective = "rotated"

    def run(self, state: State) -> PassResult:
        """Return the state with the locations of PSUM bound."""
        return color(state, MemorySpace.PSUM, self.objective)


@dataclass(frozen=True, slots=True)
class ColoringAllocatorSb:
    """Give every SB location its bytes."""

    name: ClassVar[str] = "coloring_allocator_sb"
    statistics: ClassVar[tuple[Statistic, ...]] = (PLACED, PRIVATE, PEAK)
    objective: Objective = "rotated"

    def run(self, state: State) -> PassResult:
        """Return the state with the locations of SB bound."""
        return color(state, MemorySpace.SB, self.objective)


@dataclass(frozen=True, slots=True)
class ColoringAllocatorDram:
    """Give every DRAM location its bytes that the outside world does not see."""

    name: ClassVar[str] = "coloring_allocator_dram"
    statistics: ClassVar[tuple[Statistic, ...]] = (PLACED, PRIVATE, PEAK)
    objective: Objective = "rotated"

    def run(self, state: State) -> PassResult:
        """Return the state with the locations of DRAM bound."""
        return color(state, MemorySpace.DRAM, self.objective)


def color(state: State, space: MemorySpace, objective: Objective) -> PassResult:
    """Return the state with the locations of one space bound.

    Raises:
        CapacityError: If they do not fit even when packed tightly.
    """
    if objective == "compact" or refusals_of(state.function):
        result = _compact(state, space)
    elif objective == "rotated":
        result = _private(state, space)
    else:
        result = _with_rings(state, space)
    # An allocator of DRAM without a candidate writes a false one.
    program = built(result.state.program, "unrolled program")
    found = space is not MemorySpace.DRAM or bool(_residents(program, space))
    attributes = {**state.attributes, ALLOCATED[space]: found}
    return replace(result, state=replace(result.state, attributes=attributes))


def _with_rings(state: State, space: MemorySpace) -> PassResult:
    """Pack a space; where the kernel asks for rings or windows, give it arenas.

    Policy `modelled` chooses addresses and knows no rings, so what the user asked for
    is given here and stays.
    """
    program = built(state.program, "unrolled program")
    slots = built(state.plan, "ring plan").slots()
    residents = _residents(program, space)
    asked = {t for t in residents if (t.ring_slots or 1) > 1}
    if not asked and all(tensor.window is None for tensor in residents):
        return _compact(state, space)
    result = _private(state, space)
    arenas = result.state.arenas.get(space, {})
    arenas = {t: arena for t, arena in arenas.items() if t in asked}
    old = built(result.state.placement, "placement")
    placement = bound_to_rings(program, old, arenas, slots)
    return replace(result, state=replace(result.state, placement=placement))


def _private(state: State, space: MemorySpace) -> PassResult:
    """Give each buffer an arena for its ring, or pack a space where none fit."""
    program = built(state.program, "unrolled program")
    plan = built(state.plan, "ring plan")
    tensors = _residents(program, space)
    slots = {tensor: plan.slots()[tensor] for tensor in tensors}
    legal = {tensor: plan.legal_slots()[tensor] for tensor in tensors}
    arenas = private_arenas(program, state.machine, space, slots)
    if not arenas.fit:
        if slots != legal:
            raise InternalError(f"the ring plan does not fit {space.value}")
        return _compact(state, space)
    before = state.placement or initial_placement(program)
    placement = bound_to_rings(program, before, arenas.of, legal)
    state = replace(
        state, placement=placement, arenas={**state.arenas, space: arenas.of}
    )
    return PassResult(state, _counts(program, placement, space, len(tensors)))


def _compact(state: State, space: MemorySpace) -> PassResult:
    """Pack the instances of a space by their live intervals."""
    program = built(state.program, "unrolled program")
    placement = state.placement or initial_placement(program)
    if state.packed is None:
        intervals = live_intervals(program)
        placement = bound_compactly(program, placement, state.machine, space, intervals)
    else:
        placement = placed_as_in(program, placement, state.packed, space)
    counts = _counts(program, placement, space, private=0)
    return PassResult(replace(state, placement=placement), counts)


def _residents(program: Program, space: MemorySpace) -> list[MemoryLocationSet]:
    rows = resident_tensors(program, space)
    return [program.function.tensors[row] for row in rows]


def _counts(
    program: Program, placement: Placement, space: MemorySpace, private: int
) -> dict[Statistic, int]:
    return {
        PLACED: len(_residents(program, space)),
        PRIVATE: private,
        PEAK: high_water_bytes(program, placement, space),
    }
