from __future__ import annotations

import pytest

from proofs import Proved, Refuted, Unknown


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
