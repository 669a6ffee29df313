"""The work on a long sum grows with its terms, and every join lowers the sum."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, RewriteLimitError, index, simplify, sum_of
from pelican.engine import join
from pelican.engine import simplify as engine
from pelican.expr import FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from pelican.strategies import linear
from pelican.tree.build import linear_sum, plain
from tests.strategies import raw_expressions

GROWTH = 13.0
"""Most that ten times the terms may cost: ten times, with a factor of a logarithm."""


def rings(count: int) -> Iterator[Expr]:
    """Yield ring terms over one index each."""
    for k in range(count):
        yield (2048 * index(f"r{k}") + 512 * k) % 16384


def shared_rings(count: int) -> Iterator[Expr]:
    """Yield ring terms that differ in their offset, all over one index."""
    i = index("i")
    for k in range(count):
        yield (3 * i + k) % (2 * count + 1)


def digits(count: int) -> Iterator[Expr]:
    """Yield quotients and remainders that join two by two."""
    for k in range(count // 2):
        i = index(f"d{k}")
        yield 8 * (i // 8)
        yield i % 8


def quotients(count: int) -> Iterator[Expr]:
    """Yield floordivs of one divisor and one slope, none of which joins."""
    for k in range(count):
        yield (index(f"q{k}") + k) // 7


def differences(count: int) -> Iterator[Expr]:
    """Yield floordivs by one divisor over one index, half of them negated."""
    i = index("i")
    for k in range(count):
        yield (1 if k % 2 else -1) * ((i + index(f"s{k}")) // 7)


def plain_terms(count: int) -> Iterator[Expr]:
    """Yield indices with coefficients."""
    for k in range(count):
        yield (k + 1) * index(f"p{k}")


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the steps that are tried and the sizes that are compared."""
    counted = [0]
    tried, sized = join.rewrite_sum, linear.LinearSum._size

    def rewrite_sum(*args: object):
        counted[0] += 1
        return tried(*args)

    def size(*args: object):
        counted[0] += 1
        return sized(*args)

    monkeypatch.setattr(join, "rewrite_sum", rewrite_sum)
    monkeypatch.setattr(linear.LinearSum, "_size", size)
    return counted


@pytest.mark.parametrize(
    "terms", [rings, shared_rings, digits, quotients, differences, plain_terms]
)
def test_ten_times_the_terms_are_ten_times_the_work(terms, work: list[int]):
    """Sums of 40 and 400 terms, built by operators' sum and from a raw tree."""
    few, many = (list(terms(count)) for count in (40, 400))
    spent = []
    for parts in (few, many):
        work[0] = 0
        sum_of(parts)
        simplify(SumExpr(tuple(parts)))
        spent.append(work[0])

    assert spent[1] <= GROWTH * max(spent[0], 10)


def test_digits_join_to_their_indices():
    """A sum of quotients and remainders is the sum of the indices."""
    total = sum_of(digits(40))

    assert total.divisions == 0
    assert total.nodes == 39


@given(raw_expressions())
def test_every_join_lowers_the_divisions_or_the_size(raw: Expr):
    """No join adds a mod or floordiv; of equally many the text grows no longer."""
    steps: list[tuple[Expr, Expr]] = []
    original = join.joined

    def watched(total: Expr, make, modulus: int = 0) -> Expr:
        outcome = original(total, make, modulus)
        if not modulus:
            steps.append((total, outcome))
        return outcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pelican.engine.simplify.joined", watched)
        simplify(raw)

    for before, after in steps:
        assert (after.divisions, after.nodes) <= (before.divisions, before.nodes + 1)


def test_a_floordiv_that_vanishes_while_others_are_levelled_is_left_out():
    """Levelling the first floordiv makes the second one, with the opposite sign."""
    j = index("j")
    total = linear_sum([FloorDivExpr(-7 * j, 2), MultExpr(plain("//", j, 2), -1)])

    assert join.joined(total, plain, 4) == -4 * j


def test_joins_without_an_end_are_a_named_error(monkeypatch: pytest.MonkeyPatch):
    """Where everything counts as smaller, two forms would be exchanged for ever."""
    monkeypatch.setattr(linear.LinearSum, "shrinks", lambda *_: True)
    i = index("i")

    with pytest.raises(RewriteLimitError, match="again and again") as caught:
        sum_of([5, -1 * (i % 8), 3 * (-i // 8)])
    assert "simplify=False" in (caught.value.hint or "")


@pytest.mark.nobody_listens
def test_rewrites_without_an_end_are_a_named_error(monkeypatch: pytest.MonkeyPatch):
    """A mod that is rewritten more often than any mod needs."""
    monkeypatch.setattr(engine, "MAX_REWRITES", -100)

    with pytest.raises(RewriteLimitError, match="mod 8 is rewritten"):
        _ = (index("i") // 3 + index("j") // 5) % 8


@given(
    st.sampled_from([(None, None), (0, None), (-5, 64), (0, 15)]),
    st.tuples(*[st.integers(-12, 12)] * 4),
    st.integers(2, 8),
    st.integers(2, 24),
)
def test_a_sum_under_a_mod_is_simplified_once(
    ends: tuple[int | None, int | None],
    factors: tuple[int, int, int, int],
    divisor: int,
    modulus: int,
):
    """An index beside its quotient and its remainder, in three ways to write it."""
    x = index("x", *ends)
    a, b, c, offset = factors
    ways = [
        (a, b, c),
        (0, a + b, a * divisor + c),
        (a + b, 0, c - b * divisor),
    ]
    for whole, remainder, quotient in ways:
        terms = (
            MultExpr(plain("%", x, divisor), remainder),
            MultExpr(plain("//", x, divisor), quotient),
            whole * x + offset,
        )
        for written in (sum_of(terms) % modulus, simplify(SumExpr(terms)) % modulus):
            assert simplify(written) == written
        raw = simplify(ModuloExpr(SumExpr(terms), modulus))
        assert simplify(raw) == raw


def test_a_part_of_a_term_may_be_what_a_mod_is_taken_from():
    """``3*x - 2*(x mod 3)`` is ``x + 2*(x - x mod 3)``."""
    x = index("x", 0, 15)

    assert str(3 * x - 2 * (x % 3)) == "x + 6*(x floordiv 3)"
    assert (5 * x + 9 * (x % 3)) % 10 == (4 * x + 3 * (x // 3)) % 10


def test_numerators_that_stand_in_each_other_cost_a_step_a_level(work: list[int]):
    """A sum of an index and a mod over the sum below."""
    spent = []
    i = index("i", 0, 64)
    for levels in (20, 200):
        work[0] = 0
        raw: Expr = i
        for level in range(levels):
            raw = SumExpr((ModuloExpr(MultExpr(raw, 3), 1000 + level % 7), i))
        simplify(raw)
        spent.append(work[0])

    assert spent[1] <= GROWTH * spent[0]
