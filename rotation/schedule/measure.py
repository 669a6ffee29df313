"""What a schedule shows: how steadily it runs, and how long it takes to fill."""

from __future__ import annotations

from math import prod

import numpy as np

from rotation.loop_form.kernel import Engine, Loop
from rotation.unrolled.program import Ints, Program, Schedule


def fill_ps(program: Program, schedule: Schedule, engine: Engine | None) -> int | None:
    """Return when the first operation of an engine starts [ps]; None without one."""
    if engine is None:
        return None
    return int(schedule.start_ps[program.engine == engine].min())


def steady_interval_ps(
    program: Program, schedule: Schedule, engine: Engine | None
) -> int | None:
    """Return the median time between iterations of an engine's innermost loop [ps].

    An iteration ends when the last operation inside it is complete, on whatever
    engine. None if the engine works outside loops or the loop runs once.
    """
    loop = _innermost_loop(program, engine)
    return None if loop is None else loop_interval_ps(program, schedule, loop)


def loop_interval_ps(program: Program, schedule: Schedule, loop: Loop) -> int | None:
    """Return the median time between iterations of a loop [ps]; None if it runs once.

    An iteration ends when the last operation inside it is complete. One may end
    before the one that comes before it in the text; the intervals are in that order.
    """
    ends = _iteration_ends_ps(program, schedule, loop)
    return round(float(np.median(np.diff(ends)))) if len(ends) > 1 else None


def mean_interval_ps(program: Program, schedule: Schedule, loop: Loop) -> int | None:
    """Return the mean time between iterations of a loop [ps]; None if it runs once.

    It is that from the end of the first iteration to the end of the last one in the
    text, shared out evenly. Where gaps are uneven the median may be below the work
    that its busiest engine has in an iteration; the mean tells of all of them.
    """
    ends = _iteration_ends_ps(program, schedule, loop)
    return round((ends[-1] - ends[0]) / (len(ends) - 1)) if len(ends) > 1 else None


def _innermost_loop(program: Program, engine: Engine | None) -> Loop | None:
    """Return the deepest loop with an operation of the engine, the first of equals."""
    function, machine = program.function, program.machine
    own = (i for i in function.instructions if machine.server_of(i) is engine)
    nests = (function.loops_of[instruction] for instruction in own)
    deepest = max(nests, key=len, default=())
    return deepest[-1] if deepest else None


def _iteration_ends_ps(program: Program, schedule: Schedule, loop: Loop) -> Ints:
    """Return when each linear iteration of a loop is complete, in source order [ps].

    An iteration in which an ``if`` leaves everything out is not there.
    """
    function = program.function
    done = schedule.start_ps + program.busy_ps + program.latency_ps
    trips = prod(outer.trip_count for outer in function.nests[loop.index])
    ends = np.full(trips, -1, np.int64)
    for position, instruction in enumerate(function.instructions):
        loops = function.loops_of[instruction]
        if loop not in loops:
            continue
        inside = prod(n.trip_count for n in loops[loops.index(loop) + 1 :])
        rows = np.flatnonzero(program.statement == position)
        np.maximum.at(ends, program.iteration[rows] // inside, done[rows])
    return ends[ends >= 0]
