from dataclasses import replace

import pytest

from rotation.errors import CapacityError
from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace
from rotation.placement.binding import (
    bound_compactly,
    bound_to_rings,
    initial_placement,
    private_arenas,
    slot_layout,
)
from rotation.unrolled.liveness import live_intervals
from rotation.unrolled.program import Placement, Program
from tests.rotation.programs import MATMUL, PLANNING, STREAM, tile, unrolled

SB, PSUM, DRAM = MemorySpace.SB, MemorySpace.PSUM, MemorySpace.DRAM


def by_name(program: Program, **slots: int) -> dict[MemoryLocationSet, int]:
    return {t: slots.get(t.name, 1) for t in program.function.tensors if t.on_chip}


def addresses(program: Program, placement: Placement, name: str) -> list[int]:
    """Return the byte of each instance of a buffer."""
    tensors = program.function.tensors
    rows = [r for r, t in enumerate(program.location_tensor) if tensors[t].name == name]
    return placement.byte[rows].tolist()


def test_a_slot_of_sb_is_a_multiple_of_eight_bytes():
    """The SB granule is 8 bytes."""
    assert slot_layout(tile("s", (128, 9)), PLANNING) == (16, 8)


@pytest.mark.parametrize(
    ("size", "layout", "stride"),
    [(512, (2048, 2048), 2048), (2048, (2048, 2048), 2048), (4097, (6144, 8192), 8192)],
)
def test_a_slot_of_psum_takes_whole_banks(size, layout, stride):
    """It starts at a multiple of the next power of two of its banks."""
    found = slot_layout(tile("s", (128, size), PSUM), PLANNING)

    assert (found, found.stride_bytes) == (layout, stride)


def test_dram_tensors_follow_one_another_on_pages():
    """Each starts on a multiple of 4096 bytes."""
    program = unrolled(STREAM)
    placement = initial_placement(program)
    size = 1024 * 4096 * 4

    starts = [addresses(program, placement, name) for name in "xyz"]
    assert starts == [[0], [size], [2 * size]]


def test_an_instance_lives_in_its_trip_number_modulo_the_slots():
    """Instance k of a ring of 3 is in slot k mod 3 of its arena."""
    program = unrolled(STREAM)
    slots = by_name(program, xt=3)
    arenas = private_arenas(program, PLANNING, SB, slots)
    placement = bound_to_rings(program, initial_placement(program), arenas.of, slots)

    base = addresses(program, placement, "xt")[0]
    expected = [base + k % 3 * 8192 for k in range(16)]
    assert addresses(program, placement, "xt") == expected


def test_arenas_share_no_byte():
    """Rings of different buffers lie apart."""
    program = unrolled(STREAM)
    slots = by_name(program, xt=3, yt=2)
    arenas = private_arenas(program, PLANNING, SB, slots).of
    spans = sorted(
        (a.base_bytes, a.base_bytes + slots[t] * 8192) for t, a in arenas.items()
    )

    assert spans == [(0, 24576), (24576, 40960), (40960, 49152)]


def test_arenas_that_do_not_fit_say_so():
    """177 slots of 1024 bytes are more than SB has."""
    program = unrolled(MATMUL)

    assert private_arenas(program, PLANNING, SB, by_name(program)).fit
    assert not private_arenas(program, PLANNING, SB, by_name(program, rt=177)).fit


def test_wide_slots_come_first():
    """Three aligned banks and one more fit into four."""
    text = MATMUL.replace(
        "psum acc [128, 512] fp32",
        "psum acc [128, 512] fp32\n psum wide [128, 1536] fp32",
    ).replace("mm: pe.matmul acc", "w: pe.fill wide <- lt\n mm: pe.matmul acc")
    program = unrolled(
        text.replace("w: pe.fill wide", "w: pe.fill wide[0:+128, 0:+512]")
    )
    arenas = private_arenas(program, PLANNING, PSUM, by_name(program)).of

    assert sorted(arena.base_bytes for arena in arenas.values()) == [0, 3 * 2048]


def compact(program: Program, space: MemorySpace = SB) -> Placement:
    return bound_compactly(
        program,
        initial_placement(program),
        program.machine,
        space,
        live_intervals(program),
    )


def test_compact_bytes_are_used_again_after_the_last_use():
    """The output tile of a matmul takes the place of the operands."""
    program = unrolled(MATMUL)
    placement = compact(program)

    assert addresses(program, placement, "ot") == [0, 0, 0, 0]


def test_compact_does_not_free_at_the_last_use():
    """What an operation writes may not lie on what it reads."""
    program = unrolled(STREAM)
    placement = compact(program)

    assert addresses(program, placement, "zt") == [16384] * 16


def test_a_space_that_is_too_small_is_refused_with_its_buffers():
    """The message names who is live together, the need and the capacity."""
    program = unrolled(STREAM)
    small = replace(program, machine=replace(PLANNING, sb_bytes_per_partition=20000))

    with pytest.raises(CapacityError) as caught:
        compact(small)

    assert caught.value.message == (
        "sb is too small: xt 8192, yt 8192, zt 8192 are live together and need "
        "24576 bytes/partition, planning has 20000"
    )
    assert (caught.value.need, caught.value.capacity) == (24576, 20000)
    assert caught.value.line is not None


def test_a_psum_that_is_too_small_is_refused_in_banks():
    """PSUM is counted in banks."""
    program = unrolled(MATMUL.replace("[128, 512] fp32", "[128, 1024] fp32"))
    small = replace(program, machine=replace(PLANNING, psum_banks=1))

    with pytest.raises(CapacityError, match="acc 2 are live together and need 2 banks"):
        compact(small, PSUM)
