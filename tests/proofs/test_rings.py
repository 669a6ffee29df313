"""What every ring rests on, and the same by counting small rings."""

from __future__ import annotations

from math import gcd

import pytest
import z3

from proofs.book import BookResult
from proofs.obligation import Obligation
from proofs.rings import RingProof
from proofs.solver import Implication, ask
from proofs.verdict import Proved, Refuted, Unknown

MAX_WORK = 2_000_000
"""Most work that one step may cost: well under a second."""


@pytest.fixture(scope="module")
def steps(book: BookResult) -> list[Obligation]:
    """Return every step of every statement about rings."""
    return [step for ring in book.rings for step in ring.steps]


def _implication(step: Obligation) -> Implication:
    assert step.question is not None
    return step.question


def test_every_statement_is_proved_by_both_solvers(book: BookResult):
    """For all sizes, strides, starts and steps."""
    assert [ring.failures for ring in book.rings] == [(), (), ()]
    assert all(isinstance(ring.second, Proved) for ring in book.rings)


def test_no_step_costs_much_work(steps: list[Obligation]):
    """Work is counted by the solver and does not jitter."""
    assert all(step.work < MAX_WORK for step in steps)


def test_every_assumption_is_needed(steps: list[Obligation]):
    """Without any one of them the step is refuted."""
    idle = [
        f"{step.name}: {left_out}"
        for step in steps
        for left_out in _implication(step).given
        if not isinstance(_without(_implication(step), left_out), Refuted)
    ]

    assert idle == []


def _without(question: Implication, left_out: z3.BoolRef) -> object:
    rest = [fact for fact in question.given if fact is not left_out]
    return ask(rest, question.claim, ()).verdict


def test_the_assumptions_hold_together(steps: list[Obligation]):
    """A step from facts that contradict each other would say nothing."""
    for step in steps:
        nothing = z3.BoolVal(val=False)
        assert isinstance(ask(_implication(step).given, nothing, ()).verdict, Refuted)


def test_the_period_is_that_of_small_rings():
    """The proved formula, counted: the first k > 0 that has the slot of 0."""
    for size in range(1, 13):
        for stride in range(1, 13):
            slots = [stride * k % size for k in range(size + 1)]
            period = slots[1:].index(slots[0]) + 1

            assert period == size // gcd(stride, size)


def test_a_step_that_fails_is_a_failure_of_the_statement():
    """The sentence names the statement."""
    doubt = Obligation("step", Unknown("no time"))

    failures = RingProof("a ring", (doubt,), None).failures

    assert failures == ("a ring: unknown, no time",)


def test_a_second_solver_that_disagrees_is_a_failure():
    """Two solvers must say the same."""
    shown = Obligation("step", Proved(0.0))

    failures = RingProof("a ring", (shown,), Refuted({})).failures

    assert failures == ("a ring: the second solver says refuted",)


def test_the_statements_have_different_names(book: BookResult):
    """They are ids in the JSON of the book."""
    names = [ring.name for ring in book.rings]

    assert len(set(names)) == len(names)
