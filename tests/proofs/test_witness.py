from __future__ import annotations

import pytest

from pelican.laws.lemma import Record, eq, le, lt
from pelican.laws.term import evaluate, expr, literal
from pelican.lemmas import RANGE_RULES
from pelican.lemmas.floordiv import MOD_FLOORDIV
from pelican.lemmas.modulo import NESTED_MOD_DIVIDES, SUM_MOD_INNER
from proofs.verdict import Proved, Refuted
from proofs.witness import admits, ask_modelled, ask_record

x, y, m, n = expr("x"), expr("y"), literal("m"), literal("n")


@pytest.mark.parametrize("rule", RANGE_RULES, ids=lambda rule: rule.name)
def test_every_range_rule_is_proved_by_search(rule: Record):
    """Monotone rules and those of one period too."""
    assert isinstance(ask_record(rule).verdict, Proved)


def test_nested_mods_are_proved_without_their_certificate():
    """The search agrees with the certificate where it ends."""
    assert isinstance(ask_record(NESTED_MOD_DIVIDES).verdict, Proved)


def test_without_its_fact_a_law_is_refuted():
    """The model of the refutation breaks the law in Python's arithmetic."""
    verdict = ask_record(MOD_FLOORDIV, ()).verdict

    assert isinstance(verdict, Refuted)
    assert evaluate(MOD_FLOORDIV.lhs, verdict.model) != 0


def test_the_modelled_fact_implies_the_weaker_one():
    """From m < d follows m <= d."""
    modelled = MOD_FLOORDIV.modelled or ()

    verdict = ask_modelled(MOD_FLOORDIV, modelled, MOD_FLOORDIV.given[0]).verdict

    assert isinstance(verdict, Proved)


def test_a_weaker_modelled_fact_is_refuted():
    """Nothing about n dividing a*m follows from m <= n."""
    verdict = ask_modelled(SUM_MOD_INNER, (le(m, n),), SUM_MOD_INNER.given[0]).verdict

    assert isinstance(verdict, Refuted)


def test_the_witness_facts_hold_at_a_point_of_the_facts():
    """A proof from them is a proof about something."""
    assert admits(NESTED_MOD_DIVIDES, {"m": 8, "n": 4, "x": -30})


def test_contradicting_facts_admit_nothing():
    """No point satisfies them."""
    never = Record(
        name="never",
        given=(lt(x, 0), lt(0, x)),
        claim=eq(x % n, y),
        source="test",
    )

    assert not admits(never, {"n": 1, "x": 0, "y": 0})
