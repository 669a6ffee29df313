"""The passes of the pipeline on a function whose loops are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rotation.kept.data import LoopEdge, Straight
from rotation.kept.layout import laid_out, used_tensors
from rotation.kept.reads import verify_kept_reads
from rotation.kept.reduction import reduced
from rotation.kept.registers import with_registers
from rotation.kept.rounds import best_rounds
from rotation.kept.search import kept_trials, of_function, planned, trips_at
from rotation.kept.state import KeptState
from rotation.kept.tables import tables_of
from rotation.loop_form.kernel import EdgeKind, MemorySpace
from rotation.passes.base import built
from rotation.placement.binding import ring_room, slot_layout
from rotation.rings.planning import least_plan
from rotation.unrolled.unroll import unroll

Counts = dict[str, int]
Step = Callable[[KeptState], tuple[KeptState, Counts]]


def _verify(state: KeptState) -> tuple[KeptState, Counts]:
    verify_kept_reads(state.bodies.tree, state.machine)
    return state, {}


def _plan_rings(state: KeptState) -> tuple[KeptState, Counts]:
    plan, trials = planned(state.bodies)
    rotating = sum(ring.slots > 1 for ring in plan.rings)
    counts = {"trials": len(trials.made), "rotating": rotating}
    return replace(state, plan=plan), counts


def _unroll(state: KeptState) -> tuple[KeptState, Counts]:
    """Unroll static loops, and make the tables of the numbers that totals are for."""
    plan = state.plan
    if plan is None:
        plan = of_function(state.function, least_plan(kept_trials(state.bodies)))
    program = unroll(with_registers(state.function, state.values), state.machine)
    counts = {"instructions": len(program), "locations": len(program.location_tensor)}
    return replace(state, plan=plan, program=program), counts


def _coloring(space: MemorySpace) -> Step:
    def step(state: KeptState) -> tuple[KeptState, Counts]:
        """Give each buffer of a space room for its ring, or pack them tightly."""
        slots = built(state.plan, "ring plan").slots()
        layout = laid_out(state.bodies.tree, state.machine, slots)
        mine = [t for t in used_tensors(state.bodies.tree) if t.space is space]
        ends = [
            layout.arenas[t].base_bytes
            + ring_room(slot_layout(t, state.machine), layout.slots[t]).size
            for t in mine
        ]
        counts = {
            "placed": len(mine),
            "private": 0 if space in layout.packed else len(mine),
            "peak": max(ends, default=0),
        }
        before = state.layout
        kept = {t: 1 if t.space is space else n for t, n in layout.slots.items()}
        if before is not None:
            kept |= {t: n for t, n in before.slots.items() if t.space is not space}
        return replace(state, layout=replace(layout, slots=kept)), counts

    return step


def _rotation(space: MemorySpace) -> Step:
    def step(state: KeptState) -> tuple[KeptState, Counts]:
        """Use the slots that the plan gives each buffer of a space."""
        layout = built(state.layout, "layout")
        plan = built(state.plan, "ring plan").slots()
        mine = [t for t in layout.slots if t.space is space]
        if space in layout.packed:
            mine = []
        slots = {**layout.slots, **{t: plan[t] for t in mine}}
        rotated = sum(slots[t] > 1 for t in mine)
        counts = {"rotated": rotated, "moved": rotated, "guarded": 0, "left": 0}
        return replace(state, layout=replace(layout, slots=slots)), counts

    return step


def _in_dram(state: KeptState) -> tuple[KeptState, Counts]:
    """Count what is in DRAM: each buffer has bytes of its own since the layout."""
    arenas = built(state.layout, "layout").arenas
    mine = [t for t in arenas if t.is_placed and not t.on_chip]
    ends = [a.base_bytes + t.bytes_in_space for t, a in arenas.items() if not t.on_chip]
    return state, {
        "placed": len(mine),
        "private": len(mine),
        "peak": max(ends, default=0),
    }


def _dram_as_it_is(state: KeptState) -> tuple[KeptState, Counts]:
    """Leave DRAM: what is new in each iteration of a kept loop is not there."""
    return state, {"rotated": 0, "moved": 0, "guarded": 0, "left": 0}


def _fdeps(state: KeptState) -> tuple[KeptState, Counts]:
    edges = _conflicts(state)
    flow = {
        node: tuple(edge for edge in own if edge.kind is EdgeKind.FLOW)
        for node, own in edges.items()
    }
    return replace(state, edges=flow), {"flow": sum(map(len, flow.values()))}


def _anti(state: KeptState) -> tuple[KeptState, Counts]:
    edges = _conflicts(state)
    return replace(state, edges=edges), _counted(edges, "anti", "output")


def _post_sched(state: KeptState) -> tuple[KeptState, Counts]:
    """Give every operation a stage and a place in the round."""
    edges = built(state.edges, "edges")
    rounds = {}
    for node in state.bodies.tree.straights:
        trips = 1 if node.loop is None else trips_at(node.loop, state.values)
        costs = state.bodies.costs[node]
        rounds[node], _ = best_rounds(node, costs, edges[node], max(1, trips))
    return replace(state, rounds=rounds), {"tried": len(rounds)}


def _as_it_is(state: KeptState) -> tuple[KeptState, Counts]:
    """Leave the addresses: the rounds are made for the slots that are in use."""
    return state, {"identity": 1, "moved": 0, "guarded": 0, "undone": 0}


def _rebuild(state: KeptState) -> tuple[KeptState, Counts]:
    """Make the edges anew for the rounds, without those that others imply."""
    rounds = built(state.rounds, "rounds")
    whole = built(state.edges, "edges")
    edges = {
        node: reduced(state.bodies.costs[node], rounds[node], own)
        for node, own in whole.items()
    }
    dropped = sum(map(len, whole.values())) - sum(map(len, edges.values()))
    counts = _counted(edges, "flow", "anti", "output")
    return replace(state, edges=edges), {**counts, "dropped": dropped}


def _perf_sim(state: KeptState) -> tuple[KeptState, Counts]:
    tables = tables_of(state.kept(), state.values, state.program)
    return replace(state, tables=tables), {"started": len(tables.program)}


def _conflicts(state: KeptState) -> dict[Straight, tuple[LoopEdge, ...]]:
    layout = built(state.layout, "layout")
    return {
        node: conflicts.edges(layout.slots, layout.sharing)
        for node, conflicts in state.bodies.conflicts.items()
    }


def _counted(edges: dict[Straight, tuple[LoopEdge, ...]], *names: str) -> Counts:
    found = [edge.kind.name.lower() for own in edges.values() for edge in own]
    return {name: found.count(name) for name in names}


STEPS: Final[tuple[tuple[str, Step], ...]] = (
    ("verify", _verify),
    ("plan_rings", _plan_rings),
    ("unroll", _unroll),
    ("coloring_allocator_psum", _coloring(MemorySpace.PSUM)),
    ("address_rotation_psum", _rotation(MemorySpace.PSUM)),
    ("coloring_allocator_sb", _coloring(MemorySpace.SB)),
    ("address_rotation_sb", _rotation(MemorySpace.SB)),
    ("coloring_allocator_dram", _in_dram),
    ("address_rotation_dram", _dram_as_it_is),
    ("build_fdeps", _fdeps),
    ("anti_dependency_analyzer", _anti),
    ("post_sched", _post_sched),
    ("address_rotation_psum_post_schedule", _as_it_is),
    ("address_rotation_sb", _as_it_is),
    ("rebuild_dependences", _rebuild),
    ("perf_sim", _perf_sim),
)
"""What each pass does when loops are kept; names and order as in the pipeline."""
