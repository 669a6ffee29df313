import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.passes.perf_sim import simulate
from rotation.schedule.bound import constraint_edges, lower_bound
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Program, Schedule
from tests.rotation.dependence.edges import ringed
from tests.rotation.programs import (
    COPY,
    STREAM,
    pairs,
    program_of,
    random_programs,
    tile,
    unrolled,
)


@given(random_programs(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_no_schedule_beats_the_bound(program: Program, slots: int, random):
    """Any legal order, run as early as it can, takes at least the bound."""
    cells = logical_cells(program)
    bound = lower_bound(program, constraint_edges(program, cells))
    storage = storage_edges(program, cells, ringed(program, slots))
    edges = merged(flow_edges(program, cells), storage)
    order: list[int] = []
    waits = {
        row: {a for a, b, _ in pairs(edges) if b == row} for row in range(len(program))
    }
    while waits:
        free = sorted(row for row, sources in waits.items() if sources <= set(order))
        order.append(random.choice(free))
        del waits[order[-1]]
    given_order = Schedule(np.array(order), np.zeros(len(order), np.int64), 0, "random")

    assert simulate(program, edges, given_order).makespan_ps >= bound.total_ps


def bound_of(text: str):
    program = unrolled(text)
    return lower_bound(program, constraint_edges(program, logical_cells(program)))


def test_an_engine_bounds_by_head_busy_and_tail():
    """Stream: dma starts at once, and its last transfer has a latency."""
    bound = bound_of(STREAM)
    transfer_ps = 2_849_392  # 128 x 2048 x 4 bytes at 368 B/ns

    assert (bound.kind, bound.name) == ("engine", "dma")
    assert (bound.head_ps, bound.busy_ps) == (0, 48 * transfer_ps)
    assert bound.tail_ps == 1_300_000


def test_a_chain_through_engines_is_a_critical_path():
    """One iteration: load, copy and store follow each other."""
    bound = bound_of(
        COPY.replace("RING", "scalar.fill t <-").replace("[0, 4)", "[0, 1)")
    )

    assert (bound.kind, bound.name, bound.engine) == ("critical-path", "st", Engine.DMA)
    assert (bound.head_ps, bound.tail_ps, bound.tensors) == (0, 0, ())


def test_a_chain_through_iterations_is_a_recurrence():
    """With one slot, load and copy take turns, and neither engine is full."""
    bound = bound_of(COPY.replace("RING", "ring 1"))

    assert (bound.kind, bound.name, bound.loop.index.name) == ("recurrence", "i", "i")
    assert [tensor.name for tensor in bound.tensors] == ["t"]


def test_the_parts_of_a_recurrence_are_its_turns_and_what_is_around():
    """Three turns of load and copy, then the last iteration with its store."""
    program = unrolled(COPY.replace("RING", "ring 1"))
    bound = bound_of(COPY.replace("RING", "ring 1"))
    done = (program.busy_ps + program.latency_ps).tolist()

    assert (bound.head_ps, bound.busy_ps) == (0, 3 * sum(done[:2]))
    assert bound.tail_ps == sum(done[:3])


def test_a_user_ring_is_part_of_the_bound():
    """One slot for all instances chains load and copy of all iterations."""
    free, fixed = (
        bound_of(COPY.replace("RING", "")),
        bound_of(COPY.replace("RING", "ring 1")),
    )

    assert free.total_ps < fixed.total_ps


def test_a_buffer_outside_loops_is_part_of_the_bound():
    """Its reuse cannot be avoided, so its anti edges are constraints."""
    text = COPY.replace("RING", "").replace("sb t [128, 512] fp32", "")
    text = text.replace("for i", "sb t [128, 512] fp32\n  for i")
    program = unrolled(text)
    edges = constraint_edges(program, logical_cells(program))

    assert (1, 3, EdgeKind.ANTI) in pairs(edges)


def test_a_rotating_buffer_is_not_part_of_the_bound():
    """What more slots could avoid is no constraint."""
    program = unrolled(STREAM)
    edges = constraint_edges(program, logical_cells(program))

    assert set(edges.kind.tolist()) == {EdgeKind.FLOW}


def test_a_program_without_instructions_takes_no_time():
    """There is no engine to bind, and the bound is 0."""
    program = program_of([tile("s", (1,))], [])
    bound = lower_bound(program, constraint_edges(program, logical_cells(program)))

    assert (bound.total_ps, bound.engine) == (0, None)
