"""Places of the user: where locations go, what is kept free, and what a ring is."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican.errors import LocatedError
from rotation.errors import PlanError
from rotation.loop_form.kernel import MemorySpace
from rotation.passes.base import State, built
from rotation.rings.plan import Limit
from rotation.running.pins_report import without_pins
from rotation.running.pipeline import check, run, unrotated
from rotation.text.print import print_function
from rotation.unrolled.pins import pinned, place_count, reserved_bytes
from tests.rotation.finished import finished
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.pinned import PINNED, declared
from tests.rotation.programs import PLANNING, kernel, unrolled

BANK = PLANNING.psum_bank_bytes


@cache
def bytes_of(state: State, name: str) -> list[int]:
    """Return the first byte of each instance of a buffer."""
    program = built(state.program, "program")
    names = [tensor.name for tensor in state.function.tensors]
    mine = program.location_tensor == names.index(name)
    return built(state.placement, "placement").byte[mine].tolist()


def test_every_instance_is_where_its_declaration_says():
    """Banks and bytes are honoured, instance by instance."""
    state = finished(PINNED)

    assert bytes_of(state, "a") == [0, BANK] * 4
    assert bytes_of(state, "b") == [BANK, 0] * 4
    assert bytes_of(state, "t") == [0, 4096] * 4


def test_the_place_may_depend_on_outer_loops():
    """A first partition and a byte of two loops are evaluated for each instance."""
    text = declared("byte 64*i + 8*j part 64*(i mod 2)", shape="[64, 2]", space="sb")
    places = pinned(unrolled(text))

    assert places.byte.tolist() == [64 * i + 8 * j for j in range(2) for i in range(8)]
    assert places.partition.tolist() == [0, 64] * 8


def test_other_buffers_keep_off_the_bytes_of_the_user():
    """What pins ever cover is reserved, in both colourings."""
    state = finished(PINNED)

    assert reserved_bytes(state.program, MemorySpace.PSUM) == [(0, 2 * BANK)]
    assert reserved_bytes(state.program, MemorySpace.SB) == [(0, 2048), (4096, 6144)]
    assert min(bytes_of(state, "c")) >= 2 * BANK
    assert not set(bytes_of(state, "u")) & {0, 4096}


def test_a_pinned_buffer_has_a_slot_for_each_place():
    """The plan says what the map says, and that the user did."""
    rings = {
        ring.tensor.name: ring for ring in built(finished(PINNED).plan, "plan").rings
    }

    assert {n: rings[n].slots for n in "abt"} == {"a": 2, "b": 2, "t": 2}
    assert {rings[n].limited_by for n in "abt"} == {Limit.USER}
    assert str(rings["b"].slot) == str(kernel(PINNED).tensors[5].pin.bank.expr)


def test_a_ring_that_is_the_map_is_honoured():
    """`ring 2` beside a map of two banks changes nothing."""
    text = PINNED.replace("fp32 bank i mod 2", "fp32 ring 2 bank i mod 2")

    assert bytes_of(finished(text), "a") == [0, BANK] * 4


def test_a_ring_that_is_not_the_map_is_refused():
    """The numbers of slots and of places are both told."""
    text = PINNED.replace("fp32 bank i mod 2", "fp32 ring 3 bank i mod 2")
    with pytest.raises(PlanError) as caught:
        finished(text)

    assert "ring 3 of a is not the 2 places" in caught.value.message
    assert caught.value.hint == "write ring 2, or leave the ring out"
    assert caught.value.span is not None


def test_a_map_need_not_be_a_ring():
    """Places may come in any order and at any distance: 0, 1, 4, 5, 0, ..."""
    text = declared("bank 4*(i floordiv 2 mod 2) + i mod 2")
    program = unrolled(text)
    places = pinned(program)

    assert (places.byte[:8] // BANK).tolist() == [0, 1, 4, 5, 0, 1, 4, 5]
    assert places.slot[:8].tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert place_count(program, program.function.tensors[0]) == 4


def test_the_result_is_proved_and_clean():
    """Pinned kernels pass all checks; each place is proved for all iterations."""
    result = run(kernel(PINNED), verify_each=True)

    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert result.proofs.total == result.proofs.proved
    assert result.refusals == ()


def test_pins_stay_when_rotation_is_skipped():
    """No pass is needed to put a buffer where the user wants it."""
    skipped = ("plan_rings", "address_rotation_psum", "address_rotation_sb")
    result = run(kernel(PINNED), skip_passes=skipped)

    assert bytes_of(result.after, "a") == [0, BANK] * 4
    assert result.hazards == ()


def test_the_unrotated_state_keeps_pins_too():
    """`before` is the same program at the same places of the user."""
    result = run(kernel(PINNED))

    assert bytes_of(result.before, "b") == [BANK, 0] * 4
    assert bytes_of(result.before, "t") == [0, 4096] * 4


def test_without_pins_is_the_kernel_without_its_places():
    """Nothing else changes; a kernel without pins is the same object."""
    free = without_pins(kernel(PINNED))
    text = print_function(free)

    assert "bank" not in text
    assert "byte" not in text
    assert {r.tensor for i in free.instructions for r in i.reads} <= set(free.tensors)
    assert without_pins(free) is free


def test_partitions_apart_share_bytes():
    """Two tiles of 64 rows live side by side in the same bytes at once."""
    text = """kernel k on planning {
      dram x [128, 64] fp32 input dram y [128, 64] fp32 output
      sb s [64, 64] fp32 byte 0 part 0 sb t [64, 64] fp32 byte 0 part 64
      a: dma.load s <- x[0:+64, 0:+64] b: dma.load t <- x[64:+64, 0:+64]
      c: dma.store y[0:+64, 0:+64] <- s d: dma.store y[64:+64, 0:+64] <- t }"""
    result = run(kernel(text))

    assert (result.hazards, result.verdict) == ((), "accepted")
    assert result.memory["sb"].after == 256
    assert result.edges.after.anti == 0


def test_an_untouched_buffer_reserves_nothing():
    """A declaration without operations, even in a huge nest, costs nothing."""
    text = (
        "kernel k on planning { dram y [1] fp32 output sb s [1, 1] fp32 "
        "for i in [0, 9000000000000000) { psum t [128, 512] fp32 bank i mod 8 } "
        "vector.f s <- dma.store y <- s[0:+1, 0:+1] }"
    )
    program = unrolled(text)

    assert np.count_nonzero(pinned(program).here) == 0
    assert reserved_bytes(program, MemorySpace.PSUM) == []
    assert place_count(program, program.function.tensors[2]) == 1


@st.composite
def pinned_kernel_texts(draw: st.DrawFn) -> str:
    """Return a legal kernel some of whose tiles are placed, maybe on one another."""
    lines = []
    inside = False
    for line in draw(legal_kernel_texts()).splitlines():
        inside = inside or line.startswith("for i")
        words = line.split()
        if words[:1] in (["sb"], ["psum"]) and draw(st.booleans()):
            at = f"(i + {draw(st.integers(0, 3))})" if inside else "1"
            turns = draw(st.integers(1, 4))
            place = f"{at} mod {turns} + {draw(st.integers(0, 3))}"
            part = draw(st.sampled_from(["", " part 0", " part 64"]))
            where = "bank" if words[0] == "psum" else "byte 16*"
            end = " ".join(line.removesuffix("ring 1").split())
            lines.append(f"{end} {where} ({place}){part}".replace("* (", "*("))
        else:
            lines.append(line)
    return "\n".join(lines)


@given(pinned_kernel_texts())
@settings(max_examples=10)
def test_random_places_are_honoured_or_refused(text: str):
    """What runs is clean and where it belongs; what clashes is refused as a clash."""
    found: list[LocatedError] = []
    try:
        after = finished(text)
    except LocatedError as error:
        found += error.errors
    else:
        assert check(after) == ()
        assert check(unrotated(after)) == ()

    assert all("which is still in use" in error.message for error in found)
