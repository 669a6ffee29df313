"""Ranges and classes that other systems got wrong, as their users reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    Congruence,
    Expr,
    FloorDivExpr,
    Interval,
    ModuloExpr,
    MultExpr,
    NonAffineError,
    SumExpr,
    index,
    parse,
    simplify,
)
from pelican.tree.traverse import indices
from tests.pelican.known.enumerated import values_of
from tests.strategies import divisors, literals

PAIR = (index("a", 0, 4), index("b", 0, 8))


def of(text: str, **ends: tuple[int, int]) -> tuple[Expr, Expr]:
    """Return the raw and the simplified expression of a text over [lo, hi)."""
    names = {name: index(name, *pair) for name, pair in ends.items()}
    return parse(text, names, simplify=False), parse(text, names)


def test_e03_the_mod_of_a_negative_number_is_not_negative():
    """(0 - s - 1) mod 4 over s in [1, 64)."""
    for expr in of("(0 - s - 1) % 4", s=(1, 64)):
        assert expr.range == Interval(0, 3)


@given(st.integers(-9, -1), st.integers(-40, 0), st.integers(1, 16), st.integers(1, 64))
def test_a_mod_of_negative_numbers_is_exact(a: int, c: int, n: int, trips: int):
    """Whatever the slope and the offset."""
    s = index("s", 0, trips)

    for expr in (ModuloExpr(MultExpr(s, a) + c, n), (a * s + c) % n):
        values = values_of(expr) if indices(expr) else [int(expr.eval({}))]
        assert expr.range == Interval(values[0], values[-1])


def test_e06_a_division_under_a_mod_is_not_monotone():
    """Its corners are not its ends."""
    for expr in of("((513*i + j + 262400) // 512) % 513", i=(0, 257), j=(0, 514)):
        assert expr.range == Interval(0, 512)


@given(
    literals,
    st.integers(-500, 500),
    divisors,
    divisors,
    st.sampled_from([(8, 8), (9, 40)]),
)
def test_a_division_under_a_mod_is_sound_and_exact_over_few_points(
    a: int, c: int, d: int, m: int, trips: tuple[int, int]
):
    """Exact where the indices have at most 64 points together."""
    i, j = index("i", 0, trips[0]), index("j", 0, trips[1])
    expr = ModuloExpr(FloorDivExpr(a * i + j + c, d), m)
    values = values_of(expr)

    assert Interval(values[0], values[-1]).within(expr.range)
    if trips[0] * trips[1] <= 64:
        assert expr.range == Interval(values[0], values[-1])


def test_e12_a_ceiling_near_the_smallest_64_bit_integer_is_exact():
    """Written with two negations."""
    low = -(2**63)
    for expr in of("0 - ((0 - x) // 4)", x=(low, low + 8)):
        assert expr.range == Interval(-(2**61), -(2**61) + 2)


@given(st.integers(-(2**70), 2**70), st.integers(1, 40), divisors)
def test_a_ceiling_is_exact_at_any_size(low: int, width: int, d: int):
    """Of an index with any ends."""
    x = index("x", low, low + width)
    raw = MultExpr(FloorDivExpr(MultExpr(x, -1), d), -1)
    ends = Interval(-(-low // d), -(-(low + width - 1) // d))

    assert raw.range == ends
    assert simplify(raw).range == ends


def test_e17_neighbouring_slots_of_two_differ():
    """The range alone cannot say so; that the difference is odd does."""
    for expr in of("(i + 1) % 2 - i % 2", i=(0, 16)):
        assert expr.range == Interval(-1, 1)
        assert expr.stride == Congruence(2, 1)
        assert 0 not in expr.stride


@given(st.integers(2, 12), st.integers(1, 40), st.integers(1, 5))
def test_slots_at_a_distance_differ_as_their_numbers_do(n: int, d: int, a: int):
    """The difference of two slots is the distance modulo the ring."""
    i = index("i", 0, 100)
    raw = SumExpr((ModuloExpr(a * i + d, n), MultExpr(ModuloExpr(a * i, n), -1)))

    assert raw.stride.within(Congruence(n, d))


def test_e19_a_pair_of_numbers_counts_banks():
    """One row of eight fits in eight banks, two rows do not."""
    for expr in of("b*8 + c", b=(0, 1), c=(0, 8)):
        assert expr.range == Interval(0, 7)
    for expr in of("b*8 + c", b=(0, 2), c=(0, 8)):
        assert expr.range == Interval(0, 15)


def test_e20_a_modulo_allocation_stays_in_its_banks():
    """(a mod 2)*4 + b mod 4 over 4 times 8 blocks is exactly [0, 7]."""
    for expr in of("(a % 2)*4 + b % 4", a=(0, 4), b=(0, 8)):
        assert expr.range == Interval(0, 7)
        assert expr.values == tuple(range(8))


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 9))
def test_independent_slots_have_an_exact_range(rows: int, columns: int, base: int):
    """Row-major over any allocated shape, from any base bank."""
    a, b = PAIR
    raw = SumExpr(
        (MultExpr(ModuloExpr(a, rows), columns), ModuloExpr(b, columns), base)
    )
    values = values_of(raw)

    assert raw.range == Interval(values[0], values[-1])


@pytest.mark.parametrize("text", ["a // b", "x*y"])
def test_e10_e15_what_is_not_linear_is_refused(text: str):
    """A divisor that varies, and a product of two indices, have no form here."""
    with pytest.raises(NonAffineError):
        of(text, a=(-6, 4), b=(1, 100), x=(-3, 3), y=(-3, 3))
