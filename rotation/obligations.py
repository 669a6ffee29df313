"""What must be proved about one run, and the proofs of it.

* Each index expression equals its simplified form, for all iterations.
* Each index expression stays inside the extent of its tensor.
* Each slot expression of the ring plan lies in [0, number of slots), and so does the
  slot of each instance that ``@`` selects.
* Each instance that ``@`` selects is one of the loop: a whole number of steps away.
* An operation that means two instances of one ring at a fixed distance has a slot for
  each, in every iteration. Where the distance varies, the plan has looked at each.

These tie the text to the addresses: `rotation.unroll` folds the simplified expressions
into the starts of accesses, and the linear trip number, whose remainder each slot
expression is, into the instances that are bound to slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter

from pelican.errors import Span
from pelican.interval import Interval
from pelican.printing import brief_text
from proofs import Proved, Refuted, Unknown, prove_equal, prove_in
from proofs.verdict import Verdict
from rotation.instances import neighbours, region_number
from rotation.kernel import Function, IndexExpr, MemoryLocationSet, Region
from rotation.plan import RingPlan
from rotation.result import ProofReport


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
    function: Function, plan: RingPlan
) -> tuple[ProofReport, tuple[str, ...]]:
    """Return the counts of a function's proofs, and one line for each failure.

    What is not decided counts as a failure.

    Args:
        function: The function.
        plan: Its ring plan.
    """
    start = perf_counter()
    answered = [
        *_index_claims(function),
        *_slot_claims(plan),
        *instance_claims(function, plan.slots()),
    ]
    failures = [c for c in answered if not isinstance(c.verdict, Proved)]
    report = ProofReport(
        total=len(answered),
        proved=len(answered) - len(failures),
        refuted=sum(isinstance(c.verdict, Refuted) for c in failures),
        unknown=sum(isinstance(c.verdict, Unknown) for c in failures),
        seconds=perf_counter() - start,
    )
    return report, tuple(map(str, failures))


def _index_claims(function: Function) -> Iterator[RunClaim]:
    """Yield the two claims about each index expression that was written."""
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            if not region.whole:
                yield from _region_claims(region)
            if region.instance is not None:
                yield _same_value(region.instance)
                yield _whole_steps(region, region.instance)


def _region_claims(region: Region) -> Iterator[RunClaim]:
    shape = region.tensor.shape
    for start, extent, size in zip(region.starts, region.extents, shape, strict=True):
        yield _same_value(start)
        yield _inside(start, size - extent)


def _same_value(start: IndexExpr) -> RunClaim:
    verdict = prove_equal(start.raw, start.expr)
    claim = f"{brief_text(start.raw)} == {brief_text(start.expr)}"
    return RunClaim(claim, verdict, start.span)


def _inside(start: IndexExpr, last: int) -> RunClaim:
    verdict = prove_in(start.expr, Interval(0, last))
    claim = f"{brief_text(start.expr)} in [0, {last + 1})"
    return RunClaim(claim, verdict, start.span)


def _slot_claims(plan: RingPlan) -> Iterator[RunClaim]:
    for ring in plan.rings:
        verdict = prove_in(ring.slot, Interval(0, ring.slots - 1))
        claim = f"slot of {ring.tensor.name}: {ring.slot} in [0, {ring.slots})"
        yield RunClaim(claim, verdict)


def instance_claims(
    function: Function, slots: Mapping[MemoryLocationSet, int]
) -> Iterator[RunClaim]:
    """Yield the claims about the slots of instances that ``@`` selects.

    Args:
        function: The function.
        slots: The slots of each ring.
    """
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            if region.instance is not None:
                name, count = region.tensor.name, slots[region.tensor]
                slot = region_number(function, region) % count
                verdict = prove_in(slot, Interval(0, count - 1))
                claim = (
                    f"slot of {name}@({region.instance.raw}): {slot} in [0, {count})"
                )
                yield RunClaim(claim, verdict, region.instance.span)
    for instruction, one, other in neighbours(function):
        count = slots[one.tensor]
        apart = region_number(function, one) - region_number(function, other)
        if apart.range.lo != apart.range.hi or apart.range.lo == 0:
            continue
        verdict = prove_in(apart % count, Interval(1, None))
        claim = f"{instruction.name} has two slots of {one.tensor.name}"
        yield RunClaim(f"{claim}: {apart} mod {count} > 0", verdict, instruction.span)


def _whole_steps(region: Region, instance: IndexExpr) -> RunClaim:
    scope = region.tensor.scope
    lo, step = (0, 1) if scope is None else (scope.lo or 0, scope.step)
    verdict = prove_in((instance.expr - lo) % step, Interval(0, 0))
    claim = f"({brief_text(instance.expr)} - {lo}) mod {step} == 0"
    return RunClaim(claim, verdict, instance.span)
