import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rotation.loop_form.kernel import Engine
from rotation.unrolled.footprint import (
    byte_rectangles,
    logical_cells,
    physical_cells,
    split_boxes,
)
from rotation.unrolled.program import Placement, Program
from tests.rotation.programs import (
    BOXES,
    STREAM,
    Access,
    Op,
    elements,
    program_of,
    random_programs,
    tile,
    unrolled,
)


def cells_by_access(cells) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for access, cell in zip(cells.access.tolist(), cells.cell.tolist(), strict=True):
        found.setdefault(access, set()).add(cell)
    return found


@given(
    st.lists(
        st.tuples(st.sampled_from(BOXES), st.integers(0, 1)), min_size=1, max_size=6
    )
)
def test_boxes_share_a_cell_exactly_if_they_share_an_element(drawn):
    """Cells decide conflicts: inside a group, and never across groups."""
    start = np.array([box[0] for box, _ in drawn])
    stop = start + np.array([box[1] for box, _ in drawn])
    group = np.array([group for _, group in drawn])
    cells = cells_by_access(split_boxes(np.arange(len(drawn)), group, start, stop))

    for a in range(len(drawn)):
        for b in range(len(drawn)):
            low = np.maximum(start[a], start[b])
            high = np.minimum(stop[a], stop[b])
            meet = group[a] == group[b] and bool((low < high).all())

            assert bool(cells[a] & cells[b]) == meet


@given(random_programs())
def test_logical_cells_tell_which_accesses_of_a_tensor_meet(program: Program):
    """Two accesses of one written tensor share a cell iff they share an element."""
    cells = cells_by_access(logical_cells(program))
    tensor = program.location_tensor[program.access_location]

    for a in cells:
        for b in cells:
            meet = bool(elements(program, a) & elements(program, b))

            assert bool(cells[a] & cells[b]) == (meet and tensor[a] == tensor[b])


def test_a_tensor_that_nobody_writes_has_no_cells():
    """Inputs order nothing, so they cost nothing."""
    program = unrolled(STREAM)
    tensors = program.function.tensors
    rows = logical_cells(program).access
    named = {
        tensors[t].name for t in program.location_tensor[program.access_location[rows]]
    }

    assert named == {"z", "xt", "yt", "zt"}


def test_a_whole_tile_is_one_cell():
    """A tile that is always touched whole is not cut."""
    program = unrolled(STREAM)

    assert logical_cells(program).count == 16 + 3  # z by tiles, and three tiles


def strided_access() -> tuple[Program, Placement]:
    """One byte of each of 2 runs of 3: bytes 1 and 4 of partitions 1 and 2."""
    access = Access(0, 0, (1, 0, 1), (2, 2, 1), is_write=True)
    program = program_of([tile("s", (4, 2, 3))], [Op(Engine.PE, 1, 0, (access,))])
    one = np.array([0])
    return program, Placement(np.array([32]), np.array([100]), one)


def test_a_byte_rectangle_reaches_from_the_first_byte_to_the_last():
    """A strided access is covered by one interval of bytes."""
    start, stop = byte_rectangles(*strided_access(), np.array([0]))

    assert (start.tolist(), stop.tolist()) == ([[33, 101]], [[35, 105]])


def test_physical_cells_meet_across_tensors():
    """Accesses of different tensors share a cell if their bytes overlap."""
    first = Access(0, 0, (0, 0), (4, 8), is_write=True)
    second = Access(1, 0, (0, 0), (2, 4), is_write=True)
    ops = [Op(Engine.PE, 1, 0, (a,)) for a in (first, second)]
    program = program_of([tile("s", (4, 8)), tile("t", (2, 4))], ops)
    zero = np.zeros(2, np.int64)
    rows = np.arange(2)

    near = physical_cells(program, Placement(zero, np.array([0, 7]), zero), rows, zero)
    far = physical_cells(program, Placement(zero, np.array([0, 8]), zero), rows, zero)

    near_cells, far_cells = cells_by_access(near), cells_by_access(far)
    assert near_cells[0] & near_cells[1]
    assert not far_cells[0] & far_cells[1]
