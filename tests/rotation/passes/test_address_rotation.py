from dataclasses import replace

from rotation.loop_form.kernel import MemorySpace
from rotation.passes.address_rotation import (
    LEFT,
    MOVED,
    ROTATED,
    AddressRotationPsum,
    AddressRotationSb,
)
from rotation.passes.base import State, built
from rotation.passes.coloring_allocator import (
    ColoringAllocatorPsum,
    ColoringAllocatorSb,
)
from rotation.passes.plan_rings import PlanRings
from tests.rotation.programs import MATMUL, STREAM, state_of


def coloured(text: str, objective: str = "rotated") -> State:
    state = PlanRings().run(state_of(text)).state
    state = ColoringAllocatorPsum(objective).run(state).state
    return ColoringAllocatorSb(objective).run(state).state


def slots(state: State, name: str) -> list[int]:
    """Return the slot of each instance of a buffer."""
    program = built(state.program, "program")
    tensors = program.function.tensors
    rows = [r for r, t in enumerate(program.location_tensor) if tensors[t].name == name]
    return built(state.placement, "placement").slot[rows].tolist()


def test_a_ring_is_used_in_turn():
    """Instance k of xt, which has two slots, is in slot k mod 2."""
    state = AddressRotationSb().run(coloured(STREAM)).state

    assert slots(state, "xt") == [0, 1] * 8


def test_a_ring_of_one_slot_stays():
    """What has one slot is not moved."""
    state = AddressRotationSb().run(coloured(STREAM)).state

    assert slots(state, "zt") == [0] * 16


def test_moved_instances_are_counted():
    """Every other instance of the one rotating buffer moved."""
    counts = AddressRotationSb().run(coloured(STREAM)).statistics

    assert (counts[ROTATED], counts[MOVED], counts[LEFT]) == (1, 8, 0)


def test_psum_rotates_on_its_own():
    """The pass of PSUM moves an accumulator and no operand."""
    text = MATMUL.replace("psum acc [128, 512] fp32", "psum acc [128, 512] fp32 ring 2")
    state = AddressRotationPsum().run(coloured(text)).state

    assert (slots(state, "acc"), set(slots(state, "lt"))) == ([0, 1, 0, 1], {0})


def test_a_compact_space_does_not_rotate():
    """Without arenas the placement stays as it is."""
    state = coloured(STREAM, "compact")

    assert AddressRotationSb().run(state).state is state


def test_a_map_with_a_fault_is_not_installed():
    """The old placement stays, and the reason is kept."""
    state = coloured(STREAM)
    arenas = state.arenas[MemorySpace.SB]
    squeezed = {t: replace(arena, base_bytes=0) for t, arena in arenas.items()}
    result = AddressRotationSb().run(replace(state, arenas={MemorySpace.SB: squeezed}))

    assert result.state.placement is state.placement
    assert [r.reason for r in result.state.refusals] == [
        "sb was not rotated: yt at byte 0 overlaps xt"
    ]
