"""Proofs: every law of pelican, and claims about addresses, for all values.

>>> from pelican import index
>>> i = index("i", 0, 64)
>>> prove_equal((4 * i + 3) % 4, 3)  # doctest: +ELLIPSIS
Proved(seconds=...)

The steps of `pelican.explain` are checked by `check_step`, which knows no law.
A claim is answered by `Proved`, `Refuted` with a counterexample, or `Unknown`.
"""

from proofs.claims import (
    answer,
    prove_bijective,
    prove_disjoint,
    prove_distinct,
    prove_in_bounds,
    prove_injective,
)
from proofs.decide import prove_equal, prove_in
from proofs.extremes import ExactRange, exact_range
from proofs.fits import prove_fits
from proofs.never import prove_never
from proofs.steps import UnprovedStepError, check_step, checking
from proofs.verdict import Proved, Refuted, Unknown

__all__ = [
    "ExactRange",
    "Proved",
    "Refuted",
    "Unknown",
    "UnprovedStepError",
    "answer",
    "check_step",
    "checking",
    "exact_range",
    "prove_bijective",
    "prove_disjoint",
    "prove_distinct",
    "prove_equal",
    "prove_fits",
    "prove_in",
    "prove_in_bounds",
    "prove_injective",
    "prove_never",
]
