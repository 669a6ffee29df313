"""What an access touches: elementary cells, cut where any access begins or ends.

Two accesses touch a common element exactly if they share a cell, so everything that
asks for conflicts sorts (cell, position) pairs once and never compares two accesses.

Logical cells are boxes of elements of one tensor; all its instances are cut alike.
Physical cells are rectangles of partitions and bytes of a memory space; DRAM is one
long partition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.loop_form.kernel import MemoryLocationSet
from rotation.unrolled.indirect import layers
from rotation.unrolled.program import Ints, Placement, Program


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Which cells each access covers.

    Attributes:
        access: Row of the access in its program, (p,), ascending.
        cell: A cell that it covers, (p,), 0 <= cell < count.
        count: Number of cells.
    """

    access: Ints
    cell: Ints
    count: int


def logical_cells(program: Program) -> Cells:
    """Return the cells of every tensor that the program writes.

    A tensor that nobody writes orders nothing and has no cells. One into which
    distinct rows are scattered is cut along the layers of `rotation.unrolled.indirect`
    too.
    """
    tensor = program.location_tensor[program.access_location]
    written = np.flatnonzero(np.bincount(tensor[program.access_is_write]))
    rows = np.flatnonzero(np.isin(tensor, written))
    layer, depth = layers(program)
    start = np.hstack((program.access_start, layer))[rows]
    extent = np.hstack((program.access_extent, depth))[rows]
    return split_boxes(rows, tensor[rows], start, start + extent)


def physical_cells(
    program: Program, placement: Placement, rows: Ints, group: Ints
) -> Cells:
    """Return the cells of accesses, where they are placed.

    An access is taken as the rectangle from its first byte to its last one, which
    is exact unless an inner free dimension is partial and an outer one is not 1. In
    DRAM the rows count as such an outer dimension.

    Args:
        program: The program.
        placement: Where its locations live.
        rows: Accesses, (r,), ascending.
        group: Accesses of different groups share no byte, (r,).
    """
    start, stop = byte_rectangles(program, placement, rows)
    return split_boxes(rows, group, start, stop)


def byte_rectangles(
    program: Program, placement: Placement, rows: Ints
) -> tuple[Ints, Ints]:
    """Return first and end (partition, byte) of accesses, each (r, 2)."""
    location = program.access_location[rows]
    tensor = program.location_tensor[location]
    strides, elem_bytes = _strides_bytes(program.function.tensors, program)
    first = program.access_start[rows]
    extent = program.access_extent[rows]
    begin_bytes = (first * strides[tensor]).sum(axis=1) + placement.byte[location]
    span_bytes = ((extent - 1) * strides[tensor]).sum(axis=1) + elem_bytes[tensor]
    on_chip = np.array([t.on_chip for t in program.function.tensors], np.bool_)[tensor]
    partition = placement.partition[location] + np.where(on_chip, first[:, 0], 0)
    partitions = np.where(on_chip, extent[:, 0], 1)
    start = np.stack((partition, begin_bytes), axis=1)
    return start, start + np.stack((partitions, span_bytes), axis=1)


def _strides_bytes(
    tensors: tuple[MemoryLocationSet, ...], program: Program
) -> tuple[Ints, Ints]:
    """Return bytes from one element to the next, (t, d), and of an element, (t,).

    Those of partitions are 0 on chip.
    """
    dims = program.access_start.shape[1]
    strides = np.zeros((len(tensors), dims), np.int64)
    elem_bytes = np.array([t.elem_bytes for t in tensors], np.int64)
    for row, tensor in enumerate(tensors):
        step = tensor.elem_bytes
        for dim in range(len(tensor.shape) - 1, 0, -1):
            strides[row, dim] = step
            step *= tensor.shape[dim]
        strides[row, 0] = 0 if tensor.on_chip else step
    return strides, elem_bytes


def split_boxes(rows: Ints, group: Ints, start: Ints, stop: Ints) -> Cells:
    """Return the cells of boxes, cut in each group at the borders of its boxes.

    Args:
        rows: What each box is called in the result, (r,), ascending.
        group: Boxes of different groups share no cell, (r,).
        start: First coordinates, (r, d).
        stop: End coordinates, exclusive, (r, d).
    """
    by_group = np.argsort(group, kind="stable")
    cuts = np.flatnonzero(np.diff(group[by_group])) + 1
    boxes, cells, count = [], [], 0
    for members in np.split(by_group, cuts):
        box, cell, total = _split(start[members], stop[members])
        boxes.append(members[box])
        cells.append(cell + count)
        count += total
    box_of = np.concatenate(boxes)
    cell_of = np.concatenate(cells)
    by_row = np.argsort(box_of, kind="stable")
    return Cells(rows[box_of[by_row]], cell_of[by_row], count)


def _split(start: Ints, stop: Ints) -> tuple[Ints, Ints, int]:
    """Return (box, cell) pairs of the grid of all borders, and its size."""
    low = np.empty_like(start)
    sizes = np.empty_like(start)
    shape = []
    for dim in range(start.shape[1]):
        borders = np.unique(np.concatenate((start[:, dim], stop[:, dim])))
        low[:, dim] = np.searchsorted(borders, start[:, dim])
        sizes[:, dim] = np.searchsorted(borders, stop[:, dim]) - low[:, dim]
        shape.append(max(1, len(borders) - 1))
    counts = sizes.prod(axis=1)
    box = np.repeat(np.arange(len(counts)), counts)
    rest = np.arange(len(box)) - np.repeat(np.cumsum(counts) - counts, counts)
    cell = np.zeros(len(box), np.int64)
    scale = 1
    for dim in reversed(range(len(shape))):
        size = sizes[box, dim]
        cell += (low[box, dim] + rest % size) * scale
        rest //= size
        scale *= shape[dim]
    return box, cell, scale
