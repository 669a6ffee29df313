"""Recurrences: chains of dependences that lead from one iteration to a later one.

The executions of a recurrence come one after the other whatever the engines, so a
loop is never faster than the chain of one turn, divided by the iterations that the
turn covers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rotation.dependence.carried import Accesses, Iterations
from rotation.loop_form.kernel import Loop, MemoryLocationSet
from rotation.unrolled.program import Bools, Edges, Ints, Program


@dataclass(frozen=True, slots=True)
class Recurrence:
    """What a chain through the iterations of a loop costs.

    Attributes:
        loop: The loop.
        interval_ps: Least time from one iteration to the next [ps].
        tensors: Buffers that carry values, or are written again, from one iteration
            to another on the chain; sorted as in the text.
        turn: Positions of the instructions of one turn in the function.
    """

    loop: Loop
    interval_ps: int
    tensors: tuple[MemoryLocationSet, ...]
    turn: tuple[int, ...]


def longest_path(
    program: Program,
    edges: Edges,
    start_ps: Ints,
    end: int,
    inside: Bools | None = None,
) -> list[int]:
    """Return the rows of a chain of edges that makes a row start when it does.

    Args:
        program: The program.
        edges: Edges, sorted by sink.
        start_ps: Earliest starts under these edges, (n,) [ps].
        end: The last row of the chain; the first row of the result starts the chain.
        inside: Rows that the chain may use, (n,); None for all.
    """
    done_ps = start_ps + program.busy_ps + program.latency_ps
    first = np.searchsorted(edges.sink, np.arange(len(program) + 1)).tolist()
    path, row = [end], end
    while True:
        sources = edges.source[first[row] : first[row + 1]]
        exact = sources[done_ps[sources] == start_ps[row]]
        if inside is not None:
            exact = exact[inside[exact]]
        if not len(exact):
            return path[::-1]
        row = int(exact[-1])
        path.append(row)


def turn_of(iterations: Iterations, path: list[int]) -> tuple[int, int] | None:
    """Return the ends of the part of a path that turns, as positions in the path.

    It goes from the first to the last execution of the statement that comes back
    over the longest part; None if none comes back in another iteration.
    """
    seen: dict[int, int] = {}
    best: tuple[int, int] | None = None
    for place, row in enumerate(path):
        first = seen.setdefault(iterations.statement[row], place)
        if first != place and (best is None or place - first > best[1] - best[0]):
            best = (first, place)
    return best


def carriers(
    accesses: Accesses, iterations: Iterations, path: Iterable[int]
) -> tuple[MemoryLocationSet, ...]:
    """Return the buffers through which a path goes on to other iterations."""
    found: set[MemoryLocationSet] = set()
    for source, sink in pairwise(path):
        if iterations.step(source, sink).loop is not None:
            found.update(accesses.shared_tensors(source, sink)[:1])
    tensors = accesses.program.function.tensors
    return tuple(tensor for tensor in tensors if tensor in found)


def recurrences(
    program: Program, edges: Edges, start_ps: Ints
) -> dict[Loop, Recurrence]:
    """Return the recurrence of each loop that has one.

    Args:
        program: The program.
        edges: The constraints that every plan must keep, sorted by sink.
        start_ps: Earliest starts under these edges, (n,) [ps].
    """
    iterations, accesses = Iterations(program), Accesses(program)
    found = {}
    for nest in program.function.nests.values():
        one = _of_loop(program, edges, start_ps, nest, iterations, accesses)
        if one is not None:
            found[nest[-1]] = one
    return found


def _of_loop(
    program: Program,
    edges: Edges,
    start_ps: Ints,
    nest: tuple[Loop, ...],
    iterations: Iterations,
    accesses: Accesses,
) -> Recurrence | None:
    """Return the recurrence of a loop, by how its first run grows with its trips."""
    loop, trips = nest[-1], nest[-1].trip_count
    number = _iteration_numbers(program, iterations, nest)
    inside = (number >= 0) & (number < trips)
    if trips < 2 or not inside.any():
        return None
    ends = np.zeros(trips, np.int64)
    np.maximum.at(ends, number[inside], start_ps[inside])
    middle = (trips - 1) // 2
    growth_ps = int(ends[-1] - ends[middle]) // (trips - 1 - middle)
    if growth_ps <= 0:
        return None
    last = np.flatnonzero(inside & (number == trips - 1))
    end = int(last[np.argmax(start_ps[last])])
    path = longest_path(program, edges, start_ps, end, inside)
    ends_of_turn = turn_of(iterations, path)
    if ends_of_turn is None:
        return None
    begin, stop = ends_of_turn
    turn = dict.fromkeys(iterations.statement[row] for row in path[begin : stop + 1])
    tensors = carriers(accesses, iterations, path[begin : stop + 1])
    return Recurrence(loop, growth_ps, tensors, tuple(turn)) if tensors else None


def _iteration_numbers(
    program: Program, iterations: Iterations, nest: tuple[Loop, ...]
) -> Ints:
    """Return the linear iteration of a loop for each row, (n,); -1 outside it."""
    number = np.full(len(program), -1, np.int64)
    depth = len(nest)
    for position, loops in enumerate(iterations.nest):
        if loops[:depth] == nest:
            rows = program.statement == position
            inner = int(np.prod([n.trip_count for n in loops[depth:]], dtype=np.int64))
            number[rows] = program.iteration[rows] // inner
    return number
