"""Stages and order of the body of a straight loop: software pipelining.

Round r runs each operation of stage s at trip r - s, if that is a trip. The times
come from modulo scheduling: every trip starts one interval after the one before.

Source: Rau, *Iterative modulo scheduling*, 1996; Lam, *Software pipelining*, 1988.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rotation.kept.data import LoopEdge, Rounds, Straight
from rotation.loop_form.kernel import Engine
from rotation.machine.cost import instruction_cost
from rotation.machine.machine import Machine

STRETCH_PERCENT: Final = (100, 103, 108, 115, 125, 140, 160, 200, 300)
"""Intervals that are tried, in parts of the busiest engine's time."""

ENOUGH: Final = 3
"""So many intervals that work are compared."""

PACKED: Final = "packed"
"""Name of the tries in which no engine has a gap."""

MAX_REPAIRS: Final = 12
"""Passes over a body in which late reuse pushes operations back."""


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
        tuple(machine.server_of(op.instruction) for op in node.ops),
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
    alone = _listed(costs, edges)
    yield Rounds((0,) * len(alone), alone, "one-by-one")
    if node.loop is None:
        return
    source_order = tuple(range(len(alone)))
    yield Rounds((0,) * len(alone), source_order, "source-order")
    least_ps = _busiest_ps(costs)
    tries = ((alone, "list"), (alone, PACKED), (source_order, "source"))
    for sequence, name in tries:
        works = 0
        for percent in STRETCH_PERCENT:
            interval_ps = max(1, least_ps * percent // 100)
            packed = name == PACKED
            times = _repaired(costs, edges, interval_ps, sequence, packed=packed)
            if times is not None:
                works += 1
                yield _rounds(times, interval_ps, f"modulo-{name}-{percent}")
            if works == ENOUGH:
                break


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


def _listed(costs: Costs, edges: Sequence[LoopEdge]) -> tuple[int, ...]:
    """Return the operations of one trip in the order of a list schedule.

    Whichever can start first goes first; the source order breaks ties.
    """
    before = _sources(costs, edges)
    done: dict[int, int] = {}
    free: dict[Engine, int] = dict.fromkeys(costs.engine, 0)
    order: list[int] = []
    while len(order) < len(costs.engine):
        starts = [
            (max([free[costs.engine[op]], *(done[s] for s in before[op])]), op)
            for op in range(len(costs.engine))
            if op not in done and all(source in done for source in before[op])
        ]
        start, op = min(starts)
        free[costs.engine[op]] = start + costs.busy_ps[op]
        done[op] = start + costs.done_ps[op]
        order.append(op)
    return tuple(order)


def _sources(costs: Costs, edges: Sequence[LoopEdge]) -> list[list[int]]:
    """Return what each operation waits for in its own trip."""
    before: list[list[int]] = [[] for _ in costs.engine]
    for edge in edges:
        if not edge.distance:
            before[edge.sink].append(edge.source)
    return before


def _repaired(
    costs: Costs,
    edges: Sequence[LoopEdge],
    interval_ps: int,
    sequence: Sequence[int],
    *,
    packed: bool,
) -> tuple[int, ...] | None:
    """Return times at which all edges hold at an interval; None if none are found."""
    back = [edge for edge in edges if edge.distance]
    before = _sources(costs, edges)
    least = [0] * len(costs.engine)
    place = _packed_times if packed else _times
    for _ in range(MAX_REPAIRS):
        times = place(costs, before, interval_ps, least, sequence)
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
    before: Sequence[Sequence[int]],
    interval_ps: int,
    least: Sequence[int],
    sequence: Sequence[int],
) -> tuple[int, ...]:
    """Return a start for each operation of one trip [ps].

    Edges inside a trip hold, and no two operations have an engine at one time of an
    interval where that is possible.
    """
    taken: dict[Engine, list[tuple[int, int]]] = {e: [] for e in costs.engine}
    times = [0] * len(costs.engine)
    for op in sequence:
        ready = (times[source] + costs.done_ps[source] for source in before[op])
        start = max(least[op], max(ready, default=0))
        spans, busy_ps = taken[costs.engine[op]], costs.busy_ps[op]
        times[op] = _free(spans, start, busy_ps, interval_ps)
        first = times[op] % interval_ps
        for begin in (first, first - interval_ps):  # what wraps around is two spans
            if begin + busy_ps > 0:
                insort(spans, (max(0, begin), min(interval_ps, begin + busy_ps)))
    return tuple(times)


def _packed_times(
    costs: Costs,
    before: Sequence[Sequence[int]],
    interval_ps: int,
    least: Sequence[int],
    sequence: Sequence[int],
) -> tuple[int, ...]:
    """Return times as `_times`, without a gap on any engine.

    Each operation follows the one before it on its engine, in a later interval if it
    is not ready: no time of the engine is cut into pieces that nothing fits.
    """
    free: dict[Engine, int] = {}
    times = [0] * len(costs.engine)
    for op in sequence:
        ready = (times[source] + costs.done_ps[source] for source in before[op])
        start = max(least[op], max(ready, default=0))
        cursor = free.get(costs.engine[op], start)
        times[op] = start + (cursor - start) % interval_ps
        free[costs.engine[op]] = times[op] + costs.busy_ps[op]
    return tuple(times)


def _free(
    spans: Sequence[tuple[int, int]], start: int, busy_ps: int, interval_ps: int
) -> int:
    """Return the first time from `start` on at which an engine is free; else `start`.

    Args:
        spans: When it is taken, in every interval alike, by their begin.
        start: The earliest time.
        busy_ps: How long it must be free.
        interval_ps: Length of an interval.
    """
    at = begin = start % interval_ps
    for base in (0, interval_ps, 2 * interval_ps):
        for first, end in spans:
            if first + base >= at + busy_ps:
                break
            at = max(at, end + base)
    # Full: the queue of the engine settles it.
    return start + at - begin if at - begin < interval_ps else start


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
