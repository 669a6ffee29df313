"""Claims about two points, as questions about one: the second is made of the first.

The second point is the first with some indices moved (`distinct`, `disjoint`), or with
new indices of the same ranges (`injective`), where a loop index that only assumptions
name has a value of its own at each point. All other leaves, among them symbols and
values that the running program reads, are the same at both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import zip_longest
from operator import and_, or_
from typing import Any

from pelican.access.patterns import AccessPattern
from pelican.expr import AffineIdx, AffineIV, ICmpExpr, SimpleExpr, index
from pelican.expr.node import Expr
from pelican.tree.arguments import as_expr
from pelican.tree.build import linear_sum
from pelican.tree.kinds import constant
from pelican.tree.points import in_term_order
from pelican.tree.traverse import indices
from proofs.question import Question
from proofs.side import Side
from proofs.verdict import Refuted, Verdict

Shift = Mapping[AffineIdx, Expr]
Point = Mapping[Any, int]


def takes(idx: AffineIdx, value: Expr) -> Iterator[Expr]:
    """Yield the comparisons that say that a value is one of an index."""
    if idx.lo is not None:
        yield ICmpExpr(">=", value, idx.lo)
    if idx.hi is not None:
        yield ICmpExpr(">=", idx.hi - 1, value)
    if idx.step > 1:
        yield ICmpExpr("==", (value - (idx.lo or 0)) % idx.step, 0)


def exists(pattern: AccessPattern) -> list[Expr]:
    """Return the comparisons that say that a pattern is there in an iteration."""
    return [fact for value, idx in pattern.inside for fact in takes(idx, value)]


def _facts(given: Sequence[Expr], moved: Mapping[SimpleExpr, Expr]) -> tuple[Side, ...]:
    """Return assumptions at both points."""
    return (*map(Side, given), *(Side(fact, moved) for fact in given))


class Distinct:
    """The question whether an expression differs at two values of an index."""

    def __init__(
        self, e: Expr, idx: AffineIdx, distance: int, given: Sequence[Expr]
    ) -> None:
        self.idx = idx
        self.distance = distance
        second = as_expr(idx + distance)
        self.e = e
        moved: Mapping[SimpleExpr, Expr] = {idx: second}
        # The step is kept by a distance that is a multiple of it.
        last = () if idx.hi is None else (ICmpExpr(">=", idx.hi - 1, second),)
        self.question = Question(
            (Side(e), Side(e, moved), Side(idx)),
            lambda values: values[0] != values[1],
            (*map(Side, last), *_facts(given, moved)),
            witnesses=True,
        )

    def shown(self, verdict: Verdict) -> Verdict:
        """Return the verdict with both points."""
        if not isinstance(verdict, Refuted):
            return verdict
        point = verdict.model
        other = {**point, self.idx: point[self.idx] + self.distance}
        return Refuted(point, other, verdict.values[:1])


class Disjoint:
    """The question whether two patterns have no address in common."""

    def __init__(
        self, p: AccessPattern, q: AccessPattern, shift: Shift, given: Sequence[Expr]
    ) -> None:
        self.p, self.q, self.shift = p, q, dict(shift)
        self.free = (_positions(p), _positions(q))
        # A position has one name in both points, and so is shown by one index.
        sizes = zip_longest(
            *([size for _, size in x.free] for x in (p, q)), fillvalue=1
        )
        self.names = _below([max(two) for two in sizes], (*p.indices, *q.indices))
        # Those that a point is told by, should the sides not depend on them.
        told = (*p.indices, *q.indices, *self._moving)
        moved: dict[SimpleExpr, Expr] = dict(shift.items())
        there = [fact for idx, value in shift.items() for fact in takes(idx, value)]
        self.question = Question(
            (
                Side(_element(p, self.free[0])),
                Side(_element(q, self.free[1]), moved),
                *map(Side, told),
            ),
            lambda values: values[0] != values[1],
            (
                *map(Side, (*there, *exists(p))),
                *(Side(fact, moved) for fact in exists(q)),
                *_facts(given, moved if shift else {}),
            ),
            witnesses=True,
        )

    @property
    def _moving(self) -> tuple[SimpleExpr, ...]:
        """The leaves of the values that are shifted to."""
        exprs = self.shift.values()
        return tuple(dict.fromkeys(idx for expr in exprs for idx in indices(expr)))

    def shown(self, verdict: Verdict) -> Verdict:
        """Return the verdict with an iteration and a position of each pattern."""
        if not isinstance(verdict, Refuted):
            return verdict
        at = verdict.model
        moved = {idx: int(value.eval(at)) for idx, value in self.shift.items()}
        first = {idx: at[idx] for idx in (*self.p.indices, *self._moving)}
        every: Point = {**at, **moved}
        second = {idx: every[idx] for idx in self.q.indices}
        return Refuted(
            {**first, **self._shown_positions(self.free[0], at)},
            {**second, **self._shown_positions(self.free[1], at)},
            verdict.values[:1],
        )

    def _shown_positions(self, positions: Sequence[AffineIV], at: Point) -> Point:
        """Return the position in each free dim of more than one element."""
        known = zip(self.names, positions, strict=False)
        return {name: at.get(t, 0) for name, t in known if t.trip_count > 1}


def only_assumed(
    outputs: Sequence[Expr], varying: Sequence[AffineIdx], given: Sequence[Expr]
) -> tuple[AffineIdx, ...]:
    """Return the loop indices that assumptions name, and neither results nor points."""
    used = {*varying, *(idx for output in outputs for idx in indices(output))}
    asked = dict.fromkeys(idx for fact in given for idx in indices(fact))
    return tuple(i for i in asked if isinstance(i, AffineIV) and i not in used)


class Injective:
    """The question whether results tell the values of some indices apart.

    Args:
        outputs: The results.
        varying: The indices whose values are told apart; kept in term order.
        given: What is assumed of each point.
        loose: Indices of `given` that may differ between the points, and whose values
            are not told apart.
    """

    def __init__(
        self,
        outputs: Sequence[Expr],
        varying: Sequence[AffineIdx],
        given: Sequence[Expr],
        loose: Sequence[AffineIdx] = (),
    ) -> None:
        self.outputs = tuple(outputs)
        self.varying = tuple(sorted(varying, key=lambda idx: idx.order_key))
        self.given = tuple(given)
        self.loose = tuple(loose)
        moving = (*self.varying, *self.loose)
        copies = {x: index(x.name, x.lo, x.hi, x.step) for x in moving}
        self.copies = copies
        moved: dict[SimpleExpr, Expr] = dict(copies.items())
        count = len(self.outputs)
        points = self._points
        last = 2 * count + len(points)
        self.question = Question(
            (
                *map(Side, self.outputs),
                *(Side(output, moved) for output in self.outputs),
                *map(Side, points),
                *map(Side, (*self.loose, *(copies[x] for x in self.loose))),
            ),
            lambda values: _tells_apart(values[:last], count),
            _facts(given, moved),
            witnesses=True,
        )

    @property
    def _points(self) -> tuple[AffineIdx, ...]:
        """The indices of the first point, then those of the second."""
        return (*self.varying, *(self.copies[x] for x in self.varying))

    @property
    def single(self) -> Question:
        """The question whether there are no two points."""
        points = self._points or (constant(0),) * 2
        return Question(tuple(map(Side, points)), _same, self.question.facts)

    def shown(self, verdict: Verdict) -> Verdict:
        """Return the verdict with both points, the lesser one first."""
        if not isinstance(verdict, Refuted):
            return verdict
        at = verdict.model
        copied = set(self.copies.values())
        one = {idx: value for idx, value in at.items() if idx not in copied}
        two = {**one, **{x: at[copy] for x, copy in self.copies.items()}}
        # The two have equal results, so either may be called the first.
        points = (in_term_order(one), in_term_order(two))
        first, other = sorted(points, key=lambda point: [*point.values()])
        return Refuted(first, other, verdict.values[: len(self.outputs)])


def _tells_apart(values: Sequence[Any], outputs: int) -> Any:  # noqa: ANN401 - as `Question.holds`
    """Return whether results differ, or the points are the same."""
    first, second = values[:outputs], values[outputs : 2 * outputs]
    points = values[2 * outputs :]
    differ = reduce(or_, (a != b for a, b in zip(first, second, strict=True)))
    if not points:
        return differ | (first[0] == first[0])
    return differ | _same(points)


def _same(points: Sequence[Any]) -> Any:  # noqa: ANN401 - as `Question.holds`
    """Return whether the second half is as the first."""
    half = len(points) // 2
    pairs = zip(points[:half], points[half:], strict=True)
    return reduce(and_, (a == b for a, b in pairs))


def _positions(pattern: AccessPattern) -> list[AffineIV]:
    """Return an index for each free dim of a pattern."""
    return _below([size for _, size in pattern.free], pattern.indices)


def _below(sizes: Sequence[int], around: Sequence[SimpleExpr]) -> list[AffineIV]:
    """Return an index for each of some free dims, after all those around them."""
    depth = 1 + max([idx.depth for idx in around], default=0)
    return [AffineIV(f"free{k}", 0, size, 1, depth) for k, size in enumerate(sizes)]


def _element(pattern: AccessPattern, positions: Sequence[AffineIV]) -> Expr:
    """Return the address of the element at a position of a tile."""
    strides = [stride for stride, _ in pattern.free]
    moves = [s * t for s, t in zip(strides, positions, strict=True)]
    return linear_sum([pattern.address, *moves])


def pattern_points(
    pattern: AccessPattern, loops: Sequence[AffineIdx]
) -> tuple[Expr, tuple[AffineIdx, ...]]:
    """Return the address of an element, and the indices of iteration and position."""
    positions = _positions(pattern)
    return _element(pattern, positions), (*loops, *positions)
