"""What must be proved about one run, and the proofs of it.

* Each index expression as written equals its simplified form, for all iterations.
* Each index expression stays inside the extent of its tensor.
* Each slot expression of the ring plan lies in [0, number of slots).

The program that runs is built from the simplified expressions and from the slot
numbers, so these three tie the text to the addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from pelican.errors import Span
from pelican.ranges import Interval
from proofs import Proved, Refuted, Unknown, prove_equal, prove_in
from proofs.verdict import Verdict
from rotation.kernel import Function, IndexExpr, Region
from rotation.plan import RingPlan


@dataclass(frozen=True, slots=True)
class Obligation:
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


@dataclass(frozen=True, slots=True)
class ProofSummary:
    """How many obligations of a run were proved.

    Attributes:
        total: Number of obligations.
        proved: Number proved.
        refuted: Number refuted.
        unknown: Number not decided; each counts as a failure.
        seconds: Time that the proofs took [s].
        failures: One line for each obligation that was not proved.
    """

    total: int
    proved: int
    refuted: int
    unknown: int
    seconds: float
    failures: tuple[str, ...]


def prove_run(function: Function, plan: RingPlan) -> ProofSummary:
    """Return the proofs of a function under a ring plan."""
    start = perf_counter()
    answered = [*_index_obligations(function), *_slot_obligations(plan)]
    failures = [o for o in answered if not isinstance(o.verdict, Proved)]
    return ProofSummary(
        total=len(answered),
        proved=len(answered) - len(failures),
        refuted=sum(isinstance(o.verdict, Refuted) for o in failures),
        unknown=sum(isinstance(o.verdict, Unknown) for o in failures),
        seconds=perf_counter() - start,
        failures=tuple(map(str, failures)),
    )


def _index_obligations(function: Function) -> Iterator[Obligation]:
    """Yield the two obligations of each index expression that was written."""
    for instruction in function.instructions:
        for region in (*instruction.writes, *instruction.reads):
            if not region.whole:
                yield from _region_obligations(region)


def _region_obligations(region: Region) -> Iterator[Obligation]:
    shape = region.tensor.shape
    for start, extent, size in zip(region.starts, region.extents, shape, strict=True):
        yield _same_value(start)
        yield _inside(start, size - extent)


def _same_value(start: IndexExpr) -> Obligation:
    verdict = prove_equal(start.raw, start.expr)
    return Obligation(f"{start.raw} == {start.expr}", verdict, start.span)


def _inside(start: IndexExpr, last: int) -> Obligation:
    verdict = prove_in(start.expr, Interval(0, last))
    return Obligation(f"{start.expr} in [0, {last + 1})", verdict, start.span)


def _slot_obligations(plan: RingPlan) -> Iterator[Obligation]:
    for ring in plan.rings:
        verdict = prove_in(ring.slot, Interval(0, ring.slots - 1))
        claim = f"slot of {ring.tensor.name}: {ring.slot} in [0, {ring.slots})"
        yield Obligation(claim, verdict)
