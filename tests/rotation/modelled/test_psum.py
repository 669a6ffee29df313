import pytest

from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.psum import rotated_psum
from rotation.modelled.psum_schedule import PSUM_SWEEPS, PsumSweep, PsumTarget
from rotation.unrolled.liveness import live_intervals
from tests.rotation.modelled.hand import Life, placed, program_with

BANK = 2048
ONE_SWEEP = (PsumSweep(PsumTarget.ALL, 8),)


def banks(lives, start, sweeps=ONE_SWEEP, partition=()):
    """Return the banks of locations after rotation."""
    program = program_with(lives, MemorySpace.PSUM)
    placement = placed(program, [bank * BANK for bank in start], partition)
    found = rotated_psum(program, placement, live_intervals(program), {}, sweeps)
    return (found.placement.byte // BANK).tolist()


def in_turn(count: int, size: int = BANK):
    """Return locations that live one after the other."""
    return [Life(size, 2 * k, 2 * k + 1) for k in range(count)]


def test_locations_in_turn_are_spread_over_the_banks():
    """Ascending, and round again."""
    assert banks(in_turn(10), [0] * 10) == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1]


def test_without_a_distance_the_first_free_bank_is_taken_again():
    """That of the instance before: nothing rotates."""
    assert banks(in_turn(4), [0] * 4, [PsumSweep(PsumTarget.ALL, 0)]) == [0] * 4


def test_two_banks_start_at_even_ones():
    """Four places for locations of two banks."""
    assert banks(in_turn(5, 2 * BANK), [0] * 5) == [0, 2, 4, 6, 0]


def test_three_banks_never_end_beyond_psum():
    """Starts 0 and 3; 6 would end at 9."""
    assert banks(in_turn(3, 3 * BANK), [0] * 3) == [0, 3, 0]


@pytest.mark.parametrize(
    "sweeps", [ONE_SWEEP, PSUM_SWEEPS, [PsumSweep(PsumTarget.ALL, 0)]]
)
def test_a_source_is_not_overwritten_by_what_its_last_reader_makes(sweeps):
    """The second is defined where the first is read for the last time."""
    one, other = banks([Life(BANK, 0, 1), Life(BANK, 1, 2)], [0, 1], sweeps)

    assert one != other


def test_the_old_place_of_a_later_location_is_left_free():
    """The second lives while the first does and can go nowhere else."""
    lives = [Life(BANK, 0, 2), Life(7 * BANK, 1, 2)]

    assert banks(lives, [7, 0]) == [7, 0]


def test_disjoint_bands_share_a_bank():
    """Both fill seven banks, and their partitions are apart."""
    lives = [Life(7 * BANK, 0, 2, partitions=64), Life(7 * BANK, 1, 2, partitions=64)]

    assert banks(lives, [0, 0], partition=(0, 64)) == [0, 0]


def test_locations_that_share_bytes_move_together():
    """A clone in the slot of its source keeps its distance."""
    lives = [Life(BANK, 0, 1), Life(BANK, 2, 4), Life(BANK, 3, 5)]

    assert banks(lives, [0, 0, 0]) == [0, 1, 1]


def test_what_cannot_move_stays_with_a_log_line():
    """One location fills PSUM, and the next as well."""
    program = program_with(in_turn(2, 8 * BANK), MemorySpace.PSUM)
    placement = placed(program, [0, 0])
    found = rotated_psum(program, placement, live_intervals(program), {}, ONE_SWEEP)

    assert found.placement.byte.tolist() == [0, 0]
    assert found.log == (
        "Attempting to find a rotation for b0[0]",
        "Rotating b0[0] from start bank 0 picked new range 0",
        "Attempting to find a rotation for b1[0]",
        "Cannot Rotate PSUM Bank for b1[0] from start bank 0",
        "PSUM Rotation rotated 0 PSUM address for target ALL",
    )
