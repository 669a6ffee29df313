from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pelican.laws.lemma import CongruenceRule, Lemma, eq, le
from pelican.laws.term import expr, literal
from pelican.lemmas import RECORDS
from pelican.lemmas.floordiv import MOD_FLOORDIV
from pelican.lemmas.modulo import SUM_MOD_DROP
from proofs import book as book_module
from proofs.book import BookResult, RecordProof, prove_record, to_json
from proofs.obligation import Obligation
from proofs.verdict import Proved, Refuted, Unknown

Golden = Callable[[Path, str], None]

NAMES = [record.name for record in RECORDS]
every_record = pytest.mark.parametrize("name", NAMES)

WORK = Path(__file__).parent / "data" / "work.json"
"""Resource units that each record cost when the file was last rewritten."""

NOISE = 150_000
"""What is below it costs little, and depends on what was asked before."""

x, d, m, n = expr("x"), literal("d"), literal("m"), literal("n")


def _proof(book: BookResult, name: str) -> RecordProof:
    return next(proof for proof in book.records if proof.record.name == name)


def test_every_record_is_in_the_book(book: BookResult):
    """In the order of the records."""
    assert [proof.record.name for proof in book.records] == NAMES


def test_the_book_holds(book: BookResult):
    """Everything is proved, and every fact is needed."""
    assert book.failures == ()


@every_record
def test_every_record_is_proved(book: BookResult, name: str):
    """For all values of its metavariables, by the solver and in the box."""
    assert isinstance(_proof(book, name).verdict, Proved)


@every_record
def test_every_fact_is_needed(book: BookResult, name: str):
    """Each fact that is left out gives a counterexample."""
    assert all(guard.needed for guard in _proof(book, name).guards)


@every_record
def test_the_box_of_every_record_has_points(book: BookResult, name: str):
    """The facts hold somewhere in the box."""
    assert _proof(book, name).points > 0


def test_the_stored_work_is_up_to_date(
    request: pytest.FixtureRequest, golden: Golden, book: BookResult
):
    """Every record has an entry, and no other has."""
    stored = _stored()
    if set(stored) != set(NAMES) or request.config.getoption("--update-golden"):
        stored = {proof.record.name: proof.work for proof in book.records}

    golden(WORK, json.dumps(stored, indent=2) + "\n")


def _stored() -> dict[str, int]:
    return dict(json.loads(WORK.read_text(encoding="utf-8"))) if WORK.exists() else {}


@every_record
def test_no_record_costs_twice_its_stored_work(book: BookResult, name: str):
    """Work is counted by the solver and jitters less than time does."""
    assert _proof(book, name).work <= 2 * max(_stored()[name], NOISE)


@every_record
def test_the_modelled_facts_imply_the_facts(book: BookResult, name: str):
    """The laws of the modelled system are special cases."""
    assert isinstance(_proof(book, name).modelled, Proved)


def test_laws_with_a_certificate_are_proved_by_it(book: BookResult):
    """No search where the law names quotient and remainder."""
    certified = {p.record.name for p in book.records if p.encoding == "certificate"}

    assert certified == {
        r.name
        for r in RECORDS
        if isinstance(r, (Lemma, CongruenceRule)) and r.quotient is not None
    }


def test_a_law_that_fails_is_refuted():
    """The point is one of the box or of the solver."""
    wrong = Lemma(name="wrong", lhs=(x % m) // d, rhs=0, source="test")

    proof = prove_record(wrong, ())

    assert isinstance(proof.verdict, Refuted)
    assert "refuted" in proof.failures[0]


def test_a_foundation_that_fails_is_a_failure_of_the_book(book: BookResult):
    """The sentence names it."""
    shaky = Obligation("uniqueness", Unknown("no time"))

    failures = replace(book, foundations=(shaky,)).failures

    assert failures == ("uniqueness: unknown, no time",)


def test_an_idle_fact_is_a_failure():
    """A fact that is not needed is named."""
    idle = le(0, x % m)
    law = Lemma(
        name="idle", lhs=(x % m) // d, rhs=0, given=(le(m, d), idle), source="test"
    )

    proof = prove_record(law, ())

    assert proof.failures == ("idle: nothing shows that 0 <= x mod m is needed",)


def test_a_wrong_certificate_of_a_true_law_is_unknown():
    """The law is not taken as proved by search: its author gave a wrong reason."""
    law = Lemma(
        name="off",
        lhs=SUM_MOD_DROP.lhs,
        rhs=SUM_MOD_DROP.rhs,
        given=SUM_MOD_DROP.given,
        quotient=0,
        remainder=SUM_MOD_DROP.remainder,
        source="test",
    )

    assert isinstance(prove_record(law, ()).verdict, Unknown)


def test_facts_that_contradict_each_other_are_a_failure():
    """A law from them would say nothing."""
    law = Lemma(name="never", lhs=x % n, rhs=7, given=(eq(n, 0),), source="test")

    assert isinstance(prove_record(law, ()).verdict, Unknown)


def test_a_modelled_fact_that_is_too_weak_is_a_failure():
    """The fact m <= d + 1 does not imply m <= d."""
    law = Lemma(
        name="weak",
        lhs=MOD_FLOORDIV.lhs,
        rhs=0,
        given=MOD_FLOORDIV.given,
        modelled=(le(m, d + 1),),
        source="test",
    )

    assert "modelled" in prove_record(law, ()).failures[0]


def test_modelled_facts_that_contradict_each_other_are_a_failure():
    """They would imply anything."""
    law = Lemma(
        name="never",
        lhs=MOD_FLOORDIV.lhs,
        rhs=0,
        given=MOD_FLOORDIV.given,
        modelled=(eq(m, 0),),
        source="test",
    )

    assert "nowhere" in prove_record(law, ()).failures[0]


def test_witness_facts_that_contradict_each_other_are_a_failure(
    monkeypatch: pytest.MonkeyPatch,
):
    """A proof from them would say nothing."""
    monkeypatch.setattr(book_module, "admits", lambda *_: False)

    verdict = prove_record(MOD_FLOORDIV, ()).verdict

    assert verdict == Unknown("the witness facts contradict each other")


def test_nothing_is_proved_on_a_base_that_is_not():
    """Every proof leans on the foundations."""
    shaky = Obligation("uniqueness", Unknown("not shown"))

    assert isinstance(prove_record(MOD_FLOORDIV, (shaky,)).verdict, Unknown)


def test_the_json_of_the_book_has_the_promised_keys(book: BookResult):
    """The keys of `pelican prove --json`, without the schema."""
    keys = ["schema", "lemmas", "ranges", "evaluator", "range", "rings"]

    assert list(to_json(book)) == keys


def test_the_json_of_a_law_names_its_guards(book: BookResult):
    """With a counterexample for each, and what both solvers say."""
    entry = next(e for e in to_json(book)["lemmas"] if e["name"] == "mod-floordiv")

    del entry["seconds"]
    assert entry == {
        "name": "mod-floordiv",
        "origin": "modelled",
        "verdict": "proved",
        "solvers": {"z3": "proved", "cvc5": "proved"},
        "guards": [
            {
                "guard": "m <= d",
                "needed": True,
                "counterexample": {"d": 1, "m": 2, "x": 1},
            }
        ],
    }


def test_an_equation_of_the_builder_is_an_extension(book: BookResult):
    """The modelled system has no such law."""
    assert _proof(book, "like-terms").origin == "extension"


def test_the_json_is_plain(book: BookResult):
    """It survives a round trip."""
    plain = to_json(book)

    assert json.loads(json.dumps(plain)) == plain
