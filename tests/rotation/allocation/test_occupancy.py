from hypothesis import given
from hypothesis import strategies as st

from rotation.allocation.occupancy import Occupancy, lowest_gap

SLOTS = 300
"""More than a few blocks of time slots."""

intervals = st.tuples(st.integers(0, SLOTS - 1), st.integers(1, SLOTS)).map(
    lambda pair: (pair[0], min(SLOTS, pair[0] + pair[1]))
)


@given(st.lists(intervals, max_size=8), intervals)
def test_what_is_taken_is_what_was_added(
    entries: list[tuple[int, int]], asked: tuple[int, int]
):
    """One bit for each entry, long and short intervals."""
    taken, expected = Occupancy(SLOTS, typical=9), 0
    for bit, (first, last) in enumerate(entries):
        taken.add(first, last, 1 << bit)
        if first < asked[1] and asked[0] < last:
            expected |= 1 << bit

    assert taken.over(*asked) == expected


@given(st.integers(0, 2**20), st.integers(1, 9), st.integers(1, 7))
def test_the_lowest_gap_is_the_lowest(taken: int, size: int, alignment: int):
    """It agrees with trying one offset after the other."""
    mask = (1 << size) - 1
    expected = next(u for u in range(0, 200, alignment) if not taken & (mask << u))

    assert lowest_gap(taken, size, alignment) == expected
