import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rotation.check.footprint import Boxes, placed_boxes
from rotation.check.sweep import conflicts, elementary_cells, history
from rotation.unrolled.program import Program
from tests.rotation.check.builder import in_turn
from tests.rotation.check.oracle import in_conflict
from tests.rotation.check.random_programs import orders, placements, programs


def intervals(*spans: tuple[int, int], memory: tuple[int, ...] | None = None) -> Boxes:
    """Return boxes of one partition each."""
    lo = np.array([(0, first) for first, _ in spans])
    hi = np.array([(1, past) for _, past in spans])
    rows = np.arange(len(spans))
    where = np.zeros_like(rows) if memory is None else np.array(memory)
    return Boxes(rows, where, lo, hi, np.zeros_like(lo))


def cells_of(boxes: Boxes) -> list[list[int]]:
    cells = elementary_cells(boxes)
    return [cells.cell[cells.box == box].tolist() for box in range(len(boxes))]


def test_boxes_share_the_cells_that_both_cover():
    """[0, 4) and [2, 6) share the cell [2, 4) and have one more each."""
    assert cells_of(intervals((0, 4), (2, 6))) == [[0, 1], [1, 2]]


def test_boxes_that_touch_share_no_cell():
    """[0, 4) and [4, 6) have nothing in common."""
    assert cells_of(intervals((0, 4), (4, 6))) == [[0], [1]]


def test_boxes_of_different_memories_share_no_cell():
    """The same bytes of another memory are other bytes."""
    assert cells_of(intervals((0, 4), (0, 4), memory=(3, 5))) == [[0], [1]]


def test_a_border_elsewhere_cuts_nothing():
    """A box is cut by the borders inside it only."""
    assert cells_of(intervals((0, 4), (10, 12), (6, 20)))[0] == [0]


def test_corners_are_the_borders_of_a_cell():
    """The middle cell of [0, 4) and [2, 6) is [2, 4)."""
    cells = elementary_cells(intervals((0, 4), (2, 6)))
    lo, hi = cells.corners(np.flatnonzero(cells.cell == 1))

    assert lo[:, 1].tolist() == [2, 2]
    assert hi[:, 1].tolist() == [4, 4]


def test_a_history_names_the_writes_around_each_access():
    """Write, read, read, write of one cell."""
    boxes = intervals((0, 4), (0, 4), (0, 4), (0, 4))
    is_write = np.array([True, False, False, True])
    past = history(elementary_cells(boxes), np.arange(4), is_write)

    assert past.last_write.tolist() == [-1, 0, 0, 0]
    assert past.next_write.tolist() == [3, 3, 3, -1]


def test_an_instruction_reads_before_it_writes():
    """At the same moment the read stands first."""
    boxes = intervals((0, 4), (0, 4))
    past = history(elementary_cells(boxes), np.zeros(2), np.array([True, False]))

    assert past.box.tolist() == [1, 0]


def test_no_boxes_have_no_history():
    """Empty tables are fine."""
    boxes = Boxes(*np.zeros((2, 0), np.int64), *np.zeros((3, 0, 2), np.int64))
    past = history(elementary_cells(boxes), np.zeros(0), np.zeros(0, np.bool_))

    assert len(past.box) == 0


@given(st.data(), programs())
def test_every_conflict_follows_from_the_conflicts_found(
    data: st.DataObject, program: Program
):
    """By transitivity the pairs found order all pairs, and each of them is one."""
    placement = data.draw(placements(program))
    order = data.draw(orders(program))
    position = np.argsort(in_turn(program, order).order)
    boxes = placed_boxes(program, placement)
    earlier, later = conflicts(program, boxes, position)
    row = program.access_instruction
    found = set(zip(row[earlier].tolist(), row[later].tolist(), strict=True))

    everything = in_conflict(program, placement)
    follows = set(found)
    for middle in order:
        into = {a for a, b in follows if b == middle}
        out = {b for a, b in follows if a == middle}
        follows |= {(a, b) for a in into for b in out}
    assert found <= everything
    assert {(a, b) for a, b in everything if position[a] < position[b]} <= follows
