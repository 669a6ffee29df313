"""What must be proved about a function with run-time loops, and the proofs of it.

* Each index expression equals its simplified form, for all iterations.
* Each stays inside its tensor while registers hold what they may.
* Everything that `rotation.check.kept` claims, for every number of trips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter

from pelican import icmp
from pelican.expr.node import Expr
from pelican.tree.traverse import indices
from rotation.check.kept import KeptClaim, check_kept
from rotation.kept.data import KeptProgram
from rotation.kept.registers import limits, run_time_loops
from rotation.loop_form.kernel import Function
from rotation.loop_form.loop_values import first_value
from rotation.running.obligations import (
    Answered,
    RunClaim,
    arm_cases,
    counted,
    dimension_claims,
    same_value,
)
from rotation.running.result import ProofReport


def prove_kept(
    kept: KeptProgram, values: Mapping[str, int]
) -> tuple[ProofReport, tuple[str, ...], tuple[KeptClaim, ...]]:
    """Return the counts, a line for each failure, and the claims about all trips.

    Args:
        kept: The kept program.
        values: The numbers of registers that totals are for; an index expression of
            several run-time loops is kept inside its tensor by these only.
    """
    start = perf_counter()
    claims = check_kept(kept)
    answered: list[Answered] = [*_index_claims(kept.tree.function, values), *claims]
    return (*counted(answered, perf_counter() - start), claims)


def _index_claims(function: Function, values: Mapping[str, int]) -> Iterator[RunClaim]:
    most = {limit.register: limit.most for limit in limits(function)}
    for choice in function.choices:
        for comparison in choice.comparisons:
            yield same_value(comparison.left)
            yield same_value(comparison.right)
    for instruction in function.instructions:
        loops = run_time_loops(function, instruction)
        cases = arm_cases(function.arms_of[instruction])
        for region in (*instruction.writes, *instruction.reads):
            if region.whole:
                continue
            for dimension, start in enumerate(region.starts):
                used = {
                    n.index: register
                    for n, register in loops.items()
                    if n.index in indices(start.expr)
                }
                limit = most if len(used) == 1 else values
                ends = {index: limit[register] for index, register in used.items()}
                if any(end <= first_value(index) for index, end in ends.items()):
                    continue  # no trip, and so no such access
                given: tuple[Expr, ...] = tuple(
                    icmp(index, "<", end) for index, end in ends.items()
                )
                both = [(*given, *case) for case in cases]
                yield from dimension_claims(region, dimension, both)
