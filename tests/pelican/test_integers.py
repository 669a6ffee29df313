"""Integers beyond what Python writes: each reader gets text that fits it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    AffineExpr,
    CCDivExpr,
    CCModExpr,
    Expr,
    FloorDivExpr,
    ICmpExpr,
    Interval,
    ModuloExpr,
    MultExpr,
    PelicanError,
    RingMap,
    SumExpr,
    TooLargeError,
    ap,
    arg,
    index,
    parse,
    runtime,
    shard,
    symbol,
    tile,
)
from pelican.integers import (
    MAX_DIGITS,
    MAX_SHOWN,
    brief,
    decimal,
    digits_of,
    literal,
    number,
)
from pelican.tree.points import point_text
from pelican.tree.printing import brief_text

HUGE = 10**7998 - 7
I = index("i")  # noqa: E741 - the name in the texts
X = index("x", 0, 4)

near_powers = st.builds(
    lambda digits, off, sign: sign * (10**digits + off),
    st.integers(0, 6000),
    st.integers(-2, 2),
    st.sampled_from([1, -1]),
)


@given(st.integers(-(10**30), 10**30))
def test_digits_are_counted_without_writing_them(value: int):
    """The count is that of the text."""
    assert digits_of(value) == len(str(abs(value)))


@given(near_powers)
def test_digits_are_counted_next_to_powers_of_ten(value: int):
    """The count is right at the borders, for integers that Python cannot write."""
    digits = digits_of(value)

    assert abs(value) < 10**digits
    assert digits == 1 or abs(value) >= 10 ** (digits - 1)


@given(near_powers)
def test_a_literal_is_exact(value: int):
    """Evaluated as Python code, it is the integer again."""
    assert eval(literal(value)) == value


@given(near_powers)
def test_a_message_is_short(value: int):
    """However long the integer is."""
    assert len(brief(value)) < 80


@given(near_powers)
def test_a_number_of_any_length_is_read(value: int):
    """Where Python refuses the whole, the parts are read."""
    size, text = abs(value), ""
    for _ in range(0, digits_of(value), 4000):
        size, part = divmod(size, 10**4000)
        text = f"{part:04000}{text}"

    assert number(text) == abs(value)
    assert number(f"-{text}") == -abs(value)


def test_the_longest_integer_that_is_written_is_read_again():
    """Both limits are one."""
    longest = 10**MAX_DIGITS - 1

    assert parse(decimal(longest), {}) == longest
    with pytest.raises(TooLargeError, match="4001 digits"):
        decimal(longest + 1)


LARGE: list[Expr] = [
    AffineExpr((), HUGE),
    AffineExpr(((I, HUGE),), 0),
    AffineExpr(((I, 3),), -HUGE),
    SumExpr((I, HUGE)),
    SumExpr((I, MultExpr(I % 3, -HUGE))),
    MultExpr(I, HUGE),
    ModuloExpr(I, HUGE),
    FloorDivExpr(I, HUGE),
    CCDivExpr(I, HUGE, 0),
    CCModExpr(I, 4, HUGE),
    ICmpExpr(">=", I, HUGE),
    ap(I, HUGE),
    tile(index("t", 0, HUGE), HUGE),
]


@pytest.mark.parametrize("expr", LARGE, ids=lambda expr: type(expr).__name__)
def test_a_text_with_a_huge_integer_is_refused(expr: Expr):
    """What could not be read again is not written."""
    with pytest.raises(TooLargeError, match="7998 digits"):
        str(expr)


@pytest.mark.parametrize("expr", LARGE, ids=lambda expr: type(expr).__name__)
def test_a_repr_with_a_huge_integer_is_exact(expr: Expr):
    """It names the same integers, in hexadecimal."""
    assert hex(HUGE) in repr(expr)


@pytest.mark.parametrize("expr", LARGE, ids=lambda expr: type(expr).__name__)
def test_a_message_with_a_huge_integer_is_short(expr: Expr):
    """Its ends and its length stand for it."""
    assert "(7998 digits)" in brief_text(expr)
    assert len(brief_text(expr)) < 100


def doubled(times: int) -> Expr:
    """Return a sum that is written out 2**times times."""
    total: Expr = I
    for _ in range(times):
        total = SumExpr((total, total))
    return total


def test_a_message_with_too_many_nodes_is_short():
    """Even where their number cannot be written."""
    assert brief_text(doubled(15_000)).startswith("an expression of ")
    with pytest.raises(TooLargeError, match=r"\(4516 digits\) nodes"):
        str(doubled(15_000))


def test_an_interval_of_huge_ends_has_a_repr():
    """It is code that builds it again."""
    within = Interval(-HUGE, HUGE)

    assert eval(repr(within)) == within


def test_a_symbol_of_a_huge_range_has_a_repr():
    """It is code that gives it again."""
    n = symbol("n", 0, HUGE)

    assert eval(repr(n)) is n


def test_a_value_that_is_huge_has_a_repr():
    """An evaluation shows it exactly."""
    assert hex(2 * HUGE) in repr((2 * I).eval({I: HUGE}))


MISTAKES: list[Callable[[], object]] = [
    lambda: I % -HUGE,
    lambda: I // (I * HUGE),
    lambda: (I * HUGE) * I,
    lambda: HUGE * I < HUGE,
    lambda: bool(HUGE * I),
    lambda: HUGE * I / 2,
    lambda: Interval(HUGE, -HUGE),
    lambda: index("x", HUGE, -HUGE),
    lambda: index("x", 0, HUGE, -HUGE),
    lambda: index("x", None, HUGE, HUGE),
    lambda: index("x", HUGE).trip_count,
    lambda: symbol("m", 0, 2 * HUGE) + symbol("m", 0, HUGE),
    lambda: evaluated(index("x", 0, HUGE), -HUGE),
    lambda: evaluated(index("x", 0, HUGE, HUGE // 2), HUGE - 5),
]


def evaluated(idx: Expr, value: int) -> object:
    """Return the value of an index at a point."""
    return idx.eval({idx: value})  # type: ignore[dict-item]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_with_a_huge_integer_is_reported(mistake: Callable[[], object]):
    """Its own error is raised, not one about the digits of its message."""
    with pytest.raises(PelicanError) as error:
        mistake()

    assert not isinstance(error.value, TooLargeError)
    assert len(str(error.value)) < 20_000


def test_a_point_with_a_huge_value_is_short():
    """Messages show the ends of the value."""
    assert "(7998 digits)" in point_text({I: HUGE})


@pytest.mark.parametrize("of", [runtime("r", 0, HUGE), ap(I, HUGE), shard(9)])
def test_an_index_of_any_kind_is_described_shortly(of: Expr):
    """Long fields stand by their ends."""
    assert len(of.describe()) < 150


def test_a_substitute_out_of_range_is_described_shortly():
    """Both ranges are shown, however long their ends are."""
    small = index("small", 0, 8)

    with pytest.raises(PelicanError, match="7998 digits") as caught:
        (small + 1).substitute({small: HUGE})
    assert len(str(caught.value)) < 400


def test_a_number_that_names_a_value_must_fit_a_text():
    """The name is what is written."""
    with pytest.raises(TooLargeError, match="7998 digits"):
        arg(HUGE)


LONG: Expr = SumExpr(ModuloExpr(I + shift, 7) for shift in range(5_000))


@pytest.mark.parametrize("value", [LONG, 5_000 * "x", [HUGE], list(range(5_000))])
def test_a_message_shows_the_beginning_of_what_is_long(value: object):
    """And how long it is; integers that Python does not write are not written."""
    assert len(brief_text(value)) <= MAX_SHOWN + 30


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: LONG / 2,
        lambda: LONG < I,
        lambda: LONG * LONG,
        lambda: I % LONG,
        lambda: bool(LONG),
        lambda: index(5_000 * "?"),
        lambda: parse(5_000 * "x", {}),
        lambda: parse("x", {f"i{k}": I for k in range(5_000)}),
        lambda: I % [HUGE],
        lambda: RingMap([X], [X], [(0, 4)]).after(RingMap([I], [LONG], [(0, 4)])),
    ],
)
def test_no_message_is_long(wrong):
    """Whatever the values are that it names."""
    with pytest.raises(PelicanError) as caught:
        wrong()

    assert len(str(caught.value)) < 1_200
