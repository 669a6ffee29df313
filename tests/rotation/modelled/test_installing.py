import pytest

from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.installing import map_fault
from rotation.unrolled.liveness import live_intervals
from tests.rotation.modelled.hand import (
    Life,
    in_place_pair,
    placed,
    program_with,
    with_inplace,
)
from tests.rotation.programs import COPY, unrolled

TWO = [Life(64, 0, 2), Life(64, 1, 3)]


def fault(lives, old, new, space=MemorySpace.SB):
    program = program_with(lives, space)
    before, after = placed(program, old), placed(program, new)
    return map_fault(program, before, after, space, live_intervals(program), {})


def test_a_map_without_overlap_is_fine():
    """Both moved, and apart."""
    assert fault(TWO, [0, 64], [128, 512]) is None


def test_locations_that_share_bytes_as_before_are_fine():
    """A clone in the slot of its source."""
    assert fault(TWO, [0, 0], [128, 128]) is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ([0, 64], [0, 32], "live together and share bytes"),
        ([0, 64], [0, 180_200], "is outside sb"),
        ([0, 64], [-1, 64], "is outside sb"),
        ([0, 0], [0, 128], "were not moved together"),
    ],
)
def test_a_fault_is_named(old, new, message):
    """With the locations that have it."""
    assert message in fault(TWO, old, new)


def test_a_psum_location_keeps_its_offset_in_a_bank():
    """Accesses that crossed no bank would else cross one."""
    assert "elsewhere in its bank" in fault(TWO, [0, 2048], [8, 2048], MemorySpace.PSUM)


def test_half_an_in_place_pair_is_not_moved():
    """The other half would be left."""
    program = with_inplace(in_place_pair(), 1)
    before, after = placed(program, [0, 64]), placed(program, [0, 512])
    intervals = live_intervals(program)

    assert map_fault(program, before, after, MemorySpace.SB, intervals, {}) == (
        "s[0] and s[1] were not moved together"
    )


def test_what_must_stay_has_not_moved():
    """A ring that the kernel asks for is where it was bound."""
    program = unrolled(COPY.replace(" RING", " ring 2"))
    lives = live_intervals(program)
    byte = [4096 * k for k in range(len(program.location_tensor))]
    old, new = placed(program, byte), placed(program, [b + 8 for b in byte])
    dram = program.location_tensor < 2
    new.byte[dram] = old.byte[dram]
    found = map_fault(program, old, new, MemorySpace.SB, lives, {})

    assert found == "t[0] must stay, and was moved"
