"""Every law is changed a little, and the change must be caught."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pelican.lemma import Fact, Lemma, RangeRule, Record, Term, subterms
from pelican.lemmas import RECORDS
from proofs.book import prove_record
from proofs.verdict import Proved

SHIFTABLE = frozenset({"int", "literal"})


def mutants(record: Record) -> Iterator[tuple[str, Record]]:
    """Yield small changes of a record, each with a name."""
    for guard in record.given:
        rest = tuple(fact for fact in record.given if fact is not guard)
        yield f"{record.name}: without {guard}", _changed(record, given=rest)
        if guard.relation == "<":
            weak = Fact("<=", guard.left, guard.right)
            yield f"{record.name}: {weak}", _changed(record, given=(*rest, weak))
    side = record.rhs if isinstance(record, Lemma) else _bound(record)
    for shifted in _shifts(side):
        yield f"{record.name}: {shifted}", _changed(record, side=shifted)


def _bound(record: Record) -> Term:
    assert isinstance(record, RangeRule)
    return record.bound


def _shifts(side: Term) -> Iterator[Term]:
    """Yield the term with one number or literal one more or less, and both ends."""
    for change in (1, -1):
        yield side + change
        for place in range(sum(t.op in SHIFTABLE for t in subterms(side))):
            yield _shift(side, [place], change)


def _shift(term: Term, place: list[int], change: int) -> Term:
    """Return the term with the literal at a place shifted; counts `place` down."""
    if term.op in SHIFTABLE:
        place[0] -= 1
        return term + change if place[0] == -1 else term
    if term.op == "expr":
        return term
    return Term(term.op, *(_shift(arg, place, change) for arg in term.args))


def _changed(
    record: Record,
    *,
    given: tuple[Fact, ...] | None = None,
    side: Term | None = None,
) -> Record:
    facts = record.given if given is None else given
    if isinstance(record, RangeRule):
        return RangeRule(
            name=record.name,
            subject=record.subject,
            bound=record.bound if side is None else side,
            lower=record.lower,
            given=facts,
            source=record.source,
        )
    assert isinstance(record, Lemma)
    return Lemma(
        name=record.name,
        lhs=record.lhs,
        rhs=record.rhs if side is None else side,
        given=facts,
        quotient=record.quotient,
        remainder=record.remainder,
        source=record.source,
    )
