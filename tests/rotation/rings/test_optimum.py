"""Plans against the optimum: all rings of up to four slots are tried one by one.

The driver here places and schedules every choice of rings on its own, cheapest first;
it shares with the plan the placement into rings, the dependences and the scheduler,
and neither the search nor what it remembers.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.interchange.document import read_document
from rotation.interchange.json_form import convert
from rotation.loop_form.kernel import MemoryLocationSet
from rotation.placement.binding import (
    PLACED,
    bound_to_rings,
    initial_placement,
    private_arenas,
    slot_layout,
)
from rotation.rings.plan import RingPlan
from rotation.rings.rooms import trials_of
from rotation.running.pipeline import PASSES, run_passes
from rotation.schedule.bound import constraint_edges, lower_bound
from rotation.schedule.list_scheduler import PRIORITIES, list_schedule
from rotation.text.source import read_source
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Program
from tests.rotation.programs import state_of, unrolled

DOCUMENT = Path(__file__).parents[1] / "data/kernels.json"
MOST_SLOTS = 4
TARGET = 1.05
SMALL = 100
"""Buffers of which so many fit a slot of the widest have the most slots: they cost
nothing that counts."""

REDUCED = {
    "short_loop": {},
    "stream_add": {"i": 4},
    "matmul_tiled": {"m": 1, "n": 2, "k": 4},
    "softmax_rows": {"r": 6},
}
"""Kernels of the public set, with fewer trips of these loops."""


@cache
def small_kernel(seed: int) -> str:
    """Return a loop that loads tiles, computes on them and stores one, at random."""
    random = Random(seed)
    trips, loads = random.randrange(4, 9), random.randrange(1, 3)
    steps = random.randrange(1, 4 - loads + 1)
    columns = [random.choice([128, 512, 2048]) for _ in range(loads + steps)]
    width = max(columns)
    lines = [f"dram x{k} [128, {trips * width}] fp32 input" for k in range(loads)]
    lines += [
        f"dram z [128, {trips * width}] fp32 output",
        f"for i in [0, {trips}) {{",
        *(f"sb t{k} [128, {n}] fp32" for k, n in enumerate(columns)),
        *(
            f"l{k}: dma.load t{k} <- x{k}[0:+128, {width}*i:+{columns[k]}]"
            for k in range(loads)
        ),
    ]
    for step in range(loads, loads + steps):
        engine = random.choice(["vector", "scalar", "gpsimd"])
        sources = {f"t{step - 1}", f"t{random.randrange(step)}"}
        lines.append(f"c{step}: {engine}.f t{step} <- {', '.join(sorted(sources))}")
    last = loads + steps - 1
    lines.append(f"st: dma.store z[0:+128, {width}*i:+{columns[last]}] <- t{last} }}")
    body = "\n".join(lines)
    return f"kernel small on planning {{\n{body}\n}}"


def texts() -> dict[str, str]:
    """Return the kernels by name."""
    document = read_document(read_source(DOCUMENT))
    found = {
        name: convert(document, name, hand=True, bounds=bounds)
        for name, bounds in REDUCED.items()
    }
    return found | {f"small {seed}": small_kernel(seed) for seed in range(20)}


TEXTS = texts()


class Optimum:
    """The makespan of every choice of rings of a kernel."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.cells = logical_cells(program)
        self.flow = flow_edges(program, self.cells)
        bound = lower_bound(program, constraint_edges(program, self.cells))
        self.target_ps = bound.total_ps * TARGET
        spans = program.function.instance_spans
        self.most = {
            tensor: min(MOST_SLOTS, spans[tensor].count)
            for tensor in program.function.tensors
            if tensor.is_placed
        }

    def makespan_ps(self, slots: dict[MemoryLocationSet, int]) -> int:
        """Return the makespan of the best greedy order with these rings [ps]."""
        placement = initial_placement(self.program)
        for space in PLACED:
            arenas = private_arenas(self.program, self.program.machine, space, slots)
            placement = bound_to_rings(self.program, placement, arenas.of, slots)
        storage = storage_edges(self.program, self.cells, placement)
        edges = merged(self.flow, storage)
        orders = (list_schedule(self.program, edges, each) for each in PRIORITIES)
        return min(order.makespan_ps for order in orders)

    def size_bytes(self, slots: dict[MemoryLocationSet, int]) -> int:
        """Return the bytes of all slots in each partition."""
        return sum(count * self.slot_bytes(tensor) for tensor, count in slots.items())

    def slot_bytes(self, tensor: MemoryLocationSet) -> int:
        """Return what a slot takes of each partition."""
        return slot_layout(tensor, self.program.machine).size_bytes

    def least_bytes(self, below: int) -> int | None:
        """Return the least size below a number that reaches the target, or None."""
        widest = max(map(self.slot_bytes, self.most))
        ranges = [
            range(1, most + 1) if self.slot_bytes(tensor) * SMALL > widest else [most]
            for tensor, most in self.most.items()
        ]
        choices = [dict(zip(self.most, each, strict=True)) for each in product(*ranges)]
        for slots in sorted(choices, key=self.size_bytes):
            if self.size_bytes(slots) >= below:
                return None
            if self.makespan_ps(slots) <= self.target_ps:
                return self.size_bytes(slots)
        return None


@cache
def planned(text: str) -> tuple[RingPlan, int]:
    """Return the plan of a kernel and the makespan of the whole pipeline [ps]."""
    state, _ = run_passes(PASSES, state_of(text))
    return state.plan, state.schedule.makespan_ps


@pytest.mark.parametrize("name", TEXTS)
def test_a_plan_is_at_most_one_slot_above_the_least_bytes(name: str):
    """Where the target can be reached, the plan reaches it almost as cheaply."""
    optimum = Optimum(unrolled(TEXTS[name]))
    plan, makespan_ps = planned(TEXTS[name])
    slots = {ring.tensor.name: ring.slots for ring in plan.rings}
    mine = {tensor: slots[tensor.name] for tensor in optimum.most}
    largest = max(map(optimum.slot_bytes, mine))
    size = optimum.size_bytes(mine)
    reached = makespan_ps <= optimum.target_ps
    least = optimum.least_bytes(below=size - largest if reached else 10**9)

    assert least is None, f"{slots} take {size}, {least} are enough"


@pytest.mark.parametrize("name", TEXTS)
def test_no_ring_of_a_plan_can_lose_a_slot(name: str):
    """With one slot less anywhere the target is missed."""
    optimum = Optimum(unrolled(TEXTS[name]))
    plan, makespan_ps = planned(TEXTS[name])
    slots = {ring.tensor.name: ring.slots for ring in plan.rings}
    mine = {tensor: slots[tensor.name] for tensor in optimum.most}
    reached = makespan_ps <= optimum.target_ps
    less = [mine | {t: n - 1} for t, n in mine.items() if reached and n > 1]

    assert all(optimum.makespan_ps(each) > optimum.target_ps for each in less)


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(1, MOST_SLOTS), min_size=4, max_size=4),
    st.integers(0, 3),
)
def test_a_longer_ring_never_makes_a_trial_slower(
    seed: int, counts: list[int], row: int
):
    """What was scheduled for fewer slots is legal for more, the others as they are."""
    trials = trials_of(unrolled(small_kernel(seed)))
    fewer = counts[: len(trials.rooms)]
    row %= len(fewer)
    more = [n + (place == row) for place, n in enumerate(fewer)]

    less_ps = trials.makespan_ps(tuple(fewer))
    assert trials.makespan_ps(tuple(more)) <= less_ps
