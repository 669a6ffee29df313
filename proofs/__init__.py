"""Proofs: every law of pelican, and claims of equality and range, for all values.

>>> from pelican import index
>>> i = index("i", 0, 64)
>>> prove_equal((4 * i + 3) % 4, 3)  # doctest: +ELLIPSIS
Proved(seconds=...)

The steps of `pelican.explain` are checked by `check_step`, which knows no law.
A claim is answered by `Proved`, `Refuted` with a counterexample, or `Unknown`.
"""

from proofs.decide import prove_equal, prove_in
from proofs.steps import UnprovedStepError, check_step, checking
from proofs.verdict import Proved, Refuted, Unknown

__all__ = [
    "Proved",
    "Refuted",
    "Unknown",
    "UnprovedStepError",
    "check_step",
    "checking",
    "prove_equal",
    "prove_in",
]
