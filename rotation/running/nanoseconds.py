"""Times as reports say them: nanoseconds with at most three decimals."""

from __future__ import annotations

from rotation.machine.machine import PS_PER_NS

Ns = int | float
"""Nanoseconds."""


def ns(ps: int) -> Ns:
    """Return picoseconds as nanoseconds.

    >>> ns(2_849_392), ns(5_000)
    (2849.392, 5)
    """
    whole, rest = divmod(ps, PS_PER_NS)
    return ps / PS_PER_NS if rest else whole
