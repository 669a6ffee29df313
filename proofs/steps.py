"""Steps of derivations, checked by somebody who knows no law.

A step says that two expressions are equal. Whether they are is decided on the declared
domains of their indices, by the solver or point by point.
"""

from __future__ import annotations

from collections.abc import Sequence

from pelican.derivations.derivation import DerivationStep, steps_of
from pelican.engine.listening import Application, Recorder
from pelican.errors import OperandError, PelicanError
from pelican.tree.printing import brief_text
from proofs.arguments import seconds_of
from proofs.decide import prove_equal
from proofs.verdict import Proved, Unknown, Verdict


class UnprovedStepError(PelicanError):
    """A rewrite that was refuted, or not decided.

    Attributes:
        step: The rewrite.
        verdict: `Refuted` with a counterexample, or `Unknown`.

    >>> from proofs import checking
    >>> try:
    ...     with checking():
    ...         pass
    ... except UnprovedStepError as error:
    ...     print(error.step, error.verdict)
    """

    def __init__(self, step: DerivationStep, verdict: Verdict) -> None:
        super().__init__(
            f"{step.lemma} is {verdict}: {step.before} -> {step.after}",
            hint="this is a fault of pelican: please report it",
        )
        self.step = step
        self.verdict = verdict


def check_step(step: DerivationStep, *, timeout_s: float = 10) -> Verdict:
    """Return whether a step's two expressions are equal for all values.

    Nothing is taken from the step but `before`, `after` and `path`; a step that changes
    something beside the part at `path` is `Unknown`.

    Args:
        step: A step of `pelican.explain` or `pelican.trace`.
        timeout_s: Time limit of the solver, > 0 [s].

    Raises:
        OperandError: If it is no step, or the time limit is not > 0.

    >>> from pelican import explain, index
    >>> (step,) = explain("(x + 16) mod 8", {"x": index("x", 0, 8)}).steps
    >>> check_step(step)  # doctest: +ELLIPSIS
    Proved(seconds=...)
    >>> step.after = step.after + 1
    >>> print(check_step(step))
    refuted at x = 0
    """
    if not isinstance(step, DerivationStep):
        raise OperandError(
            f"check_step needs a step, got {brief_text(step)}",
            hint="pelican.explain and pelican.trace give steps",
        )
    limit_s = seconds_of(timeout_s)
    elsewhere = _changed_elsewhere(step)
    if elsewhere is not None:
        return Unknown(elsewhere)
    return prove_equal(step.before, step.after, timeout_s=limit_s)


def _changed_elsewhere(step: DerivationStep) -> str | None:
    """Return what differs outside the part at the path, or None."""
    before, after = step.before, step.after
    for depth, position in enumerate(step.path):
        own, other = before.parts, after.parts
        fields = (before.kind, before.own, len(own))
        if not 0 <= position < len(own) or fields != (
            after.kind,
            after.own,
            len(other),
        ):
            return f"the node above path {step.path[: depth + 1]} is changed too"
        for k, (a, b) in enumerate(zip(own, other, strict=True)):
            if k != position and a != b and str(a) != str(b):
                beside = [*step.path[:depth], k]
                return f"the part at {beside} is changed beside that at {step.path}"
        before, after = own[position], other[position]
    return None


def checking(*, timeout_s: float = 10) -> Checks:
    """Return a ``with`` block in which every rewrite of pelican is checked.

    A rewrite costs about 2 ms. Only this thread is listened to.

    Args:
        timeout_s: Time limit of the solver for one rewrite, > 0 [s].

    Raises:
        OperandError: If the time limit is no number > 0.
        UnprovedStepError: From the operation that made a rewrite which is refuted, or
            not decided.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> with checking() as checks:
    ...     slot = (i + 64) % 64
    >>> checks.proved
    1
    """
    return Checks(seconds_of(timeout_s))


class Checks:
    """The checks of a ``with`` block.

    Attributes:
        proved: Number of rewrites that were proved so far.
    """

    __slots__ = ("_recorder", "_timeout_s", "proved")

    def __init__(self, timeout_s: float) -> None:
        self.proved = 0
        self._timeout_s = timeout_s
        self._recorder = Recorder(self._take)

    def __enter__(self) -> Checks:
        self._recorder.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._recorder.__exit__()

    def _take(self, used: Sequence[Application]) -> None:
        for step in steps_of(used):
            verdict = check_step(step, timeout_s=self._timeout_s)
            if not isinstance(verdict, Proved):
                raise UnprovedStepError(step, verdict)
            self.proved += 1
