"""The rules as Python code are those of the records."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from pelican.known import rules
from pelican.laws.generate_rules import rules_text
from pelican.laws.term import evaluate, metavariables
from pelican.lemmas import CONGRUENCE_RULES, RANGE_RULES

RULES = Path(rules.__file__)


def test_the_rules_are_written_from_the_records(golden: Callable[[Path, str], None]):
    """Whoever changes a record writes the file again."""
    golden(RULES, rules_text())


@pytest.mark.parametrize("rule", RANGE_RULES, ids=lambda rule: rule.name)
def test_an_end_is_what_its_records_say(rule):
    """Interpreting every rule of an end, the tightest is the function's value."""
    name = "joint_lower" if rule.name.startswith("joint") else _function(rule.name)
    group = [r for r in RANGE_RULES if _same_end(r, rule)]
    tightest = max if rule.lower else min
    for values in product([None, -7, 0, 3, 8], repeat=len(_names(group))):
        known = dict(zip(_names(group), values, strict=True))
        if any(known[n] is None or known[n] < 1 for n in _divisors(group) & set(known)):
            continue
        if any(
            v is None for n, v in known.items() if n in {"c", "p", "t", "first", "step"}
        ):
            continue
        ends = [_interpreted(r, known) for r in group]
        found = [end for end in ends if end is not None]

        assert getattr(rules, name)(**known) == tightest(found, default=None)


def _function(rule: str) -> str:
    words = [w for w in rule.split("-") if w not in {"negative", "period"}]
    return "_".join(words)


def _same_end(one, other) -> bool:
    return str(one.subject) == str(other.subject) and one.lower == other.lower


def _decided(rule):
    yield rule.bound
    for fact in rule.given:
        if all(t.op == "literal" for t in metavariables((fact.left, fact.right))):
            yield from (fact.left, fact.right)


def _names(group) -> list[str]:
    return [t.args[0] for t in metavariables(t for r in group for t in _decided(r))]


def _divisors(group) -> set[str]:
    return {str(t) for rule in group for t in rule.divisors}


def _interpreted(rule, known) -> int | None:
    names = [t.args[0] for t in metavariables(_decided(rule))]
    if any(known[name] is None for name in names):
        return None
    facts = [
        fact
        for fact in rule.given
        if all(t.op == "literal" for t in metavariables((fact.left, fact.right)))
    ]
    return (
        evaluate(rule.bound, known) if all(f.holds_at(known) for f in facts) else None
    )


@pytest.mark.parametrize("rule", CONGRUENCE_RULES, ids=lambda rule: rule.name)
def test_a_class_is_what_its_record_says(rule):
    """Modulus and residue, or None where a fact fails."""
    sides = [side for fact in rule.given for side in (fact.left, fact.right)]
    terms = [rule.modulus, rule.residue, *sides]
    names = [t.args[0] for t in metavariables(terms)]
    for values in product([1, 2, 3, 8], repeat=len(names)):
        known = dict(zip(names, values, strict=True))
        expected = (evaluate(rule.modulus, known), evaluate(rule.residue, known))
        holds = all(fact.holds_at(known) for fact in rule.given)

        found = getattr(rules, rule.name.replace("-", "_"))(**known)
        assert found == (expected if holds else None)
