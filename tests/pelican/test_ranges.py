"""Intervals, and the ranges that the rules give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import IndexRangeError, Interval, index, parse
from tests.strategies import INDICES

RANGES = [
    ("i", Interval(0, 63)),
    ("j", Interval(-5, 97)),
    ("n", Interval(None, None)),
    ("4*i + 3", Interval(3, 255)),
    ("3 - i", Interval(-60, 3)),
    ("n mod 8", Interval(0, 7)),
    ("n mod 8 floordiv 4", Interval(0, 1)),
    ("j floordiv 10", Interval(-1, 9)),
    ("j mod 10 - i", Interval(-63, 9)),
    ("n + i", Interval(None, None)),
    ("7", Interval(7, 7)),
]


@pytest.mark.parametrize(("text", "interval"), RANGES)
def test_a_range_is_as_known(text: str, interval: Interval):
    """Each expression has the range that is known to be right."""
    assert parse(text, INDICES).range == interval


def test_a_range_is_tight_inside_one_period():
    """I mod 8 over [16, 20) is [0, 3]; over [14, 18) it wraps and is [0, 7]."""
    inside, across = index("i", 16, 20), index("i", 14, 18)

    assert Interval(16, 19) % 8 == Interval(0, 3)
    assert (inside % 8).range == Interval(0, 3)
    assert (across % 8).range == Interval(0, 7)


@pytest.mark.parametrize(
    ("lo", "hi", "interval"),
    [
        (3, None, Interval(3, None)),
        (None, 8, Interval(None, 7)),
        (None, None, Interval(None, None)),
    ],
)
def test_a_half_open_index_has_one_end(lo, hi, interval):
    """An end that is not declared is unbounded."""
    assert index("i", lo, hi).range == interval


ends = st.one_of(st.none(), st.integers(-30, 30))


@st.composite
def intervals_with_a_member(draw: st.DrawFn) -> tuple[Interval, int]:
    """Return an interval, perhaps unbounded, and one integer in it."""
    member = draw(st.integers(-30, 30))
    below = draw(st.one_of(st.none(), st.integers(0, 20)))
    above = draw(st.one_of(st.none(), st.integers(0, 20)))
    low = None if below is None else member - below
    high = None if above is None else member + above
    return Interval(low, high), member


@given(
    intervals_with_a_member(),
    intervals_with_a_member(),
    st.integers(-9, 9),
    st.integers(1, 9),
)
def test_interval_arithmetic_holds_every_value(left, right, scale: int, denom: int):
    """For members x and y, the operation of the intervals holds that of x and y."""
    (a, x), (b, y) = left, right

    assert x + y in a + b
    assert x - y in a - b
    assert scale * x in scale * a
    assert x // denom in a // denom
    assert x % denom in a % denom
    assert 5 - x in 5 - a


def test_an_interval_is_never_empty():
    """Lo <= hi, or it is refused like any empty range."""
    with pytest.raises(IndexRangeError, match="lo <= hi"):
        Interval(3, 2)
