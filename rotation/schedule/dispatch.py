"""The dispatcher of the list scheduler: starts instructions one by one.

Every engine takes, whenever it is free, the ready instruction of the least rank. In
the steady state of a loop this soon repeats itself: as soon as everything that is
under way is as it was some iterations before, what happened in between happens again
and again, and is written down for all iterations that are left.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Final

import numpy as np

from rotation.errors import InternalError
from rotation.schedule.steady import Steady
from rotation.unrolled.program import Edges, Ints, Program

NEVER_PS: Final = 1 << 62
"""When an engine that knows of no instruction starts the next one."""

MAX_WINDOW: Final = 8_192
"""Rows from the first that has not started to the last that is waited for, up to
which states are compared."""


def dispatched_ps(
    program: Program, edges: Edges, by_rank: Ints, steady: Steady | None = None
) -> Ints:
    """Return when each instruction starts, (n,) [ps].

    Args:
        program: The program.
        edges: Its dependences.
        by_rank: Its instructions, the one that goes first in front, (n,).
        steady: Rows that repeat, and whose ranks do; the result is the same without.

    Raises:
        InternalError: If the dependences have a cycle.
    """
    dispatch = _Dispatch(program, edges, by_rank, steady)
    dispatch.run()
    return dispatch.starts_ps()


@dataclass(frozen=True, slots=True)
class _Moment:
    """The state right after a row has started, as seen from that row.

    Attributes:
        row: The row.
        now_ps: When it started [ps].
        started: Instructions that have started by then.
        oldest: The first row that has not started.
        end: One past the last row that anything has touched.
        shape: What is under way. From equal ones everything goes on alike.
    """

    row: int
    now_ps: int
    started: int
    oldest: int
    end: int
    shape: tuple[int, list[int], list[int], list[int]]


@dataclass(frozen=True, slots=True, eq=False)
class _Repeat:
    """Instructions that start again and again, some rows and some time later.

    Attributes:
        rows: The instructions, (r,).
        times: How often they start again.
        step: From one time to the next [rows].
        step_ps: The same [ps].
    """

    rows: Ints
    times: int
    step: int
    step_ps: int


class _Dispatch:
    """Starts instructions one by one, at never decreasing times.

    Each engine has two heaps: `ready` holds ranks of instructions that may start now,
    `coming` holds times from which others may start, each with the rank in its lowest
    bits. A row that has started waits for -1 others.
    """

    def __init__(
        self, program: Program, edges: Edges, by_rank: Ints, steady: Steady | None
    ) -> None:
        n = len(program)
        rank = np.empty(n, np.int64)
        rank[by_rank] = np.arange(n)
        by_source = np.argsort(edges.source, kind="stable")
        counts = np.bincount(edges.source, minlength=n)
        waits_for = np.bincount(edges.sink, minlength=n)
        self.bounds: list[int] = np.concatenate(([0], np.cumsum(counts))).tolist()
        self.sinks: list[int] = edges.sink[by_source].tolist()
        self.waits_for: list[int] = waits_for.tolist()
        self.busy_ps: list[int] = program.busy_ps.tolist()
        self.done_ps: list[int] = (program.busy_ps + program.latency_ps).tolist()
        self.rank: list[int] = rank.tolist()
        self.by_rank: list[int] = by_rank.tolist()
        self.bits = n.bit_length()
        self.start_ps, self.ready_ps = [-1] * n, [0] * n
        ordinals = program.engines()  # ascending: ties go to the lower one
        self.queue_of: list[int] = np.searchsorted(ordinals, program.engine).tolist()
        self.ready: list[list[int]] = [[] for _ in ordinals]
        self.coming: list[list[int]] = [[] for _ in ordinals]
        for row in np.flatnonzero(waits_for == 0).tolist():
            self.coming[self.queue_of[row]].append(self.rank[row])
        for heap in self.coming:
            heapify(heap)
        self.free_ps = [0] * len(ordinals)
        # When each engine starts its next instruction, if it knows any.
        self.next_ps = [0 if heap else NEVER_PS for heap in self.coming]
        self.order: list[int] = []
        self.steady = steady
        self.finder = None if steady is None else _Finder(self, steady)

    def run(self) -> None:
        """Start all instructions."""
        rank, by_rank, queue_of = self.rank, self.by_rank, self.queue_of
        bounds, sinks, waits_for = self.bounds, self.sinks, self.waits_for
        start_ps, ready_ps, order = self.start_ps, self.ready_ps, self.order
        free_ps, next_ps, bits = self.free_ps, self.next_ps, self.bits
        mask, left, finder = (1 << bits) - 1, len(rank), self.finder
        marker = -1 if finder is None else finder.marker
        while left:
            now_ps = min(next_ps)
            if now_ps == NEVER_PS:
                raise InternalError("the dependences have a cycle")
            engine = next_ps.index(now_ps)
            ready, coming = self.ready[engine], self.coming[engine]
            while coming and coming[0] >> bits <= now_ps:
                heappush(ready, heappop(coming) & mask)
            row = by_rank[heappop(ready)]
            start_ps[row] = now_ps
            waits_for[row] = -1
            order.append(row)
            left -= 1
            complete_ps = now_ps + self.done_ps[row]
            for sink in sinks[bounds[row] : bounds[row + 1]]:
                ready_ps[sink] = max(ready_ps[sink], complete_ps)
                waits_for[sink] -= 1
                if not waits_for[sink]:
                    other, from_ps = queue_of[sink], ready_ps[sink]
                    heappush(self.coming[other], from_ps << bits | rank[sink])
                    next_ps[other] = min(next_ps[other], max(from_ps, free_ps[other]))
            free_ps[engine] = now_ps + self.busy_ps[row]
            next_ps[engine] = self._next_ps(engine)
            if row == marker and finder is not None:
                left -= finder.found(now_ps)
                marker = finder.marker

    def _next_ps(self, engine: int) -> int:
        """Return when an engine starts its next instruction, if it knows any."""
        if self.ready[engine]:
            return self.free_ps[engine]
        coming = self.coming[engine]
        return max(self.free_ps[engine], coming[0] >> self.bits) if coming else NEVER_PS

    def starts_ps(self) -> Ints:
        """Return when each instruction starts, (n,) [ps]."""
        start_ps = np.array(self.start_ps, np.int64)
        if self.finder is not None and self.finder.repeat is not None:
            repeat = self.finder.repeat
            turn = np.arange(1, repeat.times + 1)[:, None]
            again_ps = start_ps[repeat.rows] + repeat.step_ps * turn
            start_ps[repeat.rows + repeat.step * turn] = again_ps
        return start_ps

    def move_on(self, oldest: int, end: int, repeat: _Repeat) -> None:
        """Go on after a repetition: what is under way is what it was, only later."""
        rows, later_ps = repeat.times * repeat.step, repeat.times * repeat.step_ps
        for values, more in ((self.waits_for, 0), (self.ready_ps, later_ps)):
            moved = [value + more for value in values[oldest:end]]
            values[oldest + rows : end + rows] = moved
        bits, mask = self.bits, (1 << self.bits) - 1
        for engine, (ready, coming) in enumerate(
            zip(self.ready, self.coming, strict=True)
        ):
            ready[:] = [self.rank[self.by_rank[r] + rows] for r in ready]
            coming[:] = [
                ((each >> bits) + later_ps) << bits
                | self.rank[self.by_rank[each & mask] + rows]
                for each in coming
            ]
            self.free_ps[engine] += later_ps
            if self.next_ps[engine] != NEVER_PS:
                self.next_ps[engine] += later_ps


class _Finder:
    """Looks for a repetition, each time that the first row of a period starts.

    Attributes:
        marker: The row at whose start it looks next; -1 for never again.
        repeat: What it has found; None so far.
    """

    def __init__(self, dispatch: _Dispatch, steady: Steady) -> None:
        self.dispatch, self.steady = dispatch, steady
        self.marker = steady.first
        self.repeat: _Repeat | None = None
        self._saved: _Moment | None = None
        self._age, self._lifetime = 0, 1
        self._oldest, self._newest, self._seen = 0, 0, 0
        self._settled_ps = -1

    def found(self, now_ps: int) -> int:
        """Look whether the state was there before, and repeat what came after.

        A state is kept for a while, then a later one for twice as long: so the first
        that comes back is found, whenever that starts and however long it takes.

        Returns:
            The number of instructions that have started in the repetitions.

        Source: Brent 1980, An improved Monte Carlo factorization algorithm.
        """
        moment = self._moment(now_ps)
        waits_for, period = self.dispatch.waits_for, self.steady.period
        while self.marker < self.steady.past and waits_for[self.marker] < 0:
            self.marker += period
        saved = self._saved
        if moment is None:
            return 0
        if saved is not None and saved.shape == moment.shape:
            return self._repeated(saved, moment)
        self._age += 1
        if saved is None or self._age == self._lifetime:
            self._saved, self._age = moment, 0
            self._lifetime *= 2
        return 0

    def _moment(self, now_ps: int) -> _Moment | None:
        """Return the present state; None if not all of it is in steady rows."""
        dispatch, steady = self.dispatch, self.steady
        waits_for, ready_ps = dispatch.waits_for, dispatch.ready_ps
        if len(dispatch.order) == len(waits_for):
            return None
        while waits_for[self._oldest] < 0:
            self._oldest += 1
        latest = max(dispatch.order[self._seen :])
        self._newest = max(self._newest, latest)
        self._seen = len(dispatch.order)
        oldest, end = self._oldest, self._newest + steady.span + 1
        if oldest < steady.first or end > steady.past or end - oldest > MAX_WINDOW:
            return None
        if self._settled_ps < 0:
            before = range(steady.first)
            done = (dispatch.start_ps[r] + dispatch.done_ps[r] for r in before)
            self._settled_ps = max(done, default=0)
        waiting = waits_for[oldest:end]
        known = sum(map(len, dispatch.ready)) + sum(map(len, dispatch.coming))
        if now_ps < self._settled_ps or waiting.count(0) != known:
            return None
        shape = (
            oldest - self.marker,
            waiting,
            [max(0, ready - now_ps) for ready in ready_ps[oldest:end]],
            [max(0, free - now_ps) for free in dispatch.free_ps],
        )
        return _Moment(self.marker, now_ps, self._seen, oldest, end, shape)

    def _repeated(self, saved: _Moment, moment: _Moment) -> int:
        """Repeat what came between two moments, as often as steady rows are left."""
        step, step_ps = moment.row - saved.row, moment.now_ps - saved.now_ps
        times = (self.steady.past - moment.end) // step
        self.marker = -1
        if not times:
            return 0
        rows = self.dispatch.order[saved.started : moment.started]
        self.repeat = _Repeat(np.array(rows, np.int64), times, step, step_ps)
        self.dispatch.move_on(moment.oldest, moment.end, self.repeat)
        return times * len(rows)
