"""Drop the edges of a straight node that queues and other edges imply, at any trip.

A path of waits from trip k to trip k + d counts only if all its trips lie between:
then each of them is a trip of the loop whenever both ends are, whatever the count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rotation.kept.edges import LoopEdge
from rotation.kept.rounds import Costs, Rounds
from rotation.kernel import EdgeKind

MOST_EDGES: Final = 600
"""Edges of a body up to which each is tried; beyond, all are kept."""


def reduced(
    costs: Costs, rounds: Rounds, edges: Sequence[LoopEdge]
) -> tuple[LoopEdge, ...]:
    """Return the edges without those that follow from the rest, kinds least first."""
    if len(edges) > MOST_EDGES:
        return tuple(edges)
    kept = list(edges)
    order = {EdgeKind.OUTPUT: 0, EdgeKind.ANTI: 1, EdgeKind.FLOW: 2}
    for edge in sorted(edges, key=lambda e: (order[e.kind], -e.distance, e)):
        rest = [other for other in kept if other != edge]
        if implied(costs, rounds, rest, edge):
            kept = rest
    return tuple(kept)


def implied(
    costs: Costs, rounds: Rounds, edges: Sequence[LoopEdge], edge: LoopEdge
) -> bool:
    """Return whether the sink waits for the source without the edge itself."""
    place, last = rounds.place(), edge.distance
    after: dict[int, list[LoopEdge]] = {}
    for each in edges:
        after.setdefault(each.source, []).append(each)
    # Each queue from an entry on starts after the source is complete.
    start: dict[object, tuple[int, int]] = {}
    done = [(edge.source, 0)]
    seen = {(edge.source, 0)}

    def reach(op: int, trip: int) -> None:
        key = trip + rounds.stage[op], place[op]
        engine = costs.engine[op]
        if engine in start and start[engine] <= key:
            return
        start[engine] = key
        for other, its_engine in enumerate(costs.engine):
            if its_engine is engine:
                first = key[0] - rounds.stage[other] + (place[other] < key[1])
                for later in range(max(0, first), last + 1):
                    if (other, later) not in seen:
                        seen.add((other, later))
                        done.append((other, later))

    while done:
        op, trip = done.pop()
        if costs.engine[op].completes_in_order:
            following = _following(costs, rounds, place, op, trip, last)
            if following is not None:
                reach(*following)
        for each in after.get(op, ()):
            if trip + each.distance <= last:
                reach(each.sink, trip + each.distance)
    goal = last + rounds.stage[edge.sink], place[edge.sink]
    engine = costs.engine[edge.sink]
    return engine in start and start[engine] <= goal


def _following(
    costs: Costs,
    rounds: Rounds,
    place: tuple[int, ...],
    op: int,
    trip: int,
    last: int,
) -> tuple[int, int] | None:
    """Return the next entry of the same queue whose trip is in [0, last]."""
    best: tuple[tuple[int, int], tuple[int, int]] | None = None
    here = trip + rounds.stage[op]
    for other, engine in enumerate(costs.engine):
        if engine is not costs.engine[op]:
            continue
        later = here - rounds.stage[other] + (place[other] <= place[op])
        later = max(0, later)
        if later > last:
            continue
        key = later + rounds.stage[other], place[other]
        if best is None or key < best[0]:
            best = key, (other, later)
    return None if best is None else best[1]
