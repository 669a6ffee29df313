"""One rotation pass of policy `modelled`: from a state to a state.

The new map is computed whole, checked, and then installed; if it does not pass the
check the old one stays. After `post_sched` the lives are positions in the order of the
schedule; then the dependences are made anew and timed, and all is undone if the
makespan has grown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rotation.loop_form.kernel import Engine, MemorySpace
from rotation.modelled.dram import rotated_dram
from rotation.modelled.installing import map_fault
from rotation.modelled.preconditions import Path, unmet
from rotation.modelled.psum import rotated_psum
from rotation.modelled.regions import Regions, call_regions
from rotation.modelled.rotation import Rotation
from rotation.modelled.sb import rotated_sb
from rotation.modelled.sb_schedule import SB_POST_SCHEDULE, SB_SCHEDULE, ByteWindow
from rotation.modelled.targets import TRANSFERS
from rotation.passes.base import Refusal, State, built
from rotation.passes.build_dependences import rebuilt
from rotation.passes.perf_sim import simulate
from rotation.placement.dram import dram_lives, rotation_window
from rotation.unrolled.liveness import LiveIntervals, live_intervals
from rotation.unrolled.program import Edges, Placement, Program, Schedule

SPACES: Final[Mapping[Path, MemorySpace]] = {
    Path.PSUM: MemorySpace.PSUM,
    Path.SB: MemorySpace.SB,
    Path.DRAM: MemorySpace.DRAM,
    Path.PSUM_POST_SCHEDULE: MemorySpace.PSUM,
    Path.SB_POST_SCHEDULE: MemorySpace.SB,
}
"""What each path moves."""

AFTER_SCHEDULE: Final = frozenset({Path.PSUM_POST_SCHEDULE, Path.SB_POST_SCHEDULE})
"""The paths whose lives are positions in a schedule."""

JOIN_FOUND: Final = "Detected If else structure, skip DMA optimization for now"
"""Log line of a function with a join other than the head of a loop."""

NOTHING_TO_DO: Final = "Skipping pass due to no instruction or uncovered structure."
"""Log line of a function without a transfer: the modelled system does not rotate it."""


@dataclass(frozen=True, slots=True, eq=False)
class Rotated:
    """What became of a rotation pass.

    Attributes:
        state: The state after it.
        moved: Locations that are elsewhere now.
        guarded: Locations that stay with their in-place partners.
        undone: 1 if a map was made and not installed.
    """

    state: State
    moved: int = 0
    guarded: int = 0
    undone: int = 0


def rotate_modelled(state: State, path: Path) -> Rotated:
    """Return the state with one space rotated, or as it was with the reason.

    Args:
        state: A state with a placement; with a schedule for the paths after it.
        path: Which pass it is.
    """
    program = built(state.program, "unrolled program")
    engines = map(Engine, np.unique(program.engine).tolist())
    if TRANSFERS.isdisjoint(engine.issuer for engine in engines):
        return Rotated(logged(state, NOTHING_TO_DO))
    reason = unmet(path, state.attributes)
    if reason is not None:
        return Rotated(logged(state, f"Skipping {path.value}: {reason}"))
    rotation = _map(state, path)
    skipped = _skipped_calls(state) if path is Path.SB else ()
    return _installed(logged(state, *skipped, *rotation.log), path, rotation)


def _skipped_calls(state: State) -> tuple[str, ...]:
    """Return a line for each call whose window has no size: it is not rotated."""
    return tuple(
        f"Skipping kernel-scoped address rotation for {call.callee.name} - "
        "SB shape not set"
        for call in state.function.calls
        if call.window is not None and 0 in call.window[:2]
    )


def _map(state: State, path: Path) -> Rotation:
    program = built(state.program, "unrolled program")
    placement = built(state.placement, "placement")
    intervals = _lives(state, path)
    regions = _regions(state, path)
    if path is Path.DRAM:
        window = ByteWindow(*rotation_window(program, state.machine))
        return rotated_dram(program, placement, intervals, window)
    if SPACES[path] is MemorySpace.PSUM:
        return rotated_psum(program, placement, intervals, regions)
    steps = SB_POST_SCHEDULE if path in AFTER_SCHEDULE else SB_SCHEDULE
    return rotated_sb(program, placement, intervals, regions, steps)


def _regions(state: State, path: Path) -> Regions:
    space = SPACES[path]
    return call_regions(state.arenas.get(space, {}), space, state.machine)


def _lives(state: State, path: Path) -> LiveIntervals:
    program = built(state.program, "unrolled program")
    if path is Path.DRAM:
        return dram_lives(program)
    if path not in AFTER_SCHEDULE:
        return live_intervals(program)
    return live_intervals(program, built(state.schedule, "schedule").order)


def _installed(state: State, path: Path, rotation: Rotation) -> Rotated:
    """Return the state with a map in force, if it passes the check and helps."""
    program = built(state.program, "unrolled program")
    old, new = built(state.placement, "placement"), rotation.placement
    space = SPACES[path]
    fault = map_fault(
        program, old, new, space, _lives(state, path), _regions(state, path)
    )
    if fault is not None:
        refusal = Refusal(f"{space.value} was not rotated: {fault}")
        left = replace(state, refusals=(*state.refusals, refusal))
        return Rotated(left, guarded=rotation.guarded, undone=1)
    moved = int(np.count_nonzero(new.byte != old.byte))
    if not moved:
        return Rotated(state, guarded=rotation.guarded)
    if path not in AFTER_SCHEDULE:
        return Rotated(replace(state, placement=new), moved, rotation.guarded)
    edges, schedule = _timed(state, program, new)
    if schedule.makespan_ps > _timed(state, program, old)[1].makespan_ps:
        line = f"Undoing {path.value}: the makespan would grow"
        return Rotated(logged(state, line), guarded=rotation.guarded, undone=1)
    after = replace(state, placement=new, edges=edges, schedule=schedule)
    return Rotated(after, moved, rotation.guarded)


def _timed(
    state: State, program: Program, placement: Placement
) -> tuple[Edges, Schedule]:
    """Return the dependences of a placement on the order in force, and the times."""
    schedule = built(state.schedule, "schedule")
    cells = built(state.cells, "cells")
    edges, _ = rebuilt(program, cells, placement, schedule.order, state.separation)
    return edges, simulate(program, edges, schedule)


def logged(state: State, *lines: str) -> State:
    """Return the state with further log lines."""
    return replace(state, log=(*state.log, *lines))
