"""The steady state of a loop: rows whose costs and dependences repeat.

In an unrolled loop each iteration mostly does what the one before did, a fixed number
of rows later. What is worked out for one such iteration holds for the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from rotation.loop_form.kernel import Call, Loop, Statement
from rotation.unrolled.program import Bools, Edges, Ints, Program

LEAST_ITERATIONS: Final = 8
"""Iterations that must be alike before it is worth while to look for a repetition."""

LEAST_PERIOD: Final = 64
"""Rows of a period: shorter iterations are taken several at a time."""

MAX_FACTOR: Final = 16
"""Iterations after which priorities that repeat at all have been seen to repeat."""


@dataclass(frozen=True, slots=True)
class Steady:
    """Rows [first, past) that repeat: row r + period is row r, one period later.

    Engine and cost of both are the same. Of their dependences each comes from a
    source one period later too, or from the same source before `first`.

    Attributes:
        first: The first row.
        past: One past the last row; a whole number of periods behind `first`.
        period: Rows from one iteration to the next.
        span: The most rows from a source inside the loop to its sink in [first, past),
            and from a source there to any sink.
    """

    first: int
    past: int
    period: int
    span: int


def steady_rows(program: Program, edges: Edges) -> Steady | None:
    """Return the longest steady part of an outermost loop, or None without one.

    Args:
        program: The program.
        edges: Its dependences; only edges that are sorted by sink are looked at.
    """
    if (np.diff(edges.sink) < 0).any():
        return None
    found = (
        _steady_part(program, edges, loop) for loop in _outermost(program.function.body)
    )
    parts = [part for part in found if part is not None]
    return max(parts, key=lambda part: part.past - part.first, default=None)


def in_step(steady: Steady, priority: Ints) -> Steady | None:
    """Return the part in which priorities move on evenly, or None without one.

    Two rows then compare as the rows one period later do. Priorities often repeat
    only after several iterations, which then make one period.

    Args:
        steady: Rows that repeat.
        priority: A number for each instruction, (n,).
    """
    within = priority[steady.first : steady.past]
    least = -(-LEAST_PERIOD // steady.period)
    for factor in range(least, least + MAX_FACTOR):
        period = factor * steady.period
        blocks = len(within) // period
        if blocks < LEAST_ITERATIONS:
            return None
        table = within[: blocks * period].reshape(blocks, period)
        moves = np.diff(table, axis=0)
        # Longest paths settle far from where they begin or far from where they end.
        for probe in (blocks // 4, 3 * blocks // 4):
            evenly = moves[probe] == moves[probe, 0]
            if evenly.all():
                first, past = _longest_run((moves == moves[probe, 0]).all(axis=1))
                begin = steady.first + first * period
                end = steady.first + (past + 1) * period
                return Steady(begin, end, period, steady.span)
    return None


def _outermost(body: tuple[Statement, ...]) -> list[Loop]:
    """Return the loops that no loop is around."""
    found: list[Loop] = []
    for statement in body:
        if isinstance(statement, Loop):
            found.append(statement)
        elif isinstance(statement, Call):
            found.extend(_outermost(statement.body))
    return found


def _steady_part(program: Program, edges: Edges, loop: Loop) -> Steady | None:
    """Return the longest steady part of one loop."""
    rows, number = _rows_of(program, loop)
    period = int(np.count_nonzero(number == number[:1]))
    trips = len(rows) // max(1, period)
    if trips < LEAST_ITERATIONS or len(rows) != trips * period:
        return None
    first = int(rows[0])
    if int(rows[-1]) - first >= len(rows):
        return None
    alike = np.ones(trips - 1, np.bool_)
    for column in (program.statement, program.busy_ps, program.latency_ps):
        table = column[first : first + len(rows)].reshape(-1, period)
        alike &= (table[1:] == table[:-1]).all(axis=1)
    borders = first + period * np.arange(trips + 1)
    begin, end = _longest_run(alike & _same_edges(edges, borders))
    if end - begin < LEAST_ITERATIONS:
        return None
    steady = int(borders[begin]), int(borders[end + 1])
    begin, end = np.searchsorted(edges.sink, steady).tolist()
    reach, own = edges.sink - edges.source, edges.source >= first
    span = int(reach[begin:end][own[begin:end]].max(initial=0))
    inside = (edges.source[end:] >= steady[0]) & (edges.source[end:] < steady[1])
    if (reach[end:][inside] > span).any():
        return None  # something behind the loop waits for what is far inside it
    return Steady(*steady, period, span)


def _rows_of(program: Program, loop: Loop) -> tuple[Ints, Ints]:
    """Return the rows of an outermost loop, ascending, and the trip of each."""
    function = program.function
    nests = [function.loops_of[each] for each in function.instructions]
    inside = np.array([loop in nest for nest in nests], np.bool_)
    inner = [prod(each.trip_count for each in nest[1:]) for nest in nests]
    rows = np.flatnonzero(inside[program.statement])
    turns = np.array(inner, np.int64)[program.statement[rows]]
    return rows, program.iteration[rows] // turns


def _same_edges(edges: Edges, borders: Ints) -> Bools:
    """Return whether each iteration has the dependences of the next, (trips - 1,).

    Args:
        edges: Edges, sorted by sink.
        borders: The first row of each iteration, and the end of the last.
    """
    bounds = np.searchsorted(edges.sink, borders)
    counts = np.diff(bounds)
    same = np.zeros(len(counts) - 1, np.bool_)
    begin, end = _longest_run(np.diff(counts) == 0)
    if begin == end:
        return same
    width = int(counts[begin])
    part = slice(int(bounds[begin]), int(bounds[end + 1]))
    shape = end + 1 - begin, width
    source = edges.source[part].reshape(shape)
    sink = edges.sink[part].reshape(shape)
    period = borders[1] - borders[0]
    moved = np.diff(source, axis=0)
    fixed = (moved == 0) & (source[1:] < borders[0])
    goes_on = (moved == period) & (source[1:] >= borders[0])
    later = np.diff(sink, axis=0) == period
    same[begin:end] = (later & (goes_on | fixed)).all(axis=1)
    return same


def _longest_run(flags: Bools) -> tuple[int, int]:
    """Return first and end of the longest run of true flags."""
    padded = np.concatenate(([0], flags.astype(np.int8), [0]))
    change = np.diff(padded)
    begins, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    if not len(begins):
        return 0, 0
    longest = int((ends - begins).argmax())
    return int(begins[longest]), int(ends[longest])
