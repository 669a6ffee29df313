"""Every law is changed a little, and the change must be caught."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from pelican.lemma import CongruenceRule, Fact, Lemma, RangeRule, Record
from pelican.lemmas import RANGE_RULES, RECORDS
from pelican.term import Term, evaluate, subterms
from proofs.book import prove_record
from proofs.box import enumerate_box, points_of
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
    for shifted in _shifts(_side(record)):
        yield f"{record.name}: {shifted}", _changed(record, side=shifted)


def _side(record: Record) -> Term:
    """Return what a record says of its left side."""
    if isinstance(record, Lemma):
        return record.rhs
    if isinstance(record, CongruenceRule):
        return record.residue
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
    if isinstance(record, CongruenceRule):
        return CongruenceRule(
            name=record.name,
            subject=record.subject,
            modulus=record.modulus,
            residue=record.residue if side is None else side,
            quotient=record.quotient,
            given=facts,
            uses=record.uses,
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
        certifies=record.certifies,
        uses=record.uses,
        source=record.source,
    )


def is_tight(rule: RangeRule) -> bool:
    """Tell whether the bound is reached, whatever the known ends are."""
    points = points_of(rule, rule.given)
    ends = [points[v.args[0]] for v in rule.metavariables if v.op == "literal"]
    _, case = np.unique(np.stack(ends), axis=1, return_inverse=True)
    reached = evaluate(rule.subject, points) == evaluate(rule.bound, points)
    return set(case) == set(case[reached])


def is_caught(mutant: Record) -> bool:
    """Tell whether the box, the proof or the tightness of a bound shows a change."""
    if enumerate_box(mutant).counterexample is not None:
        return True
    if isinstance(mutant, RangeRule) and not is_tight(mutant):
        return True
    return not isinstance(prove_record(mutant, ()).verdict, Proved)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_every_mutant_is_caught(record: Record):
    """A fact dropped or weakened, a number on the right shifted by one."""
    survivors = [name for name, mutant in mutants(record) if not is_caught(mutant)]

    assert survivors == []


def test_there_are_mutants_of_every_record():
    """A test without mutants would catch all of them."""
    assert all(list(mutants(record)) for record in RECORDS)


@pytest.mark.parametrize("rule", RANGE_RULES, ids=lambda rule: rule.name)
def test_every_bound_is_reached(rule: RangeRule):
    """For all known ends, some value of the operands reaches the bound."""
    assert is_tight(rule)
