"""Ranges, classes and tables of whole expressions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    Congruence,
    DivisorError,
    Expr,
    FloorDivExpr,
    Interval,
    ModuloExpr,
    MultExpr,
    SumExpr,
    arg,
    divides,
    index,
    parse,
    rank,
    runtime,
    shard,
    simplify,
    symbol,
    tile,
)
from pelican.expr import ap
from pelican.known import ranges
from pelican.known.congruence import EVERY_INTEGER, class_of_values
from pelican.known.interval import weighted_interval
from tests.pelican.known.enumerated import values_of
from tests.strategies import INDICES, all_expressions, all_points, divisors, literals

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
    assert (across % 8).values == (0, 1, 6, 7)


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


N = index("n")
X = index("x", 0, 1000)
FROM_ONE = index("one", 1, None)
KNOWN: list[tuple[Any, Interval, Congruence]] = [
    (ModuloExpr(320 * N + 255, 256), Interval(63, 255), Congruence(64, 63)),
    (ModuloExpr(4 * N, 8), Interval(0, 4), Congruence(4, 0)),
    (ModuloExpr(3 * index("i", 0, 3), 8), Interval(0, 6), Congruence(3, 0)),
    (SumExpr((X, MultExpr(ModuloExpr(X, 8), -1))), Interval(0, 992), Congruence(8, 0)),
    (5 - FROM_ONE - FROM_ONE % 5, Interval(None, 3), EVERY_INTEGER),
    ((N + 1) % 2 - N % 2, Interval(-1, 1), Congruence(2, 1)),
    (SumExpr(((N + 1) % 2, N % 2)), Interval(1, 1), Congruence(0, 1)),
    (FloorDivExpr(12 * N + 5, 4), Interval(None, None), Congruence(3, 1)),
    (index("i", 3, 40, 4), Interval(3, 39), Congruence(4, 3)),
    (symbol("ranged", 4, 64, 4), Interval(4, 60), Congruence(4, 0)),
    (runtime("r", 0, 9, 2), Interval(0, 8), Congruence(2, 0)),
    (runtime("u"), Interval(None, None), EVERY_INTEGER),
    (shard(4, "s"), Interval(0, 3), EVERY_INTEGER),
    (shard(1, "one"), Interval(0, 0), Congruence(0, 0)),
    (rank(0, 1), Interval(None, None), EVERY_INTEGER),
    (arg(0), Interval(None, None), EVERY_INTEGER),
    (ap(N, -6), Interval(None, None), Congruence(6, 0)),
    (ap(X, 4), Interval(0, 3996), Congruence(4, 0)),
    (tile(index("i", 5, 69), 4), Interval(0, 15), EVERY_INTEGER),
    (MultExpr(N % 4, 3), Interval(0, 9), Congruence(3, 0)),
]


@pytest.mark.parametrize(("expr", "interval", "known"), KNOWN, ids=str)
def test_range_and_class_are_as_known(
    expr: Expr, interval: Interval, known: Congruence
):
    """Of each kind, raw trees too."""
    assert expr.range == interval
    assert expr.stride == known


@given(all_expressions(), all_points())
def test_what_is_known_of_an_expression_holds(raw: Expr, at):
    """Each value is in the range, in the class, and among the few values."""
    for expr in (raw, simplify(raw)):
        value = int(expr.eval(at))

        assert value in expr.range
        assert value in expr.stride
        assert expr.values is None or value in expr.values


@given(all_expressions())
def test_the_ends_of_a_range_are_in_the_class(raw: Expr):
    """And the few values span the range."""
    span = raw.range

    assert span.lo is None or span.lo in raw.stride
    assert span.hi is None or span.hi in raw.stride
    if raw.values is not None:
        assert (raw.values[0], raw.values[-1]) == (span.lo, span.hi)


@given(all_expressions())
def test_what_is_known_does_not_depend_on_what_is_asked_first(raw: Expr):
    """A class or a table first, and then the range, gives the same."""
    for expr in (raw, simplify(raw)):
        asked_last = (expr.range, expr.stride, expr.values)
        first, second = (expr.built(expr.own, expr.parts) for _ in range(2))
        assert (first.values, first.stride, first.range) == asked_last[::-1]
        assert (second.stride, second.range) == (asked_last[1], asked_last[0])


def small(draw: st.DrawFn, name: str) -> Expr:
    """Return an index of at most 8 trips."""
    low, step = draw(st.integers(-20, 20)), draw(st.integers(1, 5))
    return index(name, low, low + step * draw(st.integers(1, 8)), step)


@st.composite
def small_trees(draw: st.DrawFn) -> Expr:
    """Return raw trees over one or two indices of few trips."""
    leaves = [small(draw, "a"), small(draw, "b")]
    tree = draw(st.sampled_from(leaves))
    for _ in range(draw(st.integers(1, 5))):
        other = draw(st.sampled_from(leaves))
        change = draw(st.integers(0, 3))
        factor = draw(literals)
        tree = [
            SumExpr(
                (MultExpr(tree, draw(st.integers(-3, 3))), MultExpr(other, factor))
            ),
            ModuloExpr(tree, draw(divisors)),
            FloorDivExpr(tree, draw(divisors)),
            SumExpr((tree, factor)),
        ][change]
    return tree


@given(small_trees())
def test_all_is_exact_over_few_points(raw: Expr):
    """Range, class and values are those of plain enumeration."""
    values = values_of(raw)

    assert raw.range == Interval(values[0], values[-1])
    assert raw.values == (tuple(values) if len(values) <= 64 else None)
    assert class_of_values(values).within(raw.stride)


@given(st.integers(-50, 50), st.integers(-500, 500), st.integers(1, 64))
def test_the_mod_of_an_arithmetic_progression_is_exact(a: int, c: int, n: int):
    """Of a multiple of an unbounded index: range and class."""
    mod = ModuloExpr(a * N + c, n)
    values = sorted({(a * k + c) % n for k in range(n)})

    assert mod.range == Interval(values[0], values[-1])
    assert mod.stride == class_of_values(values)


@given(
    st.integers(-9, 9),
    st.integers(-9, 9),
    st.integers(1, 12),
    st.integers(-40, 40),
    st.integers(66, 150),
)
def test_a_numerator_beside_its_mod_is_seen(
    u: int, v: int, n: int, lo: int, trips: int
):
    """The range of u*x + v*(x mod n) is exact where an end of x takes the extreme.

    It is never wider than both parts taken apart.
    """
    x = index("x", lo, lo + trips)
    raw = SumExpr((MultExpr(x, u), MultExpr(ModuloExpr(x, n), v)))
    values = [u * k + v * (k % n) for k in range(lo, lo + trips)]

    apart = u * x.range + v * Interval(0, n - 1)
    assert all(value in raw.range for value in values)
    assert raw.range.within(apart)
    if min(values) in {values[0], values[-1]}:
        assert raw.range.lo == min(values)
    if max(values) in {values[0], values[-1]}:
        assert raw.range.hi == max(values)


def test_divides_asks_the_class():
    """Of literals and expressions; a divisor is at least 1."""
    i = index("i", 0, 64, 4)

    assert divides(4, i)
    assert divides(8, 2 * i + 16)
    assert not divides(8, i)
    assert divides(3, 9)
    with pytest.raises(DivisorError, match=">= 1, got 0"):
        divides(0, i)


def test_a_deep_expression_has_a_class_and_a_range():
    """A tree of 20,000 levels, without recursion."""
    raw: Expr = N
    for depth in range(20_000):
        raw = ModuloExpr(raw, 1000) if depth % 2 else MultExpr(raw, 3)

    assert raw.stride == EVERY_INTEGER
    assert raw.range == Interval(0, 999)
    assert raw.values is None


def test_a_chain_of_sums_costs_a_step_a_level(monkeypatch: pytest.MonkeyPatch):
    """Each sum stands in the next one; ten times the levels, ten times the parts."""
    seen: list[int] = []

    def counted(terms: list[tuple[Expr, int]], offset: int) -> Interval:
        seen.append(len(terms))
        return weighted_interval(terms, offset)

    monkeypatch.setattr(ranges, "weighted_interval", counted)
    work = []
    for levels in (200, 2_000):
        seen.clear()
        raw: Expr = index("k0", 0, 8)
        for level in range(levels):
            raw = SumExpr((raw, index(f"k{level}", 0, 8)))
        assert raw.range == Interval(0, 7 * (levels + 1))
        work.append(sum(seen))

    assert work[1] <= 13 * work[0]


def test_what_cancels_in_sums_in_sums_is_seen():
    """The outer ones are laid flat where the range is looked at."""
    raw: Expr = N
    for _ in range(20):
        raw = SumExpr((MultExpr(raw, -1), 1))

    assert SumExpr((raw, MultExpr(N, -1))).range == Interval(0, 0)
