"""Collisions: two points of a small domain with one result, found by sorting.

Each point is evaluated once; points with equal results stand side by side then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pelican.expr import SimpleExpr
from proofs.deadline import Deadline, TimeIsUpError
from proofs.exhaust import block_points, blocks, count, not_all
from proofs.verdict import Proved, Refuted, Verdict

Results = Callable[
    [Callable[[SimpleExpr], Any], Callable[[], None]], tuple[Sequence[Any], Any]
]
Codes = npt.NDArray[np.int64]


def collide(
    results: Results,
    domain: Sequence[SimpleExpr],
    told: int | None = None,
    *,
    timeout_s: float,
    nodes: int = 1,
) -> Verdict:
    """Return whether no two points of a small domain have the same results.

    Args:
        results: The results and whether a point counts, as a function of what returns
            the values of a leaf, and of what it calls before each value that it
            computes, to look at the clock.
        domain: All leaves that it asks for; `proofs.exhaust.is_small` is true for
            them.
        told: How many of the leaves, from the first on, tell points apart; points that
            differ in the others only are one. None for all.
        timeout_s: Time limit [s].
        nodes: Values that are computed for one point.

    Returns:
        A refutation names the two points; they come first in the order of the domain.
    """
    start = time.perf_counter()
    deadline = Deadline(timeout_s)
    most = block_points(nodes)
    columns: list[npt.NDArray[np.object_]] = []
    counts: list[npt.NDArray[np.bool_]] = []
    number = 0
    for points in blocks(domain, most):
        try:
            deadline.look()
            values, counted = results(points.__getitem__, deadline.check)
        except TimeIsUpError:
            return not_all(number, domain, timeout_s)
        size = min(most, count(domain) - number)
        rows = [np.broadcast_to(np.asarray(v, np.object_), size) for v in values]
        columns.append(np.array(rows, np.object_))
        counts.append(np.broadcast_to(np.asarray(counted, np.bool_), size))
        number += size
    kept = np.flatnonzero(np.concatenate(counts))
    if told is not None:
        _, first_of = np.unique(kept // count(domain[told:]), return_index=True)
        kept = kept[first_of]
    pair = _first_pair(_codes(np.concatenate(columns, axis=1)[:, kept]))
    if pair is None:
        return Proved(time.perf_counter() - start)
    first, second = (_point(domain, int(kept[k])) for k in pair)
    return Refuted(first, second)


def _codes(columns: npt.NDArray[np.object_]) -> Codes:
    """Return a number for each point, the same where all its columns are."""
    codes = np.zeros(columns.shape[1], np.int64)
    for column in columns:
        values, ranks = np.unique(column, return_inverse=True)
        # Both factors are below the number of points, so the product fits.
        _, codes = np.unique(codes * len(values) + ranks, return_inverse=True)
    return codes


def _first_pair(codes: Codes) -> tuple[int, int] | None:
    """Return the least place that repeats an earlier code, and that earlier place."""
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    repeats = np.flatnonzero(ranked[1:] == ranked[:-1])
    if not len(repeats):
        return None
    first = repeats[np.argmin(order[repeats + 1])]
    return int(order[first]), int(order[first + 1])


def _point(domain: Sequence[SimpleExpr], number: int) -> dict[SimpleExpr, int]:
    """Return the point of a number, the last index running fastest."""
    point = {}
    for idx in reversed(domain):
        number, trip = divmod(number, idx.trip_count)
        point[idx] = (idx.lo or 0) + idx.step * trip
    return {idx: point[idx] for idx in domain}
