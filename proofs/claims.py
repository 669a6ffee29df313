"""Claims about addresses, access patterns and maps, decided on demand.

>>> from pelican import AccessPattern, index
>>> i = index("i", 0, 9)
>>> slot = AccessPattern(2048 * i % 16384, [(1, 2048)])
>>> isinstance(prove_disjoint(slot, slot, {i: i + 1}), Proved)
True
>>> print(prove_distinct(slot.address, i, 8))
refuted at i = 0 and at i = 8, both give 0

Symbols, and values that the running program reads, are any values of their ranges, and
the same at both points of a claim about two.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from pelican.access.maps import RingMap
from pelican.access.patterns import AccessPattern
from pelican.errors import OperandError
from pelican.expr import AffineIdx, SumExpr
from pelican.expr.node import Expr
from pelican.integers import brief, half_open
from pelican.known.interval import Interval, half_open_text
from pelican.questions.claims import (
    Bijective,
    Claim,
    Disjoint,
    Distinct,
    Equal,
    InBounds,
    Injective,
    InRange,
)
from pelican.tree.arguments import as_int
from pelican.tree.kinds import is_expr, is_index
from pelican.tree.printing import brief_text
from pelican.tree.traverse import indices
from proofs import pairs
from proofs.decide import check_interval, inside, prove_equal, prove_in
from proofs.injective import injective, points_of, unreached
from proofs.question import Question, answered, assumed, decide, nowhere, told
from proofs.side import Side
from proofs.verdict import Proved, Refuted, Unknown, Verdict


def answer(
    claim: Claim,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether a claim holds.

    Args:
        claim: Any record of `pelican.questions.claims`.
        given: Comparisons made by `pelican.icmp` that are assumed to hold.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If it is no claim, or the assumptions hold for no values.

    >>> from pelican import index
    >>> from pelican.questions.claims import InRange
    >>> print(answer(InRange(index("i", 0, 8) + 1, 0, 8)))
    refuted at i = 7
    """
    how: dict[str, Any] = {
        "given": tuple(given),
        "timeout_s": timeout_s,
        "solver": solver,
    }
    match claim:
        case InRange():
            return prove_in(claim.e, Interval(claim.lo, claim.hi - 1), **how)
        case Equal():
            return prove_equal(claim.a, claim.b, **how)
        case Distinct():
            trips = claim.distance // claim.index.step
            return prove_distinct(claim.e, claim.index, trips, **how)
        case Disjoint():
            return prove_disjoint(claim.p, claim.q, dict(claim.shift), **how)
        case Injective():
            return prove_injective(claim.p, **how)
        case Bijective():
            return prove_bijective(claim.f, **how)
        case InBounds():
            return prove_in_bounds(claim.p, Interval(claim.lo, claim.hi - 1), **how)
        case _:
            raise OperandError(
                f"answer needs a claim, got {brief_text(claim)}",
                hint="make one of the records of pelican.questions.claims",
            )


def prove_distinct(
    e: Expr | int,
    idx: AffineIdx,
    distance_trips: int,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether an expression differs whenever an index is some trips apart.

    All other leaves have the same values at both; both values of the index are in its
    range.

    Args:
        e: The expression.
        idx: The index that moves.
        distance_trips: By how many of its steps, >= 1 [trips].
        given: Comparisons that hold at both points.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If `idx` is no index, or the assumptions hold for no values.
        IndexRangeError: If the distance is below 1.

    >>> from pelican import index
    >>> i = index("i", 0, None)
    >>> isinstance(prove_distinct(2048 * i % 16384, i, 7), Proved)
    True
    """
    step = idx.step if is_expr(idx) and is_index(idx) else 1
    claim = Distinct(e, idx, as_int(distance_trips, "a distance in trips") * step)
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    pair = pairs.Distinct(claim.e, claim.index, claim.distance, facts)
    verdict = pair.shown(decide(pair.question, timeout_s))
    counted = " where the assumptions hold" if facts else ""
    apart = f"no two values of {idx.name} are {brief(claim.distance)} apart{counted}"
    return told(verdict, nowhere(pair.question.facts), timeout_s, apart)


def prove_disjoint(
    p: AccessPattern,
    q: AccessPattern,
    shift: Mapping[AffineIdx, Expr | int] | None = None,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether two patterns touch no common element of a partition.

    Indices that both use have the same values; `q` is that of the shifted iteration,
    and only the iterations count in which that is there. Tensors are not compared:
    addresses are those of one memory.

    Args:
        p: One pattern.
        q: The other.
        shift: The value of some indices in the iteration of `q`.
        given: Comparisons that hold in both iterations.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If one is no pattern, a key of the shift no index, or the
            assumptions hold for no values.

    >>> from pelican import index
    >>> i = index("i", 0, 2)
    >>> p, q = AccessPattern(64 * i, [(1, 64)]), AccessPattern(64 * i, [(1, 65)])
    >>> print(prove_disjoint(p, q, {i: i - 1}))
    refuted at i = 1, free0 = 0 and at i = 0, free0 = 64, both give 64
    """
    claim = Disjoint(p, q, shift)
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    first, end = zip(p.partitions, q.partitions, strict=True)
    if max(first) >= min(end):
        return Proved(0.0, "the two have no partition in common")
    pair = pairs.Disjoint(p, q, dict(claim.shift), facts)
    verdict = pair.shown(decide(pair.question, timeout_s))
    alone = "there is no iteration in which both exist"
    return told(verdict, nowhere(pair.question.facts), timeout_s, alone)


def prove_injective(
    what: AccessPattern | RingMap | Expr | int,
    varying: Iterable[AffineIdx] | None = None,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether no two points give the same result.

    A point of a pattern is a value of each loop index with a position in each free
    dim, whatever the partition; of a map, a value of each input; of an expression, a
    value of each index in `varying`.

    Args:
        what: A pattern, a map or an expression.
        varying: The indices that tell points apart, where they are not those said
            above; of an expression all its loop indices by default.
        given: Comparisons that hold at both points. A loop index that is named here
            only has a value of its own at each point, unless `varying` is given: then
            it is the same at both, as all leaves are that do not vary.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If there is no expression, an entry of `varying` is no index, or
            the assumptions hold for no values.

    >>> from pelican import index
    >>> i, j = index("i", 0, 16), index("j", 0, 64)
    >>> isinstance(prove_injective(64 * i + j), Proved)
    True
    >>> print(prove_injective(63 * i + j))
    refuted at i = 0, j = 63 and at i = 1, j = 0, both give 63
    """
    outputs, points, there = points_of(what, varying)
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    every = (*there, *facts)
    loose = () if varying is not None else pairs.only_assumed(outputs, points, every)
    pair = pairs.Injective(outputs, points, every, loose)
    verdict = injective(pair, timeout_s)
    return told(verdict, pair.single, timeout_s, "there are no two points")


def prove_bijective(
    f: RingMap,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether a map reaches every point of its space, each exactly once.

    It does if it stays in the space, is injective, and has as many points as the
    space. A refutation is a point that is sent outside, two points that collide, or
    the reason why some point is not reached.

    Args:
        f: The map.
        given: Comparisons that hold at every point; about values that are no inputs.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Raises:
        OperandError: If it is no map, an assumption is about an input, or the
            assumptions hold for no values.

    >>> from pelican import index
    >>> x = index("x", 0, 128)
    >>> isinstance(prove_bijective(RingMap([x], [(x + 1) % 128], [(0, 128)])), Proved)
    True
    >>> print(prove_bijective(RingMap([x], [x + 1], [(0, 129)])))
    refuted: (0) is not reached, 128 points cannot reach all 129
    """
    claim = Bijective(f)
    facts = assumed(given, timeout_s, solver)
    if isinstance(facts, Unknown):
        return facts
    for fact in facts:
        for idx in indices(fact):
            if idx in claim.f.inputs:
                raise OperandError(
                    f"an assumption about {idx.name}, which is an input of the map",
                    hint=f"declare {idx.name} with the range that it shall have",
                )
    start = time.perf_counter()
    verdict = _stays(f, facts, timeout_s)
    if not isinstance(verdict, Proved):
        return verdict
    verdict = injective(pairs.Injective(f.outputs, f.inputs, facts), timeout_s)
    if not isinstance(verdict, Proved):
        return verdict
    points = prod(idx.trip_count for idx in f.inputs)
    space = prod(high - low for low, high in f.onto)
    if points == space:
        return Proved(time.perf_counter() - start)
    missed = unreached(f, facts, timeout_s)
    where = f"{missed} is not reached, " if missed else ""
    few = f"{brief(points)} points cannot reach all {brief(space)}"
    return Refuted({}, reason=where + few)


def _stays(f: RingMap, facts: Sequence[Expr], timeout_s: float) -> Verdict:
    """Return whether a map stays in its space."""
    for output, (low, high) in zip(f.outputs, f.onto, strict=True):
        within = Interval(low, high - 1)
        question = Question(
            (Side(output), *map(Side, f.inputs)),
            partial(_first_inside, within),
            tuple(map(Side, facts)),
        )
        verdict = decide(question, timeout_s)
        if isinstance(verdict, Refuted):
            value = brief(verdict.values[0])
            reason = f"{value} is outside {half_open(low, high)}"
            return Refuted(verdict.model, values=verdict.values[:1], reason=reason)
        if isinstance(verdict, Unknown):
            return verdict
    return Proved(0.0)


def _first_inside(within: Interval, values: Sequence[Any]) -> Any:  # noqa: ANN401 - as `Question.holds`
    return inside(values[0], within)


def prove_in_bounds(
    p: AccessPattern,
    within: Interval,
    *,
    given: Iterable[Expr] = (),
    timeout_s: float = 10,
    solver: str = "z3",
) -> Verdict:
    """Return whether every address that a pattern touches is in an interval.

    Args:
        p: The pattern.
        within: The interval, both ends inclusive; None is an unbounded end.
        given: Comparisons made by `pelican.icmp` that are assumed to hold.
        timeout_s: Time limit of each thing that is tried, > 0 [s].
        solver: The solver that is asked; "z3" is the only one.

    Returns:
        A refutation has the least and the largest address of its iteration as values.

    Raises:
        OperandError: If it is no pattern, `within` no interval, or the assumptions
            hold for no values.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> print(prove_in_bounds(AccessPattern(64 * i, [(1, 65)]), Interval(0, 511)))
    refuted at i = 7: the tile spans [448, 513)
    """
    if not isinstance(p, AccessPattern):
        raise OperandError(
            f"prove_in_bounds needs an access pattern, got {brief_text(p)}"
        )
    check_interval(within, "prove_in_bounds")
    # Plain sums: to simplify them would take as long as to build the address.
    ends = (SumExpr((p.address, end or 0)) for end in (p.offsets.lo, p.offsets.hi))
    least, most = map(Side, ends)
    question = Question(
        (least, most),
        lambda values: _spans(values, within),
        tuple(map(Side, pairs.exists(p))),
    )
    known = Proved(0.0) if within == Interval(None, None) else None
    verdict = answered(question, given, timeout_s, solver, known=known)
    if not isinstance(verdict, Refuted):
        absent = nowhere(question.facts)
        return told(verdict, absent, timeout_s, "the pattern exists in no iteration")
    low, high = verdict.values
    reason = f"the tile spans {half_open_text(Interval(low, high))}"
    return Refuted(verdict.model, values=verdict.values, reason=reason)


def _spans(values: Sequence[Any], within: Interval) -> Any:  # noqa: ANN401 - as `Question.holds`
    """Return whether the least and the largest address are in an interval."""
    if within.lo is None or within.hi is None:
        return inside(values[0 if within.hi is None else 1], within)
    return (values[0] >= within.lo) & (values[1] <= within.hi)
