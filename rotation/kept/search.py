"""The ring plan of a function with run-time loops, by trials on a window.

The window is the function for one small number in every register: at least 8 trips,
and 1,000 operations if more trips make them. A trial makes the rounds of every node
for some ring sizes and adds up the times of their runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Final

import numpy as np

from rotation.kept.data import LoopEdge, Rounds, Straight, Tree
from rotation.kept.edges import Conflicts
from rotation.kept.layout import Layout, laid_out, private, used_tensors
from rotation.kept.registers import limits, value_for_trips, with_registers
from rotation.kept.rounds import Costs, best_rounds, costs_of
from rotation.kept.widen import instance_number
from rotation.loop_form.kernel import Function, Loop, MemoryLocationSet
from rotation.loop_form.loop_values import first_value
from rotation.machine.machine import Machine
from rotation.placement.binding import ON_CHIP
from rotation.rings.asked import asked_names, require_instances, without_room
from rotation.rings.plan import Ring, RingPlan
from rotation.rings.planning import ring_plan
from rotation.rings.search import (
    RingRoom,
    Slots,
    Trials,
    good_enough_ps,
    search_rings,
)
from rotation.schedule.bound import constraint_edges, lower_bound
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Edges, Program
from rotation.unrolled.unroll import count_instructions, unroll

WINDOW_TRIPS: Final = (8, 16, 32, 64, 128, 256)
"""Numbers of trips of a window."""

WINDOW_INSTRUCTIONS: Final = 1_000
"""Operations that a window has if trips can make them."""


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """The straight nodes of a function with what does not depend on ring sizes."""

    tree: Tree
    machine: Machine
    conflicts: dict[Straight, Conflicts]
    costs: dict[Straight, Costs]

    def scheduled(
        self, layout: Layout, values: Mapping[str, int]
    ) -> tuple[dict[Straight, Rounds], dict[Straight, tuple[LoopEdge, ...]], int]:
        """Return the rounds and edges of each node, and the time of all runs [ps].

        Args:
            layout: Where the buffers live.
            values: A number for each register.
        """
        rounds, edges, total_ps = {}, {}, 0
        for node in self.tree.straights:
            edges[node] = self.conflicts[node].edges(layout.slots, layout.sharing)
            trips = 1 if node.loop is None else trips_at(node.loop, values)
            rounds[node], took_ps = best_rounds(
                node, self.costs[node], edges[node], max(1, trips)
            )
            runs = prod(trips_at(loop, values) for loop in node.outer)
            total_ps += runs * took_ps if trips else 0
        return rounds, edges, total_ps


def bodies_of(tree: Tree, machine: Machine) -> Bodies:
    """Return the straight nodes of a tree, prepared."""
    nodes = tree.straights
    return Bodies(
        tree,
        machine,
        {node: Conflicts(node) for node in nodes},
        {node: costs_of(node, machine) for node in nodes},
    )


def trips_at(loop: Loop, values: Mapping[str, int]) -> int:
    """Return the number of trips of a loop for numbers in the registers."""
    if loop.bound is None:
        return loop.trip_count
    length = values[loop.bound] - first_value(loop.index)
    return max(0, -(-length // loop.index.step))


def window_values(function: Function) -> dict[str, int]:
    """Return the number of each register in the window."""
    most = {limit.register: limit.most for limit in limits(function)}
    values: dict[str, int] = {}
    for trips in WINDOW_TRIPS:
        values = {
            name: min(most[name], value_for_trips(function, name, trips))
            for name in most
        }
        window = with_registers(function, values)
        if count_instructions(window.body) >= WINDOW_INSTRUCTIONS:
            break
    return values


@dataclass(slots=True)
class KeptTrials(Trials):
    """Trials that keep the loops: a makespan is that of the rounds of the nodes.

    The buffers of the rooms are those of the window.
    """

    bodies: Bodies = field(kw_only=True)
    values: dict[str, int] = field(kw_only=True)

    def fits(self, slots: Slots) -> bool:
        """Return whether every buffer gets its own arena; one slot always does."""
        own = self.own(slots)
        tensors = tuple(own)
        return all(
            private(tensors, self.program.machine, space, own) is not None
            or all(n == 1 for t, n in own.items() if t.space is space)
            for space in ON_CHIP
        )

    def makespan_ps(self, slots: Slots) -> int:
        """Return the time of the window; capacity does not matter here."""
        if slots not in self.made:
            tree, own = self.bodies.tree, self.own(slots)
            layout = laid_out(tree, self.program.machine, {})
            sizes = {t: 1 if t.space in layout.packed else n for t, n in own.items()}
            layout = replace(layout, slots={**layout.slots, **sizes})
            self.made[slots] = self.bodies.scheduled(layout, self.values)[2]
        return self.made[slots]

    def own(self, slots: Slots) -> dict[MemoryLocationSet, int]:
        """Return the slots of each buffer of the kept function."""
        names = {t.name: n for t, n in self.by_tensor(slots).items()}
        tensors = used_tensors(self.bodies.tree)
        return {t: names[t.name] for t in tensors if t.name in names}


def kept_trials(bodies: Bodies) -> KeptTrials:
    """Return the trials of a function.

    Raises:
        CapacityError: If the buffers do not fit even when packed tightly.
        PlanError: If a ring that the user asked for cannot be given.
    """
    function, machine = bodies.tree.function, bodies.machine
    values = window_values(function)
    program = unroll(with_registers(function, values), machine)
    laid_out(bodies.tree, machine, {})
    cells = logical_cells(program)
    bound = lower_bound(program, constraint_edges(program, cells))
    none = np.zeros(0, np.int64)
    rooms = tuple(
        _room(program, function, tensor)
        for tensor in program.function.tensors
        if tensor.on_chip
    )
    trials = KeptTrials(
        program,
        cells,
        Edges(none, none, none),
        LiveIntervals(none, none),
        rooms,
        frozenset(),
        bound,
        good_enough_ps(bound),
        bodies=bodies,
        values=values,
    )
    _refuse_rings_without_room(trials)
    return trials


def _room(program: Program, function: Function, tensor: MemoryLocationSet) -> RingRoom:
    """Return how many slots a buffer may have; those of run-time trips have no end."""
    trips = program.function.linear_trips(tensor.scope)
    asked = tensor.ring_slots
    if asked is None:
        return RingRoom(tensor, 1, trips)
    (own,) = (t for t in function.tensors if t.name == tensor.name)
    nest = () if own.scope is None else function.nests[own.scope]
    if all(loop.bound is None for loop in nest):
        require_instances(tensor, trips)
    return RingRoom(tensor, asked, asked)


def _refuse_rings_without_room(trials: KeptTrials) -> None:
    least = tuple(room.least for room in trials.rooms)
    if trials.fits(least):
        return
    own = trials.own(least)
    asked = [t for t, n in own.items() if n > 1]
    spaces = " and ".join(dict.fromkeys(t.space.value for t in asked))
    message = (
        f"{asked_names(asked, own)}: with one slot of each other buffer these do not "
        f"fit {spaces} of {trials.program.machine.name}"
    )
    raise without_room(message, asked, own)


def planned(bodies: Bodies) -> tuple[RingPlan, KeptTrials]:
    """Return the ring plan of a function, and the trials that found it."""
    trials = kept_trials(bodies)
    plan = ring_plan(trials, trials, search_rings(trials))
    return of_function(bodies.tree.function, plan), trials


def of_function(function: Function, plan: RingPlan) -> RingPlan:
    """Return the plan of a window as one of the kept function."""
    tensors = {tensor.name: tensor for tensor in function.tensors}

    def moved(ring: Ring) -> Ring:
        tensor = tensors[ring.tensor.name]
        number = instance_number(function, tensor)
        return replace(ring, tensor=tensor, loop=tensor.scope, number=number)

    return RingPlan(tuple(map(moved, plan.rings)))
