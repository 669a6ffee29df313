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
    counts = np.bincount(edges.sink, minlength=len(program))[order]
    bounds = np.concatenate(([0], np.cumsum(counts))).tolist()
    sources = edges.source[by].tolist()
    clocks = _Clocks(program)
    kept: list[int] = []
    for row, (begin, end) in zip(order.tolist(), pairwise(bounds), strict=True):
        clocks.issue(row)
        kept += [e for e in range(begin, end) if clocks.wait(row, sources[e])]
    left = np.sort(by[np.array(kept, np.int64)])
    return Edges(edges.source[left], edges.sink[left], edges.kind[left])


class _Clocks:
    """What each instruction knows when it starts; instructions come in order.

    A clock is one list: for each of e engines how far it has started, then for each
    how far it is complete. Who knows that an instruction has started knows all that
    this one knew then: its clock is taken over as a whole, from a queue or an edge.
    """

    def __init__(self, program: Program) -> None:
        ordinals = program.engines()
        self.engine: list[int] = np.searchsorted(ordinals, program.engine).tolist()
        self.in_order = [Engine(e).completes_in_order for e in ordinals.tolist()]
        self.engines = len(self.in_order)
        self.last = [-1] * self.engines
        self.place = [-1] * len(program)
        self.clock: list[list[int]] = [[]] * len(program)
        self.waiting: list[dict[int, int] | None] = [None] * len(program)

    def issue(self, row: int) -> None:
        """Append an instruction to its queue: it knows what the one before knew."""
        own = self.engine[row]
        last = self.last[own]
        if last < 0:
            clock = [-1] * (2 * self.engines)
        else:
            clock = self.clock[last].copy()
            if self.in_order[own]:
                clock[self.engines + own] = self.place[last]
        clock[own] += 1
        self.place[row] = clock[own]
        self.last[own] = row
        self.clock[row] = clock

    def wait(self, row: int, source: int) -> bool:
        """Make an instruction wait; False if the source is known complete anyway."""
        theirs, place, clock = self.engine[source], self.place[source], self.clock[row]
        completion = self.engines + theirs
        in_order = self.in_order[theirs]
        if in_order:
            if clock[completion] >= place:
                return False
        elif self._waited_for(clock, source):
            return False
        if clock[theirs] < place:
            for at, mark in enumerate(self.clock[source]):
                if clock[at] < mark:  # noqa: PLR1730 - a call for each mark is slow
                    clock[at] = mark
        if in_order:
            clock[completion] = max(clock[completion], place)
            return True
        waiting = self.waiting[source]
        if waiting is None:
            self.waiting[source] = {self.engine[row]: self.place[row]}
        else:
            waiting.setdefault(self.engine[row], self.place[row])
        return True

    def _waited_for(self, clock: list[int], source: int) -> bool:
        """Return whether something that has started by now waits for a transfer."""
        waiting = self.waiting[source]
        if waiting is None:
            return False
        return any(clock[engine] >= place for engine, place in waiting.items())
