"""List scheduling: a portfolio of greedy orders, of which the shortest is kept.

Every engine takes, whenever it is free, the ready instruction of the best priority;
a blocked one never holds up a later one. Greedy orders are not monotone and no
priority is best on all kernels, so several are tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from rotation.errors import InternalError
from rotation.rings.window import LONG_PROGRAM, kept_rows, rows_of
from rotation.schedule.dispatch import dispatched_ps
from rotation.schedule.paths import earliest_start_ps, remaining_ps
from rotation.schedule.steady import in_step, steady_rows
from rotation.unrolled.program import Edges, Ints, Program, Schedule

PRIORITIES: Final = ("source-order", "height", "earliest-start")
"""The portfolio, in the order in which ties are broken.

``height`` is the longest path to the end, ``earliest-start`` the longest path from
the beginning; equal priorities go by source order.
"""

DOUBLED: Final = 2
"""How often a window is doubled that shows which priority is best."""


def best_schedule(program: Program, edges: Edges, enough_ps: int = 0) -> Schedule:
    """Return the shortest schedule of the portfolio.

    A long program is scheduled once only, by the priority that gives its first
    iterations the shortest schedule.

    Args:
        program: The program.
        edges: Its dependences, as `rotation.schedule.paths` takes them.
        enough_ps: A makespan that is good enough: the rest of the portfolio is not
            tried once it is reached [ps].
    """
    if len(program) >= LONG_PROGRAM:
        part, inside = _beginning(program, edges)
        priority = best_schedule(part, inside).priority
        return list_schedule(program, edges, priority)
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


def _beginning(program: Program, edges: Edges) -> tuple[Program, Edges]:
    """Return the first iterations of a long program, and the edges between them."""
    kept = kept_rows(program, DOUBLED)
    kept &= np.cumsum(kept) < LONG_PROGRAM
    inside = kept[edges.source] & kept[edges.sink]
    row = np.cumsum(kept, dtype=np.int64) - 1
    source, sink = row[edges.source[inside]], row[edges.sink[inside]]
    return rows_of(program, kept), Edges(source, sink, edges.kind[inside])


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
    numbers = _priority(program, edges, priority)
    by_rank = np.argsort(numbers, kind="stable")
    steady = steady_rows(program, edges)
    if steady is not None:
        steady = in_step(steady, numbers)
    return timed(program, dispatched_ps(program, edges, by_rank, steady), priority)


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
