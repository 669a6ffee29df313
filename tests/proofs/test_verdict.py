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
