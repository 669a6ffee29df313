import pytest

from rotation.modelled.reuse import Extent, bands_of, farthest


@pytest.mark.parametrize(
    ("partition", "count", "bands"),
    [
        (0, 128, (0, 4)),
        (0, 1, (0, 1)),
        (32, 32, (1, 2)),
        (31, 2, (0, 2)),
        (96, 32, (3, 4)),
    ],
)
def test_a_band_is_32_partitions(partition, count, bands):
    """From the first partition's to the last one's, the end exclusive."""
    assert bands_of(partition, count) == bands


def lowest_room(rooms: int):
    """Return a search for the lowest of some rooms that is not taken."""
    return lambda taken: min(
        set(range(rooms)) - {extent.first_byte for extent in taken}, default=None
    )


@pytest.mark.parametrize(("rooms", "expected"), [(1, None), (2, 0), (3, 0), (5, 3)])
def test_as_many_of_the_latest_as_possible_are_avoided(rooms, expected):
    """Rooms 0, 1, 2, 1 were held; without one beside the latest there is no place."""
    held = [0, 1, 2, 1] if rooms > 1 else [0]
    recent = [Extent(0, 1, room, room + 1) for room in held]

    assert farthest(recent, lowest_room(rooms)) == expected


def test_without_holders_any_place_will_do():
    """The first location takes the first acceptable place."""
    assert farthest([], lowest_room(2)) == 0


def test_extents_overlap_in_bands_and_bytes():
    """Not if they touch, nor if one of the two is apart."""
    one = Extent(0, 2, 0, 8)

    assert one.overlaps(Extent(1, 3, 7, 9))
    assert not one.overlaps(Extent(2, 3, 0, 8))
    assert not one.overlaps(Extent(0, 2, 8, 9))
