"""Rooms side by side."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rotation.allocation import Room, side_by_side

ROOMS = st.lists(
    st.tuples(st.integers(1, 40), st.sampled_from([1, 8, 16])).map(lambda r: Room(*r)),
    max_size=12,
)
RESERVED = st.lists(st.integers(0, 60), max_size=4, unique=True).map(
    lambda begins: [(3 * b, 3 * b + 2) for b in sorted(begins)]
)


def test_what_alignment_leaves_is_used():
    """A small room goes into the gap before an aligned one."""
    assert side_by_side([Room(3, 1), Room(8, 8), Room(5, 1)]) == ([0, 8, 3], 16)


def test_reserved_bytes_stay_free():
    """A room goes between them where it fits, else behind."""
    assert side_by_side([Room(4, 1), Room(9, 1)], [(4, 8)]) == ([0, 8], 17)


@given(ROOMS, RESERVED)
def test_no_two_share_a_byte(rooms, reserved):
    """Each is aligned, ends at or before the end, and is apart from all others."""
    bases, end = side_by_side(rooms, reserved)
    taken = [(b, b + room.size) for b, room in zip(bases, rooms, strict=True)]

    assert all(b % room.alignment == 0 for b, room in zip(bases, rooms, strict=True))
    assert all(past <= end for _, past in [*taken, *reserved])
    ordered = sorted([*taken, *reserved])
    assert all(a[1] <= b[0] for a, b in pairwise(ordered))
