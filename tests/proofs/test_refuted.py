from __future__ import annotations

from collections.abc import Mapping

import pytest
import z3

from pelican.laws.lemma import Fact, Lemma
from pelican.laws.term import evaluate
from proofs.box import enumerate_box, points_of
from proofs.encode import RecordEncoder
from proofs.refuted import REFUTED, WrongLaw
from proofs.solver import ask
from proofs.verdict import Proved, Refuted
from proofs.witness import ask_record

every_wrong_law = pytest.mark.parametrize(
    "wrong", REFUTED, ids=[wrong.law.name for wrong in REFUTED]
)


def _holds(fact: Fact, point: Mapping[str, int]) -> bool:
    left, right = evaluate(fact.left, point), evaluate(fact.right, point)
    relations = {"<": left < right, "<=": left <= right, "==": left == right}
    return bool(relations[fact.relation])


def _breaks(law: Lemma, point: Mapping[str, int]) -> bool:
    """Tell whether the facts of a law hold at a point and the law fails there."""
    divisors = all(evaluate(d, point) >= 1 for d in law.divisors)
    facts = all(_holds(fact, point) for fact in law.given)
    return divisors and facts and not _holds(law.claim, point)


@every_wrong_law
def test_the_solver_refutes_every_wrong_law(wrong: WrongLaw):
    """Its counterexample breaks the law in Python's arithmetic."""
    verdict = ask_record(wrong.law).verdict

    assert isinstance(verdict, Refuted)
    assert _breaks(wrong.law, verdict.model)


@every_wrong_law
def test_the_small_box_refutes_every_wrong_law(wrong: WrongLaw):
    """Its counterexample breaks the law in Python's arithmetic."""
    counterexample = enumerate_box(wrong.law).counterexample

    assert counterexample is not None
    assert _breaks(wrong.law, counterexample)


@every_wrong_law
def test_the_known_counterexample_breaks_the_law(wrong: WrongLaw):
    """The point that the corpus records is one."""
    assert _breaks(wrong.law, wrong.counterexample)


def test_no_two_wrong_laws_have_one_name():
    """The name is the id of the entry."""
    names = [wrong.law.name for wrong in REFUTED]

    assert len(set(names)) == len(names)


@every_wrong_law
def test_every_counterexample_has_the_shape(wrong: WrongLaw):
    """Where a fact of the shape fails, the law holds: the solver proves it."""
    for fact in wrong.shape:
        encoder = RecordEncoder(wrong.law)
        given = [encoder.fact(known) for known in wrong.law.given]
        broken = z3.Not(encoder.fact(wrong.law.claim))
        wanted = encoder.fact(fact)
        known = [*encoder.facts, *encoder.comparisons(), *given, broken]

        assert isinstance(ask(known, wanted, ()).verdict, Proved)


def test_a_law_without_a_shape_holds_nowhere():
    """Any point refutes it."""
    shapeless = [wrong for wrong in REFUTED if not wrong.shape]

    assert [wrong.law.name for wrong in shapeless] == ["parity-flip-without-shift"]
    for wrong in shapeless:
        points = points_of(wrong.law, wrong.law.given)
        left, right = (evaluate(s, points) for s in (wrong.law.lhs, wrong.law.rhs))

        assert (left != right).all()


def test_the_corpus_is_not_small():
    """A file that is not read is missed here."""
    assert len(REFUTED) >= 33
