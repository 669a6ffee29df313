"""Laws over sums of any length: the page of the induction, and what it leans on."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from pelican.laws.lemma import CongruenceRule, Lemma, RangeRule
from pelican.laws.term import Term, as_term, evaluate, expr, metavariables, subterms
from pelican.lemmas import BUILDER, RECORDS

PAGE = Path(__file__).parents[2] / "docs" / "induction.md"
ROW = re.compile(r"^\| `([a-z-]+)` \|(?: `(.*?)` \| `(.*?)` \| `(.*?)` \|)?", re.M)

LIFTED = [law for law in RECORDS if isinstance(law, Lemma) and law.rest is not None]
"""The laws that the kernel may apply to several terms in one pass."""

every_law = pytest.mark.parametrize("law", LIFTED, ids=lambda law: law.name)


def listed() -> dict[str, tuple[str, str, str]]:
    """Return the u, v and w of each law on the page; empty for records without."""
    found = ROW.finditer(PAGE.read_text(encoding="utf-8"))
    return {row[1]: (row[2] or "", row[3] or "", row[4] or "") for row in found}


def parts(law: Lemma) -> tuple[Term, Term, Term]:
    """Return the u, v and w of a law: its sides over the rest 0."""
    division, outside = _apart(law.rhs)
    return _numerator(law.lhs), _numerator(division), outside


def _apart(side: Term) -> tuple[Term, Term]:
    return side.args if side.op == "+" else (side, as_term(0))


def _numerator(division: Term) -> Term:
    """Return a numerator without its rest ``r``, which comes last."""
    numer = division.args[0]
    return as_term(0) if numer == expr("r") else numer.args[0]


def _speaks_of_sums(record: object) -> bool:
    """Tell whether a record is applied to all operands of a sum, two at a time."""
    if isinstance(record, Lemma):
        two = record in BUILDER and any(t.op == "+" for t in subterms(record.lhs))
        return record.name == "zero-term" or two
    if isinstance(record, RangeRule):
        return record.subject == expr("x") + expr("y")
    return isinstance(record, CongruenceRule) and record.name == "sum-class"


def test_every_law_over_many_terms_is_on_the_page():
    """And no other: those with a rest, and those about sums."""
    names = [law.name for law in LIFTED]
    names += [record.name for record in RECORDS if _speaks_of_sums(record)]

    assert set(listed()) == set(names)


@every_law
def test_the_page_states_each_law_as_it_is(law: Lemma):
    """Its u, v and w are those of the record."""
    assert listed()[law.name] == tuple(map(str, parts(law)))


@every_law
def test_the_rest_is_free(law: Lemma):
    """It is a summand of both numerators, and nothing else speaks of it."""
    r = expr("r")
    elsewhere = [*parts(law), *law.divisors]
    elsewhere += [term for fact in law.given for term in (fact.left, fact.right)]
    elsewhere += [t for fact in law.modelled or () for t in (fact.left, fact.right)]

    assert law.rest == "r"
    assert r not in metavariables(elsewhere)
    assert evaluate_sides(law, 0) == law.lhs
    assert evaluate_sides(law, 1) == law.rhs


def evaluate_sides(law: Lemma, which: int) -> Term:
    """Return a side of the law, put together from u, v, w and the rest."""
    u, v, w = parts(law)
    r, part = expr("r"), (u, v)[which]
    numer = r if part == as_term(0) else part + r
    division = Term(law.lhs.op, numer, law.lhs.args[1])
    return division if which == 0 or w == as_term(0) else division + w


@every_law
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_what_a_step_builds_is_what_the_next_one_matches(law: Lemma, count: int):
    """One-term steps lead from all terms on the left to all on the right."""
    draw = random.Random(count)
    for _ in range(20):
        own, s = instances(law, count, draw), draw.randint(-50, 50)
        left, right, outside = (
            [int(evaluate(part, binding)) for binding in own] for part in parts(law)
        )
        value = divided(law, sum(left) + s, own[0]["n"])
        for k, binding in enumerate(own):
            rest = sum(right[:k]) + sum(left[k + 1 :]) + s
            step, before = {**binding, "r": rest}, sum(outside[:k])
            assert value == evaluate(law.lhs, step) + before
            assert value == evaluate(law.rhs, step) + before
        assert value == divided(law, sum(right) + s, own[0]["n"]) + sum(outside)


def divided(law: Lemma, numer: int, n: int) -> int:
    """Return what the operation of a law makes of a numerator."""
    return numer % n if law.lhs.op == "%" else numer // n


def instances(law: Lemma, count: int, draw: random.Random) -> list[dict[str, int]]:
    """Return values of the letters with one n, the facts of the law holding."""
    n = draw.randint(1, 6)
    found: list[dict[str, int]] = []
    while len(found) < count:
        own = {v.args[0]: draw.randint(-9, 9) for v in law.metavariables}
        own |= {"n": n, "m": draw.randint(1, 6)}
        if all(fact.holds_at(own) for fact in law.given):
            found.append(own)
    return found
