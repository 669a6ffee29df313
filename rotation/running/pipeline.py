"""The pipeline: the passes in order, and a run with all its checks and proofs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final

from pelican.errors import nearest
from rotation.check import (
    Hazard,
    check_equivalence,
    check_overlap,
    check_races,
    check_windows,
)
from rotation.errors import PassError, RotationError
from rotation.loop_form.kernel import Function
from rotation.loop_form.notes import notes_of
from rotation.machine.machine import Machine
from rotation.passes.address_rotation import (
    AddressRotationDram,
    AddressRotationPsum,
    AddressRotationPsumPostSchedule,
    AddressRotationSb,
    AddressRotationSbAgain,
    Policy,
)
from rotation.passes.base import Pass, State, built
from rotation.passes.build_dependences import (
    AntiDependencyAnalyzer,
    BuildFdeps,
    RebuildDependences,
)
from rotation.passes.coloring_allocator import (
    ColoringAllocatorDram,
    ColoringAllocatorPsum,
    ColoringAllocatorSb,
)
from rotation.passes.perf_sim import PerfSim
from rotation.passes.plan_rings import PlanRings
from rotation.passes.post_sched import PostSched
from rotation.passes.separate_load_and_compute import (
    SeparateLoadAndCompute,
    measurement,
)
from rotation.passes.unroll import Unroll
from rotation.passes.verify import Verify
from rotation.running.arguments import (
    requested_machine,
    requested_skips,
    require_checks,
    require_plain,
    require_policy,
    require_types,
)
from rotation.running.each_pass import PassCheck
from rotation.running.pins_report import pins_report, without_pins
from rotation.running.report import no_gain, report
from rotation.running.result import PassReport, ProofReport, RefusalReport, Result

PASSES: Final[tuple[Pass, ...]] = (
    Verify(),
    PlanRings(),
    Unroll(),
    ColoringAllocatorPsum(),
    AddressRotationPsum(),
    ColoringAllocatorSb(),
    AddressRotationSb(),
    ColoringAllocatorDram(),
    AddressRotationDram(),
    BuildFdeps(),
    AntiDependencyAnalyzer(),
    SeparateLoadAndCompute(),
    PostSched(),
    AddressRotationPsumPostSchedule(),
    AddressRotationSbAgain(),
    RebuildDependences(),
    PerfSim(),
)
"""Every pass, in the order in which they run; one of them is off."""

_COLOURING: Final = (ColoringAllocatorPsum, ColoringAllocatorSb, ColoringAllocatorDram)
_ROTATION: Final = (
    AddressRotationPsum,
    AddressRotationSb,
    AddressRotationDram,
    AddressRotationPsumPostSchedule,
    AddressRotationSbAgain,
)

BEFORE: Final[tuple[Pass, ...]] = tuple(
    replace(step, objective="compact") if isinstance(step, _COLOURING) else step
    for step in PASSES[PASSES.index(Unroll()) + 1 :]
    if not isinstance(step, (*_ROTATION, SeparateLoadAndCompute))
)
"""The passes behind the `before` state: compact colouring, and no rotation."""

NEEDED: Final = frozenset(
    {
        "unroll",
        "coloring_allocator_psum",
        "coloring_allocator_sb",
        "coloring_allocator_dram",
        "build_fdeps",
        "post_sched",
    }
)
"""Passes without which there is no placed and scheduled program."""

OFF: Final = frozenset({SeparateLoadAndCompute.name})
"""Passes that run only if they are asked for."""

KEPT_UNDER_MODELLED: Final = (
    "plan_rings",
    *dict.fromkeys(step.name for step in PASSES if isinstance(step, _ROTATION)),
)
"""Passes that do not run on run-time loops under policy ``modelled``.

Source: the modelled system lists no rotation where it keeps loops (docs/modelled.md).
"""


def run(  # noqa: PLR0913 - an option each
    function: Function,
    machine: str | Machine | None = None,
    *,
    skip_passes: Collection[str] = (),
    policy: Policy = "ring",
    after_pass: Callable[[str, State], None] | None = None,
    verify_each: bool = False,
    assume: Mapping[str, int] | None = None,
    dram_rotation_gib: int | None = None,
    rotate_dram: bool = True,
    psum_banks: int | None = None,
    separate_load_and_compute: bool = False,
    checks: bool = True,
) -> Result:
    """Return the function rotated, scheduled, checked and proved.

    Args:
        function: The kernel.
        machine: A machine, its name, or the path of a ``.toml`` file that describes
            it; None for the kernel's own.
        skip_passes: Names of passes that do not run. A plan that is skipped leaves
            every buffer the fewest slots that are legal, which is mostly one.
        policy: How instances are bound to addresses: ``ring``, or ``modelled`` for
            the way of the modelled system, which plans no rings.
        after_pass: Called after each pass with its name and the state, for dumps.
        verify_each: Check after each pass what can be checked then.
        assume: Numbers in registers of run-time loops, which times and memory are
            those of; the proofs are for all numbers.
        dram_rotation_gib: Window in which DRAM buffers rotate, 1 to 8; -1 for what is
            in use before rotation, None for the window of the machine [GiB].
        rotate_dram: False to leave `address_rotation_dram` out.
        psum_banks: PSUM banks to use in place of those of the machine, >= 1.
        separate_load_and_compute: Run the pass of that name, which breaks the program:
            the run is a measurement, and says so as a hazard.
        checks: False to leave out all checks and proofs of the result, which then says
            nothing of whether it is the same program.

    Raises:
        KernelError: If the kernel makes no sense on the machine.
        CapacityError: If its buffers do not fit.
        PlanError: If a ring that the user asked for cannot be given.
        MachineError: If there is no such machine.
        ArgumentError: If an argument has the wrong type, there is no such policy, a
            register cannot hold what is assumed, a kernel with run-time loops is to
            have its passes shown or checked, or its loads separated, or passes are to
            be checked and nothing is.
        PassError: If a pass cannot be skipped or does not exist.

    >>> from rotation import load, run
    >>> result = run(load("examples/stream_add.kernel"))
    >>> [ring.slots for ring in result.rings]
    [2, 1, 1]
    """
    require_types(function, machine, skip_passes, assume)
    require_policy(policy)
    require_checks(verify_each=verify_each, checks=checks)
    machine = requested_machine(
        function, machine, dram_rotation_gib=dram_rotation_gib, psum_banks=psum_banks
    )
    skip_passes = requested_skips(skip_passes, rotate_dram=rotate_dram)
    passes = under_policy(policy, selected(skip_passes, separate_load_and_compute))
    if function.registers or assume:
        require_plain(function, after_pass, verify_each, separate_load_and_compute)
        if policy == "modelled":
            skip_passes = {*skip_passes, *KEPT_UNDER_MODELLED}
        result = _run_kept(function, machine, skip_passes, assume or {}, checks=checks)
        return result if policy == "ring" else _left_kept(result)
    each = PassCheck() if verify_each else None
    observers = [one for one in (after_pass, each) if one is not None]
    after, reports = run_passes(passes, State(function, machine), observers)
    before = unrotated(after)
    after = no_slower(before, after)
    each_found = () if each is None else each.hazards
    found = (*measurement(after), *each_found)
    hazards = (*found, *check(after)) if checks else found or None
    proofs = _prove(after) if checks else None
    result = report(before, after, reports, hazards, proofs)
    pins = pins_report(after, _automatic_ps(after, passes))
    return replace(result, notes=notes_of(function), pins=pins)


def _run_kept(
    function: Function,
    machine: Machine,
    skip_passes: Collection[str],
    assume: Mapping[str, int],
    *,
    checks: bool,
) -> Result:
    """Return the result of a function with run-time loops.

    Raises:
        ArgumentError: If it has none.
        KernelError: If it holds what run-time loops do not go with.
    """
    from rotation.kept.registers import assumed  # noqa: PLC0415 - seldom needed
    from rotation.kept.run import run_kept  # noqa: PLC0415 - help loads no solver
    from rotation.kept.supported import require_supported  # noqa: PLC0415

    if function.registers:
        require_supported(function)
    assumed(function, assume)
    return run_kept(function, machine, skip_passes, assume, checks=checks)


def _left_kept(result: Result) -> Result:
    """Return the result of run-time loops as policy ``modelled`` leaves them."""
    reason = (
        "run-time loops are kept, and policy modelled moves locations of unrolled "
        "loops only"
    )
    refusal = RefusalReport(result.kernel, reason, where=None)
    return replace(result, verdict="left", refusals=(*result.refusals, refusal))


def under_policy(policy: Policy, passes: Sequence[Pass]) -> tuple[Pass, ...]:
    """Return the passes as a policy runs them.

    Policy ``modelled`` plans no rings: it packs every space and then moves locations.
    """
    if policy == "ring":
        return tuple(passes)
    steps: list[Pass] = []
    for step in passes:
        if isinstance(step, _COLOURING):
            steps.append(replace(step, objective="modelled"))
        elif isinstance(step, _ROTATION):
            steps.append(replace(step, policy=policy))
        elif not isinstance(step, PlanRings):
            steps.append(step)
    return tuple(steps)


def selected(
    skip_passes: Collection[str],
    separate: bool = False,  # noqa: FBT001, FBT002 - as the option of a run
) -> tuple[Pass, ...]:
    """Return the passes that run: those that are neither skipped nor off.

    Args:
        skip_passes: Names of passes that do not run.
        separate: Whether `separate_load_and_compute` is on.

    Raises:
        PassError: If a name is no pass, or a pass that cannot be skipped.
    """
    for skipped in skip_passes:
        require_pass(skipped)
        if skipped in NEEDED:
            free = ", ".join(step.name for step in PASSES if step.name not in NEEDED)
            raise PassError(
                f"pass {skipped} cannot be skipped: without it there is no program "
                "to check",
                hint=f"passes that can be: {free}",
            )
    direct = (SeparateLoadAndCompute("direct"),) if separate else ()
    return tuple(
        step
        for each in PASSES
        for step in (direct if isinstance(each, SeparateLoadAndCompute) else (each,))
        if step.name not in skip_passes
    )


def require_pass(name: str) -> None:
    """Raise unless there is a pass of that name.

    Raises:
        PassError: If there is none, with the nearest name.
    """
    names = [step.name for step in PASSES]
    if name not in names:
        hint = nearest(name, names) or "passes: " + ", ".join(names)
        raise PassError(f"no pass {name!r}", hint=hint)


def run_passes(
    passes: Sequence[Pass],
    state: State,
    observers: Sequence[Callable[[str, State], None]] = (),
) -> tuple[State, tuple[PassReport, ...]]:
    """Return the state after all passes, and what each counted in how long."""
    reports = []
    for step in passes:
        begin = perf_counter()
        result = step.run(state)
        counts = {s.name: count for s, count in result.statistics.items()}
        reports.append(PassReport(step.name, perf_counter() - begin, counts))
        state = result.state
        for observe in observers:
            observe(step.name, state)
    return state, tuple(reports)


def unrotated(state: State) -> State:
    """Return the `before` state of a finished run: the same program, not rotated."""
    plain = State(
        state.function,
        state.machine,
        program=state.program,
        cells=state.cells,
        flow=state.flow,
        bound=state.bound,
        packed=state.packed,
    )
    return run_passes(BEFORE, plain)[0]


def no_slower(before: State, after: State) -> State:
    """Return the rotated state; the unrotated one, with the reason, if it is faster.

    It can be: greedy orders are not monotone, and compact colouring lets a buffer
    use bytes that others have left, which private arenas do not. A ring that the
    kernel asks for, and the window of a call, are kept all the same: they are honoured
    or refused, never changed. So is a measurement.
    """
    if after.separation is not None:
        return after
    with_ps = built(after.schedule, "schedule").makespan_ps
    without_ps = built(before.schedule, "schedule").makespan_ps
    plan = built(after.plan, "ring plan")
    asked = any(
        (ring.tensor.ring_slots or 1) > 1
        or ring.tensor.pin is not None
        or ring.tensor.window is not None
        for ring in plan.rings
    )
    if asked or with_ps <= without_ps:
        return after
    refusals = (*after.refusals, no_gain(with_ps, without_ps))
    return replace(before, plan=plan.single(), refusals=refusals, log=after.log)


def check(state: State) -> tuple[Hazard, ...]:
    """Return what the checkers find in the placed and scheduled program."""
    program = built(state.program, "unrolled program")
    placement = built(state.placement, "placement")
    schedule = built(state.schedule, "schedule")
    edges = built(state.edges, "dependences")
    return (
        *check_overlap(program, placement, schedule),
        *check_races(program, placement, edges, schedule),
        *check_equivalence(program, placement, schedule),
        *check_windows(program, placement),
    )


def _automatic_ps(state: State, passes: Sequence[Pass]) -> int | None:
    """Return the makespan with the user's places left to the passes [ps].

    None if there are none, if no rings are planned, or if that does not fit.
    """
    freed = without_pins(state.function)
    planned = any(isinstance(step, PlanRings) for step in passes)
    if freed is state.function or not planned:
        return None
    try:
        automatic, _ = run_passes(passes, State(freed, state.machine))
    except RotationError:
        return None
    return built(automatic.schedule, "schedule").makespan_ps


def _prove(state: State) -> tuple[ProofReport, tuple[str, ...]]:
    from rotation.running.obligations import prove_run  # noqa: PLC0415 - help loads no solver

    plan = built(state.plan, "ring plan")
    return prove_run(state.function, plan, state.machine)
