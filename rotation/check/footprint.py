"""Which memory each access touches, as boxes: the checkers' own geometry.

A box is a product of half-open ranges in one memory. Memories and their coordinates:

* on chip, (partition, byte in the partition). An access whose inner free dimensions
  are partial is several byte runs, one box each. In `placed_boxes` SB and PSUM are
  one memory each, shared by whoever lives there; in `source_boxes` each location is
  a memory of its own;
* in DRAM, each tensor is a memory of its own and coordinates are its elements, and
  after them the layers of `rotation.check.layers` where distinct rows are scattered.

`Boxes.offset` says where a box stands in the region of its access, in the same
units, runs packed one after the other: a datum is "that place of what was written".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.check.layers import access_layers, location_layers
from rotation.kernel import MemorySpace
from rotation.program import Bools, Ints, Placement, Program


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Boxes of memory, m of them with d dimensions.

    Attributes:
        owner: The access (or location) that each belongs to, (m,).
        memory: The memory it lies in, (m,).
        lo: First coordinate of each dimension, (m, d).
        hi: One past the last, (m, d); ``hi > lo``.
        offset: Place of `lo` in the owner's region, (m, d).
    """

    owner: Ints
    memory: Ints
    lo: Ints
    hi: Ints
    offset: Ints

    def __len__(self) -> int:
        return len(self.owner)


def source_boxes(program: Program) -> Boxes:
    """Return the boxes of all accesses when each location has its own memory."""
    zeros = np.zeros_like(program.location_tensor)
    return _access_boxes(program, zeros, zeros, np.arange(len(zeros)))


def placed_boxes(program: Program, placement: Placement) -> Boxes:
    """Return the boxes of all accesses in the memory that the locations share."""
    num_locations = len(program.location_tensor)
    memory = np.arange(num_locations)
    memory[locations_in(program, MemorySpace.SB)] = num_locations
    memory[locations_in(program, MemorySpace.PSUM)] = num_locations + 1
    return _access_boxes(program, placement.partition, placement.byte, memory)


def whole_boxes(program: Program, locations: Ints, owner: Ints) -> Boxes:
    """Return one box for the whole of each of some DRAM locations."""
    shape = _padded_shapes(program)[program.location_tensor[locations]]
    zeros = np.zeros_like(shape)
    boxes = Boxes(owner, locations, zeros, shape, zeros)
    return _deeper(boxes, *(column[locations] for column in location_layers(program)))


def location_boxes(program: Program, placement: Placement) -> Boxes:
    """Return the (partitions, bytes) that each location takes; all DRAM is one memory.

    A DRAM location is a run of bytes of the kernel's own region.
    """
    order = list(MemorySpace)
    tensors = program.function.tensors
    of = program.location_tensor
    memory = np.array([order.index(t.space) for t in tensors], np.int64)[of]
    rows = [t.num_partitions if t.on_chip else 1 for t in tensors]
    row_bytes = [
        t.bytes_per_partition * (1 if t.on_chip else t.num_partitions) for t in tensors
    ]
    lo = np.stack([placement.partition, placement.byte], axis=1)
    size = np.stack([np.array(rows, np.int64), np.array(row_bytes, np.int64)], axis=1)
    return Boxes(np.arange(len(of)), memory, lo, lo + size[of], np.zeros_like(lo))


def locations_in(program: Program, *spaces: MemorySpace) -> Bools:
    """Return which locations lie in one of some spaces, (l,)."""
    inside = [tensor.space in spaces for tensor in program.function.tensors]
    return np.array(inside, np.bool_)[program.location_tensor]


def joined(first: Boxes, *others: Boxes) -> Boxes:
    """Return the boxes of all operands, in their order."""
    every = (first, *others)
    return Boxes(
        np.concatenate([b.owner for b in every]),
        np.concatenate([b.memory for b in every]),
        np.concatenate([b.lo for b in every]),
        np.concatenate([b.hi for b in every]),
        np.concatenate([b.offset for b in every]),
    )


def _access_boxes(program: Program, part: Ints, byte: Ints, memory: Ints) -> Boxes:
    """Return all boxes, where each on-chip location starts at (`part`, `byte`)."""
    where = program.access_location
    in_dram = locations_in(program, MemorySpace.DRAM)[where]
    chip, dram = np.flatnonzero(~in_dram), np.flatnonzero(in_dram)
    start = _two_or_more(program.access_start, 0)[dram]
    extent = _two_or_more(program.access_extent, 1)[dram]
    elements = Boxes(
        dram, memory[where[dram]], start, start + extent, np.zeros_like(start)
    )
    runs = _byte_runs(program, chip, start.shape[1])
    base = np.zeros_like(runs.lo)
    location = where[runs.owner]
    base[:, 0], base[:, 1] = part[location], byte[location]
    placed = Boxes(
        runs.owner, memory[location], runs.lo + base, runs.hi + base, runs.offset
    )
    boxes = joined(placed, elements)
    return _deeper(boxes, *(column[boxes.owner] for column in access_layers(program)))


def _deeper(boxes: Boxes, first: Ints, past: Ints) -> Boxes:
    """Return the boxes with the coordinates of more dimensions, both (m, q)."""
    return Boxes(
        boxes.owner,
        boxes.memory,
        np.hstack((boxes.lo, first)),
        np.hstack((boxes.hi, past)),
        np.hstack((boxes.offset, np.zeros_like(first))),
    )


def _byte_runs(program: Program, accesses: Ints, dims: int) -> Boxes:
    """Return the byte runs of on-chip accesses, relative to their locations."""
    location = program.access_location[accesses]
    tensor = program.location_tensor[location]
    elem = np.array([t.elem_bytes for t in program.function.tensors], np.int64)[tensor]
    shape = _padded_shapes(program)[tensor]
    start = _two_or_more(program.access_start, 0)[accesses]
    extent = _two_or_more(program.access_extent, 1)[accesses]

    # A free dimension lies within one run if all dimensions inside it are whole.
    whole = (start == 0) & (extent == shape)
    inside = np.ones_like(whole)
    stride = np.ones_like(shape)
    for d in range(dims - 2, 0, -1):
        inside[:, d] = inside[:, d + 1] & whole[:, d + 1]
        stride[:, d] = stride[:, d + 1] * shape[:, d + 1]
    inside[:, 0] = True
    run_bytes = np.where(inside, extent, 1)[:, 1:].prod(axis=1) * elem
    count = np.where(inside, 1, extent)

    box, turn = expanded(count)
    shift = ((start[box] + turn) * stride[box])[:, 1:].sum(axis=1) * elem[box]
    ordinal = np.zeros_like(box)
    for d in range(1, dims):
        ordinal = ordinal * count[box, d] + turn[:, d]
    lo = np.zeros((len(box), dims), np.int64)
    lo[:, 0], lo[:, 1] = start[box, 0], shift
    size = np.ones_like(lo)
    size[:, 0], size[:, 1] = extent[box, 0], run_bytes[box]
    offset = np.zeros_like(lo)
    offset[:, 1] = ordinal * run_bytes[box]
    return Boxes(accesses[box], location[box], lo, lo + size, offset)


def expanded(count: Ints) -> tuple[Ints, Ints]:
    """Return all points of many small grids: the grid of each, and its coordinates.

    Args:
        count: Points of each grid along each dimension, (m, d).

    Returns:
        The row of `count`, (k,), and coordinates with the last fastest, (k, d).
    """
    sizes = count.prod(axis=1)
    row = np.repeat(np.arange(len(count)), sizes)
    rest = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    point = np.empty((len(row), count.shape[1]), np.int64)
    for d in range(count.shape[1] - 1, -1, -1):
        rest, point[:, d] = np.divmod(rest, count[row, d])
    return row, point


def _padded_shapes(program: Program) -> Ints:
    """Return the shape of each tensor, with ones for the dimensions it lacks."""
    dims = max(2, program.access_start.shape[1])
    ones = (1,) * dims
    shapes = [(*t.shape, *ones)[:dims] for t in program.function.tensors]
    return np.array(shapes, np.int64).reshape(-1, dims)


def _two_or_more(columns: Ints, fill: int) -> Ints:
    """Return the columns, with columns of `fill` if there are fewer than two."""
    missing = max(0, 2 - columns.shape[1])
    return np.pad(columns, ((0, 0), (0, missing)), constant_values=fill)
