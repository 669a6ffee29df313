"""From the final states of a run to its `Result`."""

from __future__ import annotations

from typing import Final

import numpy as np

from rotation.check import Hazard
from rotation.explaining.blame import blamed, idle_ps
from rotation.loop_form.kernel import EdgeKind, Engine, MemorySpace
from rotation.passes.base import Refusal, State, built
from rotation.placement.binding import UNITS, resident_tensors, slot_layout, unit_bytes
from rotation.placement.binding_check import high_water_bytes
from rotation.placement.dram import rotation_window
from rotation.running.nanoseconds import Ns, ns
from rotation.running.result import (
    BoundReport,
    EdgeCounts,
    EdgeReport,
    EngineReport,
    MemoryReport,
    PassReport,
    ProofReport,
    RefusalReport,
    Result,
    RingReport,
    ScheduleReport,
)
from rotation.schedule.bound import Bound, constraint_edges, lower_bound
from rotation.schedule.measure import fill_ps, loop_interval_ps, steady_interval_ps
from rotation.unrolled.program import Edges, Program, Schedule

_UNEQUAL: Final = frozenset({"equivalence", "race", "measurement"})
"""Checks after which a program may not be the source program."""


def report(
    before: State,
    after: State,
    passes: tuple[PassReport, ...],
    hazards: tuple[Hazard, ...] | None,
    proofs: tuple[ProofReport, tuple[str, ...]] | None,
) -> Result:
    """Return the result of a finished run, without what only some runs have.

    Args:
        before: The state without rotation.
        after: The final state.
        passes: What each pass counted.
        hazards: What the checkers found in the final state; None if none was asked.
        proofs: Counts of the proofs, and those that failed in words; None without any.
    """
    counts, failures = (None, ()) if proofs is None else proofs
    equivalent = None
    if hazards is not None:
        equivalent = not any(hazard.check in _UNEQUAL for hazard in hazards)
    return Result(
        kernel=after.function.name,
        machine=after.machine.name,
        verdict="left" if after.refusals else "accepted",
        refusals=refusal_reports(after),
        passes=passes,
        memory=memory_reports(before, after),
        edges=edge_report(before, after),
        rings=ring_reports(after),
        schedule=schedule_report(before, after),
        engines=engine_reports(after),
        hazards=hazards,
        proofs=counts,
        equivalent=equivalent,
        after=after,
        before=before,
        failures=failures,
    )


def no_gain(with_ps: int, without_ps: int) -> Refusal:
    """Return why a program is left as it was: rotated, it takes longer.

    Args:
        with_ps: Its makespan with rotation [ps].
        without_ps: Its makespan without it [ps].
    """
    return Refusal(
        f"rotation did not help: {ns(with_ps):,} ns with it, {ns(without_ps):,} ns "
        "packed tightly and with one slot for each buffer"
    )


def refusal_reports(state: State) -> tuple[RefusalReport, ...]:
    """Return what was left as it was."""

    def told(refusal: Refusal) -> RefusalReport:
        where = None if refusal.span is None else refusal.span.place
        return RefusalReport(state.function.name, refusal.reason, where)

    return tuple(map(told, state.refusals))


def memory_reports(before: State, after: State) -> dict[str, MemoryReport]:
    """Return the high-water mark of each space in both states."""
    machine = after.machine
    capacity = {
        MemorySpace.PSUM: machine.psum_banks,
        MemorySpace.SB: machine.sb_bytes_per_partition,
        MemorySpace.DRAM: _dram_end_bytes(after),
    }
    return {
        space.value: MemoryReport(
            _in_use(before, space), _in_use(after, space), room, UNITS[space]
        )
        for space, room in capacity.items()
    }


def _dram_end_bytes(state: State) -> int | None:
    """Return the end of the rotation window; None without a buffer that is in it."""
    program = built(state.program, "unrolled program")
    if not resident_tensors(program, MemorySpace.DRAM):
        return None
    return rotation_window(program, state.machine)[1]


def edge_report(before: State, after: State) -> EdgeReport:
    """Return the edges of both states, by kind."""
    return EdgeReport(_edge_counts(before), _edge_counts(after))


def ring_reports(state: State) -> tuple[RingReport, ...]:
    """Return the rings of the plan, with the slots that are in use."""
    program = built(state.program, "unrolled program")
    slot = built(state.placement, "placement").slot
    plan = built(state.plan, "ring plan")
    legal = plan.legal_slots()
    least = [legal.get(tensor, 1) for tensor in state.function.tensors]
    in_use = np.array(least, np.int64)  # as many at least, however they are packed
    np.maximum.at(in_use, program.location_tensor, slot + 1)
    used = dict(zip(state.function.tensors, in_use.tolist(), strict=True))
    return tuple(
        RingReport(
            ring.tensor.name,
            ring.tensor.space.value,
            None if ring.loop is None else ring.loop.name,
            used[ring.tensor],
            ring.wanted,
            ring.limited_by.value,
            slot_layout(ring.tensor, state.machine).size_bytes,
        )
        for ring in plan.rings
    )


def schedule_report(before: State, after: State) -> ScheduleReport:
    """Return the makespans of both states and their bound."""
    program = built(after.program, "unrolled program")
    schedule = built(after.schedule, "schedule")
    bound = bound_of(after)
    serial_ps = int((program.busy_ps + program.latency_ps).sum())
    return ScheduleReport(
        serial_ns=ns(serial_ps),
        before_ns=ns(built(before.schedule, "schedule").makespan_ps),
        after_ns=ns(schedule.makespan_ps),
        bound_ns=ns(bound.total_ps),
        bound=_bound_report(bound),
        steady_interval_ns=_ns(_steady_interval_ps(program, schedule, bound)),
        fill_ns=_ns(fill_ps(program, schedule, bound.engine)),
        priority=schedule.priority,
    )


def bound_of(state: State) -> Bound:
    """Return a makespan that no schedule of a program can beat, as it is constrained.

    The ring plan keeps it; without a plan it is made here.
    """
    program = built(state.program, "unrolled program")
    cells = built(state.cells, "cells")
    return state.bound or lower_bound(program, constraint_edges(program, cells))


def engine_reports(state: State) -> dict[str, EngineReport]:
    """Return busy and idle time of each engine that the program uses."""
    program = built(state.program, "unrolled program")
    blames = blamed(state).items()
    reports = {}
    for ordinal in program.engines().tolist():
        engine = Engine(ordinal)
        busy_ps = int(program.busy_ps[program.engine == ordinal].sum())
        idle = {c.value: ns(ps) for c, ps in idle_ps(blames, engine).items()}
        reports[engine.text] = EngineReport(ns(busy_ps), idle)
    return reports


def _steady_interval_ps(
    program: Program, schedule: Schedule, bound: Bound
) -> int | None:
    """Return the interval of the loop that binds [ps]; None without one."""
    if bound.loop is not None:
        return loop_interval_ps(program, schedule, bound.loop)
    return steady_interval_ps(program, schedule, bound.engine)


def _in_use(state: State, space: MemorySpace) -> int:
    program = built(state.program, "unrolled program")
    placement = built(state.placement, "placement")
    used = high_water_bytes(program, placement, space)
    return -(-used // unit_bytes(space, state.machine))


def _edge_counts(state: State) -> EdgeCounts:
    edges: Edges = built(state.edges, "dependences")
    flow, anti, output, ordered = (
        int(np.count_nonzero(edges.kind == kind))
        for kind in (EdgeKind.FLOW, EdgeKind.ANTI, EdgeKind.OUTPUT, EdgeKind.ORDERED)
    )
    return EdgeCounts(flow, anti, output, ordered)


def _bound_report(bound: Bound) -> BoundReport:
    times = (ns(bound.head_ps), ns(bound.busy_ps), ns(bound.tail_ps))
    names = tuple(tensor.name for tensor in bound.tensors)
    return BoundReport(bound.kind, bound.name, *times, tensors=names)


def _ns(ps: int | None) -> Ns | None:
    return None if ps is None else ns(ps)
