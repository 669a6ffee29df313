"""The small box: every point of a small cube, no randomness and no solver.

A law that is wrong is nearly always wrong on small numbers, and a law that a solver
proves must hold here as well: the box shares no code with the encodings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from pelican.laws.lemma import Fact, Record
from pelican.laws.term import Term, evaluate

BOUNDS: Final = dict.fromkeys(range(5), (-7, 12)) | {5: (-4, 5), 6: (-2, 3)}
"""Ends of the cube by number of metavariables: at most 160,000 points."""


class LawTooWideError(ValueError):
    """A law with more metavariables than a cube can hold."""


Points = Mapping[str, npt.NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class BoxResult:
    """What enumeration found.

    Attributes:
        points: Number of points at which the facts hold and every divisor is >= 1.
        satisfying: The plainest of these points; None if there is none.
        counterexample: The plainest of these points at which the claim fails.
    """

    points: int
    satisfying: Mapping[str, int] | None
    counterexample: Mapping[str, int] | None


def enumerate_box(record: Record, given: Iterable[Fact] | None = None) -> BoxResult:
    """Return what the claim of a record is worth on every point of its box.

    Args:
        record: A law or a range rule.
        given: The facts that are assumed; those of the record by default.

    Raises:
        LawTooWideError: If the record has more than 6 metavariables.
    """
    points = points_of(record, record.given if given is None else given)
    failing = _kept(points, ~_truth(record.claim, points))
    return BoxResult(_count(points), _plainest(points), _plainest(failing))


def points_of(record: Record, given: Iterable[Fact]) -> Points:
    """Return the points of the box at which facts hold and divisors are >= 1."""
    points = _cube([v.args[0] for v in record.metavariables])
    # A divisor that holds another one has the longer text: the inner one goes first.
    for divisor in sorted(record.divisors, key=lambda d: len(str(d))):
        points = _kept(points, _values(divisor, points) >= 1)
    for fact in given:
        points = _kept(points, _truth(fact, points))
    return points


def _cube(names: list[str]) -> Points:
    if len(names) > max(BOUNDS):
        message = f"{len(names)} metavariables are too many for a box: split the law"
        raise LawTooWideError(message)
    lo, hi = BOUNDS[len(names)]
    axis = np.arange(lo, hi + 1, dtype=np.int64)
    grid = np.meshgrid(*([axis] * len(names)), indexing="ij")
    return {name: part.ravel() for name, part in zip(names, grid, strict=True)}


def _count(points: Points) -> int:
    return len(next(iter(points.values())))


def _kept(points: Points, mask: npt.NDArray[np.bool_]) -> Points:
    return {name: values[mask] for name, values in points.items()}


def _truth(fact: Fact, points: Points) -> npt.NDArray[np.bool_]:
    return np.asarray(_relation(fact, points), dtype=np.bool_)


def _relation(fact: Fact, points: Points) -> Any:  # noqa: ANN401 - an array of bool
    left, right = _values(fact.left, points), _values(fact.right, points)
    if fact.relation == "<=":
        return left <= right
    if fact.relation == "<":
        return left < right
    if fact.relation == "==":
        return left == right
    # Zero divides zero only.
    safe = np.where(left == 0, 1, left)
    return np.where(left == 0, right == 0, right % safe == 0)


def _values(term: Term, points: Points) -> npt.NDArray[np.int64]:
    value = np.asarray(evaluate(term, points), dtype=np.int64)
    return np.broadcast_to(value, (_count(points),))


def _plainest(points: Points) -> Mapping[str, int] | None:
    """Return the point of least sum of sizes, with few negatives; None if empty."""
    if not _count(points):
        return None
    columns = np.stack(list(points.values()))
    order = (*columns[::-1], (columns < 0).sum(axis=0), abs(columns).sum(axis=0))
    first = np.lexsort(order)[0]
    return {name: int(values[first]) for name, values in points.items()}
