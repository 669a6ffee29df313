from hypothesis import given
from hypothesis import strategies as st

from rotation.modelled.free_matrix import FreeMatrix
from rotation.modelled.reuse import Extent

BANDS, FIRST, END = 3, 24, 200


@st.composite
def extents(draw):
    """Draw an extent that may leave the window."""
    band = draw(st.integers(0, BANDS - 1))
    end_band = draw(st.integers(band + 1, BANDS))
    first = draw(st.integers(0, 220))
    return Extent(band, end_band, first, first + draw(st.integers(1, 60)))


@given(
    st.lists(extents(), max_size=6),
    st.integers(1, 90),
    st.integers(0, 220),
    st.integers(0, BANDS - 1),
)
def test_the_lowest_tile_is_the_one_that_a_search_by_hand_finds(taken, size, at, band):
    """Every granule of the tile is free in all its bands, and no lower one is."""
    matrix = FreeMatrix(BANDS, FIRST, END, 8)
    for extent in taken:
        matrix.take(extent)

    def free(byte: int) -> bool:
        granules = range(byte, byte + -(-size // 8) * 8, 8)
        return granules[-1] + 8 <= END and not any(
            extent.overlaps(Extent(band, BANDS, granule, granule + 8))
            for extent in taken
            for granule in granules
        )

    starts = [b for b in range(FIRST, END, 8) if b >= at and free(b)]
    expected = starts[0] if starts else None

    assert matrix.lowest(band, BANDS, size, from_byte=at) == expected


def test_a_copy_is_independent():
    """What is taken of the one is free in the other."""
    matrix = FreeMatrix(1, 0, 64, 8)
    matrix.copy().take(Extent(0, 1, 0, 64))

    assert matrix.lowest(0, 1, 64, from_byte=0) == 0


def test_a_window_without_room_has_no_tile():
    """Nor one that a tile would leave."""
    assert FreeMatrix(1, 8, 16, 8).lowest(0, 1, 9, from_byte=0) is None
