"""Every law is changed a little, and the change must be caught."""

from __future__ import annotations

import numpy as np
import pytest

from pelican.laws.lemma import RangeRule, Record
from pelican.laws.term import evaluate
from pelican.lemmas import RANGE_RULES, RECORDS
from proofs.book import prove_record
from proofs.box import enumerate_box, points_of
from proofs.mutation import mutants
from proofs.verdict import Proved


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
    """A fact dropped, flipped or weakened, a number on the right shifted by one."""
    survivors = [name for name, mutant in mutants(record) if not is_caught(mutant)]

    assert survivors == []


def test_there_are_mutants_of_every_record():
    """A test without mutants would catch all of them."""
    assert all(list(mutants(record)) for record in RECORDS)


@pytest.mark.parametrize("rule", RANGE_RULES, ids=lambda rule: rule.name)
def test_every_bound_is_reached(rule: RangeRule):
    """For all known ends, some value of the operands reaches the bound."""
    assert is_tight(rule)
