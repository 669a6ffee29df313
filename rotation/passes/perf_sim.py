"""`perf_sim`: runs the engines' queues and says when each instruction starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from rotation.passes.base import PassResult, State, Statistic, built
from rotation.schedule.list_scheduler import timed
from rotation.unrolled.program import Edges, Ints, Program, Schedule

STARTED: Final = Statistic("started", "instructions", "instructions that were timed")


@dataclass(frozen=True, slots=True)
class PerfSim:
    """Time the final queues under the final dependences."""

    name: ClassVar[str] = "perf_sim"
    statistics: ClassVar[tuple[Statistic, ...]] = (STARTED,)

    def run(self, state: State) -> PassResult:
        """Return the state with the simulated times."""
        program = built(state.program, "unrolled program")
        edges = built(state.edges, "dependences")
        schedule = simulate(program, edges, built(state.schedule, "schedule"))
        return PassResult(replace(state, schedule=schedule), {STARTED: len(program)})


def simulate(program: Program, edges: Edges, schedule: Schedule) -> Schedule:
    """Return the schedule in which every engine starts its queue as early as it can.

    Args:
        program: The program.
        edges: What each instruction waits for; sources stand first in the order.
        schedule: The order. Its times are not used.
    """
    ends = np.cumsum(np.bincount(edges.sink, minlength=len(program))).tolist()
    sources = edges.source.tolist()
    engine = program.engine.tolist()
    busy = program.busy_ps.tolist()
    done = (program.busy_ps + program.latency_ps).tolist()
    start = [0] * len(program)
    free = dict.fromkeys(engine, 0)
    for row in schedule.order.tolist():
        begin_ps = free[engine[row]]
        for source in sources[ends[row - 1] if row else 0 : ends[row]]:
            begin_ps = max(begin_ps, start[source] + done[source])
        start[row] = begin_ps
        free[engine[row]] = begin_ps + busy[row]
    times: Ints = np.array(start, np.int64)
    return timed(program, times, schedule.priority)
