"""Each fault that a pass may have is planted once; a check must find it.

Every test names the checks that find its fault. The same kernels without a fault are
clean, so it is the fault that is found.
"""

from dataclasses import replace

import numpy as np
import pytest

from rotation.allocation import Allocation, Buffers, allocate
from rotation.dependence.dependences import storage_edges
from rotation.loop_form.kernel import EdgeKind, Function, MemorySpace
from rotation.machine.machine import Machine
from rotation.passes.base import State
from rotation.placement.binding import bound_to_rings, capacity_bytes
from rotation.running.pipeline import check, unrotated
from rotation.unrolled.footprint import Cells
from rotation.unrolled.program import Edges, Ints, Placement, Program
from rotation.unrolled.unroll import unroll
from tests.rotation.finished import finished, found
from tests.rotation.programs import PLANNING, kernel, matmul
from tests.rotation.programs import STREAM as STREAM_TEXT

MATMUL_TEXT = matmul(rows=4, columns=3, steps=4)
MATMUL, STREAM = kernel(MATMUL_TEXT), kernel(STREAM_TEXT)

STORAGE_EDGES = "rotation.passes.build_dependences.storage_edges"
"""Where the passes take anti and output edges from."""

NO_EDGES = Edges(*np.zeros((3, 0), np.int64))


@pytest.mark.parametrize("function", [MATMUL, STREAM], ids=["matmul", "stream"])
def test_without_a_fault_there_is_no_hazard(function: Function):
    """Rotated or not, the kernels are clean."""
    state = finished(function)

    assert check(state) == ()
    assert check(unrotated(state)) == ()


def test_a_slot_freed_at_the_last_use_is_caught_by_the_overlap_check(
    monkeypatch: pytest.MonkeyPatch,
):
    """What an operation writes is put on what it reads."""

    def freed_at_the_last_use(table: Buffers) -> Allocation:
        return allocate(replace(table, end=np.maximum(table.start + 1, table.end - 1)))

    monkeypatch.setattr("rotation.placement.binding.allocate", freed_at_the_last_use)

    assert found(unrotated(finished(STREAM))) == {"overlap"}


def test_a_start_bank_equal_to_the_number_of_banks_is_caught_by_the_capacity_check(
    monkeypatch: pytest.MonkeyPatch,
):
    """The allocator accepts ``start + width <= banks + 1``: a ring of nine banks."""

    def one_bank_more(space: MemorySpace, machine: Machine) -> int:
        extra = machine.psum_bank_bytes if space is MemorySpace.PSUM else 0
        return capacity_bytes(space, machine) + extra

    for module in ("binding", "binding_check"):
        monkeypatch.setattr(
            f"rotation.placement.{module}.capacity_bytes", one_bank_more
        )
    accumulator = "acc [128, 512] fp32"
    nine_slots = MATMUL_TEXT.replace(accumulator, f"{accumulator} ring 9")
    state = finished(kernel(nine_slots))

    assert found(state) == {"capacity"}
    assert "bank 8" in check(state)[0].message


def test_anti_edges_left_out_for_the_scheduler_are_caught_by_all_checks(
    monkeypatch: pytest.MonkeyPatch,
):
    """Loads run ahead into slots that are still read."""
    monkeypatch.setattr(STORAGE_EDGES, lambda *_: NO_EDGES)

    assert found(finished(MATMUL)) == {"overlap", "race", "equivalence"}


def test_anti_edges_left_out_of_the_final_edges_are_caught_by_the_race_check():
    """Order and times are legal, but nothing would hold the loads back."""
    state = finished(MATMUL)
    edges = state.edges
    kept = edges.kind != EdgeKind.ANTI
    fewer = Edges(edges.source[kept], edges.sink[kept], edges.kind[kept])

    assert found(replace(state, edges=fewer)) == {"race"}


def one_slot_less(state: State, placement: Placement) -> Placement:
    """Return a placement in which every ring of the state's plan is shorter by one."""
    plan = state.plan.slots()
    slots = {tensor: max(1, count - 1) for tensor, count in plan.items()}
    for arenas in state.arenas.values():
        placement = bound_to_rings(state.program, placement, arenas, slots)
    return placement


@pytest.mark.parametrize("function", [MATMUL, STREAM], ids=["matmul", "stream"])
def test_a_war_distance_of_n_minus_1_in_memory_is_caught_by_the_race_check(
    function: Function,
):
    """Slots come round after N - 1 instances, waits are made for N."""
    state = finished(function)
    faulty = replace(state, placement=one_slot_less(state, state.placement))

    assert {"overlap", "race"} <= found(faulty)


def test_a_war_distance_of_n_minus_1_in_the_final_edges_is_caught_by_the_race_check(
    monkeypatch: pytest.MonkeyPatch,
):
    """The order makes use of all N slots, and the waits are for N - 1."""
    honest = finished(MATMUL)

    def for_one_slot_less(
        program: Program, cells: Cells, placement: Placement, order: Ints | None = None
    ) -> Edges:
        if order is not None:
            placement = one_slot_less(honest, placement)
        return storage_edges(program, cells, placement, order)

    monkeypatch.setattr(STORAGE_EDGES, for_one_slot_less)

    assert found(finished(MATMUL)) == {"overlap", "race"}


def test_a_war_distance_of_n_minus_1_in_all_edges_only_costs_time(
    monkeypatch: pytest.MonkeyPatch,
):
    """Who waits for the reader of a younger instance waits for the older ones too."""
    honest = finished(MATMUL)

    def for_one_slot_less(
        program: Program, cells: Cells, placement: Placement, order: Ints | None = None
    ) -> Edges:
        shorter = one_slot_less(honest, placement)
        return storage_edges(program, cells, shorter, order)

    monkeypatch.setattr(STORAGE_EDGES, for_one_slot_less)
    cautious = finished(MATMUL)

    assert found(cautious) == set()
    assert cautious.schedule.makespan_ps > honest.schedule.makespan_ps


def test_an_accumulator_rotated_over_its_reduction_is_caught_by_the_validation():
    """Each product goes to a location of its own, so nothing is there to add to."""
    program = unroll(MATMUL, PLANNING)
    per_product = rotated_over_reduction(program, "acc", "mm", trips=4)

    assert found(finished(MATMUL, program=per_product)) == {"equivalence"}


def rotated_over_reduction(
    program: Program, tensor: str, operation: str, trips: int
) -> Program:
    """Return the program with an instance of a buffer for each reduction step.

    Args:
        program: The program.
        tensor: Name of the buffer that is accumulated in.
        operation: Name of the statement that does it.
        trips: Number of steps of the reduction; readers take the last.
    """
    names = [t.name for t in program.function.tensors]
    statements = [i.name for i in program.function.instructions]
    row, location = program.access_instruction, program.access_location
    steps = program.iteration[row]
    last = (program.location_instance[location] + 1) * trips - 1
    is_step = program.statement[row] == statements.index(operation)
    owner = program.location_tensor[location]
    instance = np.where(
        owner == names.index(tensor),
        np.where(is_step, steps, last),
        program.location_instance[location],
    )
    pairs = np.stack([owner, instance], axis=1)
    locations, access_location = np.unique(pairs, axis=0, return_inverse=True)
    return replace(
        program,
        access_location=access_location.reshape(-1),
        location_tensor=locations[:, 0],
        location_instance=locations[:, 1],
    )


def test_two_transfers_ordered_only_by_their_queue_are_caught_by_the_race_check(
    monkeypatch: pytest.MonkeyPatch,
):
    """The reduction takes it that transfers complete in the order of their queue."""

    class InOrder:
        """An engine that completes in order, whichever it is."""

        completes_in_order = True

        def __init__(self, ordinal: int) -> None:
            self.ordinal = ordinal

    monkeypatch.setattr("rotation.dependence.reduction.Engine", InOrder)

    assert found(finished(STREAM)) == {"race"}
