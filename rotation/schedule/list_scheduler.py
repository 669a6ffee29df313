"""List scheduling: a portfolio of greedy orders, of which the shortest is kept.

Every engine takes, whenever it is free, the ready instruction of the best priority;
a blocked one never holds up a later one. Greedy orders are not monotone and no
priority is best on all kernels, so several are tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Final

import numpy as np

from rotation.errors import InternalError
from rotation.schedule.paths import earliest_start_ps, remaining_ps
from rotation.unrolled.program import Edges, Ints, Program, Schedule

PRIORITIES: Final = ("source-order", "height", "earliest-start")
"""The portfolio, in the order in which ties are broken.

``height`` is the longest path to the end, ``earliest-start`` the longest path from
the beginning; equal priorities go by source order.
"""


def best_schedule(program: Program, edges: Edges, enough_ps: int = 0) -> Schedule:
    """Return the shortest schedule of the portfolio.

    Args:
        program: The program.
        edges: Its dependences, as `rotation.schedule.paths` takes them.
        enough_ps: A makespan that is good enough: the rest of the portfolio is not
            tried once it is reached [ps].
    """
    best: Schedule | None = None
    for priority in PRIORITIES:
        schedule = list_schedule(program, edges, priority)
        if best is None or schedule.makespan_ps < best.makespan_ps:
            best = schedule
        if best.makespan_ps <= enough_ps:
            break
    if best is None:
        raise InternalError("the portfolio of priorities is empty")
    return best


def respects(program: Program, schedule: Schedule, edges: Edges) -> bool:
    """Return whether each instruction starts after all that it waits for is complete.

    A schedule that was made for other dependences is legal under these if so.
    """
    done_ps = schedule.start_ps + program.busy_ps + program.latency_ps
    return bool((schedule.start_ps[edges.sink] >= done_ps[edges.source]).all())


def shortest(
    program: Program, edges: Edges, schedule: Schedule, known: Iterable[Schedule]
) -> Schedule:
    """Return a schedule, or the shortest of those known that is legal and shorter.

    Greedy orders are not monotone: one that was made under more dependences may be
    shorter, and is legal where it respects the present ones.
    """
    shorter = [k for k in known if k.makespan_ps < schedule.makespan_ps]
    for candidate in sorted(shorter, key=lambda k: k.makespan_ps):
        if respects(program, candidate, edges):
            return candidate
    return schedule


def list_schedule(program: Program, edges: Edges, priority: str) -> Schedule:
    """Return the work-conserving schedule of one priority of the portfolio.

    Args:
        program: The program.
        edges: Its dependences, as `rotation.schedule.paths` takes them.
        priority: One of `PRIORITIES`.
    """
    by_rank = np.argsort(_priority(program, edges, priority), kind="stable")
    rank = np.empty(len(program), np.int64)
    rank[by_rank] = np.arange(len(program))
    state = _Dispatch(program, edges, rank.tolist(), by_rank.tolist())
    start_ps = np.array(state.run(), np.int64)
    return timed(program, start_ps, priority)


def timed(program: Program, start_ps: Ints, priority: str) -> Schedule:
    """Return the schedule with these start times."""
    order = np.lexsort((np.arange(len(program)), program.engine, start_ps))
    done = start_ps + program.busy_ps + program.latency_ps
    return Schedule(order, start_ps, int(done.max(initial=0)), priority)


def _priority(program: Program, edges: Edges, priority: str) -> Ints:
    """Return a number for each instruction, (n,); the least goes first."""
    if priority == "height":
        return -(program.busy_ps + remaining_ps(program, edges))
    if priority == "earliest-start":
        return earliest_start_ps(program, edges)
    return np.arange(len(program))


@dataclass(slots=True)
class _Queue:
    """One engine: when it is free, and what it could start.

    `ready` holds ranks of instructions that may start now; `coming` holds
    (time from which it may start, rank).
    """

    free_ps: int
    ready: list[int]
    coming: list[tuple[int, int]]

    def next_start_ps(self) -> int | None:
        """Return when the engine starts its next instruction, if it knows any."""
        if self.ready:
            return self.free_ps
        return max(self.free_ps, self.coming[0][0]) if self.coming else None

    def take(self, now_ps: int) -> int:
        """Remove and return the best rank that may start at `now_ps`."""
        while self.coming and self.coming[0][0] <= now_ps:
            heappush(self.ready, heappop(self.coming)[1])
        return heappop(self.ready)


class _Dispatch:
    """Starts instructions one by one, at never decreasing times."""

    def __init__(
        self, program: Program, edges: Edges, rank: list[int], by_rank: list[int]
    ) -> None:
        n = len(program)
        by_source = np.argsort(edges.source, kind="stable")
        counts = np.bincount(edges.source, minlength=n)
        self.bounds: list[int] = np.concatenate(([0], np.cumsum(counts))).tolist()
        self.sinks: list[int] = edges.sink[by_source].tolist()
        self.waits_for: list[int] = np.bincount(edges.sink, minlength=n).tolist()
        self.busy_ps: list[int] = program.busy_ps.tolist()
        self.latency_ps: list[int] = program.latency_ps.tolist()
        self.rank, self.by_rank = rank, by_rank
        self.ready_ps = [0] * n
        self.start_ps = [-1] * n
        ordinals = np.unique(program.engine)  # ascending: ties go to the lower one
        self.queues = [_Queue(0, [], []) for _ in ordinals]
        self.queue_of: list[int] = np.searchsorted(ordinals, program.engine).tolist()
        for row in range(n):
            if not self.waits_for[row]:
                self.queues[self.queue_of[row]].coming.append((0, rank[row]))
        for queue in self.queues:
            heapify(queue.coming)

    def run(self) -> list[int]:
        """Return the start of each instruction [ps]."""
        for _ in self.start_ps:
            starts = [
                (now, e)
                for e, queue in enumerate(self.queues)
                if (now := queue.next_start_ps()) is not None
            ]
            if not starts:
                raise InternalError("the dependences have a cycle")
            now_ps, e = min(starts)
            self._start(self.by_rank[self.queues[e].take(now_ps)], e, now_ps)
        return self.start_ps

    def _start(self, row: int, e: int, now_ps: int) -> None:
        self.start_ps[row] = now_ps
        free_ps = now_ps + self.busy_ps[row]
        self.queues[e].free_ps = free_ps
        complete_ps = free_ps + self.latency_ps[row]
        for sink in self.sinks[self.bounds[row] : self.bounds[row + 1]]:
            self.ready_ps[sink] = max(self.ready_ps[sink], complete_ps)
            self.waits_for[sink] -= 1
            if not self.waits_for[sink]:
                entry = (self.ready_ps[sink], self.rank[sink])
                heappush(self.queues[self.queue_of[sink]].coming, entry)
