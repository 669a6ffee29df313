"""Who waits for whom in a kept loop, at any number of trips: the checker's own walk.

The waits of trips k to k + d are a finite graph of starts and completions, whatever k
and the number of trips are, as long as both ends are trips. What is reached in it is
ordered; what is not is taken as not ordered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rotation.kept.data import KeptProgram, Straight
from rotation.loop_form.kernel import Engine

Event = tuple[int, int, bool]
"""An operation, a trip after k, and True for its completion."""


class Waits:
    """The least distances from which on one operation waits for another.

    Attributes:
        limit: Distances up to this one are looked at.
    """

    def __init__(self, kept: KeptProgram, node: Straight) -> None:
        self._node, self._machine = node, kept.machine
        self._rounds = kept.rounds[node]
        self._edges = kept.edges[node]
        self._place = {op: place for place, op in enumerate(self._rounds.order)}
        farthest = max((edge.distance for edge in self._edges), default=0)
        self.limit = 0
        if node.loop is not None:
            self.limit = farthest + self._rounds.num_stages + 1
        self._waiting: dict[tuple[int, int], set[int]] = {}
        self._graphs: dict[int, dict[Event, list[Event]]] = {}

    def least(self, first: int, second: int, after: int) -> int | None:
        """Return the least distance from `after` on at which an operation waits.

        `second` of trip k + d and of all later trips starts after `first` of trip k is
        complete. None if no distance up to the limit is enough.
        """
        for distance in range(after, self.limit + 1):
            if second in self._waiting_for(first, distance):
                return distance
        return None

    def _waiting_for(self, first: int, distance: int) -> set[int]:
        """Return the operations whose trip k + distance starts after trip k of one."""
        key = first, distance
        if key not in self._waiting:
            found = _reachable(self._graph(distance), (first, 0, True))
            self._waiting[key] = {
                op for op, trip, done in found if not done and trip == distance
            }
        return self._waiting[key]

    def _graph(self, last: int) -> dict[Event, list[Event]]:
        """Return what follows each event of the trips k to k + last."""
        if last not in self._graphs:
            graph: dict[Event, list[Event]] = {}
            for before, behind in self._orders(last):
                graph.setdefault(before, []).append(behind)
            self._graphs[last] = graph
        return self._graphs[last]

    def _orders(self, last: int) -> Iterator[tuple[Event, Event]]:
        ops = range(len(self._node.ops))
        for op in ops:
            yield from (((op, t, False), (op, t, True)) for t in range(last + 1))
        for edge in self._edges:
            for trip in range(last + 1 - edge.distance):
                sink = edge.sink, trip + edge.distance, False
                yield (edge.source, trip, True), sink
        queues: dict[Engine, list[tuple[int, int, int, int]]] = {}
        for op in ops:
            server = self._machine.server_of(self._node.ops[op].instruction)
            queue = queues.setdefault(server, [])
            for trip in range(last + 1):
                number = trip + self._rounds.stage[op]
                queue.append((number, self._place[op], op, trip))
        for engine, queue in queues.items():
            for (_, _, op, trip), (_, _, other, later) in pairwise(sorted(queue)):
                yield (op, trip, False), (other, later, False)
                if engine.completes_in_order:
                    yield (op, trip, True), (other, later, False)


def _reachable(graph: dict[Event, list[Event]], start: Event) -> set[Event]:
    seen, waiting = {start}, [start]
    while waiting:
        for event in graph.get(waiting.pop(), ()):
            if event not in seen:
                seen.add(event)
                waiting.append(event)
    return seen
