"""Bounds without some indices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    Expr,
    IndexRangeError,
    MultExpr,
    OperandError,
    SumExpr,
    cc_div,
    cc_mod,
    index,
    simplify,
    tile,
)
from tests.strategies import I, J, K, all_expressions, all_points

X, Y = index("x", 0, 64), index("y", 0, 8)
N = index("n")
POSITIVE = index("p", 0)


def test_an_affine_bound_is_exact():
    """Each coefficient takes its own end."""
    expr = 16 * X - Y + 3

    assert expr.project_max([Y]) == 16 * X + 3
    assert expr.project_min([Y]) == 16 * X - 4
    assert expr.project_max([X, Y]) == 1011


def test_a_quotient_is_bounded_through_its_numerator():
    """Floordiv is monotone, with a group or without."""
    assert ((N + Y) // 4).project_max([Y]) == (N + 7) // 4
    assert ((N + Y) // 4).project_min([Y]) == N // 4
    assert cc_div(N + Y, 4, 9).project_max([Y]) == cc_div(N + 7, 4, 9)


def test_a_remainder_takes_its_range():
    """Mod is not monotone."""
    assert ((N + Y) % 4 + X).project_max([Y]) == X + 3
    assert ((N + Y) % 4 + X).project_min([Y]) == X
    assert cc_mod(N + Y, 4, 9).project_max([Y]) == 3


def test_what_has_none_of_the_indices_stays():
    """Nothing to eliminate, nothing changed."""
    assert ((X % 8) + N).project_max([Y]) == X % 8 + N
    assert ((X % 8) + N).project_max([]) == X % 8 + N


def test_a_pattern_index_goes_with_its_child():
    """A tile is bounded by its range."""
    assert (4 * tile(X, 4) + N).project_max([X]) == N + 60
    assert (4 * tile(X, 4) + N).project_max([tile(X, 4)]) == N + 60


def test_an_unbounded_end_is_refused():
    """There is no bound to return."""
    with pytest.raises(IndexRangeError, match="no upper bound over all values of n"):
        (X + N).project_max([N])
    with pytest.raises(IndexRangeError, match="no lower bound"):
        (X - POSITIVE).project_min([POSITIVE])
    assert (X - POSITIVE).project_max([POSITIVE]) == X


def test_only_indices_are_eliminated():
    """A sum is none."""
    with pytest.raises(OperandError, match="only an index"):
        (X + N).project_max([X + N])


@given(
    raw=all_expressions(), at=all_points(), chosen=st.sets(st.sampled_from([I, J, K]))
)
def test_a_projection_bounds_every_value(raw: Expr, at, chosen):
    """At every point, with none of the indices left."""
    simple = simplify(raw)
    value = int(simple.eval(at))
    for project, holds in (
        (simple.project_max, value.__le__),
        (simple.project_min, value.__ge__),
    ):
        try:
            bound = project(chosen)
        except IndexRangeError:
            continue
        assert holds(int(bound.eval(at)))
        assert not chosen & set(bound.indices)


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_like_terms_are_one_before_they_are_bounded(a: int, b: int, c: int):
    """In raw trees too: ``i - i`` is 0 and not in [-63, 63]."""
    raw = SumExpr((MultExpr(I, a), MultExpr(J, c), MultExpr(I, b)))
    ends = [(a + b) * i + c * j for i in (0, 63) for j in (-5, 97)]

    assert raw.project_max([I, J]) == max(ends)
    assert raw.project_min([I, J]) == min(ends)
