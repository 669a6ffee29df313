"""The one place that makes solvers.

Every question has a fixed seed and a limit on work, time and memory, and every term
lives in the main context of z3: many contexts crash some versions. A context serves
one thread, so all questions come from one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import z3

from pelican.integers import number
from proofs.verdict import Proved, Refuted, Unknown, Verdict

SEED: Final = 0
"""Seed of every solver: the answer to a question does not change between runs."""

WORK_PER_SECOND: Final = 10_000_000
"""Resource units allowed per second of the time limit. z3 5.4.1 spends 2 to 5 million
a second, so the time limit binds first, except on a much faster machine."""

PATIENCE_S: Final = 60
"""Time limit for what needs milliseconds up to two seconds on an idle machine: only a
lost question meets it, even where the machine is busy [s]."""

MEMORY_MB: Final = 2_048
"""Memory that z3 may take for all its terms together [MB]."""


@dataclass(frozen=True, slots=True)
class Implication:
    """What a solver is asked: do some facts imply a claim?

    Attributes:
        given: What is assumed.
        claim: What must follow.
    """

    given: tuple[z3.BoolRef, ...]
    claim: z3.BoolRef

    def smt2(self, *, title: str, expected: str) -> str:
        """Return a whole SMT-LIB 2 script, unsatisfiable if the claim holds.

        Args:
            title: What is asked, in one line.
            expected: ``sat``, ``unsat`` or ``unknown``.

        >>> x = z3.Int("x")
        >>> asked = Implication((x >= 3,), x >= 1)
        >>> print(asked.smt2(title="a bound", expected="unsat"))
        ; a bound
        (set-info :smt-lib-version 2.6)
        (set-logic ALL)
        (set-info :status unsat)
        (declare-fun x () Int)
        (assert (>= x 3))
        (assert (not (>= x 1)))
        (check-sat)
        <BLANKLINE>
        """
        solver = z3.Solver()
        solver.add(*self.given, z3.Not(self.claim))
        lines = (
            f"; {title}",
            "(set-info :smt-lib-version 2.6)",
            "(set-logic ALL)",
            f"(set-info :status {expected})",
            str(solver.sexpr()).rstrip(),
            "(check-sat)",
        )
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the solver said.

    Attributes:
        question: What it was asked.
        verdict: The verdict; the model of a refutation is keyed by variable name.
        seconds: Time of the check [s].
        work: Resource units that z3 spent; they do not jitter as time does.
    """

    question: Implication = field(repr=False)
    verdict: Verdict
    seconds: float
    work: int


def ask(
    given: Iterable[z3.BoolRef],
    claim: z3.BoolRef,
    variables: Sequence[z3.ExprRef],
    *,
    timeout_s: float = PATIENCE_S,
) -> Answer:
    """Return whether `given` implies `claim`.

    Args:
        given: What is assumed.
        claim: What must follow.
        variables: The variables that a counterexample names.
        timeout_s: Time limit; the limit on work follows from it [s].
    """
    # In a context that others have used, z3 would find another counterexample.
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set(
        timeout=_limit(timeout_s * 1000),
        rlimit=_limit(timeout_s * WORK_PER_SECOND),
        max_memory=MEMORY_MB,
        random_seed=SEED,
        ctrl_c=False,  # z3 would answer `unknown`; Python ends the program instead
    )
    question = Implication(tuple(given), claim)
    solver.add(*(f.translate(context) for f in (*question.given, z3.Not(claim))))
    before = _work(solver)
    start = time.perf_counter()
    status = solver.check()
    seconds = time.perf_counter() - start
    work = _work(solver) - before
    if status == z3.unsat:
        return Answer(question, Proved(seconds), seconds, work)
    if status == z3.sat:
        asked = [variable.translate(context) for variable in variables]
        refuted = Refuted(_model(solver.model(), asked))
        return Answer(question, refuted, seconds, work)
    reason = f"z3 gave up after {seconds:.1f} s: {solver.reason_unknown()}"
    return Answer(question, Unknown(reason), seconds, work)


def _limit(amount: float) -> int:
    # z3 takes 32 bits; 0 would mean no limit at all.
    return max(1, int(min(amount, 2**32 - 1)))


def satisfiable(given: Iterable[z3.BoolRef]) -> bool:
    """Return True if the solver finds values that make all of `given` true."""
    return isinstance(ask(given, z3.BoolVal(val=False), ()).verdict, Refuted)


def _work(solver: z3.Solver) -> int:
    # z3 counts for the whole context: the work of one check is a difference.
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count"))


def _model(model: z3.ModelRef, variables: Sequence[z3.ExprRef]) -> Mapping[str, int]:
    return {str(v): _integer(model.eval(v, model_completion=True)) for v in variables}


def _integer(value: Any) -> int:  # noqa: ANN401 - z3 has no types
    return int(value.as_signed_long()) if z3.is_bv(value) else number(value.as_string())
