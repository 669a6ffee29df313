"""Mods and floordivs by one look: what the laws make, without them."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, floordiv, index, modulo, sum_of
from pelican.engine import simplify as engine
from pelican.engine.listening import Recorder
from pelican.engine.simplify import scaled
from pelican.expr import FloorDivExpr, ModuloExpr
from tests.strategies import I, J, K, N

A, B, C = index("a", 0, 5), index("b", -7, 90), index("c", 3, 5)
X = index("x", 0, 100_000)

numbers = st.integers(-100, 100)
indices = st.sampled_from([I, J, K, N, A, B, C, X])
sums = st.dictionaries(indices, numbers, min_size=1)
divisors = st.sampled_from([1, 2, 3, 4, 6, 7, 8, 12, 16, 30, 64, 100])
operations = st.sampled_from([modulo, floordiv])


def total(parts: dict[Expr, int], offset: int) -> Expr:
    """Return a sum of scaled indices."""
    return sum_of([*(c * idx for idx, c in parts.items()), offset])


def by_laws(work: Callable[..., Expr], *arguments: object) -> Expr:
    """Return what a function makes while somebody listens, who is told of each law."""
    with Recorder(lambda used: None):
        return work(*arguments)


@given(operations, sums, numbers, divisors)
def test_a_mod_or_floordiv_of_indices(operation, parts, offset, denom):
    """Nobody sees another result than the one of the laws."""
    numer = total(parts, offset)

    assert by_laws(operation, numer, denom) == operation(numer, denom)


@given(st.lists(st.tuples(operations, divisors), min_size=2, max_size=4), sums, numbers)
def test_a_mod_or_floordiv_of_another(chain, parts, offset):
    """Each is made of the one before, by either way."""
    numer = total(parts, offset)

    for operation, denom in chain:
        made = operation(numer, denom)
        assert by_laws(operation, numer, denom) == made
        numer = made


@given(st.lists(st.tuples(operations, divisors), min_size=2, max_size=4), numbers)
def test_a_mod_or_floordiv_of_one_index_and_a_number(chain, offset):
    """Ranges of some values and of many, below 0 and above."""
    for idx in (I, N, A, B, C, X):
        numer = idx + offset
        for operation, denom in chain:
            made = operation(numer, denom)
            assert by_laws(operation, numer, denom) == made
            numer = made


@given(sums, numbers, divisors, numbers, numbers, st.sampled_from([0, 0, 1, -1]))
def test_a_quotient_beside_its_remainder(parts, offset, n, scale, free, wrong):
    """``c*(x mod n) + c*n*(x floordiv n) + r`` is ``c*x + r``, and little else is."""
    x = total(parts, offset)
    quotient, remainder = floordiv(x, n), modulo(x, n)
    terms = [(scale * n + wrong) * quotient, scale * remainder, free * A, free]

    assert by_laws(sum_of, terms) == sum_of(terms)
    assert by_laws(sum, terms[1:], terms[0]) == sum(terms[1:], terms[0])


@given(operations, sums, numbers, divisors, numbers)
def test_a_scaled_mod_or_floordiv(operation, parts, offset, denom, factor):
    """A negative one, or one with a constant, may have a shorter form."""
    division = operation(total(parts, offset), denom)

    assert by_laws(scaled, division, factor) == scaled(division, factor)


SETTLED = [
    (
        lambda: (9000 * A + 64 * N + B + 5000) % 4096,
        "(808*a + b + 64*n + 904) mod 4096",
    ),
    (lambda: (64 * N + C + 3) % 64, "c + 3"),
    (lambda: (64 * I + 3 * C) // 64, "i"),
    (lambda: (N + A) // 8, "(a + n) floordiv 8"),
    (lambda: X % 24 % 8, "x mod 8"),
    (lambda: X % 8 % 12, "x mod 8"),
    (lambda: X % 8 // 8, "0"),
    (lambda: X % 64 // 8, "x floordiv 8 mod 8"),
    (lambda: X // 8 // 16, "x floordiv 128"),
    (lambda: I // 8 % 16, "i floordiv 8"),
    (lambda: 64 * (X // 64) + X % 64, "x"),
]


@pytest.mark.nobody_listens
@pytest.mark.parametrize(("work", "text"), SETTLED)
def test_no_law_is_tried_where_one_look_is_enough(
    monkeypatch: pytest.MonkeyPatch, work, text
):
    """Addresses in rings and tiles, and what is made of them, cost no rewrite."""
    monkeypatch.setattr(engine, "_improved", None)
    monkeypatch.setattr(engine, "joined", None)

    assert str(work()) == text


@pytest.mark.nobody_listens
@pytest.mark.parametrize("kind", [ModuloExpr, FloorDivExpr])
def test_a_raw_tower_of_divisions_is_no_recursion(kind: type):
    """The laws take one division after the other, however many there are."""
    tower = X
    for _ in range(5_000):
        tower = kind(tower, 8)

    assert (tower % 4).divisions <= 5_001
    assert (tower // 2).divisions <= 5_001


@pytest.mark.parametrize("wrong", [-1, 0, 1])
@pytest.mark.parametrize("n", [2, 8, 64])
def test_a_quotient_that_is_scaled_otherwise_is_left(n: int, wrong: int):
    """Only n times the scale of the remainder puts the two together."""
    for x, c in product((X, N, X + 3, A + 8 * N), (1, -2)):
        terms = [(c * n + wrong) * (x // n), c * (x % n), A + 5]
        assert by_laws(sum_of, terms) == sum_of(terms)
        assert str(by_laws(sum_of, terms)) == str(sum_of(terms))


@pytest.mark.parametrize("denom", range(1, 6))
def test_a_quotient_of_few_values_under_a_mod(denom: int):
    """Two values next to each other may fold by another coefficient."""
    for lo, width in product(range(-24, 40, 8), (8, 16, 24, 32)):
        quotient = index("y", lo, lo + width) // 8
        assert str(by_laws(modulo, quotient, denom)) == str(quotient % denom)


@pytest.mark.parametrize("operation", [modulo, floordiv])
def test_every_sign_and_constant_of_a_scaled_division(operation):
    """Whatever shape is shortest, the look and the laws agree on it."""
    for c, offset, factor in product((1, -1, 3), range(-9, 10), (-8, -1, 1, 3)):
        division = operation(c * X + offset, 8)
        assert str(by_laws(scaled, division, factor)) == str(scaled(division, factor))


@pytest.mark.parametrize("denom", [2, 3])
def test_every_constant_of_a_quotient_under_a_mod(denom: int):
    """Under ``mod 2`` the opposite sign costs nothing, and may be shorter."""
    for offset, x in product(range(-9, 26), (X, N)):
        quotient = (x + offset) // 8
        assert str(by_laws(modulo, quotient, denom)) == str(quotient % denom)
