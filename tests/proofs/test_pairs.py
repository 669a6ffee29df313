"""What an answer says of its two points, and of claims that speak of none."""

from __future__ import annotations

import pytest

from pelican import AccessPattern, Interval, RingMap, icmp, index
from proofs import (
    Proved,
    prove_bijective,
    prove_disjoint,
    prove_distinct,
    prove_equal,
    prove_in_bounds,
    prove_injective,
)
from proofs.verdict import Verdict

i, same, one = index("i", 0, 8), index("i", 0, 9), index("one", 3, 4)
TILE = AccessPattern(64 * i, [(1, 64)])
LATE = TILE.shifted({i: i + 30})

EMPTY = [
    (prove_distinct(i, i, 8), "no two values of i are 8 apart"),
    (
        prove_distinct(i % 4, i, 2, given=[icmp(i, "==", 3)]),
        "no two values of i are 2 apart where the assumptions hold",
    ),
    (prove_distinct(5, one, 1), "no two values of one are 1 apart"),
    (prove_disjoint(TILE, TILE, {i: i + 8}), "there is no iteration in which both"),
    (prove_disjoint(LATE, TILE), "there is no iteration in which both exist"),
    (
        prove_disjoint(
            AccessPattern(i, partitions=(0, 4)), AccessPattern(i, partitions=(4, 8))
        ),
        "the two have no partition in common",
    ),
    (prove_in_bounds(LATE, Interval(0, 1)), "the pattern exists in no iteration"),
    (prove_injective(LATE), "there are no two points"),
    (prove_injective(AccessPattern(7)), "there are no two points"),
    (prove_injective(3, []), "there are no two points"),
    (prove_injective(RingMap([one], [0], [(0, 1)])), "there are no two points"),
]


@pytest.mark.parametrize(("verdict", "reason"), EMPTY, ids=lambda p: str(p)[:40])
def test_a_claim_that_speaks_of_no_case_says_so(verdict: Verdict, reason: str):
    """It holds, but may not say what its author meant."""
    assert isinstance(verdict, Proved)
    assert str(verdict).startswith(f"proved: {reason}")


@pytest.mark.parametrize(
    "verdict",
    [
        prove_distinct(i, i, 7),
        prove_disjoint(TILE, TILE, {i: i + 7}),
        prove_in_bounds(TILE, Interval(0, 511)),
        prove_injective(TILE),
        prove_injective(i, given=[icmp(i, "<", 2)]),
        prove_bijective(RingMap([one], [0], [(0, 1)])),
        prove_equal(i, i),
    ],
    ids=str,
)
def test_a_claim_that_speaks_of_a_case_has_no_reason(verdict: Verdict):
    """One case is enough."""
    assert str(verdict) == "proved"


def test_two_indices_of_one_name_are_numbered():
    """As in the text of an expression over them, at both points alike."""
    assert str(prove_equal(i, same)) == "refuted at i = 0, i#2 = 1"
    assert str(prove_injective(i + same)) == (
        "refuted at i = 0, i#2 = 1 and at i = 1, i#2 = 0, both give 1"
    )
    assert str(prove_disjoint(TILE, AccessPattern(64 * same))) == (
        "refuted at i = 0, free0 = 0 and at i#2 = 0, both give 0"
    )


def test_an_index_may_be_named_like_a_position():
    """The position is made later, and has the number."""
    free0 = index("free0", 0, 3)

    assert str(prove_injective(AccessPattern(free0, [(1, 3)]))) == (
        "refuted at free0 = 0, free0#2 = 1 and at free0 = 1, free0#2 = 0, both give 1"
    )


def test_the_positions_of_two_patterns_have_one_name():
    """Each point is one of its own pattern."""
    longer = AccessPattern(64 * i, [(1, 65)])

    assert str(prove_disjoint(TILE, longer, {i: i - 1})) == (
        "refuted at i = 1, free0 = 0 and at i = 0, free0 = 64, both give 64"
    )
