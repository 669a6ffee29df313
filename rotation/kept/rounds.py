"""Stages and order of the body of a straight loop: software pipelining.

Round r runs each operation of stage s at trip r - s, if that is a trip. The times
come from modulo scheduling: every trip starts one interval after the one before.

Source: Rau, *Iterative modulo scheduling*, 1996; Lam, *Software pipelining*, 1988.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rotation.cost import instruction_cost
from rotation.kept.edges import LoopEdge
from rotation.kept.form import Straight
from rotation.kernel import Engine
from rotation.machine import Machine

STRETCH_PERCENT: Final = (100, 103, 108, 115, 125, 140, 160, 200, 300)
"""Intervals that are tried, in parts of the busiest engine's time."""

ENOUGH: Final = 4
"""So many intervals that work are compared."""

MAX_REPAIRS: Final = 24
"""Passes over a body in which late reuse pushes operations back."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """How the trips of a loop overlap.

    Attributes:
        stage: Stage of each operation, >= 0.
        order: Operations in the order of a round.
        priority: How it was found.
    """

    stage: tuple[int, ...]
    order: tuple[int, ...]
    priority: str

    @property
    def num_stages(self) -> int:
        """Number of stages; there are ``trips + num_stages - 1`` rounds."""
        return max(self.stage, default=0) + 1

    def place(self) -> tuple[int, ...]:
        """Return the place of each operation in a round."""
        place = [0] * len(self.order)
        for position, op in enumerate(self.order):
            place[op] = position
        return tuple(place)


@dataclass(frozen=True, slots=True)
class Costs:
    """Engine and times of each operation of a body [ps]."""

    engine: tuple[Engine, ...]
    busy_ps: tuple[int, ...]
    done_ps: tuple[int, ...]


def costs_of(node: Straight, machine: Machine) -> Costs:
    """Return the costs of the operations of a node."""
    costs = [instruction_cost(op.instruction, machine) for op in node.ops]
    return Costs(
        tuple(op.instruction.engine for op in node.ops),
        tuple(cost.busy_ps for cost in costs),
        tuple(cost.busy_ps + cost.latency_ps for cost in costs),
    )


def best_rounds(
    node: Straight, costs: Costs, edges: Sequence[LoopEdge], trips: int
) -> tuple[Rounds, int]:
    """Return the rounds with the shortest time for some trips, and that time [ps]."""
    candidates = _candidates(node, costs, edges)
    timed = [(makespan_ps(costs, edges, each, trips), each) for each in candidates]
    shortest, best = min(timed, key=lambda pair: pair[0])
    return best, shortest


def _candidates(
    node: Straight, costs: Costs, edges: Sequence[LoopEdge]
) -> Iterator[Rounds]:
    """Yield rounds to compare; the first is one trip after the other."""
    alone = _times(costs, edges, None)
    order = sorted(range(len(node.ops)), key=lambda op: (alone[op], op))
    yield Rounds((0,) * len(order), tuple(order), "one-by-one")
    if node.loop is None:
        return
    yield Rounds((0,) * len(order), tuple(range(len(order))), "source-order")
    least_ps = _busiest_ps(costs)
    works = 0
    for percent in STRETCH_PERCENT:
        interval_ps = max(1, least_ps * percent // 100)
        times = _repaired(costs, edges, interval_ps)
        if times is not None:
            works += 1
            yield _rounds(times, interval_ps, f"modulo-{percent}")
        if works == ENOUGH:
            return


def _busiest_ps(costs: Costs) -> int:
    total: dict[Engine, int] = {}
    for engine, busy_ps in zip(costs.engine, costs.busy_ps, strict=True):
        total[engine] = total.get(engine, 0) + busy_ps
    return max(total.values())


def _rounds(times: Sequence[int], interval_ps: int, priority: str) -> Rounds:
    order = sorted(range(len(times)), key=lambda op: (times[op] % interval_ps, op))
    first = min(time // interval_ps for time in times)
    stage = tuple(time // interval_ps - first for time in times)
    return Rounds(stage, tuple(order), priority)


def _repaired(
    costs: Costs, edges: Sequence[LoopEdge], interval_ps: int
) -> tuple[int, ...] | None:
    """Return times at which all edges hold at an interval; None if none are found."""
    back = [edge for edge in edges if edge.distance]
    least = [0] * len(costs.engine)
    for _ in range(MAX_REPAIRS):
        times = _times(costs, edges, interval_ps, least)
        late = False
        for edge in back:
            ready_ps = times[edge.source] + costs.done_ps[edge.source]
            ready_ps -= edge.distance * interval_ps
            if times[edge.sink] < ready_ps:
                least[edge.sink] = max(least[edge.sink], ready_ps)
                late = True
        if not late:
            return times
    return None


def _times(
    costs: Costs,
    edges: Sequence[LoopEdge],
    interval_ps: int | None,
    least: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """Return a start for each operation of one trip, in source order [ps].

    Edges inside a trip hold, and no two operations have an engine at one time of an
    interval where that is possible. Without an interval the trip has all the time.
    """
    number = len(costs.engine)
    before: list[list[int]] = [[] for _ in range(number)]
    for edge in edges:
        if not edge.distance:
            before[edge.sink].append(edge.source)
    taken: dict[Engine, list[tuple[int, int]]] = {e: [] for e in costs.engine}
    times: list[int] = []
    for op in range(number):
        ready = (times[source] + costs.done_ps[source] for source in before[op])
        start = max(max(ready, default=0), least[op] if least else 0)
        spans = taken[costs.engine[op]]
        times.append(_free(spans, start, costs.busy_ps[op], interval_ps))
        spans.append((times[-1], costs.busy_ps[op]))
    return tuple(times)


def _free(
    spans: Sequence[tuple[int, int]], start: int, busy: int, interval: int | None
) -> int:
    """Return the first time from `start` on at which an engine is free; else `start`.

    Free of the given (start, busy) spans: in every interval alike, if there is one.
    """
    at = start
    for _ in range(2 * len(spans) + 2):
        wait = max((_wait(at, busy, span, interval) for span in spans), default=0)
        if not wait:
            return at
        at += wait
        if interval is not None and at >= start + interval:
            return start  # full: the queue settles it
    return at


def _wait(at: int, busy: int, span: tuple[int, int], interval: int | None) -> int:
    """Return how long to wait for one span; 0 if it is not in the way."""
    first, length = span
    if interval is None:
        return first + length - at if at < first + length and first < at + busy else 0
    since = (at - first) % interval
    if since < length:
        return length - since
    return interval - since + length if since + busy > interval else 0


def makespan_ps(
    costs: Costs, edges: Sequence[LoopEdge], rounds: Rounds, trips: int
) -> int:
    """Return the time of some trips on the engines' queues, from an idle machine."""
    waits: list[list[tuple[int, int]]] = [[] for _ in costs.engine]
    for edge in edges:
        waits[edge.sink].append((edge.source, edge.distance))
    done: list[list[int]] = [[0] * trips for _ in costs.engine]
    free: dict[Engine, int] = dict.fromkeys(costs.engine, 0)
    end = 0
    for number in range(trips + rounds.num_stages - 1):
        for op in rounds.order:
            trip = number - rounds.stage[op]
            if not 0 <= trip < trips:
                continue
            start = free[costs.engine[op]]
            for source, distance in waits[op]:
                if distance <= trip:
                    start = max(start, done[source][trip - distance])
            free[costs.engine[op]] = start + costs.busy_ps[op]
            done[op][trip] = start + costs.done_ps[op]
            end = max(end, done[op][trip])
    return end
