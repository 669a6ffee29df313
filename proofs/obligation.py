"""One thing to show, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from proofs.solver import Answer, Implication
from proofs.verdict import Proved, Refuted, Unknown, Verdict


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing to show.

    Attributes:
        name: What it says.
        verdict: Whether it holds.
        seconds: Time that the solver took; 0 without a solver [s].
        work: Resource units that the solver spent.
        question: What the solver was asked; None where none was.
    """

    name: str
    verdict: Verdict
    seconds: float = 0.0
    work: int = 0
    question: Implication | None = field(default=None, repr=False)

    @classmethod
    def of(cls, name: str, answer: Answer) -> Obligation:
        """Return the obligation that a solver answered."""
        return cls(name, answer.verdict, answer.seconds, answer.work, answer.question)


def worst(obligations: Sequence[Obligation]) -> Verdict:
    """Return a refutation if there is one, else a doubt, else Proved."""
    verdicts = [obligation.verdict for obligation in obligations]
    for kind in (Refuted, Unknown):
        for verdict in verdicts:
            if isinstance(verdict, kind):
                return verdict
    return Proved(sum(obligation.seconds for obligation in obligations))
