"""Faults of passes that gathers and scatters invite; a check must find each.

Every test names the checks that find its fault. The same kernels without a fault are
clean, so it is the fault that is found.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rotation.allocation import Allocation, Buffers, allocate
from rotation.passes.base import State
from rotation.running.pipeline import check, unrotated
from rotation.unrolled.footprint import Cells, logical_cells
from rotation.unrolled.program import Program
from rotation.unrolled.unroll import unroll
from tests.rotation.finished import finished, found
from tests.rotation.programs import PLANNING, kernel

SHUFFLE = """
kernel shuffle on planning {
  dram ids [1024, 1] int32 input
  dram h [4096, 2048] bf16 input
  dram w [4096, 2048] bf16
  dram out [1024, 2048] bf16 output
  dram all [128, 2048] bf16 output
  sb z [128, 2048] bf16
  clear: vector.memset z <-
  for r in [0, 32) { zero: dma.store w[128*r:+128, 0:+2048] <- z }
  for b in [0, 8) {
    sb i [128, 1] int32
    sb rows [128, 2048] bf16
    sb got [128, 2048] bf16
    ld: dma.load i <- ids[128*b:+128, 0:+1]
    gat: dma.gather rows <- h index(i, dim 0)
    sca: dma.scatter w <- rows index(i, dim 0) UNIQUE
    st: dma.store out[128*b:+128, 0:+2048] <- rows
  }
  sb last [128, 2048] bf16
  read: dma.load last <- w[0:+128, 0:+2048]
  keep: dma.store all <- last
}
"""
"""Gather rows, scatter them into a tensor that was cleared, read that back."""

CELLS = "rotation.rings.rooms.logical_cells"
"""Where the passes take cells from; the plan hands them on."""


@cache
def honest(unique: str) -> State:
    """Return the kernel after all passes."""
    return compiled(unique)


def compiled(unique: str, program: Program | None = None) -> State:
    """Return the kernel after all passes, unrolled by `unroll` or as given."""
    function = kernel(SHUFFLE.replace("UNIQUE", unique))
    if program is not None:
        function = program.function
    return finished(function, program=program)


def without(name: str, *, write: bool, operand: str) -> Callable[[Program], Cells]:
    """Return the cells of a program but for one operand of a statement."""

    def fewer(program: Program) -> Cells:
        cells = logical_cells(program)
        statements = [i.name for i in program.function.instructions]
        tensors = [t.name for t in program.function.tensors]
        row = program.access_instruction[cells.access]
        owner = program.location_tensor[program.access_location[cells.access]]
        forgotten = (
            (program.statement[row] == statements.index(name))
            & (program.access_is_write[cells.access] == write)
            & (owner == tensors.index(operand))
        )
        return Cells(cells.access[~forgotten], cells.cell[~forgotten], cells.count)

    return fewer


@pytest.mark.parametrize("unique", ["", "unique"])
def test_without_a_fault_there_is_no_hazard(unique: str):
    """Rotated or not, with the promise or without."""
    assert check(honest(unique)) == ()
    assert check(unrotated(honest(unique))) == ()


def test_rows_taken_for_distinct_without_a_promise_are_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """Scatters that nobody called unique are left without an order."""

    def all_scatters(program: Program) -> tuple[int, ...]:
        instructions = program.function.instructions
        return tuple(p for p, each in enumerate(instructions) if each.is_scatter)

    monkeypatch.setattr("rotation.unrolled.unroll.distinct_statements", all_scatters)

    assert found(compiled("")) == {"dependence", "overlap", "race"}


@pytest.mark.parametrize("unique", ["", "unique"])
def test_row_numbers_that_a_gather_does_not_wait_for_are_caught(
    monkeypatch: pytest.MonkeyPatch, unique: str
):
    """The second of two dependent transfers starts before the first is complete."""
    forgetful = without("gat", write=False, operand="i")
    monkeypatch.setattr(CELLS, forgetful)

    assert {"dependence", "race"} <= found(compiled(unique))


def test_row_numbers_that_are_overwritten_while_a_scatter_reads_them_are_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """The ring of the index comes round before the scatter is complete."""
    forgetful = without("sca", write=False, operand="i")
    monkeypatch.setattr(CELLS, forgetful)

    assert "race" in found(compiled("unique"))


def test_a_reader_that_waits_for_the_last_scatter_only_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """All of them may have written a row that it reads."""

    def last_only(program: Program) -> Cells:
        statements = [i.name for i in program.function.instructions]
        is_sca = program.statement == statements.index("sca")
        early = np.flatnonzero(is_sca & (program.iteration < 7))
        cells = logical_cells(program)
        row = program.access_instruction[cells.access]
        lost = np.isin(row, early) & program.access_is_write[cells.access]
        return Cells(cells.access[~lost], cells.cell[~lost], cells.count)

    monkeypatch.setattr(CELLS, last_only)

    assert {"dependence", "race"} <= found(compiled("unique"))


def test_a_gather_taken_for_its_first_rows_is_caught():
    """Row numbers reach the whole tensor, not the box that stands in a table.

    Here `w` is gathered from, and its last rows are stored after what the gather is
    believed to read.
    """
    text = SHUFFLE.replace("rows <- h", "rows <- w").replace("UNIQUE", "")
    function = kernel(text)
    program = unroll(function, PLANNING)
    statements = [i.name for i in function.instructions]
    tensors = [t.name for t in function.tensors]
    owner = program.location_tensor[program.access_location]
    statement = program.statement[program.access_instruction]
    reached = (statement == statements.index("gat")) & (owner == tensors.index("w"))

    def first_rows(tables: Program) -> Cells:
        extent = tables.access_extent.copy()
        extent[reached, 0] = 128
        return logical_cells(replace(tables, access_extent=extent))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CELLS, first_rows)
        state = finished(function, program=program)

    assert {"dependence", "race"} <= found(state)


def test_a_gather_placed_on_its_own_row_numbers_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """It runs in pieces: what it has written would name the next rows."""

    def freed_at_the_last_use(table: Buffers) -> Allocation:
        return allocate(replace(table, end=np.maximum(table.start + 1, table.end - 1)))

    monkeypatch.setattr("rotation.placement.binding.allocate", freed_at_the_last_use)
    text = SHUFFLE.replace("sca: dma.scatter w <- rows index(i, dim 0) UNIQUE", "")
    state = finished(text)
    hazards = check(unrotated(state))

    assert {hazard.check for hazard in hazards} == {"overlap"}
    assert "gat[b = 0] (line 16) touches rows[b = 0]" in hazards[0].message
    assert "i[b = 0]" in hazards[0].message
