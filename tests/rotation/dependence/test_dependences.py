from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rotation.dependence.dependences import (
    flow_edges,
    frame_edges,
    merged,
    storage_edges,
)
from rotation.loop_form.kernel import EdgeKind, Engine, MemorySpace
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Edges, Ints, Placement, Program
from tests.rotation.dependence.edges import ringed
from tests.rotation.programs import (
    MATMUL,
    Access,
    Op,
    elements,
    pairs,
    program_of,
    random_programs,
    reachable,
    tile,
    unrolled,
)


def conflicts(program: Program, placement: Placement) -> list[tuple[int, int]]:
    """Return all pairs of accesses that touch a common byte, one of them writing."""
    rows = np.arange(len(program.access_location))
    base = placement.byte[program.access_location]

    def touched(access: int) -> set[tuple[int, int]]:
        points = elements(program, access)
        return {(p, int(base[access]) + 3 * x + y) for p, x, y in points}

    bytes_of = [touched(row) for row in rows]
    writes = program.access_is_write
    return [
        (a, b)
        for a, b in combinations(rows.tolist(), 2)
        if (writes[a] or writes[b]) and bytes_of[a] & bytes_of[b]
    ]


def all_edges(
    program: Program, placement: Placement, order: Ints | None = None
) -> Edges:
    cells = logical_cells(program)
    return merged(
        flow_edges(program, cells, order),
        storage_edges(program, cells, placement, order),
    )


def is_lawful_read(program: Program, a: int, b: int) -> bool:
    """Return whether a conflict is more than a read of another instance's bytes."""
    same = program.access_location[a] == program.access_location[b]
    return bool(program.access_is_write[b] or same)


@given(random_programs(), st.integers(1, 3))
def test_edges_order_every_conflict_of_private_rings(program: Program, slots: int):
    """Whatever shares a byte is ordered by a path, except undefined reads."""
    placement = ringed(program, slots)
    before = reachable(len(program), all_edges(program, placement))

    for a, b in conflicts(program, placement):
        first, second = program.access_instruction[[a, b]].tolist()
        if first != second and is_lawful_read(program, a, b):
            assert first in before[second]


@given(random_programs(), st.integers(1, 3))
def test_every_edge_of_private_rings_is_a_conflict(program: Program, slots: int):
    """Nothing is ordered for no reason: partial boxes are taken exactly."""
    placement = ringed(program, slots)
    rows = program.access_instruction
    real = {(int(rows[a]), int(rows[b])) for a, b in conflicts(program, placement)}

    assert {(a, b) for a, b, _ in pairs(all_edges(program, placement))} <= real


@given(random_programs(), st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_edges_order_every_conflict_of_shared_bytes(
    program: Program, offsets: list[int]
):
    """Buffers that overlap anyhow are ordered too, except undefined reads."""
    count = len(program.location_tensor)
    byte = np.array(offsets)[np.arange(count)]
    placement = Placement(np.zeros(count, np.int64), byte, np.zeros(count, np.int64))
    before = reachable(len(program), all_edges(program, placement))

    for a, b in conflicts(program, placement):
        first, second = program.access_instruction[[a, b]].tolist()
        if first != second and is_lawful_read(program, a, b):
            assert first in before[second]


@given(random_programs(), st.randoms(use_true_random=False))
def test_edges_follow_the_given_order(program: Program, random):
    """With an order, every edge goes forward in it and every conflict is ordered."""
    order = list(range(len(program)))
    random.shuffle(order)
    position = {row: place for place, row in enumerate(order)}
    edges = all_edges(program, ringed(program, 1), np.array(order))

    assert all(position[source] < position[sink] for source, sink, _ in pairs(edges))


def two_instances(slots: int, last_read: bool = True) -> set[tuple[int, int, int]]:
    """Return the storage edges of four instances: write, read, write, read, ..."""
    ops = []
    for k in range(4):
        ops.append(Op(Engine.DMA, 1, 0, (Access(0, k, (0,), (4,), is_write=True),)))
        if last_read:
            ops.append(Op(Engine.PE, 1, 0, (Access(0, k, (0,), (4,), is_write=False),)))
    program = program_of([tile("s", (4,))], ops)
    slot = program.location_instance % slots
    placement = Placement(np.zeros_like(slot), slot, slot)
    return pairs(storage_edges(program, logical_cells(program), placement))


def test_the_anti_distance_of_a_ring_is_its_slots():
    """With N slots, instance k+N waits for the reader of instance k."""
    assert two_instances(2) == {(1, 4, EdgeKind.ANTI), (3, 6, EdgeKind.ANTI)}


def test_a_write_waits_for_an_older_write_that_nobody_read():
    """Without a read between them, two writes make an output edge."""
    assert two_instances(3, last_read=False) == {(0, 3, EdgeKind.OUTPUT)}


def test_an_accumulator_is_a_chain_of_flow():
    """Each step of a matmul reads what the step before wrote."""
    program = unrolled(MATMUL)
    matmuls = np.flatnonzero(program.engine == Engine.PE).tolist()
    flow = flow_edges(program, logical_cells(program))

    chain = {(a, b, EdgeKind.FLOW) for a, b in pairwise(matmuls[:4])}
    assert chain <= pairs(flow)


def test_a_first_step_that_overwrites_reads_nothing():
    """The first step of the next accumulation is no flow from the last one."""
    program = unrolled(MATMUL)
    matmuls = np.flatnonzero(program.engine == Engine.PE).tolist()
    flow = flow_edges(program, logical_cells(program))

    assert (matmuls[3], matmuls[4], EdgeKind.FLOW) not in pairs(flow)


def test_dram_tiles_conflict_by_box():
    """Two stores to different tiles are free, two to overlapping ones are not."""
    where = [((0, 0), (2, 2)), ((0, 2), (2, 2)), ((0, 1), (2, 2))]
    ops = [Op(Engine.DMA, 1, 0, (Access(0, 0, *box, is_write=True),)) for box in where]
    program = program_of([tile("z", (2, 4), MemorySpace.DRAM)], ops)
    zero = np.zeros(1, np.int64)
    edges = storage_edges(program, logical_cells(program), Placement(zero, zero, zero))

    assert pairs(edges) == {(0, 2, EdgeKind.OUTPUT), (1, 2, EdgeKind.OUTPUT)}


def shared(*accesses: tuple[int, Access]) -> set[tuple[int, int]]:
    """Return the storage edges of accesses, each with the byte of its tensor."""
    tensors = [tile(f"t{row}", (4, *shape)) for row, shape in enumerate(SHAPES)]
    ops = [Op(Engine.DMA, 1, 0, (access,)) for _, access in accesses]
    program = program_of(tensors, ops)
    byte_of = {access.tensor: byte for byte, access in accesses}
    byte = np.array([byte_of[t] for t in program.location_tensor.tolist()])
    zero = np.zeros(len(byte), np.int64)
    edges = storage_edges(program, logical_cells(program), Placement(zero, byte, zero))
    return {(a, b) for a, b, _ in pairs(edges)}


SHAPES = ((12,), (2,), (2, 3))


def whole(tensor: int) -> Access:
    shape = (4, *SHAPES[tensor])
    return Access(tensor, 0, (0,) * len(shape), shape, is_write=True)


def test_a_buffer_that_spans_others_conflicts_with_all():
    """Bytes [0, 12) meet both [2, 4) and, behind these, [8, 14)."""
    edges = shared((0, whole(0)), (2, whole(1)), (8, whole(2)))

    assert edges == {(0, 1), (0, 2)}


def test_an_inexact_read_hides_no_older_write():
    """Reads between two writes that miss the first are no path between them."""
    first, low, high = (
        Access(2, 0, (0, 0, column), (4, 2, 1), is_write=column == 1)
        for column in (1, 0, 2)  # bytes 1 and 4, 0 and 3, 2 and 5
    )
    edges = shared((0, first), (0, low), (0, high), (0, whole(0)))

    assert (0, 3) in edges


def test_a_frame_below_zero_orders_nothing():
    """Locations without a known frame are left out of frame edges."""
    program = unrolled(MATMUL)
    none = np.full(len(program.location_tensor), -1, np.int64)

    assert len(frame_edges(program, logical_cells(program), none)) == 0


def test_merging_keeps_the_greatest_kind_of_a_pair():
    """One edge is left for each pair, and flow beats anti."""
    one = np.array([0])
    flow = Edges(one, np.array([1]), np.array([EdgeKind.FLOW]))
    anti = Edges(one, np.array([1]), np.array([EdgeKind.ANTI]))

    assert pairs(merged(anti, flow, anti)) == {(0, 1, EdgeKind.FLOW)}
