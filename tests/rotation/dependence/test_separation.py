from collections.abc import Iterable

import numpy as np
from hypothesis import given

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.dependence.separation import separated, separation_of
from rotation.loop_form.kernel import EdgeKind
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Edges, Program
from rotation.unrolled.unroll import unroll
from tests.rotation.dependence.edges import ringed
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.programs import PLANNING, kernel, pairs

AGAIN = """
kernel again on planning {
  dram x [128, 512] fp32 input
  dram z [128, 512] fp32 output
  dram w [128, 512] fp32 output
  sb t [128, 512] fp32
  sb u [128, 512] fp32
  sb v [128, 512] fp32
  ld: dma.load t <- x
  st: dma.store z <- t
  ld2: dma.load u <- z
  cp: vector.copy v <- u
  st2: dma.store w <- v
}
"""
"""Its second load takes what its first store gave away."""


def edges_of(program: Program, slots: int) -> Edges:
    """Return the dependences of a program in source order, in rings of some slots."""
    cells = logical_cells(program)
    storage = storage_edges(program, cells, ringed(program, slots))
    return merged(flow_edges(program, cells), storage)


def unrolled(text: str) -> Program:
    return unroll(kernel(text), PLANNING)


def ordered(edges: Edges) -> set[tuple[int, int]]:
    """Return source and sink of the ordered edges."""
    return {(a, b) for a, b, kind in pairs(edges) if kind == EdgeKind.ORDERED}


def waits(edges: Edges, rows: Iterable[int]) -> int:
    return int(np.isin(edges.sink, list(rows)).sum())


def test_a_load_of_what_the_kernel_has_stored_stays_with_compute():
    """It has a flow edge, so it is none of the loads before the barrier."""
    program = unrolled(AGAIN)
    separation = separation_of(program, edges_of(program, 1))

    assert separation.loads.tolist() == [0]
    assert separation.anchor == 1


def test_the_barrier_is_the_first_row_that_is_no_such_load():
    """It waits for every load, and every other row waits for it."""
    program = unrolled(AGAIN)
    edges = edges_of(program, 1)
    after = separated(program, edges, separation_of(program, edges))

    assert {(0, 1), (1, 2), (1, 3), (1, 4)} <= {(a, b) for a, b, _ in pairs(after)}


def test_without_a_load_nothing_changes():
    """No barrier, and the same edges."""
    text = AGAIN.replace("dma.load t <- x", "vector.iota t <-").replace(
        "  dram x [128, 512] fp32 input\n", ""
    )
    program = unrolled(text)
    edges = edges_of(program, 1)
    separation = separation_of(program, edges)

    assert (separation.anchor, separation.removed) == (None, 0)
    assert pairs(separated(program, edges, separation)) == pairs(edges)


@given(legal_kernel_texts())
def test_loads_wait_for_nothing_and_all_else_for_them(text: str):
    """Edges between the others are as they were, but for new ones from the anchor."""
    program = unrolled(text)
    edges = edges_of(program, 2)
    separation = separation_of(program, edges)
    after = separated(program, edges, separation)
    loads = set(separation.loads.tolist())

    assert waits(after, loads) == 0
    assert separation.removed == waits(edges, loads)
    assert {p for p in pairs(edges) if p[1] not in loads} <= {
        *pairs(after),
        *((a, b, EdgeKind.ORDERED) for a, b in ordered(after)),
    }
    if separation.anchor is not None:
        sinks = {b for a, b, _ in pairs(after) if a == separation.anchor}
        assert sinks == set(range(len(program))) - loads - {separation.anchor}
        assert {a for a, b, _ in pairs(after) if b == separation.anchor} >= loads
