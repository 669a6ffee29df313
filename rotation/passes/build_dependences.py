"""`build_fdeps`, `anti_dependency_analyzer` and `rebuild_dependences`.

The first two make the dependences in source order, for the scheduler: they must hold
under any reordering. Ordered edges, which keep every engine behind a join, come with
the flow edges and survive the clearing of the rest. The third makes them anew on the
final order, where the queues of the engines are known too, and drops what these imply.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.dependence.reduction import reduced
from rotation.dependence.separation import Separation, separated
from rotation.loop_form.kernel import EdgeKind
from rotation.passes.base import PassResult, State, Statistic, built
from rotation.unrolled.footprint import Cells, logical_cells
from rotation.unrolled.joins import barrier_edges
from rotation.unrolled.program import Edges, Ints, Placement, Program

FLOW: Final = Statistic("flow", "edges", "a read waits for the write of what it reads")
ANTI: Final = Statistic("anti", "edges", "a write waits for the reads of old contents")
OUTPUT: Final = Statistic("output", "edges", "a write waits for an older write")
ORDERED: Final = Statistic("ordered", "edges", "an engine waits at a join")
DROPPED: Final = Statistic("dropped", "edges", "dependences implied by other ones")


@dataclass(frozen=True, slots=True)
class BuildFdeps:
    """Make the flow edges, by location, and the ordered edges, by joins."""

    name: ClassVar[str] = "build_fdeps"
    statistics: ClassVar[tuple[Statistic, ...]] = (FLOW, ORDERED)

    def run(self, state: State) -> PassResult:
        """Return the state with flow and ordered edges in force."""
        program = built(state.program, "unrolled program")
        cells = state.cells or logical_cells(program)
        flow = state.flow or flow_edges(program, cells)
        edges = merged(flow, barrier_edges(program))
        kept = replace(state, cells=cells, flow=flow, edges=edges)
        return PassResult(kept, _counts(edges, FLOW, ORDERED))


@dataclass(frozen=True, slots=True)
class AntiDependencyAnalyzer:
    """Add the anti and output edges, by bytes."""

    name: ClassVar[str] = "anti_dependency_analyzer"
    statistics: ClassVar[tuple[Statistic, ...]] = (ANTI, OUTPUT)

    def run(self, state: State) -> PassResult:
        """Return the state with anti and output edges in force too."""
        program = built(state.program, "unrolled program")
        cells = built(state.cells, "cells")
        storage = storage_edges(program, cells, built(state.placement, "placement"))
        edges = merged(built(state.edges, "flow edges"), storage)
        return PassResult(replace(state, edges=edges), _counts(edges, ANTI, OUTPUT))


@dataclass(frozen=True, slots=True)
class RebuildDependences:
    """Clear the dependences and make them anew on the final order, reduced."""

    name: ClassVar[str] = "rebuild_dependences"
    statistics: ClassVar[tuple[Statistic, ...]] = (
        FLOW,
        ANTI,
        OUTPUT,
        ORDERED,
        DROPPED,
    )

    def run(self, state: State) -> PassResult:
        """Return the state with the reduced edges of the schedule's order."""
        program = built(state.program, "unrolled program")
        cells = built(state.cells, "cells")
        order = built(state.schedule, "schedule").order
        placement = built(state.placement, "placement")
        edges, dropped = rebuilt(program, cells, placement, order, state.separation)
        counts = _counts(edges, FLOW, ANTI, OUTPUT, ORDERED)
        return PassResult(replace(state, edges=edges), {**counts, DROPPED: dropped})


def rebuilt(
    program: Program,
    cells: Cells,
    placement: Placement,
    order: Ints,
    separation: Separation | None = None,
) -> tuple[Edges, int]:
    """Return the reduced dependences of a placement on an order, all made anew.

    Args:
        program: The program.
        cells: Its logical cells.
        placement: Where its locations live.
        order: A total order of its instructions.
        separation: The loads that wait for nothing in a measurement.

    Returns:
        The edges, and how many were dropped since others imply them.
    """
    whole = merged(
        flow_edges(program, cells, order),
        storage_edges(program, cells, placement, order),
        barrier_edges(program),
    )
    if separation is not None:
        whole = separated(program, whole, separation)
    edges = reduced(program, whole, order)
    return edges, len(whole) - len(edges)


def _counts(edges: Edges, *statistics: Statistic) -> dict[Statistic, int]:
    kinds = {
        FLOW: EdgeKind.FLOW,
        ANTI: EdgeKind.ANTI,
        OUTPUT: EdgeKind.OUTPUT,
        ORDERED: EdgeKind.ORDERED,
    }
    return {s: int(np.count_nonzero(edges.kind == kinds[s])) for s in statistics}
