"""What must be proved about one run, and the proofs of it.

* Each index expression equals its simplified form, for all iterations.
* Each index expression stays inside the extent of its tensor, in the iterations that
  the ifs around it choose. For an extent that is the least of two terms, each term is
  taken in turn where it is the least; it is at least 1.
* Each slot expression of the ring plan lies in [0, number of slots), and so does the
  slot of each instance that ``@`` selects.
* Each instance that ``@`` selects is one of the loop: a whole number of steps away.
* An operation that means two instances of one ring at a fixed distance has a slot for
  each, in every iteration. Where the distance varies, the plan has looked at each.
* Each place that the user gives to a buffer lies inside its space, and starts where
  tiles may start.

These tie the text to the addresses: `rotation.unrolled.unroll` folds the simplified
expressions into the starts of accesses, and the linear trip number, whose remainder
each slot expression is, into the instances that are bound to slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from time import perf_counter
from typing import Final, Protocol

from pelican import icmp
from pelican.errors import OperandError, Span
from pelican.expr.node import Expr
from pelican.known.interval import Interval
from pelican.tree.printing import brief_text
from proofs import Proved, Refuted, Unknown, prove_equal, prove_in
from proofs.verdict import Verdict
from rotation.loop_form.instances import neighbours, region_number
from rotation.loop_form.kernel import (
    Arm,
    Compare,
    Comparison,
    Function,
    IndexExpr,
    MemoryLocationSet,
    Region,
)
from rotation.loop_form.loop_values import first_value
from rotation.machine.machine import Machine, get_machine
from rotation.rings.plan import RingPlan
from rotation.running.result import ProofReport
from rotation.verify.pins import pin_conditions

Facts = tuple[Expr, ...]
"""Comparisons that hold together."""

OPPOSITE: Final = {
    Compare.LESS: Compare.AT_LEAST,
    Compare.AT_LEAST: Compare.LESS,
    Compare.MORE: Compare.AT_MOST,
    Compare.AT_MOST: Compare.MORE,
    Compare.EQUAL: Compare.UNEQUAL,
    Compare.UNEQUAL: Compare.EQUAL,
}
"""What holds exactly where a comparison does not."""


class Answered(Protocol):
    """A claim with its answer; its text says both."""

    @property
    def verdict(self) -> Verdict:
        """The answer."""
        ...


@dataclass(frozen=True, slots=True)
class RunClaim:
    """One claim of a run and its answer.

    Attributes:
        claim: What is claimed, in the text language.
        verdict: Proved, refuted with a counterexample, or unknown.
        span: Where the expression stands; None for a slot expression.
    """

    claim: str
    verdict: Verdict
    span: Span | None = None

    def __str__(self) -> str:
        place = "" if self.span is None else f"{self.span.place}: "
        return f"{place}{self.claim}: {self.verdict}"


def prove_run(
    function: Function, plan: RingPlan, machine: Machine | None = None
) -> tuple[ProofReport, tuple[str, ...]]:
    """Return the counts of a function's proofs, and one line for each failure.

    What is not decided counts as a failure.

    Args:
        function: The function.
        plan: Its ring plan.
        machine: Where it runs; None for the machine that it names.
    """
    start = perf_counter()
    machine = machine or get_machine(function.machine)
    answered = [
        *_index_claims(function),
        *_slot_claims(plan),
        *instance_claims(function, plan.slots()),
        *_pin_claims(function, machine),
    ]
    return counted(answered, perf_counter() - start)


def counted(
    answered: Sequence[Answered], seconds: float
) -> tuple[ProofReport, tuple[str, ...]]:
    """Return the counts of answered claims, and one line for each failure."""
    failures = [c for c in answered if not isinstance(c.verdict, Proved)]
    report = ProofReport(
        total=len(answered),
        proved=len(answered) - len(failures),
        refuted=sum(isinstance(c.verdict, Refuted) for c in failures),
        unknown=sum(isinstance(c.verdict, Unknown) for c in failures),
        seconds=seconds,
    )
    return report, tuple(map(str, failures))


def _index_claims(function: Function) -> Iterator[RunClaim]:
    """Yield the claims about each index expression that was written."""
    for choice in function.choices:
        for comparison in choice.comparisons:
            yield same_value(comparison.left)
            yield same_value(comparison.right)
    for instruction in function.instructions:
        cases = arm_cases(function.arms_of[instruction])
        for region in (*instruction.writes, *instruction.reads):
            if not region.whole:
                for dimension in range(len(region.starts)):
                    yield from dimension_claims(region, dimension, cases)
            if region.instance is not None:
                yield same_value(region.instance)
                yield from _whole_steps(region, region.instance, cases)


def arm_cases(arms: Iterable[Arm]) -> list[Facts]:
    """Return the cases in which some arms are done: in each, what holds together.

    An arm that is done if comparisons do not hold is one case for each of them.
    """
    options = [_options(arm) for arm in arms if arm.choice.comparisons]
    return [tuple(chain.from_iterable(case)) for case in product(*options)]


def _options(arm: Arm) -> list[Facts]:
    """Return the ways in which an arm comes to be done."""
    holds = [_ways(comparison, taken=True) for comparison in arm.choice.comparisons]
    if arm.taken:
        return list(product(*holds))
    fails = [_ways(comparison, taken=False) for comparison in arm.choice.comparisons]
    return [(way,) for ways in fails for way in ways]


def _ways(comparison: Comparison, *, taken: bool) -> list[Expr]:
    """Return comparisons of which one holds if a comparison does, or does not."""
    sign = comparison.compare if taken else OPPOSITE[comparison.compare]
    signs = ("<", ">") if sign is Compare.UNEQUAL else (sign.value,)
    return [icmp(comparison.left.expr, s, comparison.right.expr) for s in signs]


def dimension_claims(
    region: Region, dimension: int, cases: Sequence[Facts]
) -> Iterator[RunClaim]:
    """Yield the claims about one start and extent of a region, in each case."""
    start, size = region.starts[dimension], region.tensor.shape[dimension]
    yield same_value(start)
    terms = region.terms(dimension)
    if not terms:
        last = size - region.extents[dimension]
        yield from inside(start, Interval(0, last), cases)
    for term in terms:
        yield same_value(term)
        yield from inside(term, Interval(1, None), cases)
        yield from inside(start, Interval(0, None), cases)
        end = start.expr + term.expr
        least = [icmp(term.expr, "<=", other.expr) for other in terms]
        yield from inside(
            IndexExpr(end, end, start.span),
            Interval(None, size),
            [(*case, *least) for case in cases],
        )


def same_value(start: IndexExpr) -> RunClaim:
    """Return the claim that an index expression equals its simplified form."""
    verdict = prove_equal(start.raw, start.expr)
    claim = f"{brief_text(start.raw)} == {brief_text(start.expr)}"
    return RunClaim(claim, verdict, start.span)


def inside(
    index: IndexExpr, within: Interval, cases: Sequence[Facts]
) -> Iterator[RunClaim]:
    """Yield the claim that an expression lies in an interval, in each case."""
    lo = "..." if within.lo is None else within.lo
    hi = "..." if within.hi is None else within.hi + 1
    claim = f"{brief_text(index.expr)} in [{lo}, {hi})"
    if _known(index.expr, within):
        cases = [()]
    for case in cases:
        try:
            verdict = prove_in(index.expr, within, given=case)
        except OperandError:
            continue  # the case never happens: what is assumed contradicts itself
        yield RunClaim(claim, verdict, index.span)


def _known(expr: Expr, within: Interval) -> bool:
    """Return whether the range of an expression lies in an interval."""
    lo, hi = expr.range.lo, expr.range.hi
    above = within.lo is None or (lo is not None and lo >= within.lo)
    return above and (within.hi is None or (hi is not None and hi <= within.hi))


def _slot_claims(plan: RingPlan) -> Iterator[RunClaim]:
    for ring in plan.rings:
        if ring.tensor.pin is not None:
            continue
        verdict = prove_in(ring.slot, Interval(0, ring.slots - 1))
        claim = f"slot of {ring.tensor.name}: {ring.slot} in [0, {ring.slots})"
        yield RunClaim(claim, verdict)


def instance_claims(
    function: Function, slots: Mapping[MemoryLocationSet, int]
) -> Iterator[RunClaim]:
    """Yield the claims about the slots of instances that ``@`` selects.

    What the user places is left out: its slots are places, not remainders.

    Args:
        function: The function.
        slots: The slots of each ring.
    """
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            if region.instance is not None and region.tensor.pin is None:
                name, count = region.tensor.name, slots[region.tensor]
                slot = region_number(function, region) % count
                verdict = prove_in(slot, Interval(0, count - 1))
                claim = (
                    f"slot of {name}@({region.instance.raw}): {slot} in [0, {count})"
                )
                yield RunClaim(claim, verdict, region.instance.span)
    for instruction, one, other in neighbours(function):
        if one.tensor.pin is not None:
            continue
        count = slots[one.tensor]
        apart = region_number(function, one) - region_number(function, other)
        if apart.range.lo != apart.range.hi or apart.range.lo == 0:
            continue
        # An operation of an arm that is never done needs nothing.
        cases = arm_cases(function.arms_of[instruction])
        for answered in inside(
            IndexExpr(apart % count, apart % count, instruction.span),
            Interval(1, None),
            cases,
        ):
            text = f"{instruction.name} has two slots of {one.tensor.name}"
            yield replace(answered, claim=f"{text}: {apart} mod {count} > 0")


def _whole_steps(
    region: Region, instance: IndexExpr, cases: Sequence[Facts]
) -> Iterator[RunClaim]:
    scope = region.tensor.scope
    lo, step = (0, 1) if scope is None else (first_value(scope), scope.step)
    over = (instance.expr - lo) % step
    return inside(IndexExpr(over, over, instance.span), Interval(0, 0), cases)


def _pin_claims(function: Function, machine: Machine) -> Iterator[RunClaim]:
    """Yield the claims about each place that the user gives to a buffer."""
    for tensor in function.tensors:
        seen: set[int] = set()
        for condition in pin_conditions(function, tensor, machine):
            if id(condition.place) not in seen:
                seen.add(id(condition.place))
                yield same_value(condition.place)
            verdict = prove_in(condition.expr, Interval(0, condition.last))
            claim = (
                f"{condition.what}: {brief_text(condition.expr)} in "
                f"[0, {condition.last + 1})"
            )
            yield RunClaim(claim, verdict, condition.place.span)
