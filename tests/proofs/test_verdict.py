from __future__ import annotations

from collections.abc import Callable

import pytest

from pelican import AccessPattern, Interval, RingMap, icmp, index, symbol
from proofs import (
    Proved,
    Refuted,
    Unknown,
    prove_bijective,
    prove_disjoint,
    prove_distinct,
    prove_equal,
    prove_fits,
    prove_in,
    prove_in_bounds,
    prove_injective,
    prove_never,
)
from proofs.verdict import Verdict


@pytest.mark.parametrize("verdict", [Proved(0.1), Refuted({}), Unknown("time")])
def test_a_verdict_has_no_truth_value(verdict: Proved | Refuted | Unknown):
    """`if verdict` raises and says what to ask instead."""
    with pytest.raises(TypeError, match="isinstance"):
        bool(verdict)


def test_a_verdict_cannot_be_changed():
    """A verdict is frozen."""
    with pytest.raises(AttributeError):
        Unknown("time").reason = "memory"  # type: ignore[misc]


def test_verdicts_compare_by_value():
    """Two refutations with one model are equal."""
    assert Refuted({"x": 1}) == Refuted({"x": 1})


def test_a_collision_shows_both_points_and_what_they_give():
    """In the text; the values are no part of equality."""
    verdict = Refuted({"i": 0}, {"i": 8}, (512,))

    assert str(verdict) == "refuted at i = 0 and at i = 8, both give 512"
    assert repr(verdict) == "Refuted(model={'i': 0}, other={'i': 8})"
    assert verdict == Refuted({"i": 0}, {"i": 8})
    assert str(Refuted({}, reason="(3) is not reached")) == (
        "refuted: (3) is not reached"
    )
    assert str(Refuted({"i": 0}, {"i": 1}, (1, 2))).endswith("both give (1, 2)")


def test_a_collision_of_values_without_a_point_shows_what_they_give():
    """A point that nothing varies in has no text."""
    assert str(Refuted({}, {}, (3,))) == "refuted, both give 3"
    assert str(Refuted({}, {"n": 3}, (3,))) == "refuted at n = 3, both give 3"


A, B = index("a", 0, 8), index("b", 0, 8)
SYMBOL = symbol("in_order", 1, 9)
BLOCK = AccessPattern(64 * B + A, [(1, 65)])
WRONG = {
    "equal": lambda: prove_equal(B + 2 * A, A + 2 * B),
    "in": lambda: prove_in(B + A + SYMBOL, Interval(0, 3)),
    "distinct": lambda: prove_distinct((B + A) % 4, B, 4),
    "injective": lambda: prove_injective(BLOCK),
    "disjoint": lambda: prove_disjoint(BLOCK, BLOCK, {B: B - 1}),
    "bounds": lambda: prove_in_bounds(BLOCK, Interval(0, 100)),
    "bijective": lambda: prove_bijective(RingMap([B, A], [B + A], [(0, 64)])),
    "outside": lambda: prove_bijective(RingMap([B, A], [8 * B + A], [(0, 62)])),
    "fits": lambda: prove_fits(100 * B + 3 * A + SYMBOL, 8),
    "never": lambda: prove_never([icmp(B + A, "==", 3)]),
}


@pytest.mark.parametrize("ask", WRONG.values(), ids=WRONG)
def test_counterexamples_of_all_claims_have_one_order(ask: Callable[[], Verdict]):
    """Term order, whatever the claim lists first; positions in a tile come last."""
    refuted = ask()
    assert isinstance(refuted, Refuted)

    for point in (refuted.model, refuted.other or {}):
        keys = [idx.order_key for idx in point]
        assert keys == sorted(keys)
        assert [idx.name for idx in point][-2:] in (["a", "b"], ["b", "free0"], [])


def test_metavariables_keep_their_order():
    """They are texts, and stand as the law names them."""
    assert list(Refuted({"x": 1, "c": 2}).model) == ["x", "c"]
