from hypothesis import given

from rotation.allocation import Buffers, buffers, faults
from rotation.allocation.sweep import LONGEST_MASK, swept
from tests.rotation.allocation.strategies import small_tables


@given(small_tables())
def test_a_walk_has_no_fault(table: Buffers):
    """Without a limit that matters everything is placed."""
    offset = swept(table, limit=10_000)

    assert offset is not None
    assert faults(table, offset) == ()


def test_a_gap_between_two_live_buffers_is_used():
    """The lowest free offset is taken, even below what came earlier."""
    offset = swept(buffers([0, 0, 1], [1, 10, 3], [4, 4, 4]), limit=8)

    assert offset is not None
    assert offset.tolist() == [0, 4, 0]


def test_a_walk_that_goes_above_the_limit_gives_nothing():
    """Somebody else has to search."""
    assert swept(buffers([0, 0], [2, 2], [8, 8]), limit=15) is None


def test_pinned_buffers_and_long_masks_are_left_to_others():
    """The walk looks at one moment only, and at few units."""
    table = buffers([0, 1], [2, 3], [4, 4], pinned=[-1, 0])
    odd = buffers([0, 1], [2, 3], [LONGEST_MASK, 3])

    assert swept(table, limit=8) is None
    assert swept(odd, limit=LONGEST_MASK + 3) is None
