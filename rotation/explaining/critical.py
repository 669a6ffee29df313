"""What made each instruction start when it did: its engine, a value, or storage.

Two kinds of dependence are told apart. A *firm* one holds whatever the ring plan: a
value that is read, or bytes that are written again inside one instance. A *loose*
one is there because two instances live in the same bytes, which another slot removes;
because two iterations share one instance needlessly, which another place of the
declaration removes; or because no engine goes past a barrier: the join of an `if`, or
the border of a loop that is kept for run time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from rotation.dependence.dependences import (
    flow_edges,
    frame_edges,
    merged,
    storage_edges,
)
from rotation.explaining.one_instance import Parted
from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.unrolled.footprint import Cells
from rotation.unrolled.program import Edges, Ints, Placement, Program, Schedule


class Link(Enum):
    """Why an instruction did not start before another one."""

    ENGINE = "engine"
    FIRM = "firm"
    LOOSE = "loose"


class Constraint(NamedTuple):
    """One link from an instruction to the one that it waited for."""

    link: Link
    source: int
    sink: int


@dataclass(frozen=True, slots=True, eq=False)
class Latest:
    """Of each row, the dependence of one kind that is met last.

    Attributes:
        source: The row that is complete last, (n,); -1 without one.
        ready_ps: When it is complete, (n,); 0 without one [ps].
    """

    source: list[int]
    ready_ps: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Critical:
    """The constraints of a placed and scheduled program, row by row.

    Attributes:
        program: The program.
        engine: The engine of each row.
        start_ps: Start of each row [ps].
        end_ps: When its engine is free again [ps].
        done_ps: When it is complete [ps].
        before: The row before in the queue of its engine; -1 without one.
        firm: The last firm dependence of each row.
        loose: The last loose dependence of each row.
        run: Where the unbroken work of each row's engine up to it begins.
    """

    program: Program
    engine: list[Engine]
    start_ps: list[int]
    end_ps: list[int]
    done_ps: list[int]
    before: list[int]
    firm: Latest
    loose: Latest
    run: list[int]

    def constraint(self, row: int) -> Constraint | None:
        """Return what kept a row from an earlier start, or None if nothing did.

        Of several that end together the engine comes first, and a firm dependence
        before a loose one: without the later of them nothing would be won.
        """
        start, before = self.start_ps[row], self.before[row]
        latest, found = -1, None
        # A dependence that the program does not keep says nothing about its times.
        for link, source, ready in (
            (Link.ENGINE, before, self.end_ps[before] if before >= 0 else 0),
            (Link.FIRM, self.firm.source[row], self.firm.ready_ps[row]),
            (Link.LOOSE, self.loose.source[row], self.loose.ready_ps[row]),
        ):
            if source >= 0 and latest < ready <= start:
                latest, found = ready, Constraint(link, source, row)
        return found


def critical(
    program: Program,
    cells: Cells,
    placement: Placement,
    schedule: Schedule,
    parts: Parted | None = None,
    barriers: Edges | None = None,
) -> Critical:
    """Return the constraints of a placed and scheduled program.

    Args:
        program: The program.
        cells: Its logical cells.
        placement: Where its locations live.
        schedule: Its total order and times.
        parts: The program with its needlessly shared buffers parted, if it has some.
        barriers: Edges that are there whatever the instructions touch, if any are.
    """
    start = schedule.start_ps
    end = start + program.busy_ps
    done = end + program.latency_ps
    kept, own = (program, cells) if parts is None else (parts.program, parts.cells)
    alone = np.arange(len(kept.location_tensor))
    firm = merged(flow_edges(kept, own), frame_edges(kept, own, alone))
    storage = storage_edges(program, cells, placement, schedule.order)
    if barriers is not None:
        storage = merged(storage, barriers)
    before = _queue_before(program, schedule)
    engines = {engine.value: engine for engine in Engine}
    return Critical(
        program,
        [engines[ordinal] for ordinal in program.engine.tolist()],
        start.tolist(),
        end.tolist(),
        done.tolist(),
        before.tolist(),
        _latest(program, firm, done),
        _latest(program, _without(storage, firm, len(program)), done),
        _runs(before, start, end, schedule.order),
    )


def behind_barriers(program: Program, schedule: Schedule, barriers: Edges) -> Edges:
    """Return the barriers, with an edge to each row that stands behind one.

    No engine goes past a barrier, so whatever comes later in its queue waits for it
    too. A reduced program says so of the first row of a queue only, as the order of
    the queue says the rest; each later row gets the edge that is met last.

    Args:
        program: The program.
        schedule: Its total order and times.
        barriers: The edges of its barriers.
    """
    if not len(barriers.source):
        return barriers
    done = schedule.start_ps + program.busy_ps + program.latency_ps
    latest = _latest(program, barriers, done)
    source, ready = (np.array(c, np.int64) for c in (latest.source, latest.ready_ps))
    sources, sinks = [barriers.source], [barriers.sink]
    for ordinal in program.engines().tolist():
        queue = schedule.order[program.engine[schedule.order] == ordinal]
        waits = source[queue] >= 0
        is_latest = waits & (ready[queue] == np.maximum.accumulate(ready[queue]))
        at = np.maximum.accumulate(np.where(is_latest, np.arange(len(queue)), -1))
        behind = at >= 0
        sources.append(source[queue[at[behind]]])
        sinks.append(queue[behind])
    pairs = np.concatenate(sources), np.concatenate(sinks)
    kind = np.full(len(pairs[0]), EdgeKind.ORDERED, np.int64)
    return merged(Edges(*pairs, kind))


def _runs(before: Ints, start: Ints, end: Ints, order: Ints) -> list[int]:
    unbroken = ((before >= 0) & (end[before] == start)).tolist()
    run, earlier = list(range(len(start))), before.tolist()
    for row in order.tolist():
        if unbroken[row]:
            run[row] = run[earlier[row]]
    return run


def _without(edges: Edges, others: Edges, n: int) -> Edges:
    """Return the edges whose pair is not among some others."""
    pairs = others.source * n + others.sink
    left = ~np.isin(edges.source * n + edges.sink, pairs)
    return Edges(edges.source[left], edges.sink[left], edges.kind[left])


def _latest(program: Program, edges: Edges, done: Ints) -> Latest:
    by = np.lexsort((edges.source, done[edges.source], edges.sink))
    source, sink = edges.source[by], edges.sink[by]
    # Of equal indices the last one is stored: the dependence that is met last.
    latest = np.full(len(program), -1, np.int64)
    latest[sink] = source
    ready = np.zeros(len(program), np.int64)
    ready[sink] = done[source]
    return Latest(latest.tolist(), ready.tolist())


def _queue_before(program: Program, schedule: Schedule) -> Ints:
    before = np.full(len(program), -1, np.int64)
    by_engine = schedule.order[
        np.argsort(program.engine[schedule.order], kind="stable")
    ]
    same = program.engine[by_engine[1:]] == program.engine[by_engine[:-1]]
    before[by_engine[1:][same]] = by_engine[:-1][same]
    return before
