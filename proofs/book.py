"""The lemma book: what is proved of every law, every range rule and the evaluator.

For each record: it holds for all values of its metavariables; each of its facts is
needed; its facts do not contradict each other; every point of a small box agrees; and
the facts of the modelled system imply its facts.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pelican.laws.lemma import CongruenceRule, Fact, Lemma, Record
from pelican.lemmas import (
    BUILDER,
    CONGRUENCE_RULES,
    IDENTITIES,
    LEMMAS,
    RANGE_RULES,
)
from pelican.schema import SCHEMA
from proofs.box import BoxResult, enumerate_box
from proofs.certificate import check_certificate, check_class, foundations
from proofs.evaluator import prove_evaluator, prove_mod_range
from proofs.obligation import Obligation, worst
from proofs.rings import RingProof, prove_rings
from proofs.second_solver import second_opinion
from proofs.verdict import Proved, Refuted, Unknown, Verdict
from proofs.witness import admits, ask_modelled, ask_record


@dataclass(frozen=True, slots=True)
class GuardProof:
    """What happens to a record without one of its facts.

    Attributes:
        guard: The fact that was left out.
        counterexample: Values for which the record then fails; None if none was
            found, so that the fact may be idle.
    """

    guard: Fact
    counterexample: Mapping[str, int] | None

    @property
    def needed(self) -> bool:
        """True if the record fails without the fact."""
        return self.counterexample is not None


@dataclass(frozen=True, slots=True)
class RecordProof:
    """What is known of one record.

    Attributes:
        record: The law or range rule.
        verdict: Whether it holds for all values: solver and box together.
        obligations: What was shown: by the solver, or by the normal form of a
            certificate.
        encoding: How it was asked: ``certificate`` or ``witness``.
        seconds: Time for all that was asked about the record [s].
        second: What the second solver says of the same; None where it is not installed.
        points: Number of points of the box at which the facts hold.
        guards: One entry per fact.
        modelled: Whether the facts of the modelled system imply those of the record.
    """

    record: Record
    verdict: Verdict
    obligations: tuple[Obligation, ...]
    encoding: str
    seconds: float
    second: Verdict | None
    points: int
    guards: tuple[GuardProof, ...]
    modelled: Verdict

    @property
    def solver(self) -> Verdict:
        """What z3 and the normal form say, without the box."""
        return worst(self.obligations)

    @property
    def work(self) -> int:
        """Resource units that z3 spent on the verdict."""
        return sum(obligation.work for obligation in self.obligations)

    @property
    def origin(self) -> str:
        """``modelled`` if the modelled system has the law, else ``extension``."""
        modelled = isinstance(self.record, Lemma) and self.record.modelled is not None
        return "modelled" if modelled else "extension"

    @property
    def failures(self) -> tuple[str, ...]:
        """What is wrong with the record, one sentence each; empty if nothing."""
        found = []
        if not isinstance(self.verdict, Proved):
            found.append(f"{self.record.name}: {self.verdict}")
        if not isinstance(self.second, Proved | None):
            found.append(f"{self.record.name}: the second solver says {self.second}")
        found += [
            f"{self.record.name}: nothing shows that {guard.guard} is needed"
            for guard in self.guards
            if not guard.needed
        ]
        if not isinstance(self.modelled, Proved):
            found.append(
                f"{self.record.name}: the modelled facts do not imply the facts, "
                f"{self.modelled}"
            )
        return tuple(found)


@dataclass(frozen=True, slots=True)
class BookResult:
    """The whole book.

    Attributes:
        lemmas: The builder's equations, then the laws.
        ranges: The range rules, then the congruence rules.
        foundations: The lemmas that encodings lean on.
        evaluator: The machine code is the floored mod and the floored quotient.
        mod_range: ``x mod n`` fills [0, n).
        rings: What holds of every ring.
    """

    lemmas: tuple[RecordProof, ...]
    ranges: tuple[RecordProof, ...]
    foundations: tuple[Obligation, ...]
    evaluator: tuple[Obligation, ...]
    mod_range: Obligation
    rings: tuple[RingProof, ...]

    @property
    def records(self) -> tuple[RecordProof, ...]:
        """All records, in the order of the book."""
        return self.lemmas + self.ranges

    @property
    def obligations(self) -> tuple[Obligation, ...]:
        """What is proved beside the records: the foundations and the evaluator."""
        return (*self.foundations, *self.evaluator, self.mod_range)

    @property
    def failures(self) -> tuple[str, ...]:
        """What is wrong, one sentence each; empty if the book holds."""
        return (
            *(failure for proof in self.records for failure in proof.failures),
            *(
                f"{shown.name}: {shown.verdict}"
                for shown in self.obligations
                if not isinstance(shown.verdict, Proved)
            ),
            *(failure for ring in self.rings for failure in ring.failures),
        )


def prove_book() -> BookResult:
    """Return the proofs of every record that pelican uses."""
    base = foundations()
    return BookResult(
        lemmas=tuple(
            prove_record(record, base) for record in (*BUILDER, *IDENTITIES, *LEMMAS)
        ),
        ranges=tuple(
            prove_record(record, base) for record in (*RANGE_RULES, *CONGRUENCE_RULES)
        ),
        foundations=base,
        evaluator=prove_evaluator(),
        mod_range=Obligation.of(
            "x mod n fills [0, n), both ends reached", prove_mod_range()
        ),
        rings=prove_rings(),
    )


def prove_record(record: Record, base: Sequence[Obligation]) -> RecordProof:
    """Return what is known of one record.

    Args:
        record: A law or a range rule.
        base: The proved `foundations`.
    """
    start = time.perf_counter()
    box = enumerate_box(record)
    encoding, shown = _show(record)
    enumerated = _enumerated(record, box)
    guards = tuple(_drop(record, guard) for guard in record.given)
    modelled = _prove_modelled(record)
    return RecordProof(
        record=record,
        verdict=worst([*base, *shown, *enumerated]),
        obligations=shown,
        encoding=encoding,
        seconds=time.perf_counter() - start,
        second=second_opinion(shown),
        points=box.points,
        guards=guards,
        modelled=modelled,
    )


def _show(record: Record) -> tuple[str, tuple[Obligation, ...]]:
    """Return the encoding that suits a record and what the solver made of it."""
    if isinstance(record, CongruenceRule):
        return "certificate", _searched(record, check_class(record))
    if not isinstance(record, Lemma) or record.quotient is None:
        return "witness", (Obligation.of("law", ask_record(record)),)
    return "certificate", _searched(record, check_certificate(record))


def _searched(record: Record, shown: tuple[Obligation, ...]) -> tuple[Obligation, ...]:
    """Return what a certificate owes, and a counterexample where it fails."""
    if not isinstance(worst(shown), Proved):
        # A wrong certificate is no counterexample; a search may find one.
        searched = Obligation.of("law", ask_record(record))
        if isinstance(searched.verdict, Refuted):
            return (*shown, searched)
    return shown


def _enumerated(record: Record, box: BoxResult) -> list[Obligation]:
    if box.counterexample is not None:
        return [Obligation("box", Refuted(box.counterexample))]
    if box.satisfying is None:
        return [Obligation("box", Unknown("the facts hold nowhere in the box"))]
    if not admits(record, box.satisfying):
        return [Obligation("box", Unknown("the witness facts contradict each other"))]
    return [Obligation("box", Proved(0.0))]


def _drop(record: Record, guard: Fact) -> GuardProof:
    """Return a counterexample to a record without one fact: first the box, then z3."""
    rest = [fact for fact in record.given if fact is not guard]
    found = enumerate_box(record, rest).counterexample
    if found is None:
        verdict = ask_record(record, rest).verdict
        found = verdict.model if isinstance(verdict, Refuted) else None
    return GuardProof(guard, found)


def _prove_modelled(record: Record) -> Verdict:
    modelled = record.modelled if isinstance(record, Lemma) else None
    if modelled is None:
        return Proved(0.0)
    if enumerate_box(record, modelled).satisfying is None:
        return Unknown("the modelled facts hold nowhere in the box")
    answers = [ask_modelled(record, modelled, fact) for fact in record.given]
    return worst([Obligation.of("modelled", answer) for answer in answers])


def to_json(result: BookResult) -> dict[str, Any]:
    """Return the book as the object that ``pelican prove --json`` prints.

    The second opinion is None where its solver is not installed.
    """
    return {
        "schema": SCHEMA,
        "lemmas": [_record_to_json(proof) for proof in result.lemmas],
        "ranges": [_record_to_json(proof) for proof in result.ranges],
        "evaluator": _obligations_to_json(result.evaluator),
        "range": _obligations_to_json((result.mod_range,)),
        "rings": [_ring_to_json(ring) for ring in result.rings],
    }


def _record_to_json(proof: RecordProof) -> dict[str, Any]:
    return {
        "name": proof.record.name,
        "origin": proof.origin,
        "verdict": proof.verdict.word,
        "seconds": proof.seconds,
        "solvers": _solvers(proof.solver, proof.second),
        "guards": [
            {
                "guard": str(guard.guard),
                "needed": guard.needed,
                "counterexample": guard.counterexample,
            }
            for guard in proof.guards
        ],
    }


def _solvers(first: Verdict, second: Verdict | None) -> dict[str, str | None]:
    return {"z3": first.word, "cvc5": None if second is None else second.word}


def _ring_to_json(ring: RingProof) -> dict[str, Any]:
    return {
        "name": ring.name,
        "verdict": ring.verdict.word,
        "seconds": sum(step.seconds for step in ring.steps),
        "solvers": _solvers(ring.verdict, ring.second),
    }


def _obligations_to_json(obligations: Sequence[Obligation]) -> dict[str, Any]:
    return {
        "verdict": worst(obligations).word,
        "seconds": sum(obligation.seconds for obligation in obligations),
    }
