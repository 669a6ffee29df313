from dataclasses import replace

import numpy as np
import pytest

from rotation.errors import InternalError
from rotation.loop_form.kernel import MemorySpace
from rotation.passes.base import State, built
from rotation.passes.coloring_allocator import (
    PLACED,
    PRIVATE,
    ColoringAllocatorPsum,
    ColoringAllocatorSb,
)
from rotation.passes.plan_rings import PlanRings
from rotation.rings.planning import single_slots
from rotation.running.pipeline import run_passes
from rotation.unrolled.unroll import unroll
from tests.rotation.programs import MATMUL, STREAM, state_of


def single(text: str, **machine: int) -> State:
    """Return a state with one slot for every buffer."""
    state = state_of(text)
    state = replace(state, machine=replace(state.machine, **machine))
    program = unroll(state.function, state.machine)
    return replace(state, program=program, plan=single_slots(program))


def unbound(state: State) -> list[str]:
    """Return the names of buffers that have no address."""
    program = built(state.program, "program")
    rows = np.flatnonzero(built(state.placement, "placement").byte < 0)
    tensors = program.function.tensors
    return sorted({tensors[t].name for t in program.location_tensor[rows]})


def test_each_pass_binds_its_own_space():
    """The colouring of PSUM leaves the tiles of SB unbound."""
    state = ColoringAllocatorPsum().run(single(MATMUL)).state

    assert unbound(state) == ["lt", "ot", "rt"]


def test_both_passes_bind_every_location():
    """Nothing is left without an address."""
    state = ColoringAllocatorPsum().run(single(MATMUL)).state

    assert unbound(ColoringAllocatorSb().run(state).state) == []


def test_rotated_colouring_makes_room_for_the_plan():
    """Each buffer gets an arena, and all instances start in its slot 0."""
    state = PlanRings().run(state_of(STREAM)).state
    result = ColoringAllocatorSb().run(state)

    bases = [a.base_bytes for a in result.state.arenas[MemorySpace.SB].values()]
    assert bases == [0, 2 * 8192, 3 * 8192]
    assert not built(result.state.placement, "placement").slot.any()


def test_compact_colouring_has_no_arenas():
    """Bytes are shared by live interval, nothing can rotate, no plan is needed."""
    unplanned = replace(single(STREAM), plan=None)
    result = ColoringAllocatorSb(objective="compact").run(unplanned)

    assert result.state.arenas == {}
    assert (result.statistics[PLACED], result.statistics[PRIVATE]) == (3, 0)


def test_a_space_without_room_for_arenas_is_packed():
    """What does not fit side by side shares bytes over time."""
    tight = single(MATMUL, sb_bytes_per_partition=1280)
    result = ColoringAllocatorSb().run(tight)

    assert (result.statistics[PRIVATE], unbound(result.state)) == (0, ["acc"])


def test_a_plan_that_does_not_fit_is_an_internal_error():
    """The plan has promised room for its rings."""
    state = PlanRings().run(state_of(STREAM)).state
    small = replace(state.machine, sb_bytes_per_partition=3 * 8192)

    with pytest.raises(InternalError, match="the ring plan does not fit sb"):
        ColoringAllocatorSb().run(replace(state, machine=small))


def test_what_the_plan_has_packed_is_packed_alike_without_it():
    """Packing is done once for the plan and for the program without rotation."""
    state = PlanRings().run(state_of(MATMUL)).state
    passes = (ColoringAllocatorPsum("compact"), ColoringAllocatorSb("compact"))
    as_packed, _ = run_passes(passes, state)
    anew, _ = run_passes(passes, replace(state, packed=None))
    with_packing, without = (
        built(each.placement, "placement") for each in (as_packed, anew)
    )

    assert state.packed is not None
    for column in ("partition", "byte", "slot"):
        assert np.array_equal(getattr(with_packing, column), getattr(without, column))
