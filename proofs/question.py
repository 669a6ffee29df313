"""A question about expressions, and how it is answered.

Divisors of expressions are constants, so z3's own division is linear here and answers
in milliseconds. The domain of each index (its bounds and its step) is assumed. What
the solver leaves open is tried point by point where the domain is small. A
counterexample is evaluated by pelican before it is shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import z3

from pelican.errors import OperandError, PelicanError, TooLargeError
from pelican.expr import SimpleExpr
from pelican.expr.node import Expr
from pelican.integers import brief
from pelican.tree.kinds import constant, is_comparison, is_constant, is_expr, is_leaf
from pelican.tree.points import point_text
from pelican.tree.printing import brief_text
from proofs.arguments import check_solver, seconds_of
from proofs.deadline import Deadline, TimeIsUpError
from proofs.encode import MAX_DEPTH, Encoder, Integer
from proofs.exhaust import exhaust, has_few_points, is_small
from proofs.side import Leaf, Look, Side, values_of
from proofs.solver import ask
from proofs.verdict import Proved, Refuted, Unknown, Verdict

TRIES: Final = ((False, 0.1), (True, 0.3), (False, 0.6))
"""Whether the other encoding of divisions is tried, and its share of the time limit.
Most questions are answered in the first try; what one encoding leaves open, the other
often answers in milliseconds."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a question speaks of, and how large it is.

    Attributes:
        domain: The leaves of all sides and facts, each once.
        nodes: Parts that are evaluated at a point.
        depth: How deep they are nested.
    """

    domain: tuple[SimpleExpr, ...]
    nodes: int
    depth: int


@dataclass(frozen=True, slots=True)
class Question:
    """Whether a relation holds wherever some facts do.

    Attributes:
        sides: What the relation is about.
        holds: The relation, over integers, arrays of integers or solver terms.
        facts: Comparisons; only the points count at which all of them hold.
        witnesses: As of `proofs.encode.Encoder`.
    """

    sides: tuple[Side, ...]
    holds: Callable[[Sequence[Any]], Any]
    facts: tuple[Side, ...] = ()
    witnesses: bool = False

    @property
    def domain(self) -> tuple[SimpleExpr, ...]:
        """The leaves of all sides and facts, each once."""
        return self.survey().domain

    def survey(self, deadline: Deadline | None = None) -> Survey:
        """Return what the question speaks of and how large it is.

        Raises:
            TimeIsUpError: If the deadline is over before.
        """
        found: dict[SimpleExpr, None] = {}
        depth: dict[int, int] = {}
        seen: set[int] = set()
        nodes = 0
        for side in (*self.sides, *self.facts):
            fresh = []
            for node in side.parts(seen):
                if deadline is not None:
                    deadline.check()
                nodes += 1
                below = (depth.get(id(part), 0) for part in node.parts)
                depth[id(node)] = 1 + max(below, default=0)
                if is_leaf(node) and not side.moved:
                    fresh.append(node)
            ordered = sorted(fresh, key=lambda leaf: leaf.order_key)
            found |= dict.fromkeys(side.leaves() if side.moved else ordered)
        return Survey(tuple(found), nodes, max(depth.values(), default=0))

    def truth(self, leaf: Leaf, look: Look | None = None) -> Any:  # noqa: ANN401 - as the leaves
        """Return whether the relation holds, or a fact does not."""
        holds = self.holds(values_of(self.sides, leaf, look))
        for fact in self.facts:
            holds = holds | (fact.value(leaf, look) != 1)
        return holds


def answered(
    question: Question,
    given: Iterable[Expr],
    timeout_s: float,
    solver: str,
    *,
    known: Verdict | None = None,
) -> Verdict:
    """Return the answer to a question under assumptions.

    Args:
        question: The question, the assumptions left out.
        given: Comparisons that are assumed to hold.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: Name of the solver.
        known: The answer if it is known already.

    Raises:
        OperandError: As `assumed`.
    """
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    if known is not None:
        return known
    every = (*question.facts, *map(Side, facts))
    return decide(replace(question, facts=every), timeout_s)


def assumed(
    given: object, timeout_s: object, solver: object
) -> tuple[Expr, ...] | Unknown:
    """Return the assumptions that are not plainly true.

    Unknown if nobody knows whether they hold anywhere: a proof from a contradiction
    would say nothing.

    Raises:
        OperandError: If one is no comparison, they hold for no values, the time limit
            is none, or there is no such solver.
    """
    limit_s = seconds_of(timeout_s)
    check_solver(solver)
    if is_expr(given) or not isinstance(given, Iterable):
        raise OperandError(
            f"given must be a tuple of comparisons, got {brief_text(given)}",
            hint="write given=(icmp(n, '>=', 8),)",
        )
    facts = tuple(fact for fact in given if not _is_true(fact))
    doubt = _doubt(facts, limit_s)
    return facts if doubt is None else doubt


def _is_true(fact: object) -> bool:
    """Tell whether an assumption folded to true.

    Raises:
        OperandError: If it is none, or folded to false.
    """
    if is_expr(fact) and is_comparison(fact):
        return False
    if is_expr(fact) and is_constant(fact) and fact.constant == 1:
        return True
    if is_expr(fact) and is_constant(fact) and fact.constant == 0:
        raise _contradiction()
    raise OperandError(
        f"an assumption must be a comparison, got {brief_text(fact)}",
        hint="make it by icmp(n, '>=', 8)",
    )


def _contradiction() -> OperandError:
    return OperandError(
        "the assumptions hold for no values",
        hint="an index is inside its declared range: drop an assumption, or widen it",
    )


def _doubt(given: Sequence[Expr], timeout_s: float) -> Unknown | None:
    """Return why it is not known that assumptions hold somewhere, None if it is.

    Raises:
        OperandError: If they hold for no values.
    """
    if not given:
        return None
    verdict = decide(nowhere(tuple(map(Side, given))), timeout_s)
    if isinstance(verdict, Proved):
        raise _contradiction()
    if isinstance(verdict, Refuted):
        return None
    return Unknown(f"whether the assumptions hold anywhere: {verdict.reason}")


def nowhere(facts: tuple[Side, ...]) -> Question:
    """Return the question whether facts hold nowhere."""
    return Question((Side(constant(0)),), lambda values: values[0] != 0, facts)


def told(verdict: Verdict, empty: Question, timeout_s: float, reason: str) -> Verdict:
    """Return the verdict; a proof with a reason where there was nothing to prove.

    Args:
        verdict: The answer to a claim.
        empty: The question whether the claim speaks of no case.
        timeout_s: Time limit, > 0 [s].
        reason: Why a claim that speaks of none holds.
    """
    if not isinstance(verdict, Proved):
        return verdict
    if not isinstance(decide(empty, timeout_s), Proved):
        return verdict
    return Proved(verdict.seconds, reason)


def decide(question: Question, timeout_s: float) -> Verdict:
    """Return the answer: that of every point of a small domain, or the solver's.

    Few points are tried first: that is fast whatever the expressions are, and the first
    one that is wrong is always the same. Which one the solver finds depends on what it
    was asked before.
    """
    deadline = Deadline(timeout_s)
    try:
        survey = question.survey(deadline)
    except TimeIsUpError:
        return Unknown(f"the question was not read in {timeout_s} s")
    small = is_small(survey.domain)
    few = small and has_few_points(survey.domain)
    verdict: Verdict = Unknown("no point was tried")
    if few:
        verdict = _by_points(question, survey, timeout_s / 2)
    if isinstance(verdict, Unknown):
        left_s = max(deadline.left_s, timeout_s / 2)
        verdict = _solved(question, survey, left_s)
    if isinstance(verdict, Unknown) and small and not few:
        verdict = _by_points(question, survey, max(deadline.left_s, timeout_s / 2))
    return verdict


def _by_points(question: Question, survey: Survey, timeout_s: float) -> Verdict:
    """Return the answer of every point of a small domain, a refutation replayed."""
    verdict = exhaust(
        question.truth, survey.domain, timeout_s=timeout_s, nodes=survey.nodes
    )
    if isinstance(verdict, Refuted):
        return replayed(question, verdict.model)
    return verdict


def _solved(question: Question, survey: Survey, timeout_s: float) -> Verdict:
    if survey.depth > MAX_DEPTH:
        message = f"an expression of depth {survey.depth} is beyond {MAX_DEPTH}"
        return Unknown(f"{message}, the deepest that a solver is asked about")
    return by_solver(question, survey.domain, timeout_s)


def by_solver(
    question: Question, domain: Sequence[SimpleExpr], timeout_s: float
) -> Verdict:
    """Return the solver's answer, a refutation replayed.

    Args:
        question: What is asked.
        domain: The domain of the question.
        timeout_s: Time limit of all tries together, > 0 [s].
    """
    verdict: Verdict = Unknown("nothing was tried")
    start = time.perf_counter()
    for other, share in TRIES:
        asked = replace(question, witnesses=question.witnesses is not other)
        try:
            verdict = _ask(asked, domain, share * timeout_s)
        except TooLargeError as error:
            return Unknown(error.message)
        except TimeIsUpError:
            verdict = Unknown("its terms for the solver were not built by then")
        if not isinstance(verdict, Unknown):
            return verdict
    seconds = time.perf_counter() - start
    return Unknown(f"not decided in {seconds:.1f} s: {verdict.reason}")


def _ask(question: Question, domain: Sequence[SimpleExpr], timeout_s: float) -> Verdict:
    deadline = Deadline(timeout_s)
    encoder = Encoder(witnesses=question.witnesses, deadline=deadline)
    variables: dict[SimpleExpr, Integer] = {}
    facts: list[z3.BoolRef] = []
    for number, idx in enumerate(domain):
        # Numbered, since two indices of one name are two variables.
        variables[idx] = encoder.variable(f"{idx.name}#{number}")
        facts += _domain_of(idx, variables[idx], encoder.variable(f"trip#{number}"))
    leaf = variables.__getitem__
    facts += [encoder.lift(f.value(leaf)) == 1 for f in question.facts]
    sides = [encoder.lift(value) for value in values_of(question.sides, leaf)]
    wanted = question.holds(sides)
    terms = [variable.term for variable in variables.values()]
    facts += encoder.facts
    deadline.look()
    verdict = ask(facts, wanted, terms, timeout_s=deadline.left_s).verdict
    if not isinstance(verdict, Refuted):
        return verdict
    point = {idx: verdict.model[str(v.term)] for idx, v in variables.items()}
    return replayed(question, point)


def _domain_of(idx: SimpleExpr, value: Integer, trip: Integer) -> Iterator[z3.BoolRef]:
    """Yield what the declaration of an index says of its value."""
    if idx.lo is not None:
        yield value >= idx.lo
    if idx.hi is not None:
        yield value <= idx.hi - 1
    if idx.step > 1:
        yield value == idx.step * trip + (idx.lo or 0)


def replayed(question: Question, point: Mapping[SimpleExpr, int]) -> Verdict:
    """Return the refutation if pelican's own evaluation agrees with it."""
    at = point_text(point)
    try:
        outside = [fact for fact in question.facts if fact.at(point) != 1]
        values = tuple(side.at(point) for side in question.sides)
    except PelicanError as error:
        return Unknown(f"the counterexample {at} cannot be evaluated: {error.message}")
    if outside or question.holds(values):
        found = ", ".join(map(brief, values))
        return Unknown(f"the counterexample {at} gives {found}: it does not replay")
    return Refuted(point, values=values)
