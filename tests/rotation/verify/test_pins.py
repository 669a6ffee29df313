"""Places that are no places on the machine, or that two buffers need at once."""

from dataclasses import replace

import pytest

from rotation.errors import KernelError
from rotation.unrolled.unroll import unroll
from rotation.verify.pins import start_step
from rotation.verify.verify import verify
from tests.rotation.pinned import PINNED, declared
from tests.rotation.programs import PLANNING, kernel


@pytest.mark.parametrize(
    ("place", "shape", "space"),
    [
        ("bank i", "[128, 512]", "psum"),
        ("bank 6", "[128, 1024]", "psum"),
        ("byte 2048*i + 1024", "[128, 256]", "psum"),
        ("byte 180216", "[128, 2]", "sb"),
        ("byte 0 part 32*(i mod 4)", "[32, 2]", "sb"),
        ("byte 0 part 96", "[1, 2]", "sb"),
        ("byte 0 part 64*(i mod 2)", "[33, 2]", "sb"),
        ("byte 0 part 0", "[65, 2]", "sb"),
    ],
)
def test_a_place_of_the_machine_is_accepted(place: str, shape: str, space: str):
    """Banks, bytes and first partitions at their limits."""
    verify(kernel(declared(place, shape=shape, space=space)), PLANNING)


@pytest.mark.parametrize(
    ("place", "shape", "space", "message", "hint"),
    [
        ("bank i + 1", "[128, 512]", "psum", "bank of t is 8 at i = 7", "[0, 7]"),
        ("bank i - 1", "[128, 512]", "psum", "bank of t is -1 at i = 0", "[0, 7]"),
        ("bank 7", "[128, 1024]", "psum", "bank of t is 7, from 7", "takes 2"),
        ("byte 16384", "[128, 1]", "psum", "byte of t is 16384", "of 16384"),
        ("byte 1028", "[128, 256]", "psum", "modulo 2048 is 1028", "inside a bank"),
        ("byte 1024", "[128, 1024]", "psum", "modulo 2048 is 1024", "bank of 2048"),
        ("byte 2*i", "[128, 2]", "psum", "modulo 4 is 2 at i = 1", "multiple of 4"),
        ("byte 4*i", "[128, 2]", "sb", "modulo 8 is 4 at i = 1", "multiple of 8"),
        ("byte 180224", "[128, 2]", "sb", "byte of t is 180224", "[0, 180216]"),
        ("byte 0 part 16", "[32, 2]", "sb", "modulo 32 is 16", "0, 32, 64, 96"),
        ("byte 0 part 32", "[33, 2]", "sb", "modulo 64 is 32", "at 0, 64"),
        ("byte 0 part 64", "[65, 2]", "sb", "first partition of t is 64", "at 0"),
        ("byte 0 part 128", "[1, 2]", "sb", "first partition of t is 128", "96"),
        (
            f"byte {2**62}*i",
            "[1, 2]",
            "sb",
            "byte of t needs more than 64 bits",
            "smaller",
        ),
    ],
)
def test_a_place_outside_the_machine_is_refused(
    place: str, shape: str, space: str, message: str, hint: str
):
    """The value, the iteration where it is, and the places that are there."""
    with pytest.raises(KernelError) as caught:
        verify(kernel(declared(place, shape=shape, space=space)), PLANNING)

    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert caught.value.line == 3


def test_all_wrong_places_are_told_at_once():
    """One run reports the byte and the partition."""
    text = declared("byte 4 part 3", shape="[32, 2]", space="sb")
    with pytest.raises(KernelError) as caught:
        verify(kernel(text), PLANNING)

    assert [e.span.text for e in caught.value.errors] == ["4", "3"]


def test_two_buffers_in_use_at_once_do_not_share_a_place():
    """Both instances and the buffer that comes too early are named."""
    text = PINNED.replace("bank 1 - i mod 2", "bank i mod 2").replace(
        "h: pe.h b <- u", "h: pe.h b <- u g2: vector.g u <- a"
    )
    with pytest.raises(KernelError) as caught:
        unroll(kernel(text), PLANNING)

    assert "b at i = 0 is put on a at i = 0" in caught.value.message
    assert "still in use" in caught.value.message
    assert caught.value.span.text.startswith("psum b")


def test_a_result_does_not_stand_on_its_operand():
    """A place is free strictly after the last use."""
    text = PINNED.replace("bank 1 - i mod 2", "bank i mod 2").replace(
        "g: vector.g u <- a\n    h: pe.h b <- u", "g: pe.g b <- a"
    )
    with pytest.raises(KernelError, match="b at i = 0 is put on a at i = 0"):
        unroll(
            kernel(text.replace("k: scalar", "w: vector.w u <- k: scalar")), PLANNING
        )


def test_two_instances_of_one_buffer_share_a_place_in_turn():
    """One place for all instances is a ring of one."""
    assert len(unroll(kernel(declared("bank 3")), PLANNING)) == 16


def test_the_step_of_the_start_is_that_of_the_rows():
    """Quadrants for 32 rows, halves for 64, partition 0 for more."""
    assert [start_step(rows) for rows in (1, 32, 33, 64, 65, 128)] == [
        *(32, 32, 64, 64, None, None)
    ]


def test_the_number_of_banks_is_that_of_the_machine():
    """With seven banks the last one is not there: nothing is a constant."""
    seven = replace(PLANNING, psum_banks=7)
    with pytest.raises(KernelError) as caught:
        verify(kernel(declared("bank i")), seven)

    assert "bank of t is 7 at i = 7" in caught.value.message
    assert caught.value.hint == "keep the bank in [0, 6]: the tile takes 1"
    verify(kernel(declared("bank i mod 7")), seven)
