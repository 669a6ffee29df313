import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rotation.check.footprint import (
    Boxes,
    expanded,
    location_boxes,
    placed_boxes,
    placed_memories,
    source_boxes,
)
from rotation.loop_form.kernel import Engine, MemorySpace, Role
from rotation.unrolled.program import Placement, Program
from tests.rotation.check.builder import Op, Touch, build, dram, moved, private, sb
from tests.rotation.check.oracle import touched
from tests.rotation.check.random_programs import placements, programs

STRIPES = sb("t", (4, 3, 8, 2), "fp32")


def boxes_of(boxes: Boxes, access: int) -> list[tuple[list[int], list[int]]]:
    mine = boxes.owner == access
    return list(zip(boxes.lo[mine].tolist(), boxes.hi[mine].tolist(), strict=True))


def runs_of(start: tuple[int, ...], extent: tuple[int, ...]):
    program = build([Op("f", Engine.VECTOR, (Touch(STRIPES, 0, start, extent),))])
    boxes = source_boxes(program)
    return [(lo[:2], hi[:2]) for lo, hi in boxes_of(boxes, 0)]


def test_a_whole_buffer_is_one_run():
    """All bytes of all partitions are one box."""
    assert runs_of((0, 0, 0, 0), (4, 3, 8, 2)) == [([0, 0], [4, 192])]


def test_whole_inner_dimensions_are_one_run():
    """Only the outermost free dimension may be partial within a run."""
    assert runs_of((1, 1, 0, 0), (2, 2, 8, 2)) == [([1, 64], [3, 192])]


def test_a_partial_inner_dimension_makes_a_run_for_each_step_outside_it():
    """Elements 2 to 4 of dimension 2 are 24 bytes in each step of dimension 1."""
    expected = [([0, 16], [4, 40]), ([0, 80], [4, 104])]

    assert runs_of((0, 0, 2, 0), (4, 2, 3, 2)) == expected


def test_a_partial_innermost_dimension_makes_a_run_for_each_step_of_all_others():
    """That dimension 2 is whole does not join what dimension 3 takes apart."""
    runs = runs_of((0, 0, 0, 0), (4, 2, 8, 1))

    assert [lo[1] for lo, _ in runs] == [8 * step for step in range(16)]
    assert {hi[1] - lo[1] for lo, hi in runs} == {4}


def test_runs_are_packed_one_after_the_other():
    """The offset of a run is the size of the runs before it."""
    touch = Touch(STRIPES, 0, (0, 0, 2, 0), (4, 2, 3, 2))
    boxes = source_boxes(build([Op("f", Engine.VECTOR, (touch,))]))

    assert boxes.offset[:, 1].tolist() == [0, 24]


def test_a_dram_access_is_one_box_of_elements():
    """In DRAM coordinates are elements, as many as the tensor has dimensions."""
    x = dram("x", (4, 6, 8), Role.INPUT)
    touch = Touch(x, 0, (1, 2, 3), (2, 3, 4))
    boxes = source_boxes(build([Op("f", Engine.DMA, (touch,))]))

    assert boxes_of(boxes, 0) == [([1, 2, 3], [3, 5, 7])]


def test_a_tensor_of_one_dimension_has_one_element_in_each_partition():
    """Partitions without free dimensions are as wide as an element."""
    program = build([Op("f", Engine.VECTOR, (Touch(sb("t", (4,), "fp32")),))])

    assert boxes_of(source_boxes(program), 0) == [([0, 0], [4, 4])]


def test_a_placed_access_starts_at_its_address():
    """Partition and byte of the placement are added to the box."""
    program = build([Op("f", Engine.VECTOR, (Touch(STRIPES),))])
    placement = moved(program, private(program), {("t", 0): (32, 800)})
    ((lo, hi),) = boxes_of(placed_boxes(program, placement), 0)

    assert (lo[:2], hi[:2]) == ([32, 800], [36, 992])


def test_a_dram_location_is_a_run_of_bytes():
    """All DRAM is one memory when it comes to who owns a byte."""
    x, y = dram("x", (4, 6), Role.INPUT), dram("y", (2, 3), Role.OUTPUT)
    program = build([Op("f", Engine.DMA, (Touch(y),), (Touch(x),))])
    boxes = location_boxes(program, private(program))

    assert boxes.lo.tolist() == [[0, 0], [0, 96]]
    assert boxes.hi.tolist() == [[1, 96], [1, 96 + 24]]


def test_all_points_of_small_grids_come_in_order():
    """The last coordinate is the fastest, and each grid comes after the one before."""
    row, point = expanded(np.array([[1, 2], [2, 1]]))

    assert row.tolist() == [0, 0, 1, 1]
    assert point.tolist() == [[0, 0], [0, 1], [0, 0], [1, 0]]


@given(st.data(), programs())
def test_boxes_cover_the_bytes_of_an_access_and_nothing_else(
    data: st.DataObject, program: Program
):
    """Boxes say the same as walking over all elements one by one."""
    placement = data.draw(st.none() | placements(program))
    boxes = bytes_of_boxes(program, placement)

    for access in range(len(program.access_location)):
        expected = [b[1:] for b in touched(program, access, placement)]
        assert sorted(expected) == sorted(boxes[access])


def bytes_of_boxes(
    program: Program, placement: Placement | None
) -> list[list[tuple[int, int]]]:
    """Return all (partition or row, byte) of the boxes of each access."""
    boxes = source_boxes(program)
    in_bytes = np.zeros(len(program.location_tensor), np.bool_)
    if placement is not None:
        boxes = placed_boxes(program, placement)
        in_bytes = placed_memories(program, placement).in_bytes
    found: list[list[tuple[int, int]]] = [[] for _ in program.access_location]
    for owner, lo, hi in zip(
        boxes.owner.tolist(), boxes.lo.tolist(), boxes.hi.tolist(), strict=True
    ):
        location = program.access_location[owner]
        tensor = program.function.tensors[program.location_tensor[location]]
        base = 0
        if placement is not None and tensor.is_placed:
            base = int(placement.byte[location])
        points = np.ndindex(*(h - low for low, h in zip(lo, hi, strict=True)))
        for point in points:
            row, *free = np.add(point, lo).tolist()
            column = free[0]
            by_element = tensor.space is MemorySpace.DRAM and not in_bytes[location]
            if by_element:
                shape = (*tensor.shape[1:], 1)[: len(free)]
                column = int(np.ravel_multi_index(free, shape)) * tensor.elem_bytes
                column += base + row * tensor.bytes_per_partition
                row = 0
            width = tensor.elem_bytes if by_element else 1
            found[owner] += [(row, column + b) for b in range(width)]
    return found
