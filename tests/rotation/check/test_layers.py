from dataclasses import replace

import numpy as np
import pytest

from rotation.check import check_equivalence, check_overlap, check_races
from rotation.check.layers import access_layers, kept_writes, location_layers
from rotation.unrolled.program import Edges, Program
from tests.rotation.check.builder import in_turn, moved, private
from tests.rotation.programs import unrolled

SCATTER = """
kernel scatter on planning {
  dram ids [8, 1] int32 input
  dram x [8, 4] fp32 input
  dram out [ROWS, 4] fp32 output
  dram y [8, 4] fp32 output
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
READ = """
  sb last [8, 4] fp32
  rd: dma.load last <- out[0:+8, 0:+4]
  st: dma.store y <- last
"""
NONE = Edges(*np.zeros((3, 0), np.int64))


def scatter(unique: str = "unique", rows: int = 8, read: str = "") -> Program:
    """Return a program of four scatters of two rows each; rows 2, 5, 8, 11."""
    text = SCATTER.replace("ROWS", str(rows)).replace("UNIQUE", unique)
    return unrolled(text.replace("READ", read))


def layer_ranges(program: Program, name: str) -> list[tuple[int, int]]:
    """Return first and one past the last layer of a statement's last accesses."""
    first, past = access_layers(program)
    statements = [i.name for i in program.function.instructions]
    rows = np.flatnonzero(program.statement == statements.index(name))
    last = np.searchsorted(program.access_instruction, rows, side="right") - 1
    return list(zip(first[last, 0].tolist(), past[last, 0].tolist(), strict=True))


def test_each_scatter_of_distinct_rows_has_a_layer():
    """Counted from the last; layer 0 is what none of them writes."""
    program = scatter(rows=9)

    assert layer_ranges(program, "sca") == [(4, 5), (3, 4), (2, 3), (1, 2)]
    assert location_layers(program)[1].max() == 5


def test_the_last_of_as_many_rows_as_there_are_leaves_none():
    """Eight distinct rows are all rows of a tensor of eight."""
    assert layer_ranges(scatter(rows=8), "sca")[-1] == (0, 2)


def test_what_is_no_scatter_touches_all_layers():
    """A read of one row may read what any of them has written."""
    program = scatter(read=READ)
    statements = [i.name for i in program.function.instructions]
    row = np.flatnonzero(program.statement == statements.index("rd"))[0]
    access = np.searchsorted(program.access_instruction, row)

    assert [int(column[access, 0]) for column in access_layers(program)] == [0, 5]


def test_a_promise_that_the_kernel_does_not_make_is_not_believed():
    """Tables that call a scatter distinct are not enough."""
    program = scatter(unique="")
    faulty = replace(program, distinct=(2,))

    assert access_layers(faulty)[0].shape[1] == 0
    assert len(kept_writes(faulty)) == 4


@pytest.mark.parametrize(("unique", "hazards"), [("unique", 0), ("", 3)])
def test_scatters_that_nothing_orders_are_a_race_unless_unique(unique, hazards):
    """Each of them meets the one before."""
    program = scatter(unique, rows=9)
    sca = [row for row in range(len(program)) if row % 3 == 2]
    sources = np.array([row - d for row in sca for d in (2, 1)])
    sinks = np.array([row for row in sca for _ in (2, 1)])
    edges = Edges(sources, sinks, np.full(len(sinks), 4))
    found = check_races(program, private(program), edges, in_turn(program))

    assert len(found) == hazards


def test_a_reader_must_wait_for_every_scatter():
    """A wait for the last of them is no wait for the others."""
    program = scatter(read=READ, rows=8)
    sources = [0, 1, 3, 4, 6, 7, 9, 10, 11, 12]
    sinks = [2, 2, 5, 5, 8, 8, 11, 11, 12, 13]
    edges = Edges(np.array(sources), np.array(sinks), np.full(len(sinks), 4))
    found = check_races(program, private(program), edges, in_turn(program))

    assert {hazard.instructions for hazard in found} == {(2, 12), (5, 12), (8, 12)}


@pytest.mark.parametrize("unique", ["unique", ""])
def test_a_scatter_of_the_wrong_rows_is_found_under_later_ones(unique):
    """What the next scatter leaves in place is part of the final contents."""
    program = scatter(unique, rows=9)
    placement = private(program)
    tile = [t.name for t in program.function.tensors].index("t")
    first, second = np.flatnonzero(program.location_tensor == tile)[:2]
    shared = int(placement.byte[second])
    placement = moved(program, placement, {("t", 0): (0, shared)})
    order = [0, 1, 3, 4, 2, 5, *range(6, 12)]  # the second tile comes too early
    found = check_equivalence(program, placement, in_turn(program, order))

    assert first != second
    assert [hazard.check for hazard in found] == ["equivalence"]


@pytest.mark.parametrize(("unique", "same"), [("unique", True), ("", False)])
def test_the_order_of_scatters_counts_unless_unique(unique, same):
    """Two scatters that change places leave the same, if their rows are distinct."""
    program = scatter(unique, rows=9)
    order = [3, 4, 5, 0, 1, 2, *range(6, 12)]
    schedule = in_turn(program, order)
    found = check_equivalence(program, private(program), schedule)

    assert (found == []) == same


def test_a_tensor_of_which_all_rows_are_scattered_may_be_read():
    """With one row more, that row would be undefined."""
    program = scatter(read=READ, rows=8)

    assert check_equivalence(program, private(program), in_turn(program)) == []
    assert check_overlap(program, private(program), in_turn(program)) == []


def test_two_scatters_into_one_tensor_are_ordered_with_each_other():
    """Each promises distinct rows of its own, and nothing of those of the other."""
    both = SCATTER.replace("READ", "").replace("ROWS", "9").replace("UNIQUE", "unique")
    second = "sca2: dma.scatter out <- t index(i, dim 0) unique\n  }"
    program = unrolled(both.replace("\n  }", f"\n{second}", 1))
    found = check_races(program, private(program), NONE, in_turn(program))
    rows = {tuple(row % 4 for row in hazard.instructions) for hazard in found}

    assert len(program.distinct) == 2
    assert (2, 3) in rows
    assert (2, 2) not in rows
