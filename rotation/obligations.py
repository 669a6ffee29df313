"""What must be proved about one run, and the proofs of it.

* Each index expression equals its simplified form, for all iterations.
* Each index expression stays inside the extent of its tensor.
* Each slot expression of the ring plan lies in [0, number of slots).

These tie the text to the addresses: `rotation.unroll` folds the simplified expressions
into the starts of accesses, and the linear trip number, whose remainder each slot
expression is, into the instances that are bound to slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from pelican.errors import Span
from pelican.interval import Interval
from pelican.node import Expr
from pelican.printing import brief_text
from proofs import Proved, Refuted, Unknown, prove_equal, prove_in
from proofs.verdict import Verdict
from rotation.kernel import Function, IndexExpr, Region
from rotation.plan import RingPlan
from rotation.result import ProofReport


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
    function: Function, plan: RingPlan
) -> tuple[ProofReport, tuple[str, ...]]:
    """Return the counts of a function's proofs, and one line for each failure.

    What is not decided counts as a failure.

    Args:
        function: The function.
        plan: Its ring plan.
    """
    start = perf_counter()
    answered = [*_index_claims(function), *_slot_claims(plan)]
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
    """Yield the two claims about each index expression that was written."""
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            if not region.whole:
                yield from _region_claims(region)


def _region_claims(region: Region) -> Iterator[RunClaim]:
    shape = region.tensor.shape
    for start, extent, size in zip(region.starts, region.extents, shape, strict=True):
        yield same_value(start)
        yield inside(start, size - extent)


def same_value(start: IndexExpr) -> RunClaim:
    """Return the claim that an index expression equals its simplified form."""
    verdict = prove_equal(start.raw, start.expr)
    claim = f"{brief_text(start.raw)} == {brief_text(start.expr)}"
    return RunClaim(claim, verdict, start.span)


def inside(start: IndexExpr, last: int, given: tuple[Expr, ...] = ()) -> RunClaim:
    """Return the claim that an index expression is in [0, last], under assumptions."""
    verdict = prove_in(start.expr, Interval(0, last), given=given)
    claim = f"{brief_text(start.expr)} in [0, {last + 1})"
    return RunClaim(claim, verdict, start.span)


def _slot_claims(plan: RingPlan) -> Iterator[RunClaim]:
    for ring in plan.rings:
        verdict = prove_in(ring.slot, Interval(0, ring.slots - 1))
        claim = f"slot of {ring.tensor.name}: {ring.slot} in [0, {ring.slots})"
        yield RunClaim(claim, verdict)
