"""A run of a function with run-time loops: the passes, the checks and the proofs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Final

from rotation.check import Hazard, check_equivalence, check_overlap, check_races
from rotation.check.kept import hazards_of
from rotation.kept.data import KeptProgram
from rotation.kept.form import tree_of
from rotation.kept.layout import laid_out
from rotation.kept.obligations import prove_kept
from rotation.kept.reads import few_trips
from rotation.kept.registers import (
    assumed,
    limit_text,
    limits,
    stay_inside,
    value_for_trips,
    values_for_trips,
    values_text,
    with_registers,
)
from rotation.kept.search import bodies_of
from rotation.kept.state import KeptState
from rotation.kept.steps import STEPS
from rotation.kept.tables import Tables, tables_of
from rotation.loop_form.kernel import Function
from rotation.loop_form.notes import notes_of
from rotation.machine.machine import Machine
from rotation.passes.base import Refusal, built
from rotation.running.report import no_gain, report
from rotation.running.result import KeptLoopReport, PassReport, RegisterReport, Result
from rotation.unrolled.unroll import MAX_INSTRUCTIONS, count_instructions
from rotation.verify.verify import verify

TIMING_STEPS: Final = frozenset(
    {
        "build_fdeps",
        "anti_dependency_analyzer",
        "post_sched",
        "rebuild_dependences",
        "perf_sim",
    }
)
"""The steps that make dependences and times of a layout, whatever it is."""


def run_kept(
    function: Function,
    machine: Machine,
    skip_passes: Collection[str],
    assume: Mapping[str, int],
    *,
    checks: bool = True,
) -> Result:
    """Return a function with run-time loops rotated, scheduled, checked and proved.

    Args:
        function: A function with at least one register.
        machine: Where it runs.
        skip_passes: Names of passes that do not run.
        assume: The numbers of some registers that totals are for.
        checks: False to leave out all checks and proofs.

    Raises:
        RotationError: As `rotation.run`.
    """
    one_trip = {r: value_for_trips(function, r, 1) for r in function.registers}
    verify(with_registers(function, one_trip), machine)
    values = assumed(function, assume)
    run_once = {name: max(values[name], one_trip[name]) for name in values}
    verify(with_registers(function, run_once), machine)
    bodies = bodies_of(tree_of(function), machine)
    state, reports = _run_steps(
        KeptState(function, machine, values, bodies), skip_passes
    )
    plain = _unrotated(state)
    state, refusals = _no_slower(plain, state)
    kept = state.kept()
    hazards, proofs = None, None
    if checks:
        counts, failures, claims = prove_kept(kept, values)
        hazards = (*hazards_of(claims), *_hazards(state, kept))
        proofs = counts, failures
    after = replace(state.as_unrolled(), refusals=refusals)
    before = plain.as_unrolled()
    return replace(
        report(before, after, reports, hazards, proofs),
        notes=notes_of(function),
        registers=_register_reports(function, values),
        kept_loops=tuple(_loop_reports(kept)),
    )


def _run_steps(
    state: KeptState, skip_passes: Collection[str]
) -> tuple[KeptState, tuple[PassReport, ...]]:
    reports = []
    for name, step in STEPS:
        if name not in skip_passes:
            begin = perf_counter()
            state, counts = step(state)
            reports.append(PassReport(name, perf_counter() - begin, counts))
    return state, tuple(reports)


def _unrotated(state: KeptState) -> KeptState:
    """Return the same program with one slot for each buffer, packed tightly."""
    plan = built(state.plan, "ring plan")
    layout = laid_out(state.bodies.tree, state.machine, {}, compact=True)
    plain = replace(
        state, plan=plan.single(), layout=layout, rounds=None, edges=None, tables=None
    )
    return _run_steps(plain, {name for name, _ in STEPS} - TIMING_STEPS)[0]


def _no_slower(
    before: KeptState, after: KeptState
) -> tuple[KeptState, tuple[Refusal, ...]]:
    """Return the rotated state; the unrotated one, with the reason, if it is faster."""
    with_ps, without_ps = (
        built(state.as_unrolled().schedule, "schedule").makespan_ps
        for state in (after, before)
    )
    rings = built(after.plan, "ring plan").rings
    if with_ps <= without_ps or any((r.tensor.ring_slots or 1) > 1 for r in rings):
        return after, ()
    return before, (no_gain(with_ps, without_ps),)


def _hazards(state: KeptState, kept: KeptProgram) -> Iterator[Hazard]:
    """Yield what the checkers find in the unrolled programs of some numbers."""
    yield from checked(state.tables or tables_of(kept, state.values, state.program))
    for values in _tried(kept):
        if values == state.values:
            continue
        static = with_registers(state.function, values)
        if count_instructions(static.body) > MAX_INSTRUCTIONS:
            continue
        at = values_text(values)
        for hazard in checked(tables_of(kept, values)):
            yield Hazard(hazard.check, f"with {at}: {hazard.message}", ())


def checked(tables: Tables) -> tuple[Hazard, ...]:
    """Return what the three checkers find in the tables of some numbers."""
    program, placement = tables.program, tables.placement
    return (
        *check_overlap(program, placement, tables.schedule),
        *check_races(program, placement, tables.edges, tables.schedule),
        *check_equivalence(program, placement, tables.schedule),
    )


def _tried(kept: KeptProgram) -> Iterator[dict[str, int]]:
    """Yield few trips in all combinations, then more than any ring has slots.

    Where not all loops may have so many, each has them while the others have one.
    """
    function = kept.tree.function
    yield from (
        values for values in few_trips(function) if stay_inside(function, values)
    )
    longest = max((place.slots for place in kept.locations.values()), default=1)
    stages = max((rounds.num_stages for rounds in kept.rounds.values()), default=1)
    for trips in sorted({3, longest + 1, longest + stages}):
        every = values_for_trips(function, dict.fromkeys(function.registers, trips))
        if stay_inside(function, every):
            yield every
            continue
        for name in function.registers:
            counts = {**dict.fromkeys(function.registers, 1), name: trips}
            values = values_for_trips(function, counts)
            if stay_inside(function, values):
                yield values


def _register_reports(
    function: Function, values: Mapping[str, int]
) -> tuple[RegisterReport, ...]:
    return tuple(
        RegisterReport(
            limit.register,
            values[limit.register],
            None if limit.region is None else limit.most,
            limit_text(limit),
        )
        for limit in limits(function)
    )


def _loop_reports(kept: KeptProgram) -> Iterator[KeptLoopReport]:
    for node in kept.tree.straights:
        if node.loop is not None:
            rounds = kept.rounds[node]
            yield KeptLoopReport(
                node.loop.index.name,
                node.loop.bound,
                len(node.ops),
                rounds.num_stages,
                len(kept.edges[node]),
                tuple(node.ops[op].name for op in rounds.order),
                tuple(rounds.stage[op] for op in rounds.order),
                rounds.priority,
            )
