import pytest

from rotation.errors import InternalError
from rotation.modelled.live_grid import LiveGrid


def test_what_is_added_is_not_free_until_it_is_removed():
    """Counted by band and bank."""
    grid = LiveGrid(4, 8)
    grid.add(0, 2, 2, 2, delta=1)
    held = grid.is_free(1, 2, 3, 1)
    grid.add(0, 2, 2, 2, delta=-1)

    assert (held, grid.is_free(1, 2, 3, 1)) == (False, True)


def test_disjoint_bands_share_a_bank():
    """Two locations in one bank, the one below the other."""
    grid = LiveGrid(4, 8)
    grid.add(0, 2, 5, 1, delta=1)

    assert grid.is_free(2, 4, 5, 1)


def test_a_count_is_never_negative():
    """What is released twice is a fault, not a large number."""
    with pytest.raises(InternalError, match="bank 0 of band 0 is free already"):
        LiveGrid(4, 8).add(0, 1, 0, 1, delta=-1)


@pytest.mark.parametrize(
    ("end_band", "bank", "width"), [(5, 0, 1), (4, 8, 1), (1, 7, 2)]
)
def test_a_cell_outside_the_grid_is_a_fault(end_band, bank, width):
    """A bank that is the number of banks, or a band too many."""
    with pytest.raises(InternalError, match="outside psum"):
        LiveGrid(4, 8).add(0, end_band, bank, width, delta=1)


def test_a_machine_of_64_partitions_has_two_bands():
    """The grid is as high as it is told to be."""
    with pytest.raises(InternalError, match="bands to 3"):
        LiveGrid(2, 4).add(0, 3, 0, 1, delta=1)
