"""What must be proved about one run, and the proofs of it.

* Each index expression equals its simplified form, for all iterations.
* Each index expression stays inside the extent of its tensor.
* Each slot expression of the ring plan lies in [0, number of slots).
* Each place that the user gives to a buffer lies inside its space, and starts where
  tiles may start.

These tie the text to the addresses: `rotation.unroll` folds the simplified expressions
into the starts of accesses, and the linear trip number, whose remainder each slot
expression is, into the instances that are bound to slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from pelican.errors import Span
from pelican.interval import Interval
from pelican.printing import brief_text
from proofs import Proved, Refuted, Unknown, prove_equal, prove_in
from proofs.verdict import Verdict
from rotation.kernel import Function, IndexExpr, Region
from rotation.machine import Machine, get_machine
from rotation.plan import RingPlan
from rotation.result import ProofReport
from rotation.verify_pins import pin_conditions


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
        *_pin_claims(function, machine),
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
        if ring.tensor.pin is not None:
            continue
        verdict = prove_in(ring.slot, Interval(0, ring.slots - 1))
        claim = f"slot of {ring.tensor.name}: {ring.slot} in [0, {ring.slots})"
        yield RunClaim(claim, verdict)


def _pin_claims(function: Function, machine: Machine) -> Iterator[RunClaim]:
    """Yield the claims about each place that the user gives to a buffer."""
    for tensor in function.tensors:
        seen: set[int] = set()
        for condition in pin_conditions(tensor, machine):
            if id(condition.place) not in seen:
                seen.add(id(condition.place))
                yield _same_value(condition.place)
            verdict = prove_in(condition.expr, Interval(0, condition.last))
            claim = (
                f"{condition.what}: {brief_text(condition.expr)} in "
                f"[0, {condition.last + 1})"
            )
            yield RunClaim(claim, verdict, condition.place.span)
