"""Programs that are placed with rings of some size and run in some order."""

from __future__ import annotations

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.explaining.critical import Critical, critical
from rotation.passes.base import State
from rotation.passes.perf_sim import simulate
from rotation.placement.binding import (
    PLACED,
    bound_to_rings,
    initial_placement,
    private_arenas,
)
from rotation.running.pipeline import PASSES, run_passes, selected
from rotation.schedule.list_scheduler import list_schedule
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Placement, Program, Schedule
from tests.rotation.programs import state_of


def in_rings(program: Program, slots: int) -> Placement:
    """Return a placement with a ring of that size for every buffer, room or not."""
    placement = initial_placement(program)
    each = dict.fromkeys((t for t in program.function.tensors if t.on_chip), slots)
    for space in PLACED:
        arenas = private_arenas(program, program.machine, space, each)
        placement = bound_to_rings(program, placement, arenas.of, each)
    return placement


def ran(
    program: Program, placement: Placement, order: Schedule | str = "source-order"
) -> tuple[Critical, Schedule]:
    """Return the constraints and times of a placed program.

    Args:
        program: The program.
        placement: Where its locations live.
        order: An order to keep, or the priority of a list schedule.
    """
    cells = logical_cells(program)
    storage = storage_edges(program, cells, placement)
    edges = merged(flow_edges(program, cells), storage)
    if isinstance(order, str):
        order = list_schedule(program, edges, order)
    schedule = simulate(program, edges, order)
    return critical(program, cells, placement, schedule), schedule


def finished(text: str, *, plan: bool = True) -> State:
    """Return the final state of a kernel, without checks and proofs."""
    steps = PASSES if plan else selected(["plan_rings"])
    return run_passes(steps, state_of(text))[0]
