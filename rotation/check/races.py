"""Check (b): do the waits alone order every two accesses in conflict?

The machine promises only this, whatever its operations take:

* engines start their operations in the order of their queue;
* a compute engine completes an operation before it starts the next; operations of
  dma and cc complete in any order;
* the sink of an edge starts after its source is complete.

Whether "p is complete before i starts" follows is decided exactly. The completion of
p has direct successors only: the starts of the sinks of its edges, and on a compute
engine the start of the next operation of the queue. So p is complete before i starts
if and only if one of these starts no later than i does. And which starts come no
later than that of i is a prefix of every queue, since queues start in order: one
number for each engine, a vector clock.

Source: Fidge 1988 and Mattern 1989 on vector clocks, here with starts only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from rotation.check.branches import waiting_pairs
from rotation.check.footprint import placed_boxes
from rotation.check.hazard import MOST_SHOWN, Hazard, not_shown
from rotation.check.names import access_clause, access_name, instruction_name
from rotation.check.order import positions
from rotation.check.sweep import conflicts
from rotation.errors import InternalError
from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Bools, Edges, Ints, Placement, Program, Schedule

_NEVER: Final = np.iinfo(np.int64).max


def check_races(
    program: Program, placement: Placement, edges: Edges, schedule: Schedule
) -> list[Hazard]:
    """Return every conflict that queues and edges do not order.

    Start times play no part: the answer holds for all speeds of all operations.

    Args:
        program: The source program.
        placement: Where each of its memory locations lives.
        edges: The waits that will be in the machine code.
        schedule: Its order restricted to one engine is that engine's queue.

    Returns:
        Hazards ``race``; empty if there are none.

    Raises:
        InternalError: If the order does not name each instruction exactly once, or an
            edge names no instruction.
    """
    num_rows = len(program)
    ends = np.concatenate([edges.source, edges.sink])
    if ((ends < 0) | (ends >= num_rows)).any():
        msg = f"an edge names a row outside [0, {num_rows})"
        raise InternalError(msg)
    position = positions(program, schedule.order)
    forward = position[edges.source] < position[edges.sink]
    backward = zip(edges.source[~forward], edges.sink[~forward], strict=True)
    order = HappensBefore(
        program, schedule.order, edges.source[forward], edges.sink[forward]
    )
    return [
        *_against_the_order(program, list(backward)),
        *_unordered(program, placement, position, order),
        *_past_ifs(program, order),
    ]


class HappensBefore:
    """The order of completions and starts that queues and edges guarantee.

    Args:
        program: Whose instructions they are.
        order: A total order that extends all edges; restricted to an engine, a queue.
        source: Instruction that each edge waits for, (e,).
        sink: Instruction that waits, (e,); later than its source in the order.
    """

    def __init__(self, program: Program, order: Ints, source: Ints, sink: Ints) -> None:
        engines, self._engine = np.unique(program.engine, return_inverse=True)
        self._place = _queue_places(self._engine, order)
        self._started = self._clocks(order, source, sink, len(engines))
        self._waiter = self._first_waiters(program, source, sink, len(engines))

    def complete_before_start(self, first: Ints, second: Ints) -> Bools:
        """Return for pairs of rows if `first` is complete before `second` starts."""
        started = self._waiter[first] <= self._started[second]
        ordered: Bools = np.logical_or.reduce(started, axis=1)
        return ordered

    def _clocks(self, order: Ints, source: Ints, sink: Ints, num_engines: int) -> Ints:
        """Return the last place of each queue that starts no later than each row."""
        by_sink = np.argsort(sink, kind="stable")
        sources = source[by_sink].tolist()
        starts = np.searchsorted(sink[by_sink], np.arange(len(order) + 1)).tolist()
        engine, place = self._engine.tolist(), self._place.tolist()
        clocks: list[list[int]] = [[-1] * num_engines] * len(order)
        newest = [-1] * num_engines
        for row in order.tolist():
            own = engine[row]
            clock = clocks[newest[own]].copy() if newest[own] >= 0 else clocks[row][:]
            for before in sources[starts[row] : starts[row + 1]]:
                # Who starts after it started starts after all that came before it.
                if clock[engine[before]] < place[before]:
                    clock = list(map(max, clock, clocks[before]))
            clock[own] = place[row]
            clocks[row] = clock
            newest[own] = row
        return np.array(clocks, np.int64).reshape(len(order), num_engines)

    def _first_waiters(
        self, program: Program, source: Ints, sink: Ints, num_engines: int
    ) -> Ints:
        """Return the first place of each queue that waits for each row to complete."""
        waiter = np.full((len(program), num_engines), _NEVER)
        np.minimum.at(waiter, (source, self._engine[sink]), self._place[sink])
        in_order = [e for e in Engine if e.completes_in_order]
        rows = np.flatnonzero(np.isin(program.engine, in_order))
        own = rows, self._engine[rows]
        waiter[own] = np.minimum(waiter[own], self._place[rows] + 1)
        return waiter


def _queue_places(engine: Ints, order: Ints) -> Ints:
    """Return the place of each row in the queue of its engine, (n,)."""
    place = np.empty(len(order), np.int64)
    for one in np.unique(engine):
        queue = order[engine[order] == one]
        place[queue] = np.arange(len(queue))
    return place


def _against_the_order(
    program: Program, backward: list[tuple[int, int]]
) -> Iterator[Hazard]:
    """Yield the edges that wait for something later in the order."""
    for source, sink in backward[:MOST_SHOWN]:
        message = (
            f"{instruction_name(program, sink)} waits for "
            f"{instruction_name(program, source)}, which is not before it in the order"
        )
        yield Hazard("race", message, (int(sink), int(source)))
    yield from not_shown("race", len(backward))


def _unordered(
    program: Program, placement: Placement, position: Ints, order: HappensBefore
) -> Iterator[Hazard]:
    """Yield the conflicts whose second access need not wait for the first."""
    boxes = placed_boxes(program, placement)
    earlier, later = conflicts(program, boxes, position)
    first, second = (
        program.access_instruction[earlier],
        program.access_instruction[later],
    )
    bad = np.flatnonzero(~order.complete_before_start(first, second)).tolist()
    for pair in bad[:MOST_SHOWN]:
        message = (
            f"{access_name(program, int(later[pair]))}, but nothing makes it wait for "
            f"{access_clause(program, int(earlier[pair]))} to be complete; they touch "
            "the same bytes"
        )
        yield Hazard("race", message, (int(first[pair]), int(second[pair])))
    yield from not_shown("race", len(bad))


def _past_ifs(program: Program, order: HappensBefore) -> Iterator[Hazard]:
    """Yield the rows that need not wait for an if on loaded values."""
    first, second = waiting_pairs(program)
    bad = np.flatnonzero(~order.complete_before_start(first, second)).tolist()
    for pair in bad[:MOST_SHOWN]:
        rows = int(first[pair]), int(second[pair])
        message = (
            f"nothing makes {instruction_name(program, rows[1])} wait for "
            f"{instruction_name(program, rows[0])} to be complete, and an if on loaded "
            "values parts them"
        )
        yield Hazard("race", message, rows)
    yield from not_shown("race", len(bad))
