"""Dependence reduction on a final total order, by vector clocks in linear time.

What is known when an instruction starts, for each engine E, is two positions in E's
queue: up to which its instructions have *started*, and, for engines that complete
in order, up to which they are *complete*. Both are inherited from the instruction
before in the same queue and through edges. DMA and collective transfers complete in
any order: one of them is known complete only if an instruction that waits for it
is known to have started. An edge whose source is known complete is dropped.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Edges, Ints, Program, positions


def reduced(program: Program, edges: Edges, order: Ints) -> Edges:
    """Return the edges that the queues and the other edges do not imply.

    Args:
        program: The program.
        edges: Its dependences; each source stands before its sink in `order`.
        order: The final total order; restricted to an engine it is its queue.
    """
    position = positions(order)
    # Nearest source first: what it knows often makes the farther ones idle.
    by = np.lexsort((-position[edges.source], position[edges.sink]))
    sources = edges.source[by].tolist()
    counts = np.bincount(edges.sink, minlength=len(program))[order]
    bounds = np.concatenate(([0], np.cumsum(counts))).tolist()
    clocks = _Clocks(program)
    kept: list[int] = []
    for row, (begin, end) in zip(order.tolist(), pairwise(bounds), strict=True):
        clocks.issue(row)
        kept.extend(e for e in range(begin, end) if clocks.wait(row, sources[e]))
    left = np.sort(by[np.array(kept, np.int64)])
    return Edges(edges.source[left], edges.sink[left], edges.kind[left])


class _Clocks:
    """What each instruction knows when it starts; instructions come in order."""

    def __init__(self, program: Program) -> None:
        ordinals, engine = np.unique(program.engine, return_inverse=True)
        self.engine: list[int] = engine.tolist()
        self.in_order = [Engine(e).completes_in_order for e in ordinals.tolist()]
        self.queue: list[list[int]] = [[] for _ in self.in_order]
        self.place = [-1] * len(program)
        self.started: list[list[int]] = [[]] * len(program)
        self.complete: list[list[int]] = [[]] * len(program)
        self.waiting: dict[int, dict[int, int]] = {}

    def issue(self, row: int) -> None:
        """Append an instruction to its queue: it knows what the one before knew."""
        own = self.engine[row]
        queue = self.queue[own]
        if queue:
            started = self.started[queue[-1]].copy()
            complete = self.complete[queue[-1]].copy()
            if self.in_order[own]:
                complete[own] = len(queue) - 1
        else:
            started = [-1] * len(self.queue)
            complete = [-1] * len(self.queue)
        started[own] = len(queue)
        self.place[row] = len(queue)
        queue.append(row)
        self.started[row], self.complete[row] = started, complete

    def wait(self, row: int, source: int) -> bool:
        """Make an instruction wait; False if the source is known complete anyway."""
        if self._known_complete(row, source):
            return False
        started, complete = self.started[row], self.complete[row]
        for e, mark in enumerate(self.started[source]):
            started[e] = max(started[e], mark)
        for e, mark in enumerate(self.complete[source]):
            complete[e] = max(complete[e], mark)
        theirs = self.engine[source]
        if self.in_order[theirs]:
            complete[theirs] = max(complete[theirs], self.place[source])
        else:
            waiting = self.waiting.setdefault(source, {})
            waiting.setdefault(self.engine[row], self.place[row])
        return True

    def _known_complete(self, row: int, source: int) -> bool:
        theirs = self.engine[source]
        if self.in_order[theirs]:
            return self.complete[row][theirs] >= self.place[source]
        started = self.started[row]
        waiting = self.waiting.get(source, {})
        return any(started[e] >= place for e, place in waiting.items())
