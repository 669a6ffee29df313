"""A kernel through the whole pipeline: what checks and obligations find wrong.

By hand, over the kernels of many seeds, with a simpler kernel for each fault:
``python -m tests.rotation.whole_pipeline FIRST PAST``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import chain

import pytest

from pelican.errors import LocatedError
from pelican.expr.node import Expr
from proofs import Proved, prove_equal, prove_in
from proofs.verdict import Verdict
from rotation.machine.machine import Machine
from rotation.passes.base import built
from rotation.running.obligations import prove_run
from rotation.running.pipeline import check, run, unrotated
from rotation.text.parse import parse
from tests.rotation.finished import finished
from tests.rotation.programs import PLANNING
from tests.rotation.random_kernels.choices import choices_of, shrunk
from tests.rotation.random_kernels.kernel import registers, run_kernel, seeded

NAME = re.compile(r"\b[a-z]+\d+\b")


class Answers:
    """Asks each question once: random kernels have many in common.

    Two questions are the same if their texts and the ranges of their indices are, the
    names of indices apart. Only proofs are kept.
    """

    def __init__(self) -> None:
        self.known: dict[str, Verdict] = {}

    def once(self, ask: Callable[..., Verdict]) -> Callable[..., Verdict]:
        """Return a function that answers as another one, but each question once."""

        def answer(*asked: object, given: tuple[Expr, ...] = ()) -> Verdict:
            key = question_text(ask.__name__, *asked, *given)
            if key not in self.known:
                verdict = ask(*asked, given=given)
                if not isinstance(verdict, Proved):
                    return verdict
                self.known[key] = verdict
            return self.known[key]

        return answer


def question_text(*parts: object) -> str:
    """Return a text that is the same for questions that differ in names only."""
    expressions = [part for part in parts if isinstance(part, Expr)]
    found = dict.fromkeys(chain.from_iterable(e.indices for e in expressions))
    indices = sorted(found, key=lambda i: i.name)
    ranges = [f"{i.name} from {i.lo} to {i.hi} by {i.step}" for i in indices]
    names: dict[str, str] = {}

    def short(match: re.Match[str]) -> str:
        return names.setdefault(match.group(), f"v{len(names)}")

    return NAME.sub(short, "; ".join([*map(str, parts), *ranges]))


def wrong(
    text: str, answers: Answers, *, before: bool = True, machine: Machine = PLANNING
) -> list[str]:
    """Return what is found wrong with a kernel after the whole pipeline.

    Args:
        text: A kernel that is to run.
        answers: Questions that were answered before.
        before: Check the unrotated state too.
        machine: Where it runs.
    """
    try:
        function = parse(text, "<random>")[-1]
        if function.registers:
            done = run(function, machine, assume=registers(text))
            return [*map(str, done.hazards), *done.failures]
        state = finished(function, machine)
        found = [str(hazard) for hazard in check(state)]
        if before and "scope kernel" not in text:  # which knows no windows
            found += [f"before: {hazard}" for hazard in check(unrotated(state))]
        with pytest.MonkeyPatch.context() as patch:
            for ask in (prove_in, prove_equal):
                patch.setattr(
                    f"rotation.running.obligations.{ask.__name__}", answers.once(ask)
                )
            report, failures = prove_run(
                state.function, built(state.plan, "plan"), machine
            )
    except LocatedError as error:
        return [f"refused: {error}"]
    if report.proved != report.total:
        found.append(f"{report.proved} of {report.total} proved")
    return [*found, *failures]


def fails(text: str) -> bool:
    """Tell whether something is wrong with a kernel, or the pipeline breaks on it."""
    try:
        return bool(wrong(text, Answers()))
    except Exception:
        return True


def simpler(seed: int) -> str:
    """Return a simpler kernel than that of a seed, with something wrong too."""
    return shrunk(run_kernel, choices_of(run_kernel, seed), fails)


def main(first: int, past: int) -> None:
    """Print what is wrong with the kernels of some seeds, made simple."""
    answers, faulty = Answers(), 0
    for seed in range(first, past):
        try:
            found = wrong(seeded(seed), answers)
        except Exception as error:
            found = [repr(error)]
        if found:
            faulty += 1
            print(f"seed {seed}: {found[:3]}", flush=True)  # noqa: T201 - a command
            if faulty <= 3:
                print(simpler(seed), flush=True)  # noqa: T201
    print(f"{past - first} kernels, {faulty} with faults")  # noqa: T201 - a command


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
