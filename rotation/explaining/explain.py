"""`explain`: run a kernel, and say in its own terms where its time goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from pelican.errors import Span
from rotation.dependence.carried import Iterations
from rotation.explaining.blame import Blame, Total, blamed
from rotation.explaining.explanation import (
    Explanation,
    LoopReport,
    OperationPlace,
    RecurrenceReport,
    RemedyReport,
    SharedReport,
    SlotReport,
    WaitReport,
)
from rotation.explaining.kept_what_if import kept_trials
from rotation.explaining.one_instance import parted
from rotation.explaining.remedies import outcomes
from rotation.explaining.waits import Cause
from rotation.explaining.what_if import Trial, WhatIf
from rotation.loop_form.kernel import Engine, Function, If, Loop
from rotation.machine.machine import Machine
from rotation.passes.base import Pass, State, built
from rotation.passes.coloring_allocator import ColoringAllocatorSb
from rotation.passes.preconditions import refusals_of
from rotation.rings.search import TARGET_PERCENT
from rotation.running.arguments import RunOptions, requested_skips
from rotation.running.nanoseconds import Ns, ns
from rotation.running.pipeline import PASSES, run, selected, under_policy
from rotation.running.result import Result
from rotation.schedule.bound import constraint_edges
from rotation.schedule.measure import loop_interval_ps, mean_interval_ps
from rotation.schedule.paths import earliest_start_ps
from rotation.schedule.recurrence import Recurrence, recurrences

Blames = Mapping[Blame, Total]


def explain(
    function: Function,
    machine: str | Machine | None = None,
    *,
    try_slots: bool = True,
    **options: Unpack[RunOptions],
) -> Explanation:
    """Return what binds a kernel, what its engines wait for, and what would help.

    Args:
        function: The kernel.
        machine: A machine, its name, or the path of a ``.toml`` file that describes
            it; None for the kernel's own.
        try_slots: False leaves out the runs with one more slot and with remedies.
        options: What is asked of the run, as of `rotation.run`.

    Raises:
        RotationError: As `run` does.

    >>> from rotation import explain, load
    >>> found = explain(load("examples/matmul_tiled.kernel"), try_slots=False)
    >>> found.engine, found.loops[-1].loop, found.loops[-1].binds
    ('dma', 'k', 'engine')
    """
    result = run(function, machine, **options)
    skipped = requested_skips(
        options.get("skip_passes", ()), rotate_dram=options.get("rotate_dram", True)
    )
    passes = under_policy(options.get("policy", "ring"), selected(skipped))
    told = explanation_of(result, try_slots=try_slots, passes=passes)
    by_plan = ColoringAllocatorSb() in passes
    if result.registers is None or not try_slots or not by_plan:
        return told
    state = built(result.after, "final state")
    values = {register.name: register.assumed for register in result.registers}
    trials = kept_trials(function, state, values, skipped)
    return replace(told, slots=tuple(_slot(state, trial) for trial in trials))


def explanation_of(
    result: Result, *, try_slots: bool = True, passes: Sequence[Pass] = PASSES
) -> Explanation:
    """Return the explanation of a run that was not refused.

    The passes that try something else are those of static loops: of a kernel with
    run-time loops nothing else is tried here.

    Args:
        result: The run.
        try_slots: False leaves out the runs with one more slot and with remedies.
        passes: The passes of the run.
    """
    state = built(result.after, "final state")
    schedule = built(result.schedule, "schedule report")
    engines = built(result.engines, "engine reports")
    blames = blamed(state)
    busiest = max(engines, key=lambda name: engines[name].busy_ns, default=None)
    parts = parted(built(state.program, "unrolled program"))
    needless = {} if parts is None else parts.loops
    rotated = result.registers is None and not refusals_of(state.function)
    tried = try_slots and rotated
    by_plan = ColoringAllocatorSb() in passes  # policy modelled makes no rings
    return Explanation(
        kernel=result.kernel,
        machine=result.machine,
        verdict=result.verdict,
        refusals=result.refusals,
        notes=result.notes,
        makespan_ns=schedule.after_ns,
        bound_ns=schedule.bound_ns,
        bound=schedule.bound,
        engine=busiest,
        attributed=_attributed(state, blames, busiest),
        engines=engines,
        loops=tuple(_loops(state, blames)),
        slots=tuple(_slots(state, passes)) if tried and by_plan else (),
        shared=tuple(_shared(state, needless)),
        remedies=tuple(_remedies(state, passes, needless, blames)) if tried else (),
        waits=tuple(_waits(state, blames, busiest)),
    )


def _attributed(state: State, blames: Blames, engine: str | None) -> float:
    """Return the share of the idle time of an engine that has a cause."""
    program = built(state.program, "unrolled program")
    makespan_ps = built(state.schedule, "schedule").makespan_ps
    names = np.array([Engine(e).text for e in program.engine.tolist()])
    idle_ps = makespan_ps - int(program.busy_ps[names == engine].sum())
    found_ps = sum(t.idle_ps for b, t in blames.items() if b.engine.text == engine)
    return found_ps / idle_ps if engine is not None and idle_ps else 1.0


def _loops(state: State, blames: Blames) -> list[LoopReport]:
    program = built(state.program, "unrolled program")
    edges = constraint_edges(program, built(state.cells, "cells"))
    found = recurrences(program, edges, earliest_start_ps(program, edges))
    iterations = Iterations(program)
    reports = []
    for nest in state.function.nests.values():
        inside = [p for p, loops in enumerate(iterations.nest) if nest[-1] in loops]
        rows = np.isin(program.statement, inside)
        if rows.any():
            busy = np.zeros(max(Engine) + 1, np.int64)
            np.add.at(busy, program.engine[rows], program.busy_ps[rows])
            engine = Engine(int(busy.argmax()))
            turns = state.function.linear_trips(nest[-1].index)
            per_turn_ps = int(busy.max()) // turns
            loop = nest[-1]
            reports.append(
                _loop(state, loop, engine, turns, per_turn_ps, found.get(loop), blames)
            )
    return reports


def _loop(
    state: State,
    loop: Loop,
    engine: Engine,
    turns: int,
    engine_ps: int,
    recurrence: Recurrence | None,
    blames: Blames,
) -> LoopReport:
    program = built(state.program, "unrolled program")
    schedule = built(state.schedule, "schedule")
    interval_ps = loop_interval_ps(program, schedule, loop)
    mean_ps = mean_interval_ps(program, schedule, loop)
    pace_ps = interval_ps
    if interval_ps is not None and interval_ps < engine_ps:
        pace_ps = mean_ps  # of uneven gaps the median may be that of the short ones
    idle: Counter[str] = Counter()
    about: Counter[tuple[str, ...]] = Counter()
    for blame, total in blames.items():
        if blame.engine is engine and _is_inside(state.function, blame.loop, loop):
            idle[blame.cause.value] += total.idle_ps
            names = tuple(tensor.name for tensor in blame.tensors)
            if blame.barrier is not None:
                names = (_barrier_text(blame.barrier),)
            about[(blame.cause.value, *names)] += total.idle_ps
    binds, by = "wait", max(about, key=lambda key: about[key], default=())
    if pace_ps is None or pace_ps * 100 <= engine_ps * TARGET_PERCENT or not by:
        binds, by = "engine", (engine.text,)
    elif recurrence is not None and (
        pace_ps * 100 <= recurrence.interval_ps * TARGET_PERCENT
    ):
        binds, by = "recurrence", tuple(t.name for t in recurrence.tensors)
    return LoopReport(
        loop=loop.index.name,
        where=_where(loop.span),
        iterations=turns,
        interval_ns=None if interval_ps is None else ns(interval_ps),
        mean_ns=None if mean_ps is None else ns(mean_ps),
        engine=engine.text,
        engine_ns=ns(engine_ps),
        recurrence=None if recurrence is None else _recurrence(state, recurrence),
        binds=binds,
        by=by,
        idle_ns={cause: ns(ps) for cause, ps in idle.most_common()},
    )


def _barrier_text(barrier: If | Loop) -> str:
    line = "" if barrier.span is None else f" in line {barrier.span.line}"
    if isinstance(barrier, If):
        return f"the join of the if{line}"
    return f"the border of loop {barrier.index.name}{line}"


def _is_inside(function: Function, loop: Loop | None, outer: Loop) -> bool:
    return loop is not None and outer in function.nests[loop.index]


def _recurrence(state: State, recurrence: Recurrence) -> RecurrenceReport:
    return RecurrenceReport(
        ns(recurrence.interval_ps),
        tuple(tensor.name for tensor in recurrence.tensors),
        tuple(_operation(state.function, each) for each in recurrence.turn),
    )


def _slots(state: State, passes: Sequence[Pass]) -> list[SlotReport]:
    """Return a run for each buffer that can grow, and for those of a loop together."""
    what_if = WhatIf(state, passes)
    rings = [ring for ring in what_if.plan.rings if what_if.can_grow(ring)]
    reports = [_slot(state, what_if.with_one_more([r.tensor])) for r in rings]
    for scope in dict.fromkeys(ring.loop for ring in rings):
        mine = [ring.tensor for ring in rings if ring.loop is scope]
        mine = what_if.with_room(mine)
        if len(mine) > 1:
            reports.append(_slot(state, what_if.with_one_more(mine)))
    return reports


def _slot(state: State, trial: Trial) -> SlotReport:
    first = trial.tensors[0]
    present_ps = built(state.schedule, "schedule").makespan_ps
    made_ps = trial.makespan_ps
    return SlotReport(
        tensors=tuple(tensor.name for tensor in trial.tensors),
        loop=None if first.scope is None else first.scope.name,
        where=_where(first.span),
        slots=trial.slots,
        cost_bytes={space.value: cost for space, cost in trial.cost_bytes.items()},
        makespan_ns=None if made_ps is None else ns(made_ps),
        speedup=None if made_ps is None else _ratio(present_ps, made_ps),
    )


def _shared(state: State, needless: Mapping[str, Loop]) -> list[SharedReport]:
    """Return the buffers that need not be one instance, in the order of the text."""
    return [
        SharedReport(
            tensor.name, _where(tensor.span), loop.index.name, _where(loop.span)
        )
        for tensor in state.function.tensors
        for loop in (needless.get(tensor.name),)
        if loop is not None
    ]


def _remedies(
    state: State, passes: Sequence[Pass], needless: Mapping[str, Loop], blames: Blames
) -> Iterator[RemedyReport]:
    waiting = {
        tensor
        for blame in blames
        if blame.cause in {Cause.BANK, Cause.CAPACITY}
        for tensor in blame.tensors
        if tensor.pin is None
    }
    present_ps = built(state.schedule, "schedule").makespan_ps
    for found in outcomes(state, passes, needless, waiting):
        remedy, times = found.remedy, found.times
        yield RemedyReport(
            kind=remedy.kind,
            advice=remedy.advice,
            condition=remedy.condition,
            tensors=tuple(tensor.name for tensor in remedy.tensors),
            where=_where(remedy.span),
            makespan_ns=None if times is None else ns(times.makespan_ps),
            ratio=None if times is None else _ratio(*times),
            speedup=None if times is None else _ratio(present_ps, times.makespan_ps),
            refusal=found.refusal,
        )


def _ratio(number: int, other: int) -> float:
    return round(number / other, 4) if other else 1.0


def _waits(state: State, blames: Blames, busiest: str | None) -> list[WaitReport]:
    function = state.function

    def report(blame: Blame, total: Total) -> WaitReport:
        kind = "value" if blame.value else "storage"
        kind = kind if blame.barrier is None else "barrier"
        return WaitReport(
            engine=blame.engine.text,
            cause=blame.cause.value,
            idle_ns=ns(total.idle_ps),
            count=total.count,
            loop=None if blame.loop is None else blame.loop.index.name,
            blocked=_operation_or_none(function, blame.blocked),
            source=_operation_or_none(function, blame.source),
            sink=_operation_or_none(function, blame.sink),
            kind=None if blame.source is None else kind,
            tensors=tuple(tensor.name for tensor in blame.tensors),
            distance=blame.distance,
            server=None if blame.server is None else blame.server.text,
            front=_operation_or_none(function, blame.front),
            barrier=None if blame.barrier is None else _barrier_text(blame.barrier),
        )

    def rank(wait: WaitReport) -> tuple[bool, Ns]:
        return wait.engine != busiest, -wait.idle_ns

    return sorted((report(*each) for each in blames.items()), key=rank)


def _operation_or_none(
    function: Function, position: int | None
) -> OperationPlace | None:
    return None if position is None else _operation(function, position)


def _operation(function: Function, position: int) -> OperationPlace:
    instruction = function.instructions[position]
    return OperationPlace(instruction.name, _where(instruction.span))


def _where(span: Span | None) -> str | None:
    return None if span is None else span.place
