import numpy as np
import pytest

from rotation.dependence.dependences import flow_edges, storage_edges
from rotation.errors import KernelError
from rotation.loop_form.kernel import EdgeKind
from rotation.passes.unroll import DISTINCT, Unroll
from rotation.rings.window import leading_iterations
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.indirect import layers, partial_writes
from rotation.unrolled.program import Program
from tests.rotation.check.builder import private
from tests.rotation.programs import pairs, state_of, unrolled

SCATTER = """
kernel scatter on planning {
  dram ids [8, 1] int32 input
  dram x [8, 4] fp32 input
  dram out [ROWS, 4] fp32 output
  for b in [0, 4) {
    sb i [2, 1] int32
    sb t [2, 4] fp32
    ld_i: dma.load i <- ids[2*b:+2, 0:+1]
    ld_t: dma.load t <- x[2*b:+2, 0:+4]
    sca: dma.scatter out <- t index(i, dim 0) UNIQUE
  }
  READ
}
"""
READ = "sb u [1, 4] fp32 rd: dma.load u <- out[0:+1, 0:+4] st: dma.store out <- u"


def text(unique: str = "unique", rows: int = 9, read: str = "") -> str:
    """Return a kernel of four scatters of two rows each."""
    drawn = SCATTER.replace("ROWS", str(rows)).replace("UNIQUE", unique)
    return drawn.replace("READ", read)


def edges_between(program: Program, name: str) -> set[tuple[int, int, int]]:
    """Return the edges between executions of a statement."""
    cells = logical_cells(program)
    statements = [i.name for i in program.function.instructions]
    rows = set(np.flatnonzero(program.statement == statements.index(name)).tolist())
    found = pairs(flow_edges(program, cells))
    found |= pairs(storage_edges(program, cells, private(program)))
    return {edge for edge in found if {edge[0], edge[1]} <= rows}


def test_a_scatter_and_a_gather_reach_the_whole_tensor():
    """Which of its rows, no table knows."""
    program = unrolled(
        "kernel k on planning { dram ids [8, 1] int32 input dram x [8, 4] fp32 input "
        "sb i [2, 1] int32 sb t [2, 4] fp32 dma.load i <- ids[0:+2, 0:+1] "
        "for j in [0, 2) { dma.gather t <- x[j:+3, 0:+4] index(i, dim 0) } }"
    )
    x = [t.name for t in program.function.tensors].index("x")
    mine = program.location_tensor[program.access_location] == x

    assert program.access_start[mine].tolist() == [[0, 0], [0, 0]]
    assert program.access_extent[mine].tolist() == [[8, 4], [8, 4]]


def test_scatters_wait_for_one_another():
    """Two of them may write the same row: the later one must win."""
    chain = edges_between(unrolled(text(unique="")), "sca")

    assert chain == {(r, r + 3, EdgeKind.OUTPUT) for r in (2, 5, 8)}


def test_unique_scatters_do_not():
    """No row is written by two of them."""
    assert edges_between(unrolled(text()), "sca") == set()


def test_a_unique_scatter_into_a_tile_waits():
    """Tiles have instances, and their bytes are used again."""
    tile = text().replace("dram out", "sb out").replace(" output", "")
    program = unrolled(tile.replace("dma.scatter", "gpsimd.scatter"))

    assert program.distinct == ()
    assert len(edges_between(program, "sca")) == 3


def test_what_is_no_scatter_waits_for_all_and_all_for_it():
    """A reader behind the loop has an edge from each scatter."""
    read = READ.replace("dma.store out <- u", "dma.store out[3:+1, 0:+4] <- u")
    program = unrolled(text(rows=8, read=read))
    cells = logical_cells(program)
    flow = pairs(flow_edges(program, cells))
    late = pairs(storage_edges(program, cells, private(program)))

    assert {(r, 12, EdgeKind.FLOW) for r in (2, 5, 8, 11)} <= flow
    assert {(r, 13, EdgeKind.OUTPUT) for r in (2, 5, 8, 11)} <= late


def test_layers_are_made_while_they_are_few(monkeypatch: pytest.MonkeyPatch):
    """Above the limit the scatters are ordered: right, and slower."""
    monkeypatch.setattr("rotation.unrolled.indirect.MAX_LAYERED", 0)
    load = "sb u [1, 4] fp32 rd: dma.load u <- out[0:+1, 0:+4]"
    few, many = (
        unrolled(text(rows=8, read=f"for r in [0, {trips}) {{ {load} }}"))
        for trips in (38, 39)
    )

    assert (len(few.distinct), len(many.distinct)) == (1, 0)
    assert len(edges_between(many, "sca")) == 3


def test_a_window_of_a_program_keeps_the_layers_of_its_executions(
    monkeypatch: pytest.MonkeyPatch,
):
    """Two of three inner iterations: what is read behind waits for the last too."""
    for name in ("LEAST_ITERATIONS", "LEAST_INSTRUCTIONS", "MAX_INSTRUCTIONS"):
        monkeypatch.setattr(f"rotation.rings.window.{name}", 1)
    nest = text(rows=12, read="sb u [1, 4] fp32 rd: dma.load u <- out[0:+1, 0:+4]")
    nest = nest.replace("[8, 1]", "[12, 1]").replace("[8, 4]", "[12, 4]")
    nest = nest.replace("for b in [0, 4) {", "for a in [0, 2) { for b in [0, 3) {")
    nest = nest.replace("2*b:", "2*(3*a + b):").replace("\n  }\n", "\n  } }\n")
    window = leading_iterations(unrolled(nest), doubled=1)
    flow = pairs(flow_edges(window, logical_cells(window)))

    assert window.iteration[window.statement == 2].tolist() == [0, 1, 3, 4]
    assert {(row, 12, EdgeKind.FLOW) for row in (2, 5, 8, 11)} <= flow


def test_a_tensor_without_a_unique_scatter_has_one_layer():
    """There is no dimension for it."""
    assert layers(unrolled(text(unique="")))[0].shape[1] == 0


def test_the_promises_that_are_used_are_counted():
    """The report of the pass tells how many."""
    counts = [
        Unroll().run(state_of(text(unique))).statistics[DISTINCT]
        for unique in ("unique", "")
    ]

    assert counts == [1, 0]


@pytest.mark.parametrize(("rows", "unique"), [(9, "unique"), (8, "")])
def test_scattered_rows_may_leave_some_undefined(rows: int, unique: str):
    """Nine rows, or rows that may be equal: not all of them are written."""
    with pytest.raises(KernelError, match="rd reads elements of out that nothing"):
        unrolled(text(unique, rows, READ))


def test_as_many_distinct_rows_as_there_are_define_all():
    """Only the last scatter can be known to leave none."""
    program = unrolled(text(rows=8, read=READ.replace("st: dma.store out <- u", "")))
    writes = program.access_is_write & (
        program.statement[program.access_instruction] == 2
    )

    assert partial_writes(program)[writes].tolist() == [True, True, True, False]


def test_a_read_between_the_scatters_is_too_early():
    """Rows of later ones are not there yet."""
    early = text(rows=8).replace(
        "\n  }\n", "\n sb u [1, 4] fp32 rd: dma.load u <- out[0:+1, 0:+4] }\n"
    )
    with pytest.raises(KernelError, match="nothing wrote before, at b = 0"):
        unrolled(early)
