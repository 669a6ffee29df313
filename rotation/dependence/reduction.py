"""Dependence reduction on a final total order, by vector clocks in linear time.

What is known when an instruction starts is, for each engine E, how far E's queue has
come: up to which of its instructions have *started*, and, for engines that complete in
order, whether the last of these is *complete*. It is inherited from the instruction
before in the same queue and through edges. DMA and collective transfers complete in
any order: one of them is known complete only if an instruction that waits for it
is known to have started. An edge whose source is known complete is dropped.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Bools, Edges, Ints, Program, positions


def reduced(program: Program, edges: Edges, order: Ints) -> Edges:
    """Return the edges that the queues and the other edges do not imply.

    Args:
        program: The program.
        edges: Its dependences; each source stands before its sink in `order`.
        order: The final total order; restricted to an engine it is its queue.
    """
    position = positions(order)
    queues = _Queues.of(program, order)
    left = np.flatnonzero(~_covered(edges, queues, position))
    source, sink = edges.source[left], edges.sink[left]
    # Nearest source first: what it knows often makes the farther ones idle.
    by = np.lexsort((-position[source], position[sink]))
    waits = np.fromiter(_waits(queues, source[by], sink[by]), np.bool_, len(by))
    left = np.sort(left[by[waits]])
    return Edges(edges.source[left], edges.sink[left], edges.kind[left])


@dataclass(frozen=True, slots=True, eq=False)
class _Queues:
    """The queues of a program: one for each engine that it uses.

    Attributes:
        engine: Number of the queue of each instruction, (n,).
        start: Twice the place of each instruction in its queue, (n,).
        in_order: Which engines complete one instruction before the next, (engines,).
    """

    engine: Ints
    start: Ints
    in_order: Bools

    @staticmethod
    def of(program: Program, order: Ints) -> _Queues:
        """Return the queues of a program in an order."""
        ordinals = program.engines()
        engine = np.searchsorted(ordinals, program.engine)
        by = order[np.argsort(engine[order], kind="stable")]
        start = np.empty(len(order), np.int64)
        start[by] = 2 * (
            np.arange(len(order)) - np.searchsorted(engine[by], engine[by])
        )
        in_order = [Engine(e).completes_in_order for e in ordinals.tolist()]
        return _Queues(engine, start, np.array(in_order, np.bool_))


def _covered(edges: Edges, queues: _Queues, position: Ints) -> Bools:
    """Return which edges follow from the queues and one other edge, (edges,).

    Their source's engine completes in order, and an edge from the same source or a
    later one of its queue leads to the same sink or an earlier one of its queue. Most
    edges of a long program are such, and are found without clocks.
    """
    start, end = queues.engine[edges.source], queues.engine[edges.sink]
    pair, size = start * len(queues.in_order) + end, len(position)
    by = np.argsort(
        (pair * size + position[edges.sink] + 1) * size - position[edges.source]
    )
    reach = (pair * size + position[edges.source])[by]
    covered: Bools = start == end
    covered[by[1:]] |= np.maximum.accumulate(reach)[:-1] >= reach[1:]
    covered &= queues.in_order[start]
    return covered


def _waits(queues: _Queues, source: Ints, sink: Ints) -> Iterator[bool]:
    """Yield for each edge whether it is needed: False if others imply it.

    A clock has a number for each engine: 2*p if the instruction at place p of its
    queue is the last that is known to have started, 2*p + 1 if it is known to be
    complete too, below 0 if nothing is known. Who knows that an instruction has
    started knows all that this one knew then: its clock is taken over as a whole,
    from a queue or an edge. The number of a clock's own engine may lag behind.

    Args:
        queues: The queues of the program.
        source: Source of each edge, (edges,).
        sink: Its sink; edges stand by the order of their sinks.
    """
    engine, start = queues.engine.tolist(), queues.start.tolist()
    in_order = queues.in_order.tolist()
    # For each queue where its clock changed, and what it became.
    changes = [[-1] for _ in in_order]
    clocks = [[[-1] * len(in_order)] for _ in in_order]
    waiting: dict[int, dict[int, int]] = {}
    is_lone = (np.bincount(source, minlength=len(start)) == 1).tolist()
    for first, then in zip(source.tolist(), sink.tolist(), strict=True):
        own, theirs, place = engine[then], engine[first], start[first]
        clock = clocks[own][-1]
        reach = place + in_order[theirs]
        if in_order[theirs]:
            is_needed = clock[theirs] < reach
        elif is_lone[first]:
            is_needed = True
        else:
            waits = waiting.setdefault(first, {})
            is_needed = not _has_started(waits, own, clock)
            waits.setdefault(own, start[then])
        yield is_needed
        if not is_needed:
            continue
        if clock[theirs] < place:
            known = clocks[theirs][bisect(changes[theirs], place) - 1]
            # A call of max for each pair would take longer than all the rest.
            clock = [a if a > b else b for a, b in zip(clock, known, strict=False)]
        else:
            clock = clock.copy()
        clock[theirs] = max(clock[theirs], reach)
        if changes[own][-1] == start[then]:
            clocks[own][-1] = clock
        else:
            changes[own].append(start[then])
            clocks[own].append(clock)


def _has_started(waits: dict[int, int], own: int, clock: list[int]) -> bool:
    """Tell whether an instruction that waits for a transfer has started.

    Args:
        waits: The first that waits for it in each queue.
        own: The queue of who asks; what stands before it there has started.
        clock: What is known there.
    """
    return own in waits or any(clock[e] >= place for e, place in waits.items())
