"""What is known of a function with run-time loops on its way, step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rotation.kept.data import KeptProgram, LoopEdge, Rounds, Straight
from rotation.kept.layout import Layout
from rotation.kept.search import Bodies
from rotation.kept.tables import Tables, tables_of
from rotation.kept.widen import widened
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.passes.base import State, built
from rotation.rings.plan import RingPlan
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Program


@dataclass(frozen=True, slots=True, eq=False)
class KeptState:
    """All that the steps know; each adds to it or replaces.

    Attributes:
        function: The loop form.
        machine: The machine.
        values: The number of each register that totals are for.
        bodies: The straight nodes, prepared.
        plan: The ring plan.
        program: The unrolled program of `values`.
        layout: Where the buffers live.
        rounds: How trips overlap, of each straight node.
        edges: The dependences of each straight node.
        tables: The unrolled program, placed and ordered alike.
    """

    function: Function
    machine: Machine
    values: dict[str, int]
    bodies: Bodies
    plan: RingPlan | None = None
    program: Program | None = None
    layout: Layout | None = None
    rounds: dict[Straight, Rounds] | None = None
    edges: dict[Straight, tuple[LoopEdge, ...]] | None = None
    tables: Tables | None = None

    def kept(self) -> KeptProgram:
        """Return the kept program that the state describes."""
        return KeptProgram(
            self.bodies.tree,
            self.machine,
            widened(self.function, built(self.layout, "layout")),
            built(self.rounds, "rounds"),
            built(self.edges, "edges"),
        )

    def as_unrolled(self) -> State:
        """Return the state of the unrolled program, for reports."""
        tables = self.tables or tables_of(self.kept(), self.values, self.program)
        program = tables.program
        tensors = {tensor.name: tensor for tensor in program.function.tensors}
        rings = (
            replace(ring, tensor=tensors[ring.tensor.name])
            for ring in built(self.plan, "ring plan").rings
            if ring.tensor.name in tensors
        )
        return State(
            program.function,
            self.machine,
            plan=RingPlan(tuple(rings)),
            program=program,
            cells=logical_cells(program),
            placement=tables.placement,
            edges=tables.edges,
            schedule=tables.schedule,
        )
