"""The records of claims: their text, their expressions, and what they refuse."""

import pytest

from pelican import AccessPattern, IndexRangeError, OperandError, RingMap, ap, index
from pelican.questions.claims import (
    Bijective,
    Claim,
    Disjoint,
    Distinct,
    Equal,
    InBounds,
    Injective,
    InRange,
)

i, j = index("i", 0, 64, 4), index("j", 0, 8)
P = AccessPattern(64 * j, [(1, 64)], name="p")
Q = AccessPattern(64 * j + 32, [(1, 32)])
F = RingMap([j], [(j + 1) % 8], [(0, 8)], name="f")

TEXTS = [
    (InRange(i + 1, -4, 65), "in", "i + 1 in [-4, 65)"),
    (Equal(i, 4 * j), "equal", "i == 4*j"),
    (Distinct(i, i, 8), "distinct", "distinct i for i, i+8"),
    (Disjoint(P, P), "disjoint", "disjoint p, p"),
    (Disjoint(P, P, {j: j - 1}), "disjoint", "disjoint p, p[j -> j - 1]"),
    (Injective(P), "injective", "injective p"),
    (Injective(F), "injective", "injective f"),
    (Bijective(F), "bijective", "bijective f"),
    (InBounds(P, 0, 512), "in-bounds", "p in [0, 512)"),
    (
        Injective(Q),
        "injective",
        "injective (partition [0, 128) at 64*j + 32 free [1, 32])",
    ),
]


@pytest.mark.parametrize(("claim", "name", "text"), TEXTS)
def test_a_claim_prints_as_a_file_says_it(claim: Claim, name: str, text: str):
    """Without the word check; a thing without a name prints whole."""
    assert (claim.name, str(claim)) == (name, text)


def test_a_claim_names_its_expressions():
    """In the order of the text."""
    assert InRange(i, 0, 8).exprs == (i,)
    assert Equal(i, 3).exprs == (i, 3)
    assert Disjoint(P, Q, {j: j - 1}).exprs == (64 * j, 64 * j + 32, j - 1)
    assert Bijective(F).exprs == ((j + 1) % 8,)
    assert Injective(P).exprs == InBounds(P, 0, 8).exprs == (64 * j,)
    assert Distinct(2 * i, i, 4).exprs == (2 * i,)


@pytest.mark.parametrize("distance", [0, -4, 2])
def test_a_distance_is_a_positive_multiple_of_the_step(distance: int):
    """Other values are no iterations."""
    with pytest.raises(IndexRangeError, match=r"i in \[0, 64\) step 4, got"):
        Distinct(i, i, distance)


@pytest.mark.parametrize(("low", "high"), [(8, 8), (9, 0)])
def test_an_empty_range_is_refused(low: int, high: int):
    """The end is exclusive, says the hint."""
    with pytest.raises(IndexRangeError, match="exclusive"):
        InRange(i, low, high)
    with pytest.raises(IndexRangeError, match="exclusive"):
        InBounds(P, low, high)


def test_a_claim_of_another_thing_is_refused():
    """The message shows what was given."""
    with pytest.raises(OperandError, match="access pattern"):
        Disjoint(P, 64)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="access pattern or a map"):
        Injective(64)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="a map"):
        Bijective(P)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="what moves must be an index"):
        Distinct(i, 2 * i, 4)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="what moves must be an index"):
        Distinct(ap(j, 4), ap(j, 4), 4)
    with pytest.raises(OperandError, match="what a shift replaces must be an index"):
        Disjoint(P, Q, {64 * j: j})  # type: ignore[dict-item]
