"""Smart collectives and comparisons: only ranges fold."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    CCDivExpr,
    CCModExpr,
    DivisorError,
    Expr,
    ICmpExpr,
    ModuloExpr,
    OperandError,
    cc_div,
    cc_mod,
    icmp,
    index,
    rank,
    runtime,
    simplify,
)
from tests.strategies import all_expressions, all_points

X = index("x", 0, 64)
R = rank(0, 1)


def test_a_range_in_one_period_folds():
    """The quotient is a constant, the remainder is the numerator less the period."""
    assert cc_div(X + 64, 64, 3) == 1
    assert cc_mod(X + 64, 64, 3) == X
    assert cc_mod(X - 64, 64, 3) == X


def test_what_a_fold_leaves_is_a_simplified_sum():
    """The period that a remainder is moved by joins with the rest."""
    k = runtime("k", -7, -1)
    folded = cc_mod((k - 1) // 7 + 6 * (k // 42), 14, 3)

    assert simplify(folded) == folded
    assert folded == (k - 1) // 7 + 6 * (k // 42) + 14


def test_a_wider_range_stays():
    """One value beyond the period keeps the node, with its group."""
    assert str(cc_div(X, 63, 3)) == "cc_div(x, 63, 3)"
    assert str(cc_mod(X, 63, 3)) == "cc_mod(x, 63, 3)"


def test_no_law_applies_to_a_collective():
    """Nested mods, multiples and a divisor of 1 stay as they are."""
    assert (
        str(cc_mod(cc_mod(R, 8, 0), 4, 0)) == "cc_mod(cc_mod(rank(0, 1), 8, 0), 4, 0)"
    )
    assert str(cc_mod(8 * R, 4, 0)) == "cc_mod(8*rank(0, 1), 4, 0)"
    assert str(cc_div(R, 1, 0)) == "cc_div(rank(0, 1), 1, 0)"
    assert str(cc_mod(R, 8, 0) % 4) == "cc_mod(rank(0, 1), 8, 0) mod 4"


def test_a_plain_mod_around_a_collective_uses_its_range():
    """The range of a collective is known to the laws outside it."""
    assert cc_mod(R, 8, 0) % 8 == cc_mod(R, 8, 0)
    assert cc_mod(R, 8, 0) // 8 == 0


@pytest.mark.parametrize(("build", "word"), [(cc_div, "cc_div"), (cc_mod, "cc_mod")])
def test_the_divisor_is_checked_first(build, word: str):
    """A divisor below 1 is refused though the numerator would fold."""
    with pytest.raises(DivisorError, match=f"{word} needs a divisor >= 1, got 0"):
        build(X - X, 0, 0)


def test_simplifying_reaches_into_special_kinds():
    """What stands inside a collective or a comparison is simplified."""
    inner = ModuloExpr(ModuloExpr(R, 8), 16)

    assert simplify(CCDivExpr(inner, 4, 7)) == cc_div(R % 8, 4, 7)
    assert simplify(CCModExpr(inner, 8, 7)) == R % 8


COMPARISONS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}


@pytest.mark.parametrize("comparison", COMPARISONS)
@given(left=st.integers(-5, 5), right=st.integers(-5, 5))
def test_a_comparison_holds_as_between_integers(comparison, left: int, right: int):
    """Each comparison is lowered without a change of its value."""
    a, b = index("a"), index("b")
    found = icmp(a, comparison, b).eval({a: left, b: right})

    assert int(found) == COMPARISONS[comparison](left, right)


def test_a_comparison_that_ranges_decide_is_a_constant():
    """True and false are 1 and 0, just at the ends of the range."""
    assert icmp(X, ">=", 0) == 1
    assert icmp(X, "<", 64) == 1
    assert icmp(X, ">", 63) == 0
    assert icmp(X, "==", 64) == 0
    assert icmp(X, "==", X) == 1
    assert icmp(X, ">=", 1).kind == icmp(X, "==", 63).kind == 20


def test_an_equality_has_one_form():
    """A == b and b == a are the same expression."""
    assert icmp(X, "==", R) == icmp(R, "==", X)


def test_another_comparison_is_refused():
    """The message lists those that there are."""
    with pytest.raises(OperandError, match=">= <= > < ==, got '!='"):
        icmp(X, "!=", 3)


@given(raw=all_expressions(), at=all_points())
def test_simplifying_any_kind_keeps_its_value(raw: Expr, at):
    """The canonical form has the value of the raw tree, inside its range."""
    simple = simplify(raw)
    value = int(raw.eval(at))

    assert int(simple.eval(at)) == value
    assert value in raw.range
    assert value in simple.range


@given(all_expressions())
def test_simplifying_any_kind_twice_changes_nothing(raw: Expr):
    """A canonical expression comes back equal."""
    assert simplify(simplify(raw)) == simplify(raw)


def test_the_sides_of_a_comparison_join():
    """A mod and a floordiv of one numerator cancel across the comparison."""
    q = index("q")

    assert icmp(8 * (q // 8), "==", q - q % 8) == 1
    assert simplify(ICmpExpr("==", 8 * (q // 8), q - q % 8)) == 1


def test_a_sum_leaves_collectives_alone():
    """What would join for a plain mod and floordiv keeps both nodes."""
    joined = 4 * cc_div(R, 4, 0) + cc_mod(R, 4, 0)

    assert str(joined) == "4*cc_div(rank(0, 1), 4, 0) + cc_mod(rank(0, 1), 4, 0)"
    assert 4 * (R // 4) + R % 4 == R
