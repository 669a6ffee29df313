"""Dependences of a straight node, with a distance in trips of its loop.

``(a, b, d)``: operation b of trip k + d starts only after operation a of trip k is
complete. Each engine takes its operations in one order, so b of all later trips waits
too: of each pair only the least distance is needed at which the two may meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from pelican import index
from pelican.expr.node import Expr
from pelican.questions.substitute import rebuild, smart
from pelican.tree.kinds import is_affine, is_constant
from rotation.kept.data import BodyAccess, LoopEdge, Straight
from rotation.loop_form.kernel import EdgeKind, MemoryLocationSet

Slots = Mapping[MemoryLocationSet, int]
Sharing = frozenset[tuple[MemoryLocationSet, MemoryLocationSet]]
"""Pairs of different buffers, both ways round, that have bytes in common."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two accesses that may meet, of which one is a write.

    Attributes:
        first: Position of the operation of the earlier access.
        second: Position of the other.
        one: The earlier access.
        other: The other.
        least: Least distance at which their boxes may meet; at least 1 if the second
            operation does not stand behind the first.
        most: Greatest such distance; None without an end.
    """

    first: int
    second: int
    one: BodyAccess
    other: BodyAccess
    least: int
    most: int | None


class Conflicts:
    """The accesses of a straight node that may meet; ring sizes come later."""

    def __init__(self, node: Straight) -> None:
        self._node = node
        self._pairs = tuple(_pairs(node))

    def edges(
        self, slots: Slots, sharing: Sharing = frozenset()
    ) -> tuple[LoopEdge, ...]:
        """Return the edges for these ring sizes, one for each pair of operations.

        Args:
            slots: Number of slots of each on-chip buffer.
            sharing: Buffers that share bytes; each of them has one slot.
        """
        found = [e for pair in self._pairs if (e := _edge(pair, slots)) is not None]
        found += _shared(self._node, sharing)
        best: dict[tuple[int, int], LoopEdge] = {}
        for edge in found:
            if self._node.loop is None and edge.distance:
                continue
            key = edge.sink, edge.source
            rank = edge.distance, -edge.kind
            if key not in best or rank < (best[key].distance, -best[key].kind):
                best[key] = edge
        return tuple(sorted(best.values()))


def kind_of(first_writes: bool, second_writes: bool) -> EdgeKind:  # noqa: FBT001
    """Return the kind of the edge between two accesses."""
    if first_writes and second_writes:
        return EdgeKind.OUTPUT
    return EdgeKind.FLOW if first_writes else EdgeKind.ANTI


def _edge(pair: _Pair, slots: Slots) -> LoopEdge | None:
    one, other = pair.one, pair.other
    distance: int | None = pair.least
    if one.own:
        distance = _ring_distance(pair, slots.get(one.tensor, 1))
    if distance is None:
        return None
    kind = kind_of(one.is_write, other.is_write)
    return LoopEdge(pair.second, pair.first, distance, kind)


def _ring_distance(pair: _Pair, slots: int) -> int | None:
    """Return the least distance at which two accesses of a ring share a slot.

    A read of a younger instance in the same slot waits for the writes of its own
    instance, and these wait for the older one: it needs no edge.
    """
    one, other = pair.one, pair.other
    for distance in range(pair.least, pair.least + slots):
        apart = one.per_trip * distance + other.offset - one.offset
        if pair.most is not None and distance > pair.most:
            return None
        if apart % slots == 0 and (apart == 0 or other.is_write):
            return distance
    return None


def _pairs(node: Straight) -> Iterator[_Pair]:
    by_tensor: dict[MemoryLocationSet, list[tuple[int, BodyAccess]]] = {}
    for position, op in enumerate(node.ops):
        for access in op.accesses:
            by_tensor.setdefault(access.tensor, []).append((position, access))
    for accesses in by_tensor.values():
        for (first, one), (second, other) in product(accesses, accesses):
            if not (one.is_write or other.is_write):
                continue
            after = 0 if first < second else 1
            meeting = _meeting(node, one, other, after)
            if meeting is not None:
                yield _Pair(first, second, one, other, *meeting)


def _meeting(
    node: Straight, one: BodyAccess, other: BodyAccess, after: int
) -> tuple[int, int | None] | None:
    """Return the distances at which two boxes may meet, from `after` on.

    What ranges cannot decide is taken as meeting.
    """
    least, most = after, None if node.loop is not None else 0
    for here, there, size, length in zip(
        one.starts, other.starts, one.region.extents, other.region.extents, strict=True
    ):
        span = _distances(node, here, there, size, length)
        if span is None:
            return None
        least = max(least, span[0])
        if span[1] is not None:
            most = span[1] if most is None else min(most, span[1])
    if most is not None and least > most:
        return None
    return least, most


def _distances(
    node: Straight, here: Expr, there: Expr, size: int, length: int
) -> tuple[int, int | None] | None:
    """Return the distances d >= 0 at which two extents of one dimension may meet.

    They meet where ``-length < there(k + d) - here(k) < size``.
    """
    if is_constant(here) and is_constant(there):
        return _window(0, there.constant - here.constant, size, length)
    if node.loop is None:
        apart, trips = there - here, None
    else:
        loop = node.loop.index
        trips = index("distance", 0, None)
        later: dict[Expr, Expr] = {loop: loop + loop.step * trips}
        apart = rebuild(there, smart, later) - here
    if is_affine(apart) and all(leaf == trips for leaf, _ in apart.terms):
        slope = sum(coefficient for _, coefficient in apart.terms)
        return _window(slope, apart.constant, size, length)
    lo, hi = apart.range.lo, apart.range.hi
    if (lo is not None and lo >= size) or (hi is not None and hi <= -length):
        return None
    return 0, None


def _window(
    slope: int, offset: int, size: int, length: int
) -> tuple[int, int | None] | None:
    """Return the d >= 0 for which ``-length < slope*d + offset < size``."""
    if slope == 0:
        return (0, None) if -length < offset < size else None
    if slope < 0:
        slope, offset, size, length = -slope, -offset, length, size
    least = max(0, -((length - 1 + offset) // slope))
    most = (size - 1 - offset) // slope
    return (least, most) if most >= least else None


def _shared(node: Straight, sharing: Sharing) -> Iterator[LoopEdge]:
    """Yield the edges between different buffers that have bytes in common."""
    if not sharing:
        return
    accesses = [(p, a) for p, op in enumerate(node.ops) for a in op.accesses]
    for (first, one), (second, other) in product(accesses, accesses):
        if (one.tensor, other.tensor) in sharing and (one.is_write or other.is_write):
            kind = kind_of(one.is_write, other.is_write)
            if kind is EdgeKind.FLOW:
                kind = EdgeKind.OUTPUT  # no value goes this way, only bytes
            yield LoopEdge(second, first, int(first >= second), kind)
