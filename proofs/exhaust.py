"""Exhaustion: a claim over a small finite domain, point by point.

Values are Python integers in numpy arrays, so nothing overflows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pelican.expr import SimpleExpr
from pelican.node import Expr
from pelican.traverse import fold
from proofs.verdict import Proved, Refuted, Unknown, Verdict

MAX_POINTS: Final = 1_000_000
"""Largest domain that is enumerated [points]."""

BLOCK_POINTS: Final = 16_384
"""Points that are evaluated together; memory stays small [points]."""

Points = Mapping[SimpleExpr, npt.NDArray[np.object_]]


def is_small(domain: Sequence[SimpleExpr]) -> bool:
    """Tell whether the indices are bounded and have at most `MAX_POINTS` values."""
    bounded = all(idx.lo is not None and idx.hi is not None for idx in domain)
    return bounded and _count(domain) <= MAX_POINTS


def exhaust(
    sides: Sequence[Expr],
    holds: Callable[[Sequence[Any]], Any],
    domain: Sequence[SimpleExpr],
    *,
    timeout_s: float,
) -> Verdict:
    """Return whether a claim holds at every point of a small domain.

    Args:
        sides: The expressions that the claim speaks of.
        holds: The claim, as a function of their values.
        domain: All indices of the sides; `is_small` is true for them.
        timeout_s: Time limit [s].
    """
    start = time.perf_counter()
    total = _count(domain)
    for first in range(0, total, BLOCK_POINTS):
        if time.perf_counter() - start > timeout_s:
            reason = f"{first} of {total} points were tried in {timeout_s} s"
            return Unknown(reason)
        points = _block(domain, first, min(first + BLOCK_POINTS, total))
        truth = holds([fold(side, points.__getitem__) for side in sides])
        wrong = np.flatnonzero(~np.asarray(truth, dtype=np.bool_))
        if len(wrong):
            return Refuted({idx: int(v[wrong[0]]) for idx, v in points.items()})
    return Proved(time.perf_counter() - start)


def _count(domain: Sequence[SimpleExpr]) -> int:
    return math.prod(idx.trip_count for idx in domain)


def _block(domain: Sequence[SimpleExpr], first: int, last: int) -> Points:
    """Return the points numbered [first, last), the last index running fastest."""
    number = np.arange(first, last).astype(np.object_)
    points = {}
    for idx in reversed(domain):
        points[idx] = (idx.lo or 0) + idx.step * (number % idx.trip_count)
        number = number // idx.trip_count
    return {idx: points[idx] for idx in domain}
