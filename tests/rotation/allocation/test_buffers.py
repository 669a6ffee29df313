import pytest
from hypothesis import given

from rotation.allocation import Buffers, buffers, max_live
from rotation.errors import AllocationError
from tests.rotation.allocation.strategies import small_tables
from tests.rotation.allocation.tables import plain_max_live


@given(small_tables())
def test_max_live_is_the_most_at_one_position(table: Buffers):
    """It agrees with looking at each position."""
    assert max_live(table) == plain_max_live(table)


def test_what_ends_where_another_starts_does_not_live_with_it():
    """Intervals are half open."""
    assert max_live(buffers([0, 3], [3, 5], [8, 4])) == 8


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((3, 3, 8, 1, -1), "buffer 1 ends at 3, not after its start 3"),
        ((0, 3, 0, 1, -1), "buffer 1 has 0 bytes, not at least 1"),
        ((0, 3, 8, 0, -1), "buffer 1 has alignment 0, not at least 1"),
        ((0, 3, 8, 1, -2), "buffer 1 is pinned at -2, not at 0 or above"),
        ((0, 3, 8, 8, 4), "buffer 1 is pinned at 4, not a multiple of its alignment 8"),
    ],
)
def test_a_row_without_sense_is_refused(row: tuple[int, ...], message: str):
    """The message names the row and the value."""
    start, end, size, alignment, pinned = zip((0, 1, 1, 1, -1), row, strict=True)

    with pytest.raises(AllocationError) as caught:
        buffers(start, end, size, alignment=alignment, pinned=pinned)

    assert caught.value.message == message


def test_columns_of_different_lengths_are_refused():
    """A table has as many values in each column."""
    with pytest.raises(AllocationError, match=r"have lengths \[2, 1, 1, 2, 2\]"):
        buffers([0, 1], [2], [8])
