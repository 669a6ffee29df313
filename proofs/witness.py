"""Proofs by search: a record in witness form, handed to the solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pelican.laws.lemma import Fact, Record
from proofs.encode import RecordEncoder
from proofs.solver import Answer, Implication, ask, satisfiable


def ask_record(record: Record, given: Iterable[Fact] | None = None) -> Answer:
    """Return whether facts imply the claim of a record, all metavariables free.

    Args:
        record: A law or a range rule.
        given: The facts that are assumed; those of the record by default.
    """
    encoder, question = _implication(record, given, record.claim)
    return ask(question.given, question.claim, encoder.constants)


def ask_modelled(record: Record, modelled: Iterable[Fact], fact: Fact) -> Answer:
    """Return whether the facts of the modelled system imply one fact of a record."""
    encoder, question = _implication(record, modelled, fact)
    return ask(question.given, question.claim, encoder.constants)


def implication_at(
    record: Record, given: Iterable[Fact], point: Mapping[str, int]
) -> Implication:
    """Return the question whether facts imply the claim of a record at one point."""
    encoder, question = _implication(record, given, record.claim)
    at = [encoder.variables[name].term == value for name, value in point.items()]
    return Implication((*question.given, *at), question.claim)


def _implication(
    record: Record, given: Iterable[Fact] | None, claim: Fact
) -> tuple[RecordEncoder, Implication]:
    encoder = RecordEncoder(record)
    assumed = [encoder.fact(f) for f in (record.given if given is None else given)]
    wanted = encoder.fact(claim)
    facts = (*encoder.facts, *encoder.comparisons(), *assumed)
    return encoder, Implication(facts, wanted)


def admits(record: Record, point: Mapping[str, int]) -> bool:
    """Return True if the witness facts hold at a point at which the facts do.

    A proof from facts that contradict each other would say nothing.
    """
    encoder = RecordEncoder(record)
    facts = [encoder.fact(fact) for fact in record.given]
    encoder.fact(record.claim)
    at = [encoder.variables[name].term == value for name, value in point.items()]
    return satisfiable([*encoder.facts, *encoder.comparisons(), *facts, *at])
