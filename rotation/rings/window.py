"""The first iterations of a program: long enough to show how a loop runs in step.

A ring plan is the same for all iterations of a loop, and a schedule soon repeats
itself, so a plan that is searched on a few iterations mostly holds for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from pelican.expr import AffineIV
from rotation.loop_form.kernel import Call, If, Loop, Statement
from rotation.unrolled.program import Bools, Ints, Program
from rotation.unrolled.unroll import count_instructions

LONG_PROGRAM: Final = 20_000
"""From so many instructions on, what takes many tries is tried on a window."""

LEAST_ITERATIONS: Final = 8
"""Outer iterations that a window has at least."""

LEAST_INSTRUCTIONS: Final = 1_000
"""Instructions that a window has at least, of each loop that is longer."""

MAX_INSTRUCTIONS: Final = 20_000
"""From so many instructions on, the loops inside a loop are cut short too."""


def leading_iterations(program: Program, doubled: int = 0) -> Program:
    """Return a program's first iterations of each outermost loop, as a program.

    Args:
        program: An unrolled program.
        doubled: How often the least number of iterations is doubled.

    Each outermost loop keeps 8 iterations, or as many as make 1,000 instructions if
    they are more; where those are still very many, so do the loops inside. Rows keep
    their order, loops and buffers are those of the whole program; a location that
    only other iterations touch is not there.

    >>> from rotation import load
    >>> from rotation.machine.machine import get_machine
    >>> from rotation.unrolled.unroll import unroll
    >>> kernel = load("examples/stream_add.kernel")
    >>> program = unroll(kernel, get_machine("planning"))
    >>> len(program), len(leading_iterations(program))
    (256, 256)
    """
    kept = kept_rows(program, doubled)
    return program if kept.all() else rows_of(program, kept)


def rows_of(program: Program, kept: Bools) -> Program:
    """Return the program of some instructions only, in their order.

    Args:
        program: A program.
        kept: Which instructions, (n,).
    """
    row = np.cumsum(kept, dtype=np.int64) - 1
    access = kept[program.access_instruction]
    location = _touched(program.access_location[access], len(program.location_tensor))
    number = np.cumsum(location, dtype=np.int64) - 1
    return replace(
        program,
        statement=program.statement[kept],
        iteration=program.iteration[kept],
        engine=program.engine[kept],
        busy_ps=program.busy_ps[kept],
        latency_ps=program.latency_ps[kept],
        access_instruction=row[program.access_instruction[access]],
        access_location=number[program.access_location[access]],
        access_is_write=program.access_is_write[access],
        access_start=program.access_start[access],
        access_extent=program.access_extent[access],
        location_tensor=program.location_tensor[location],
        location_instance=program.location_instance[location],
    )


def kept_rows(program: Program, doubled: int) -> Bools:
    """Return which instructions `leading_iterations` keeps, (n,)."""
    function = program.function
    trips = dict(_trips(function.body, 2**doubled))
    kept = np.ones(len(program), np.bool_)
    for position, instruction in enumerate(function.instructions):
        rows = np.flatnonzero(program.statement == position)
        inside = program.iteration[rows]
        for loop in reversed(function.loops_of[instruction]):
            trip = inside % loop.trip_count
            inside //= loop.trip_count
            kept[rows] &= trip < trips.get(loop.index, loop.trip_count)
    return kept


def _trips(body: tuple[Statement, ...], times: int) -> Iterator[tuple[AffineIV, int]]:
    """Yield the loops of a body that are cut short, and how many trips they keep."""
    for loop in body:
        if isinstance(loop, If):
            yield from _trips((*loop.then, *loop.otherwise), times)
        if isinstance(loop, Call):
            yield from _trips(loop.body, times)
        if not isinstance(loop, Loop):
            continue
        each = max(1, count_instructions(loop.body))
        trips = times * max(LEAST_ITERATIONS, -(-LEAST_INSTRUCTIONS // each))
        yield loop.index, trips
        if min(trips, loop.trip_count) * each > MAX_INSTRUCTIONS:
            yield from _trips(loop.body, times)


def _touched(location: Ints, count: int) -> Bools:
    touched = np.zeros(count, np.bool_)
    touched[location] = True
    return touched
