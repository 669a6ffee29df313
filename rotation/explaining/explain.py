"""`explain`: run a kernel, and say in its own terms where its time goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from pelican.errors import Span
from rotation.dependence.carried import Iterations
from rotation.explaining.blame import Blame, Total, blamed
from rotation.explaining.explanation import (
    Explanation,
    LoopReport,
    OperationPlace,
    RecurrenceReport,
    SlotReport,
    WaitReport,
)
from rotation.explaining.what_if import Trial, WhatIf
from rotation.loop_form.kernel import Engine, Function, Loop
from rotation.machine.machine import Machine
from rotation.passes.base import State, built
from rotation.rings.search import TARGET_PERCENT
from rotation.running.pipeline import PASSES, run
from rotation.running.result import Ns, Result, ns
from rotation.schedule.bound import constraint_edges
from rotation.schedule.measure import loop_interval_ps
from rotation.schedule.paths import earliest_start_ps
from rotation.schedule.recurrence import Recurrence, recurrences

Blames = Mapping[Blame, Total]


def explain(
    function: Function, machine: str | Machine | None = None, *, try_slots: bool = True
) -> Explanation:
    """Return what binds a kernel, what its engines wait for, and what would help.

    Args:
        function: The kernel.
        machine: A machine or its name; None for the kernel's own.
        try_slots: False leaves out the runs with one more slot.

    Raises:
        RotationError: As `run` does.

    >>> from rotation import explain, load
    >>> found = explain(load("examples/matmul_tiled.kernel"), try_slots=False)
    >>> found.engine, found.loops[-1].loop, found.loops[-1].binds
    ('dma', 'k', 'engine')
    """
    return explanation_of(run(function, machine), try_slots=try_slots)


def explanation_of(result: Result, *, try_slots: bool = True) -> Explanation:
    """Return the explanation of a run that was not refused.

    The passes that try other slots are those of static loops: of a kernel with run-time
    loops no other is tried.
    """
    tried = try_slots and result.registers is None
    state = built(result.after, "final state")
    schedule = built(result.schedule, "schedule report")
    engines = built(result.engines, "engine reports")
    blames = blamed(state)
    busiest = max(engines, key=lambda name: engines[name].busy_ns, default=None)
    return Explanation(
        kernel=result.kernel,
        machine=result.machine,
        verdict=result.verdict,
        refusals=result.refusals,
        makespan_ns=schedule.after_ns,
        bound_ns=schedule.bound_ns,
        bound=schedule.bound,
        engine=busiest,
        attributed=_attributed(state, blames, busiest),
        engines=engines,
        loops=tuple(_loops(state, blames)),
        slots=tuple(_slots(state)) if tried else (),
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
    idle: Counter[str] = Counter()
    about: Counter[tuple[str, ...]] = Counter()
    for blame, total in blames.items():
        if blame.engine is engine and _is_inside(state.function, blame.loop, loop):
            idle[blame.cause.value] += total.idle_ps
            names = tuple(tensor.name for tensor in blame.tensors)
            about[(blame.cause.value, *names)] += total.idle_ps
    binds, by = "wait", max(about, key=lambda key: about[key], default=())
    if interval_ps is None or interval_ps * 100 <= engine_ps * TARGET_PERCENT or not by:
        binds, by = "engine", (engine.text,)
    elif recurrence is not None and (
        interval_ps * 100 <= recurrence.interval_ps * TARGET_PERCENT
    ):
        binds, by = "recurrence", tuple(t.name for t in recurrence.tensors)
    return LoopReport(
        loop=loop.index.name,
        where=_where(loop.span),
        iterations=turns,
        interval_ns=None if interval_ps is None else ns(interval_ps),
        engine=engine.text,
        engine_ns=ns(engine_ps),
        recurrence=None if recurrence is None else _recurrence(state, recurrence),
        binds=binds,
        by=by,
        idle_ns={cause: ns(ps) for cause, ps in idle.most_common()},
    )


def _is_inside(function: Function, loop: Loop | None, outer: Loop) -> bool:
    return loop is not None and outer in function.nests[loop.index]


def _recurrence(state: State, recurrence: Recurrence) -> RecurrenceReport:
    return RecurrenceReport(
        ns(recurrence.interval_ps),
        tuple(tensor.name for tensor in recurrence.tensors),
        tuple(_operation(state.function, each) for each in recurrence.turn),
    )


def _slots(state: State) -> list[SlotReport]:
    """Return a run for each buffer that can grow, and for those of a loop together."""
    what_if = WhatIf(state, PASSES)
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
        speedup=None if made_ps is None else round(present_ps / made_ps, 4),
    )


def _waits(state: State, blames: Blames, busiest: str | None) -> list[WaitReport]:
    function = state.function

    def report(blame: Blame, total: Total) -> WaitReport:
        kind = "storage" if blame.loose else "value"
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
