"""Small changes of a record, each of which must make it wrong.

A proof that held for a changed law as well would say little of the law. The tests
show that every mutant is caught: by the small box, by a proof that fails, or, for a
bound, because it is reached no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pelican.laws.lemma import CongruenceRule, Fact, Lemma, RangeRule, Record
from pelican.laws.term import Term, subterms

_SHIFTABLE: Final = frozenset({"int", "literal"})


def mutants(record: Record) -> Iterator[tuple[str, Record]]:
    """Yield small changes of a record, each with a name.

    Each fact is left out, flipped and weakened; each number and literal of the right
    side, and the whole side, is one more and one less.

    >>> from pelican.lemmas.floordiv import MOD_FLOORDIV
    >>> for name, _ in mutants(MOD_FLOORDIV):
    ...     print(name)
    mod-floordiv: without m <= d
    mod-floordiv: d <= m
    mod-floordiv: m <= d + 1
    mod-floordiv: 0 + 1
    mod-floordiv: 0 + 1
    mod-floordiv: 0 + (-1)
    mod-floordiv: 0 + (-1)
    """
    for guard in record.given:
        rest = tuple(fact for fact in record.given if fact is not guard)
        yield f"{record.name}: without {guard}", _changed(record, given=rest)
        for other in _others(guard):
            yield f"{record.name}: {other}", _changed(record, given=(*rest, other))
    for shifted in _shifts(_side(record)):
        yield f"{record.name}: {shifted}", _changed(record, side=shifted)


def _others(guard: Fact) -> Iterator[Fact]:
    """Yield a fact flipped, and the facts that are a little weaker."""
    if guard.relation != "==":
        yield Fact(guard.relation, guard.right, guard.left)
    if guard.relation == "<":
        yield Fact("<=", guard.left, guard.right)
    if guard.relation == "<=":
        yield Fact("<=", guard.left, guard.right + 1)
    if guard.relation == "==":
        yield Fact("<=", guard.left, guard.right)
        yield Fact("<=", guard.right, guard.left)


def _side(record: Record) -> Term:
    """Return what a record says of its left side."""
    if isinstance(record, Lemma):
        return record.rhs
    if isinstance(record, CongruenceRule):
        return record.residue
    if isinstance(record, RangeRule):
        return record.bound
    raise TypeError(record)


def _shifts(side: Term) -> Iterator[Term]:
    """Yield the term with one number or literal one more or less, and both ends."""
    for change in (1, -1):
        yield side + change
        for place in range(sum(t.op in _SHIFTABLE for t in subterms(side))):
            yield _shift(side, [place], change)


def _shift(term: Term, place: list[int], change: int) -> Term:
    """Return the term with the literal at a place shifted; counts `place` down."""
    if term.op in _SHIFTABLE:
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
    if not isinstance(record, Lemma):
        raise TypeError(record)
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
