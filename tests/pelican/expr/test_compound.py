"""Collective divisions and comparisons as plain nodes."""

import pytest

from pelican import (
    CCDivExpr,
    CCModExpr,
    DivisorError,
    FloorDivExpr,
    ICmpExpr,
    Interval,
    ModuloExpr,
    MultExpr,
    OperandError,
    SumExpr,
    index,
    rank,
)

X = index("x", 0, 64)
R = rank(0, 1)


def test_a_collective_never_equals_a_plain_division():
    """The kind is part of the structure, in both directions."""
    assert CCDivExpr(R, 4, 0) != FloorDivExpr(R, 4)
    assert FloorDivExpr(R, 4) != CCDivExpr(R, 4, 0)
    assert CCModExpr(R, 4, 0) != ModuloExpr(R, 4)


def test_the_group_is_part_of_a_collective():
    """Other groups are other expressions."""
    assert CCDivExpr(R, 4, 0) != CCDivExpr(R, 4, 1)
    assert CCModExpr(R, 4, 2) == CCModExpr(R, 4, 2)


@pytest.mark.parametrize("kind", [CCDivExpr, CCModExpr])
def test_a_collective_checks_divisor_and_group(kind):
    """A divisor is >= 1, a group id >= 0."""
    with pytest.raises(DivisorError, match="got 0"):
        kind(R, 0, 0)
    with pytest.raises(OperandError, match="group id must be >= 0"):
        kind(R, 4, -1)


def test_a_collective_is_a_floored_division():
    """The value is that of floordiv and mod."""
    at = {R: -3}

    assert int(CCDivExpr(R, 4, 0).eval(at)) == -1
    assert int(CCModExpr(R, 4, 0).eval(at)) == 1


def test_a_collective_has_the_range_of_its_division():
    """Ranges pass through."""
    assert CCDivExpr(X, 4, 0).range == Interval(0, 15)
    assert CCModExpr(R, 4, 0).range == Interval(0, 3)


@pytest.mark.parametrize("comparison", ["<", "!=", "ge"])
def test_a_comparison_is_by_at_least_or_equal(comparison: str):
    """Others are lowered by `icmp`."""
    with pytest.raises(OperandError, match="icmp"):
        ICmpExpr(comparison, X, 3)


def test_a_comparison_is_one_or_zero():
    """1 where it holds."""
    values = [int(ICmpExpr(">=", X, 3).eval({X: v})) for v in (2, 3, 4)]
    equal = [int(ICmpExpr("==", X, 3).eval({X: v})) for v in (2, 3, 4)]

    assert (values, equal) == ([0, 1, 1], [0, 1, 0])
    assert ICmpExpr(">=", X, 3).range == Interval(0, 1)


def test_the_sides_of_a_comparison_are_ordered():
    """A >= b is not b >= a."""
    assert ICmpExpr(">=", X, R) != ICmpExpr(">=", R, X)
    assert ICmpExpr(">=", X, R) != ICmpExpr("==", X, R)


def test_every_kind_counts_its_divisions():
    """Mods and floordivs of a tree, those of collectives too."""
    mod = ModuloExpr(X, 8)

    assert mod.divisions == CCModExpr(X, 8, 0).divisions == 1
    assert CCDivExpr(SumExpr((mod, MultExpr(mod, 3))), 4, 0).divisions == 3
    assert ICmpExpr(">=", mod, FloorDivExpr(mod, 2)).divisions == 3
    assert X.divisions == R.divisions == 0
