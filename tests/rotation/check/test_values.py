from dataclasses import replace
from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rotation.check.footprint import source_boxes
from rotation.check.values import Piece, Readings, Taken, slabs, taken_results, whole
from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Program
from tests.rotation.check.builder import Op, Touch, build, sb

SIZE = (4, 6)
TILE = sb("t", SIZE, "int8")

labelled = st.lists(
    st.tuples(st.integers(0, 2), st.just((0, 0))),
    min_size=SIZE[0] * SIZE[1],
    max_size=SIZE[0] * SIZE[1],
)


def cut(labels: list[tuple[int, tuple[int, int]]], cuts: list[set[int]]):
    """Return the grid of pieces at some cuts, and at all that the labels need."""

    def label(row: int, column: int):
        return labels[row * SIZE[1] + column]

    rows = {r for r in range(1, SIZE[0]) if _differ(label, r, axis=0)}
    columns = {c for c in range(1, SIZE[1]) if _differ(label, c, axis=1)}
    spans = [
        list(pairwise(sorted({0, end} | needed | more)))
        for end, needed, more in zip(SIZE, (rows, columns), cuts, strict=True)
    ]
    return [((r, c), (rr, cc), label(r, c)) for (r, rr), (c, cc) in product(*spans)]


def _differ(label, at: int, axis: int) -> bool:
    if axis == 0:
        return any(label(at, c) != label(at - 1, c) for c in range(SIZE[1]))
    return any(label(r, at) != label(r, at - 1) for r in range(SIZE[0]))


more_cuts = st.tuples(*(st.sets(st.integers(1, end - 1)) for end in SIZE))


@given(labelled, more_cuts, more_cuts)
def test_the_form_of_a_region_does_not_depend_on_its_cuts(labels, first, second):
    """Splitting what was written in another way never changes a value."""
    assert slabs(cut(labels, first)) == slabs(cut(labels, second))


@given(labelled, more_cuts)
def test_the_form_of_a_region_tells_every_label(labels, cuts):
    """Two regions with the same form have the same labels everywhere."""
    found = {}
    for row, past_row, section in slabs(cut(labels, cuts)):
        for column, past_column, label in section:
            box = product(range(row, past_row), range(column, past_column))
            found.update(dict.fromkeys(box, label))

    assert [found[point] for point in product(*map(range, SIZE))] == labels


def test_a_region_of_one_label_has_the_form_of_its_whole():
    """The short way and the general way write the same value."""
    pieces: list[Piece] = [
        ((0, 0), (4, 2), (7, (1, 0))),
        ((0, 2), (4, 6), (7, (1, 0))),
    ]

    assert slabs(pieces) == whole(SIZE, (7, (1, 0)))


def readings_of(*ops: Op) -> Readings:
    program = build(ops)
    moment = program.access_instruction
    boxes, is_write = source_boxes(program), program.access_is_write
    return taken_results(boxes, moment, is_write, len(moment)).readings()


def write(start: tuple[int, int], extent: tuple[int, int]) -> Op:
    touch = Touch(TILE, 0, start, extent)
    return Op(f"write{start}", Engine.VECTOR, (touch,))


READ = Op("read", Engine.VECTOR, (Touch(sb("u", (1, 1), "int8")),), (Touch(TILE),))


def test_a_read_of_one_result_has_its_label():
    """Places in the region and in the result differ by a shift."""
    part = Op("read", Engine.VECTOR, READ.writes, (Touch(TILE, 0, (1, 2), (2, 2)),))
    found = readings_of(write((0, 0), SIZE), part)

    assert found.of_one[1] == ((0, (1, 2)), (2, 2))


def test_a_read_of_two_results_has_a_piece_of_each():
    """The second write covers columns 4 and 5."""
    found = readings_of(write((0, 0), SIZE), write((0, 4), (4, 2)), READ)

    assert found.of_several[2] == [
        ((0, 0), (4, 4), (0, (0, 0))),
        ((0, 4), (4, 6), (1, (0, -4))),
    ]


def test_pieces_come_by_first_corner():
    """Rows first, then columns, whoever wrote them first."""
    corners = [(2, 3), (0, 3), (2, 0), (0, 0)]
    found = readings_of(*(write(corner, (2, 3)) for corner in corners), READ)

    assert [lo for lo, _, _ in found.of_several[4]] == sorted(corners)


def test_bytes_that_nothing_wrote_have_no_writer():
    """They carry a number that is no access."""
    found = readings_of(write((0, 0), (4, 4)), READ)

    assert found.writers(1) == {0, found.unwritten}


def test_the_runs_of_a_strided_region_are_one_value():
    """What was written run by run is read as one piece, in packed places."""
    tile = sb("t", (2, 3, 4), "int8")
    box = Touch(tile, 0, (0, 0, 1), (2, 3, 2))
    ops = [
        Op("write", Engine.VECTOR, (box,)),
        Op("read", Engine.VECTOR, READ.writes, (box,)),
    ]

    assert readings_of(*ops).of_one[1] == ((0, (0, 0, 0)), (2, 6, 1))


@given(st.lists(st.integers(1, 5), max_size=3), st.lists(st.integers(1, 3), max_size=2))
def test_what_is_written_in_parts_is_read_in_parts(columns, rows):
    """Each part of the region takes the label of the write that covers it."""
    row_spans = list(pairwise(sorted({0, 4, *rows})))
    spans = list(pairwise(sorted({0, 6, *columns})))
    boxes = [((r, c), (rr - r, cc - c)) for r, rr in row_spans for c, cc in spans]
    found = readings_of(*(write(*box) for box in boxes), READ)

    assert found.writers(len(boxes)) == set(range(len(boxes)))


def test_readings_of_nothing_are_empty():
    """A program without reads has no readings."""
    found = readings_of(write((0, 0), SIZE))

    assert (found.of_one, found.of_several) == ({}, {})


def taken_of(program: Program, order: list[int] | None = None) -> Taken:
    position = np.argsort(np.array(order or range(len(program)), np.int64))
    moment = position[program.access_instruction]
    boxes, is_write = source_boxes(program), program.access_is_write
    return taken_results(boxes, moment, is_write, len(moment))


def test_reads_that_take_other_results_are_told_apart():
    """A read between two writes takes the first, behind them the second."""
    program = build([write((0, 0), SIZE), READ, write((0, 0), SIZE)])

    assert taken_of(program).all_as_in(taken_of(program))
    assert not taken_of(program, [0, 2, 1]).all_as_in(taken_of(program))


def test_what_nothing_has_written_is_never_the_same():
    """Two programs each have garbage of their own."""
    program = build([READ])

    assert not taken_of(program).all_as_in(taken_of(program))


def test_reads_are_the_same_however_their_pieces_are_cut():
    """A second read that is narrower cuts both parts of the first one again."""
    halves = [write((0, 0), (2, 6)), write((2, 0), (2, 6))]
    narrow = Op("narrow", Engine.VECTOR, READ.writes, (Touch(TILE, 0, (0, 2), (4, 1)),))
    coarse, fine = (
        taken_of(build([*halves, READ])),
        taken_of(build([*halves, READ, narrow])),
    )
    of_read = fine.several == coarse.several[0]
    fine = replace(
        fine,
        several=fine.several[of_read],
        lo=fine.lo[of_read],
        hi=fine.hi[of_read],
        label=fine.label[of_read],
    )

    assert len(fine.several) > len(coarse.several)
    assert fine.all_as_in(coarse)
