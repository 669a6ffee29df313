"""`coloring_allocator_psum` and `coloring_allocator_sb`: every location gets bytes.

Objective ``rotated``: each buffer gets a private arena with room for its planned
ring, and all its instances start in slot 0. When not even one slot each fits, the
space is packed as by ``compact``. Objective ``compact``: each instance gets the lowest
bytes that are free over its live interval.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

from rotation.binding import (
    bound_compactly,
    bound_to_rings,
    high_water_bytes,
    initial_placement,
    private_arenas,
    resident_tensors,
)
from rotation.errors import InternalError
from rotation.kernel import MemorySpace
from rotation.liveness import live_intervals
from rotation.passes.base import PassResult, State, Statistic, built

PLACED: Final = Statistic("placed", "tensors", "buffers that were given bytes")
PRIVATE: Final = Statistic("private", "tensors", "buffers with bytes of their own")
PEAK: Final = Statistic("peak", "bytes", "end of the highest byte in use")

Objective = Literal["rotated", "compact"]


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


def color(state: State, space: MemorySpace, objective: Objective) -> PassResult:
    """Return the state with the locations of one space bound.

    Raises:
        CapacityError: If they do not fit even when packed tightly.
    """
    program = built(state.program, "unrolled program")
    placement = state.placement or initial_placement(program)
    plan = built(state.plan, "ring plan").slots()
    resident = resident_tensors(program, space)
    mine = {t: plan[t] for t in map(program.function.tensors.__getitem__, resident)}
    arenas = private_arenas(program, state.machine, space, mine)
    private = objective == "rotated" and arenas.fit
    if not private:
        if objective == "rotated" and any(count > 1 for count in mine.values()):
            raise InternalError(f"the ring plan does not fit {space.value}")
        placement = bound_compactly(
            program, placement, state.machine, space, live_intervals(program)
        )
    else:
        one = dict.fromkeys(mine, 1)
        placement = bound_to_rings(program, placement, arenas.of, one)
        state = replace(state, arenas={**state.arenas, space: arenas.of})
    counts = {
        PLACED: len(mine),
        PRIVATE: len(mine) if private else 0,
        PEAK: high_water_bytes(program, placement, space),
    }
    return PassResult(replace(state, placement=placement), counts)
