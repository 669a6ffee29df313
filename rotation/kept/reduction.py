"""Drop the edges of a straight node that queues and other edges imply, at any trip.

A path of waits from trip k to trip k + d counts only if all its trips lie between:
then each of them is a trip of the loop whenever both ends are, whatever the count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rotation.kept.data import LoopEdge, Rounds
from rotation.kept.rounds import Costs
from rotation.loop_form.kernel import EdgeKind, Engine

MOST_EDGES: Final = 600
"""Edges of a body up to which each is tried against all others."""

Entry = tuple[int, int]
"""Where an operation of some trip stands in its queue: round, then place in it."""

WEAKEST_FIRST: Final = {EdgeKind.OUTPUT: 0, EdgeKind.ANTI: 1, EdgeKind.FLOW: 2}


def reduced(
    costs: Costs, rounds: Rounds, edges: Sequence[LoopEdge]
) -> tuple[LoopEdge, ...]:
    """Return the edges without those that follow from the rest."""
    queues = _Queues(costs, rounds)
    kept = _nearest(queues, edges)
    if len(kept) > MOST_EDGES:
        return tuple(kept)
    for edge in sorted(kept, key=lambda e: (WEAKEST_FIRST[e.kind], -e.distance, e)):
        rest = [other for other in kept if other != edge]
        if implied(queues, rest, edge):
            kept = rest
    return tuple(kept)


def _nearest(queues: _Queues, edges: Iterable[LoopEdge]) -> list[LoopEdge]:
    """Return the edges that no single other one implies with the queues.

    Of the waits for one engine that completes in order, the latest is enough; of the
    waits for one operation by one engine, the earliest.
    """
    by_pair: dict[tuple[int, Engine], list[LoopEdge]] = {}
    for edge in edges:
        engine = queues.costs.engine[edge.source]
        same = engine is queues.costs.engine[edge.sink]
        if not (same and engine.completes_in_order):
            by_pair.setdefault((edge.sink, engine), []).append(edge)
    by_source: dict[tuple[int, Engine], list[LoopEdge]] = {}
    for (_, engine), group in by_pair.items():
        # The trip of the latest source must lie behind that of one it stands for.
        latest = max(group, key=lambda e: queues.entry(e.source, -e.distance))
        for edge in group:
            late = edge is latest or edge.distance < latest.distance
            if engine.completes_in_order and not late:
                continue
            sink_engine = queues.costs.engine[edge.sink]
            by_source.setdefault((edge.source, sink_engine), []).append(edge)
    kept = []
    for group in by_source.values():
        earliest = min(group, key=lambda e: queues.entry(e.sink, e.distance))
        kept += [e for e in group if e.distance < earliest.distance] + [earliest]
    return sorted(kept)


class _Queues:
    """The queues of the engines."""

    def __init__(self, costs: Costs, rounds: Rounds) -> None:
        self.costs = costs
        self.stage = rounds.stage
        self.place = rounds.place()
        self._ops: dict[Engine, list[int]] = {}
        for op in rounds.order:
            self._ops.setdefault(costs.engine[op], []).append(op)

    def entry(self, op: int, trip: int) -> Entry:
        """Return where an operation of a trip stands."""
        return trip + self.stage[op], self.place[op]

    def first_from(self, engine: Engine, entry: Entry) -> Iterable[tuple[int, int]]:
        """Yield of each operation of an engine the first trip from an entry on."""
        for op in self._ops[engine]:
            late = self.place[op] < entry[1]
            yield op, entry[0] - self.stage[op] + late


def implied(queues: _Queues, edges: Sequence[LoopEdge], edge: LoopEdge) -> bool:
    """Return whether the sink waits for the source without the edge itself."""
    walk = _Walk(queues, edges, edge.distance)
    walk.complete(edge.source, 0)
    engine = queues.costs.engine[edge.sink]
    goal = queues.entry(edge.sink, edge.distance)
    return engine in walk.start and walk.start[engine] <= goal


class _Walk:
    """What is ordered behind one completion, among the trips 0 to `last`.

    Attributes:
        start: Of each engine the entry from which on its queue starts later.
    """

    def __init__(self, queues: _Queues, edges: Sequence[LoopEdge], last: int) -> None:
        self._queues, self._last = queues, last
        self._after: dict[int, list[LoopEdge]] = {}
        for edge in edges:
            self._after.setdefault(edge.source, []).append(edge)
        self.start: dict[Engine, Entry] = {}
        self._seen: set[tuple[int, int]] = set()

    def complete(self, op: int, trip: int) -> None:
        """Walk from the completion of an operation."""
        waiting = [(op, trip)]
        self._seen.update(waiting)
        while waiting:
            op, trip = waiting.pop()
            for sink, later in self._next(op, trip):
                waiting += self._reach(sink, later)

    def _next(self, op: int, trip: int) -> Iterable[tuple[int, int]]:
        """Yield what waits for the completion of an operation."""
        for edge in self._after.get(op, ()):
            if trip + edge.distance <= self._last:
                yield edge.sink, trip + edge.distance
        engine = self._queues.costs.engine[op]
        if engine.completes_in_order:
            here, place = self._queues.entry(op, trip)
            for other, later in self._queues.first_from(engine, (here, place + 1)):
                if later <= self._last:
                    yield other, max(0, later)

    def _reach(self, op: int, trip: int) -> Iterable[tuple[int, int]]:
        """Yield what completes later, now that an operation is known to start later."""
        entry = self._queues.entry(op, trip)
        engine = self._queues.costs.engine[op]
        if engine in self.start and self.start[engine] <= entry:
            return
        self.start[engine] = entry
        for other, first in self._queues.first_from(engine, entry):
            for later in range(max(0, first), self._last + 1):
                if (other, later) not in self._seen:
                    self._seen.add((other, later))
                    yield other, later
