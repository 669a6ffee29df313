"""Whether results tell points apart, and which point of a space is not reached.

Four things are tried, cheapest first: a few points are tried one by one; the solver
looks for two that collide; a left inverse, found by structure, is proved by the
solver, which needs one point only; and up to `proofs.exhaust.MAX_POINTS` points are
tried.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import islice, product
from math import prod
from operator import and_, or_
from typing import Any, Final

import numpy as np

from pelican.access.inverse import solve
from pelican.access.maps import RingMap
from pelican.access.patterns import AccessPattern
from pelican.errors import OperandError
from pelican.expr import AffineIdx, SimpleExpr, index
from pelican.expr.node import Expr
from pelican.integers import brief
from pelican.tree.arguments import as_expr, as_tuple
from pelican.tree.kinds import AFFINE_IV, is_expr, is_index, is_leaf
from pelican.tree.printing import brief_text
from pelican.tree.traverse import indices, postorder
from proofs.collide import collide
from proofs.exhaust import MAX_POINTS, block_points, blocks, has_few_points, is_small
from proofs.pairs import Injective, exists, pattern_points
from proofs.question import Question, decide
from proofs.side import Leaf, Look, Side
from proofs.verdict import Proved, Refuted, Unknown, Verdict

FIRST_TRY: Final = 0.5
"""Part of the time limit that the solver gets before a left inverse is looked for."""

NODES_PER_SECOND: Final = 1_000
"""Parts of results that are simplified, and whose inverse is looked for, per second of
the time limit: neither looks at the clock."""

MAX_CANDIDATES: Final = 16
"""Corners of a space that are tried as points that are not reached."""

Points = tuple[tuple[Expr, ...], tuple[AffineIdx, ...], list[Expr]]


def points_of(
    what: AccessPattern | RingMap | Expr | int, varying: Iterable[AffineIdx] | None
) -> Points:
    """Return the results, the indices that tell points apart, and when they count.

    Raises:
        OperandError: If there is no expression, or an entry of `varying` is no index.
    """
    chosen = None if varying is None else _each_once(varying)
    for idx in chosen or ():
        if not is_expr(idx) or not is_index(idx) or not is_leaf(idx):
            raise OperandError(
                f"varying must hold indices, got {brief_text(idx)}",
                hint="an index of an access pattern follows from another",
            )
    if isinstance(what, RingMap):
        return what.outputs, what.inputs if chosen is None else chosen, []
    expr = what.address if isinstance(what, AccessPattern) else as_expr(what)
    if chosen is None:
        chosen = tuple(i for i in expr.indices if i.kind == AFFINE_IV)
    if not isinstance(what, AccessPattern):
        return (expr,), chosen, []
    element, every = pattern_points(what, chosen)
    return (element,), every, exists(what)


def _each_once(varying: Iterable[AffineIdx]) -> tuple[AffineIdx, ...]:
    """Return what varies, a repeated index once."""
    return tuple(dict.fromkeys(as_tuple(varying, "varying must be a list of indices")))


def injective(pair: Injective, timeout_s: float) -> Verdict:
    """Return whether the results of a pair of points differ, unless the points do not.

    A refutation has the first of both points as its model.
    """
    start = time.perf_counter()
    domain = _domain(pair)
    small = is_small(domain)
    if small and has_few_points(domain):
        return _by_points(pair, domain, timeout_s)
    quick = _nodes(pair.outputs) <= NODES_PER_SECOND * timeout_s
    if quick:
        pair = _simplified(pair, timeout_s)
    first = pair.shown(decide(pair.question, timeout_s * FIRST_TRY))
    if not isinstance(first, Unknown):
        return first
    if quick and _has_left_inverse(pair, timeout_s):
        return Proved(time.perf_counter() - start)
    if small:
        return _by_points(pair, domain, timeout_s)
    return pair.shown(decide(pair.question, timeout_s))


def _simplified(pair: Injective, timeout_s: float) -> Injective:
    """Return the pair over simplified results, where the solver proves them equal."""
    outputs = tuple(output.simplify() for output in pair.outputs)
    question = Question(
        (*map(Side, outputs), *map(Side, pair.outputs)),
        _first_half_is_second,
        tuple(map(Side, pair.given)),
    )
    same = outputs == pair.outputs
    if same or not isinstance(decide(question, timeout_s * FIRST_TRY), Proved):
        return pair
    return Injective(outputs, pair.varying, pair.given, pair.loose)


def _nodes(exprs: Sequence[Expr]) -> int:
    """Return how many parts some expressions have."""
    return sum(1 for expr in exprs for _ in postorder(expr))


def _domain(pair: Injective) -> tuple[SimpleExpr, ...]:
    """Return the leaves of one point: those that are fixed, that vary, the loose."""
    exprs = (*pair.outputs, *pair.given)
    leaves = (idx for expr in exprs for idx in indices(expr))
    fixed = (idx for idx in leaves if idx not in pair.copies)
    return (*dict.fromkeys(fixed), *pair.varying, *pair.loose)


def _by_points(
    pair: Injective, domain: Sequence[SimpleExpr], timeout_s: float
) -> Verdict:
    """Return the answer of every point of a small domain, a refutation replayed."""
    fixed = domain[: len(domain) - len(pair.copies)]
    sides = [*map(Side, pair.outputs), *map(Side, fixed)]
    facts = [Side(fact) for fact in pair.given]
    if not pair.varying:
        return Proved(0.0)

    def results(leaf: Leaf, look: Look) -> tuple[Sequence[Any], Any]:
        holds = [fact.value(leaf, look) == 1 for fact in facts]
        counted = reduce(np.logical_and, holds, np.True_)
        return [side.value(leaf, look) for side in sides], counted

    told = len(domain) - len(pair.loose)
    verdict = collide(
        results, domain, told, timeout_s=timeout_s, nodes=_nodes(pair.outputs)
    )
    if not isinstance(verdict, Refuted) or verdict.other is None:
        return verdict
    values = tuple(Side(output).at(verdict.model) for output in pair.outputs)
    second = tuple(Side(output).at(verdict.other) for output in pair.outputs)
    if values != second:
        return Unknown(f"{verdict} does not replay: {values} and {second}")
    return Refuted(verdict.model, verdict.other, values)


def _has_left_inverse(pair: Injective, timeout_s: float) -> bool:
    """Tell whether functions of the results are proved to give the points back."""
    values = [index(f"y{k}") for k in range(len(pair.outputs))]
    solution = solve(pair.varying, pair.outputs, values)
    if solution is None:
        return False
    moved: dict[SimpleExpr, Expr] = dict(zip(values, pair.outputs, strict=True))
    back = [Side(solution.values[idx], moved) for idx in pair.varying]
    question = Question(
        (*back, *map(Side, pair.varying)),
        _first_half_is_second,
        tuple(map(Side, pair.given)),
    )
    return isinstance(decide(question, timeout_s), Proved)


def _first_half_is_second(values: Sequence[Any]) -> Any:  # noqa: ANN401 - as `Question.holds`
    half = len(values) // 2
    halves = zip(values[:half], values[half:], strict=True)
    return reduce(and_, (a == b for a, b in halves))


def unreached(f: RingMap, facts: Sequence[Expr], timeout_s: float) -> str:
    """Return a point of the space that a map does not reach, as text; empty if unknown.

    Args:
        f: The map.
        facts: What is assumed.
        timeout_s: Time limit of each point that is tried [s].
    """
    space = [range(low, high) for low, high in f.onto]
    leaves = {idx for output in f.outputs for idx in indices(output)}
    alone = not facts and leaves <= set(f.inputs)
    if alone and is_small(f.inputs) and prod(map(len, space)) <= MAX_POINTS:
        reached = set(_results(f))
        missed = next(point for point in product(*space) if point not in reached)
        return _point_text(missed)
    corners = product(*((values[0], values[-1]) for values in space))
    for corner in islice(corners, MAX_CANDIDATES):
        question = Question(
            tuple(map(Side, f.outputs)),
            partial(_misses, corner),
            tuple(map(Side, facts)),
        )
        if isinstance(decide(question, timeout_s), Proved):
            return _point_text(corner)
    return ""


def _misses(point: Sequence[int], values: Sequence[Any]) -> Any:  # noqa: ANN401 - as `Question.holds`
    return reduce(or_, (value != c for value, c in zip(values, point, strict=True)))


def _results(f: RingMap) -> Iterator[tuple[int, ...]]:
    """Yield the results of a map at all its points."""
    for points in blocks(f.inputs, block_points(_nodes(f.outputs))):
        columns = [Side(output).value(points.__getitem__) for output in f.outputs]
        size = max((len(c) for c in points.values()), default=1)
        rows = [[c] * size if isinstance(c, int) else c for c in columns]
        yield from zip(*rows, strict=True)


def _point_text(point: Sequence[int]) -> str:
    return f"({', '.join(map(brief, point))})"
