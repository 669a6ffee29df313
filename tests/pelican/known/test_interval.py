"""Intervals and their arithmetic."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Congruence, DivisorError, IndexRangeError, Interval, OperandError

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


@given(
    intervals_with_a_member(),
    st.integers(0, 12),
    st.integers(1, 12),
    st.integers(-5, 5),
    st.integers(-5, 5),
)
def test_arithmetic_that_knows_more_holds_every_value(
    span, modulus: int, denom: int, p: int, t: int
):
    """By the class of a member, and by both parts of its division."""
    interval, x = span
    known = Congruence(modulus, x)

    assert x in interval.on(known)
    assert x % denom in interval.mod(denom, known)
    assert p * (x // denom) + t * (x % denom) in interval.joint(p, t, denom)


@given(
    st.integers(-20, 20),
    st.integers(0, 40),
    st.integers(1, 9),
    st.integers(-5, 5),
    st.integers(-5, 5),
)
def test_the_lower_end_of_a_joint_range_is_reached_by_an_end(
    low: int, width: int, denom: int, p: int, t: int
):
    """Where an end of the interval has the least value, that is the bound."""
    values = [p * (x // denom) + t * (x % denom) for x in range(low, low + width + 1)]
    if min(values) not in {values[0], values[-1]} or width < 2 * denom:
        return

    joint = Interval(low, low + width).joint(p, t, denom)

    assert joint.lo == min(values)


WHOLE = Interval(0, 7)
TAKES_INTEGER = {
    "lo": lambda x: Interval(x, 3),
    "hi": lambda x: Interval(0, x),
    "in": lambda x: x in WHOLE,
    "+": lambda x: WHOLE + x,
    "-": lambda x: x - WHOLE,
    "*": lambda x: WHOLE * x,
    "//": lambda x: WHOLE // x,
    "%": lambda x: WHOLE % x,
    "shrunk": WHOLE.shrunk,
    "within": WHOLE.within,
    "meet": WHOLE.meet,
    "joint": lambda x: WHOLE.joint(x, 1, 2),
    "joint divisor": lambda x: WHOLE.joint(1, 1, x),
    "mod": lambda x: WHOLE.mod(x, Congruence(1, 0)),
    "on": WHOLE.on,
}


@pytest.mark.parametrize("value", [0.5, True, "3", []], ids=repr)
@pytest.mark.parametrize("take", TAKES_INTEGER.values(), ids=TAKES_INTEGER)
def test_what_is_no_integer_is_refused(take, value: object):
    """Floats and bools too: an interval is of integers."""
    with pytest.raises(OperandError):
        take(value)


@pytest.mark.parametrize("denom", [0, -1])
@pytest.mark.parametrize("name", ["//", "%", "shrunk", "joint divisor", "mod"])
def test_a_divisor_below_one_is_refused(name: str, denom: int):
    """By a name that says what it divides."""
    with pytest.raises(DivisorError, match=f">= 1, got {denom}"):
        TAKES_INTEGER[name](denom)


def test_the_ends_are_plain_integers():
    """Whatever has ``__index__`` is taken."""
    wide = Interval(np.int64(-3), np.int8(4))

    assert wide == Interval(-3, 4)
    assert type(wide.lo) is type(wide.hi) is int
    assert np.int64(4) in wide


@pytest.mark.parametrize("operation", [operator.floordiv, operator.mod])
def test_a_number_is_not_divided_by_it(operation):
    """That is a plain mistake, in either core."""
    with pytest.raises(TypeError, match="unsupported operand"):
        operation(3, Interval(0, 5))
