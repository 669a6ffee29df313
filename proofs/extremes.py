"""The least and the greatest value of an expression, with points that attain them.

The range that pelican knows is a first guess and nothing more: an end is given only
where a point attains it and the solver, or every point of a small domain, shows that no
value is beyond.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations, islice
from math import lcm
from operator import and_
from typing import Any, Final

import numpy as np

from pelican.expr import SimpleExpr, TiledAPIndex
from pelican.expr.node import Expr
from pelican.integers import brief
from pelican.known.interval import Interval
from pelican.tree.arguments import as_expr
from pelican.tree.kinds import is_collective, is_divlike
from pelican.tree.points import point_text
from pelican.tree.traverse import postorder
from proofs.deadline import Deadline, TimeIsUpError
from proofs.encode import MAX_BITS
from proofs.exhaust import (
    Points,
    block_points,
    blocks,
    has_few_points,
    is_small,
    not_all,
)
from proofs.question import Question, assumed, by_solver
from proofs.side import Look, Side
from proofs.verdict import Proved, Refuted, Unknown, Verdict

MAX_PAIRS: Final = 20
"""Pairs of leaves without an end that are tried as the step of an endless descent."""

Point = Mapping[SimpleExpr, int]


@dataclass(frozen=True, slots=True)
class ExactRange:
    """The ends of the values of an expression, each attained.

    Attributes:
        lo: The least value; None if there is none.
        hi: The greatest value; None if there is none.
        least: A point at which the least value is attained, or None.
        greatest: A point at which the greatest value is attained, or None.

    >>> from pelican import index
    >>> print(exact_range(3 * index("i", 0, 8) % 5))
    [0, 4]: 0 at i = 0, 4 at i = 3
    """

    lo: int | None
    hi: int | None
    least: Point | None
    greatest: Point | None

    @property
    def interval(self) -> Interval:
        """The ends as an interval."""
        return Interval(self.lo, self.hi)

    def __str__(self) -> str:
        ends = ((self.lo, self.least), (self.hi, self.greatest))
        low, high = ("..." if end is None else brief(end) for end, _ in ends)
        found = [
            (brief(end), point_text(at)) for end, at in ends if end is not None and at
        ]
        where = ", ".join(f"{end} at {at}" for end, at in found)
        return f"[{low}, {high}]: {where}" if where else f"[{low}, {high}]"


def exact_range(
    expr: Expr | int,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> ExactRange | Unknown:
    """Return the least and the greatest value, and where they are attained.

    `expr.range` never is narrower, and may be wider.

    Args:
        expr: An expression or an integer.
        given: Comparisons made by `pelican.icmp` that are assumed to hold.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If `expr` is no expression and no integer, or the assumptions hold
            for no values.

    >>> from pelican import icmp, index
    >>> i, j = index("i", 0, 1000), index("j", 0, 1000)
    >>> uneven = i // 3 - i // 7
    >>> print(uneven.range, exact_range(uneven))
    Interval(-142, 333) [0, 191]: 0 at i = 0, 191 at i = 999
    >>> exact_range(i - j, given=[icmp(i, ">=", j)]).lo
    0
    >>> exact_range(index("n", 5)).hi is None
    True
    """
    value = as_expr(expr)
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    search = _Search(value, facts, timeout_s)
    if is_small(search.domain) and has_few_points(search.domain):
        return search.by_points()
    found = [search.end(sign) for sign in (1, -1)]
    for end in found:
        if isinstance(end, Unknown):
            return search.by_points() if is_small(search.domain) else end
    (lo, least), (hi, greatest) = found  # type: ignore[misc]  # none is Unknown
    return ExactRange(lo, hi, least, greatest)


End = tuple[int | None, Point | None]


class _Search:
    """The search for the ends of an expression under assumptions."""

    def __init__(self, expr: Expr, facts: Sequence[Expr], timeout_s: float) -> None:
        self.expr = expr
        self.side = Side(expr)
        self.facts = tuple(map(Side, facts))
        self.timeout_s = timeout_s
        survey = Question((self.side,), bool, self.facts).survey()
        self.domain, self.nodes = survey.domain, survey.nodes

    def end(self, sign: int) -> End | Unknown:
        """Return the least value and its point; the greatest for the sign -1."""
        deadline = time.perf_counter() + self.timeout_s
        start = self._beyond(sign, None, deadline)
        if not isinstance(start, Refuted):
            return _open(start, sign)
        best, point = start.values[0], start.model
        guess = self.expr.range.lo if sign > 0 else self.expr.range.hi
        if guess is None and self._is_endless(sign, deadline):
            return None, None
        # Values beyond `limit` are excluded; steps grow until there is a limit.
        limit: int | None = None
        bound, step = best - sign if guess is None else guess, 1
        while limit is None or limit + sign != best:
            said = self._beyond(sign, bound, deadline)
            if isinstance(said, Unknown):
                return _open(said, sign)
            if isinstance(said, Refuted):
                best, point = said.values[0], said.model
            else:
                limit = bound
            if limit is None:
                bound, step = best - sign * step, 2 * step
            else:
                bound = limit + sign * (abs(best - limit) // 2)
        return best, point

    def _beyond(self, sign: int, bound: int | None, deadline: float) -> Verdict:
        """Return a point with a value of at most `bound`, or that there is none.

        At least, for the sign -1; None is no bound.
        """
        left = deadline - time.perf_counter()
        if left <= 0:
            return Unknown(f"no end was found in {self.timeout_s} s")
        question = Question(
            (self.side,), lambda values: _excludes(values[0], sign, bound), self.facts
        )
        return by_solver(question, self.domain, left)

    def _is_endless(self, sign: int, deadline: float) -> bool:
        """Tell whether some step betters the value and can be repeated for ever."""
        for moved in self._steps():
            again = [Side(fact.expr, moved) for fact in self.facts]
            question = Question(
                (self.side, Side(self.expr, moved), *again),
                partial(_descends, sign),
                self.facts,
            )
            left = deadline - time.perf_counter()
            if left <= 0:
                return False
            if isinstance(by_solver(question, question.domain, left), Proved):
                return True
        return False

    def _steps(self) -> Iterator[dict[SimpleExpr, Expr]]:
        """Yield steps of one or two leaves that stay in their ranges for ever."""
        periods = [period_of(side.expr) for side in (self.side, *self.facts)]
        known = [period for period in periods if period is not None]
        if len(known) < len(periods):
            return
        ends = [(idx, 1) for idx in self.domain if idx.hi is None]
        ends += [(idx, -1) for idx in self.domain if idx.lo is None]
        step = lcm(*known, *(idx.step for idx, _ in ends))
        alone = [{idx: as_expr(idx + way * step)} for idx, way in ends]
        yield from alone
        # What is assumed may tie two leaves together.
        together = combinations(alone, 2) if self.facts else ()
        for one, other in islice(together, MAX_PAIRS):
            yield {**one, **other}

    def by_points(self) -> ExactRange | Unknown:
        """Return the ends by trying every point of a small domain."""
        deadline = Deadline(self.timeout_s)
        ends: dict[int, tuple[int, Point]] = {}
        tried = 0
        for points in blocks(self.domain, block_points(self.nodes)):
            try:
                deadline.look()
                self._update(ends, points, deadline.check)
            except TimeIsUpError:
                return not_all(tried, self.domain, self.timeout_s)
            tried += _size(points)
        (lo, least), (hi, greatest) = ends[1], ends[-1]
        return ExactRange(lo, hi, least, greatest)

    def _update(
        self, ends: dict[int, tuple[int, Point]], points: Points, look: Look
    ) -> None:
        size = _size(points)
        held = np.ones(size, np.bool_)
        for fact in self.facts:
            held &= np.asarray(fact.value(points.__getitem__, look) == 1, np.bool_)
        (kept,) = np.nonzero(held)
        if not len(kept):
            return
        value = np.asarray(self.side.value(points.__getitem__, look), np.object_)
        values = np.broadcast_to(value, size)[kept]
        for sign, place in ((1, values.argmin()), (-1, values.argmax())):
            at = {idx: int(column[kept[place]]) for idx, column in points.items()}
            found = self.side.at(at)
            if sign not in ends or sign * found < sign * ends[sign][0]:
                ends[sign] = found, at


def _size(points: Points) -> int:
    """Return how many points there are."""
    return max(map(len, points.values()), default=1)


def _excludes(value: Any, sign: int, bound: int | None) -> Any:  # noqa: ANN401 - as `Question.holds`
    if bound is None:
        return value != value  # noqa: PLR0124 - false, over solver terms too
    return value >= bound + 1 if sign > 0 else value <= bound - 1


def _descends(sign: int, values: Sequence[Any]) -> Any:  # noqa: ANN401 - as `Question.holds`
    """Return whether the second value is the better one, and all facts still hold."""
    first, second, *facts = values
    better = second <= first - 1 if sign > 0 else second >= first + 1
    return reduce(and_, (fact == 1 for fact in facts), better)


def _open(said: Verdict, sign: int) -> Unknown:
    """Return that an end is not decided, and why."""
    end = "least" if sign > 0 else "greatest"
    return Unknown(f"the {end} value: {getattr(said, 'reason', '') or said}")


def period_of(expr: Expr) -> int | None:
    """Return a shift of a leaf that changes the value by the same everywhere.

    Of comparisons that is not true, so it is a guess; None if it is very long.
    """
    period: dict[int, int] = {}
    for node in postorder(expr):
        own = lcm(*(period[id(part)] for part in node.parts))
        if is_divlike(node) or is_collective(node):
            own *= node.denom
        elif isinstance(node, TiledAPIndex):
            own *= node.child.step * node.tile_size
        if own.bit_length() > MAX_BITS:
            return None
        period[id(node)] = own
    return period[id(expr)]
