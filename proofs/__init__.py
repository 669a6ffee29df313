"""Proofs: every law of pelican, and claims of equality and range, for all values.

>>> from pelican import index
>>> i = index("i", 0, 64)
>>> prove_equal((4 * i + 3) % 4, 3)  # doctest: +ELLIPSIS
Proved(seconds=...)

A claim is answered by `Proved`, `Refuted` with a counterexample, or `Unknown`.
"""

from proofs.decide import prove_equal, prove_in
from proofs.verdict import Proved, Refuted, Unknown

__all__ = ["Proved", "Refuted", "Unknown", "prove_equal", "prove_in"]
