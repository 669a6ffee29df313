"""Indices of access patterns: interning, fusing, values, ranges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    DivisorError,
    IndexRangeError,
    Interval,
    OperandError,
    ap,
    index,
    symbol,
    tile,
)

X = index("x", 0, 64)
EVEN = index("e", 6, 38, 4)


def test_equal_fields_and_child_are_one_index():
    """Interned by all fields; another field or child is another index."""
    assert tile(X, 4) is tile(X, 4)
    assert ap(X, 4) is ap(X, 4)
    different = {
        tile(X, 4),
        tile(X, 8),
        tile(EVEN, 4),
        tile(X, 4, is_partition=True),
        tile(X, 4, tile_pos_flags=1),
        ap(X, 4),
        ap(X, 8),
        ap(EVEN, 4),
    }
    assert len(different) == 8


def test_a_tile_of_a_tile_is_one_tile():
    """The sizes multiply, however deep."""
    assert tile(tile(tile(X, 4), 2), 2) is tile(X, 16)


def test_a_tile_of_the_other_side_does_not_fuse():
    """Partition tiles and free tiles stay two."""
    nested = tile(tile(X, 4), 2, is_partition=True)

    assert str(nested) == "tile(tile(x, 4), 2, 1)"
    assert nested.range == Interval(0, 7)


@pytest.mark.parametrize("size", [5, 128])
def test_a_tile_holds_whole_trips(size: int):
    """The tile size must divide the number of trips."""
    with pytest.raises(IndexRangeError, match="64 trips of x"):
        tile(X, size)


def test_a_tile_size_is_checked_first():
    """A divisor below 1 is a DivisorError, whatever the index."""
    with pytest.raises(DivisorError, match="got 0"):
        tile(index("u"), 0)


def test_a_tile_needs_known_trips():
    """An unbounded index has no whole tiles."""
    with pytest.raises(IndexRangeError, match="no trip count"):
        tile(index("u", 0), 4)


def test_the_child_must_be_an_index():
    """A sum is no index."""
    with pytest.raises(OperandError, match="needs an index"):
        ap(X + 1, 4)


@given(trip=st.integers(0, 7), size=st.sampled_from([1, 2, 4, 8]))
def test_a_tile_is_the_number_of_the_tile(trip: int, size: int):
    """Its value is the trip number of its child floordiv the tile size."""
    at = {EVEN: 6 + 4 * trip}

    assert int(tile(EVEN, size).eval(at)) == trip // size


@pytest.mark.parametrize("child", [X, EVEN, index("n", None, 9), index("p", -3)])
@pytest.mark.parametrize("stride", [-3, -1, 0, 1, 4])
def test_a_stride_multiplies(child, stride: int):
    """Its value is the stride times its child, inside its range and on its step."""
    idx = ap(child, stride)
    first = child.hi - 1 if child.lo is None else child.lo
    for value in (first, first + (-3 if child.lo is None else 2) * child.step):
        found = int(idx.eval({child: value}))

        assert found == stride * value
        assert found in idx.range
        assert idx.lo is None or (found - idx.lo) % idx.step == 0


def test_the_range_of_a_stride_is_exact():
    """The ends are those of the child, scaled."""
    assert ap(EVEN, -2).range == Interval(-68, -12)
    assert ap(index("n", None, 9), -1).range == Interval(-8, None)
    assert tile(EVEN, 2).range == Interval(0, 3)


def test_an_index_of_a_pattern_may_be_bound_itself():
    """Its value may be given; its child's then need not be."""
    assert int((3 * tile(X, 4)).eval({tile(X, 4): 5})) == 15
    assert not (tile(X, 4) + X).eval({tile(X, 4): 5}).valid


def test_two_bindings_must_agree():
    """The value of a child says that of the tile."""
    assert int((tile(X, 4) + X).eval({tile(X, 4): 5, X: 21})) == 26
    with pytest.raises(IndexRangeError, match="its child gives 6"):
        (tile(X, 4) + X).eval({tile(X, 4): 5, X: 24})


def test_a_pattern_over_a_symbol_is_invariant():
    """The depth is that of the child."""
    assert tile(symbol("tiled", 0, 8), 2).depth == -1
    assert tile(X, 4).depth == 0
