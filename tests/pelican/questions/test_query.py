"""Questions about an expression."""

import pytest
from hypothesis import given

from pelican import (
    AffineIV,
    Expr,
    ModuloExpr,
    MultExpr,
    OperandError,
    SumExpr,
    ap,
    arg,
    index,
    rank,
    runtime,
    simplify,
    sum_of,
    symbol,
    tile,
)
from tests.strategies import all_expressions

X = index("x", 0, 64)
Y = AffineIV("y", 0, 8, depth=2)


def test_a_constant_has_its_integer():
    """Only a constant has one."""
    assert (X - X + 3).is_const
    assert (X - X + 3).const == 3
    assert not X.is_const
    with pytest.raises(OperandError, match="x is no constant"):
        _ = X.const


def test_equals_int_compares_with_an_integer():
    """A constant equals its integer, an index none; a text is refused."""
    assert (X - X - 2).equals_int(-2)
    assert not (X - X - 2).equals_int(-1)
    assert not X.equals_int(0)
    with pytest.raises(OperandError, match="integer"):
        (X - X).equals_int("0")


AFFINE = [
    (X, True),
    (2 * X - Y + 3, True),
    (SumExpr((MultExpr(SumExpr((X, 3)), 2), tile(X, 4))), True),
    (X % 8, False),
    (SumExpr((X, ModuloExpr(Y, 4))), False),
    (rank(0, 1) + X, False),
]


@pytest.mark.parametrize(("expr", "affine"), AFFINE)
def test_affine_is_sums_and_multiples_of_indices(expr: Expr, affine: bool):
    """Raw trees count as well."""
    assert expr.is_affine is affine


def test_flattening_adds_equal_terms_up():
    """Terms come in term order; what cancels is gone."""
    raw = SumExpr((MultExpr(SumExpr((Y, 3)), 2), X % 8, Y, MultExpr(X, 0), -1))

    assert raw.flatten_terms() == (((X % 8, 1), (Y, 3)), 5)


@given(all_expressions())
def test_the_terms_add_up_to_the_expression(raw: Expr):
    """Flattening loses nothing."""
    simple = simplify(raw)
    terms, offset = simple.flatten_terms()

    assert sum_of([*(c * term for term, c in terms), offset]) == simple


def test_indices_are_those_that_decide_the_value():
    """In term order, each once; a tile stands for its child, opaque values are none."""
    assert (tile(X, 4) % 3 + Y + X + rank(0, 1)).indices == (X, Y)


def test_has_index_finds_a_tile_and_its_child():
    """Both are part of the expression."""
    expr = tile(X, 4) % 3

    assert expr.has_index(X)
    assert expr.has_index(tile(X, 4))
    assert not expr.has_index(Y)
    with pytest.raises(OperandError, match="needs an index"):
        expr.has_index(X % 3)


def test_contains_compares_subtrees():
    """A subtree counts, a part of a sum does not."""
    expr = (X + Y) % 8 + 3

    assert expr.contains((X + Y) % 8)
    assert expr.contains(expr)
    assert expr.contains(3)
    assert not expr.contains(X % 8)


@pytest.mark.parametrize(
    ("leaf", "known_at_run_time"),
    [(arg(0), True), (runtime("r"), True), (rank(0, 1), False), (X, False)],
)
def test_runtime_values_are_arguments_and_registers(leaf, known_at_run_time: bool):
    """Anywhere in the tree."""
    assert ((leaf + Y) % 8 + 3).has_runtime_value is known_at_run_time


def test_the_loop_depth_is_that_of_the_innermost_loop():
    """Without a loop index it is -1."""
    assert (X + Y % 3).max_loop_depth == 2
    assert (symbol("invariant", 0, 8) + runtime("r") + 3).max_loop_depth == -1


def test_terms_of_access_patterns_are_split_off():
    """Whole terms go; the constant stays with the others."""
    expr = 2 * tile(X, 4) + (ap(Y, 3) + X) % 8 + X + 5

    assert expr.drop_ap_indices() == X + 5
    assert expr.keep_ap_indices() == 2 * tile(X, 4) + (ap(Y, 3) + X) % 8
    assert expr.keep_ap_indices_linear() == 2 * tile(X, 4)


@given(all_expressions())
def test_dropped_and_kept_terms_add_up(raw: Expr):
    """Nothing is lost."""
    simple = simplify(raw)

    assert simple.drop_ap_indices() + simple.keep_ap_indices() == simple
