"""The hooks: a simpler form, or None."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    DivisorError,
    Expr,
    ModuloExpr,
    OperandError,
    index,
    simplify,
)
from tests.strategies import all_expressions, divisors

X = index("x", 0, 64)
N = index("n")


def test_an_exact_division_needs_every_coefficient():
    """The constant too."""
    assert (12 * X + 8 * (N % 3) - 4).exact_div(4) == 3 * X + 2 * (N % 3) - 1
    assert (12 * X + 6).exact_div(4) is None
    assert (12 * X + 8 * (N % 3) - 4).exact_div(8) is None


@given(raw=all_expressions(), n=divisors)
def test_an_exact_division_undoes_a_product(raw: Expr, n: int):
    """(n * e) / n is e."""
    simple = simplify(raw)

    assert (n * simple).exact_div(n) == simple


def test_an_exact_replacement_divides_the_coefficient():
    """8*x is 2*b where b = 4*x; a coefficient that is no multiple stays."""
    block = index("b")

    assert (8 * X + N).replace_exact_div(X, block, 4) == 2 * block + N
    assert (6 * X + N).replace_exact_div(X, block, 4) is None
    assert (N + 0).replace_exact_div(X, block, 4) == N


def test_a_hook_is_none_where_the_plain_node_is_simplest():
    """And the simpler form otherwise."""
    assert N.simplify_mod(8) is None
    assert (N % 24).simplify_mod(8) == N % 8
    assert N.simplify_floordiv(8) is None
    assert (X + 0).simplify_floordiv(64) == 0
    assert (N % 8).simplify_mult(3) is None
    assert (3 * (N % 8)).simplify_mult(2) == 6 * (N % 8)
    assert (N % 8).simplify_add(1) is None
    assert (N % 8 - 1).simplify_add(1) == N % 8


@given(raw=all_expressions(), n=divisors, k=st.integers(-9, 9))
def test_a_hook_gives_what_the_operator_gives(raw: Expr, n: int, k: int):
    """A hook is the operator, or None where that is the plain node."""
    simple = simplify(raw)
    pairs = [
        (simple.simplify_mod(n), simple % n),
        (simple.simplify_floordiv(n), simple // n),
        (simple.simplify_mult(k), k * simple),
        (simple.simplify_add(k), simple + k),
    ]

    assert all(hook is None or hook == operator for hook, operator in pairs)


def test_hooks_check_their_divisor():
    """A divisor below 1 is refused, a float too."""
    for hook in (X.exact_div, X.simplify_mod, X.simplify_floordiv):
        with pytest.raises(DivisorError):
            hook(0)
    with pytest.raises(DivisorError):
        X.replace_exact_div(X, N, -1)
    with pytest.raises(OperandError):
        ModuloExpr(X, 3).simplify_mult(1.5)
