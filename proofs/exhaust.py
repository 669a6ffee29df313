"""Exhaustion: a claim over a small finite domain, point by point.

Values are Python integers in numpy arrays, so nothing overflows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pelican.expr import SimpleExpr
from proofs.deadline import Deadline, TimeIsUpError
from proofs.verdict import Proved, Refuted, Unknown, Verdict

MAX_POINTS: Final = 1_000_000
"""Largest domain that is enumerated [points]."""

FEW_POINTS: Final = 20_000
"""Domains of at most this size are tried point by point without a second thought: that
takes milliseconds and always answers [points]."""

BLOCK_POINTS: Final = 16_384
"""Points that are evaluated together; memory stays small [points]."""

BLOCK_WORK: Final = 4_000_000
"""Values that are computed together: of large expressions fewer points are taken, so
that the time is looked at in between."""

Points = Mapping[SimpleExpr, npt.NDArray[Any]]


def is_small(domain: Sequence[SimpleExpr]) -> bool:
    """Tell whether the indices are bounded and have at most `MAX_POINTS` values."""
    bounded = all(idx.lo is not None and idx.hi is not None for idx in domain)
    return bounded and count(domain) <= MAX_POINTS


def has_few_points(domain: Sequence[SimpleExpr]) -> bool:
    """Tell whether a small domain has at most `FEW_POINTS` values."""
    return count(domain) <= FEW_POINTS


def exhaust(
    truth: Callable[[Callable[[SimpleExpr], Any], Callable[[], None]], Any],
    domain: Sequence[SimpleExpr],
    *,
    timeout_s: float,
    nodes: int = 1,
) -> Verdict:
    """Return whether a claim holds at every point of a small domain.

    Args:
        truth: The claim, as a function of what returns the values of a leaf, and of
            what it calls before each value that it computes, to look at the clock.
        domain: All leaves that the claim asks for; `is_small` is true for them.
        timeout_s: Time limit [s].
        nodes: Values that are computed for one point.
    """
    start = time.perf_counter()
    deadline = Deadline(timeout_s)
    first = 0
    most = block_points(nodes)
    for points in blocks(domain, most):
        size = min(most, count(domain) - first)
        try:
            deadline.look()
            found = truth(points.__getitem__, deadline.check)
        except TimeIsUpError:
            return not_all(first, domain, timeout_s)
        holds = np.broadcast_to(np.asarray(found, np.bool_), size)
        wrong = np.flatnonzero(~holds)
        if len(wrong):
            return Refuted({idx: int(v[wrong[0]]) for idx, v in points.items()})
        first += size
    return Proved(time.perf_counter() - start)


def not_all(tried: int, domain: Sequence[SimpleExpr], timeout_s: float) -> Unknown:
    """Return that the time was up before all points of a domain were tried."""
    return Unknown(f"{tried} of {count(domain)} points were tried in {timeout_s} s")


def count(domain: Sequence[SimpleExpr]) -> int:
    """Return how many points a bounded domain has."""
    return math.prod(idx.trip_count for idx in domain)


def block_points(nodes: int) -> int:
    """Return how many points are taken together if each costs so many values."""
    return max(1, min(BLOCK_POINTS, BLOCK_WORK // max(1, nodes)))


def blocks(domain: Sequence[SimpleExpr], most: int = BLOCK_POINTS) -> Iterator[Points]:
    """Yield all points in blocks of at most `most`, the last index running fastest."""
    total = count(domain)
    for first in range(0, total, most):
        yield _block(domain, first, min(first + most, total))


def _block(domain: Sequence[SimpleExpr], first: int, last: int) -> Points:
    """Return the points numbered [first, last)."""
    number = np.arange(first, last).astype(np.object_)
    points = {}
    for idx in reversed(domain):
        points[idx] = (idx.lo or 0) + idx.step * (number % idx.trip_count)
        number = number // idx.trip_count
    return {idx: points[idx] for idx in domain}
