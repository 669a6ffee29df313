"""Which memory each access touches, as boxes: the checkers' own geometry.

A box is a product of half-open ranges in one memory. Memories and their coordinates:

* on chip, (partition, byte in the partition). An access whose inner free dimensions
  are partial is several byte runs, one box each. In `placed_boxes` SB and PSUM are
  one memory each, shared by whoever lives there; in `source_boxes` each location is
  a memory of its own;
* in DRAM, what shares no byte with another is a memory of its own, and so are the
  locations of one slot; coordinates are elements, and after them the layers of
  `rotation.check.layers` where distinct rows are scattered. Where several buffers
  share bytes, these are one memory, and coordinates are (0, byte) and all layers:
  each row of an access is a byte run.

`Boxes.offset` says where a box stands in the region of its access, in the same
units, runs packed one after the other: a datum is "that place of what was written".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.check.layers import access_layers, location_layers
from rotation.loop_form.kernel import MemorySpace
from rotation.unrolled.program import Bools, Ints, Placement, Program


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


@dataclass(frozen=True, slots=True, eq=False)
class Memories:
    """Which memory each location lies in, and where it begins there.

    Attributes:
        memory: The memory, (l,).
        partition: First partition; 0 in DRAM, (l,).
        byte: First byte; 0 in DRAM where coordinates are elements, (l,).
        in_bytes: True for DRAM locations whose coordinates are bytes, (l,).
    """

    memory: Ints
    partition: Ints
    byte: Ints
    in_bytes: Bools


def source_memories(program: Program, in_bytes: Bools | None = None) -> Memories:
    """Return a memory of its own for each location.

    Args:
        program: The program.
        in_bytes: DRAM locations whose coordinates are to be bytes; None for none.
    """
    zeros = np.zeros_like(program.location_tensor)
    if in_bytes is None:
        in_bytes = np.zeros(len(zeros), np.bool_)
    return Memories(np.arange(len(zeros)), zeros, zeros, in_bytes)


def placed_memories(program: Program, placement: Placement) -> Memories:
    """Return the memories that the locations share."""
    num_locations = len(program.location_tensor)
    memory = np.arange(num_locations)
    memory[locations_in(program, MemorySpace.SB)] = num_locations
    memory[locations_in(program, MemorySpace.PSUM)] = num_locations + 1
    in_dram = locations_in(program, MemorySpace.DRAM)
    in_bytes = np.zeros(num_locations, np.bool_)
    for together in _sharing_bytes(program, placement, np.flatnonzero(in_dram)):
        slots = {
            (int(placement.byte[one]), int(program.location_tensor[one]))
            for one in together
        }
        memory[together] = min(together)
        in_bytes[together] = len(slots) > 1
    byte = np.where(in_dram & ~in_bytes, 0, placement.byte)
    return Memories(memory, placement.partition, byte, in_bytes)


def _sharing_bytes(
    program: Program, placement: Placement, dram: Ints
) -> list[list[int]]:
    """Return DRAM locations in groups whose byte ranges touch no other group."""
    size = [t.num_partitions * t.bytes_per_partition for t in program.function.tensors]
    groups: list[list[int]] = []
    end = 0
    for one in dram[np.argsort(placement.byte[dram], kind="stable")].tolist():
        begin = int(placement.byte[one])
        if not groups or begin >= end:
            groups.append([])
        groups[-1].append(one)
        end = max(end, begin + size[program.location_tensor[one]])
    return groups


def source_boxes(program: Program) -> Boxes:
    """Return the boxes of all accesses when each location has its own memory."""
    return access_boxes(program, source_memories(program))


def placed_boxes(program: Program, placement: Placement) -> Boxes:
    """Return the boxes of all accesses in the memory that the locations share."""
    return access_boxes(program, placed_memories(program, placement))


def whole_boxes(
    program: Program, locations: Ints, owner: Ints, memories: Memories
) -> Boxes:
    """Return one box for the whole of each of some DRAM locations."""
    shape = _padded_shapes(program)[program.location_tensor[locations]]
    elem = np.array([t.elem_bytes for t in program.function.tensors], np.int64)
    in_bytes = memories.in_bytes[locations]
    lo, size = np.zeros_like(shape), shape.copy()
    size[in_bytes] = 1
    all_bytes = shape.prod(axis=1) * elem[program.location_tensor[locations]]
    size[in_bytes, 1] = all_bytes[in_bytes]
    lo[in_bytes, 1] = memories.byte[locations][in_bytes]
    memory = memories.memory[locations]
    boxes = Boxes(owner, memory, lo, lo + size, np.zeros_like(lo))
    first, past = location_layers(program)
    return _deeper(boxes, first[locations], past[locations], in_bytes)


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


def access_boxes(program: Program, memories: Memories) -> Boxes:
    """Return the boxes of all accesses in some memories."""
    where = program.access_location
    in_dram = locations_in(program, MemorySpace.DRAM)[where]
    in_bytes = memories.in_bytes[where]
    chip, dram = np.flatnonzero(~in_dram), np.flatnonzero(in_dram & ~in_bytes)
    start = _two_or_more(program.access_start, 0)[dram]
    extent = _two_or_more(program.access_extent, 1)[dram]
    elements = Boxes(
        dram, memories.memory[where[dram]], start, start + extent, np.zeros_like(start)
    )
    dims = start.shape[1]
    runs = _based(program, _byte_runs(program, chip, dims), memories)
    boxes = joined(runs, elements)
    if in_bytes.any():
        shared = _row_runs(program, np.flatnonzero(in_bytes), dims)
        boxes = joined(boxes, _based(program, shared, memories))
    first, past = access_layers(program)
    own = boxes.owner
    return _deeper(boxes, first[own], past[own], in_bytes[own])


def _based(program: Program, runs: Boxes, memories: Memories) -> Boxes:
    """Return byte runs of locations where these begin, in their memories."""
    location = program.access_location[runs.owner]
    base = np.zeros_like(runs.lo)
    base[:, 0], base[:, 1] = memories.partition[location], memories.byte[location]
    memory = memories.memory[location]
    return Boxes(runs.owner, memory, runs.lo + base, runs.hi + base, runs.offset)


def _row_runs(program: Program, accesses: Ints, dims: int) -> Boxes:
    """Return the byte runs of DRAM accesses, relative to their locations.

    Rows follow one another: whole ones are one run, parts of them one each.
    """
    runs = _byte_runs(program, accesses, dims)
    tensor = program.location_tensor[program.access_location[runs.owner]]
    tensors = program.function.tensors
    row_bytes = np.array([t.bytes_per_partition for t in tensors], np.int64)[tensor]
    elem = np.array([t.elem_bytes for t in tensors], np.int64)[tensor]
    taken_bytes = program.access_extent[runs.owner, 1:].prod(axis=1) * elem
    rows, run_bytes = (runs.hi - runs.lo)[:, :2].T
    whole = run_bytes == row_bytes
    box, turn = expanded(np.where(whole, 1, rows)[:, None])
    lo, offset = np.zeros_like(runs.lo[box]), np.zeros_like(runs.lo[box])
    lo[:, 1] = (runs.lo[box, 0] + turn[:, 0]) * row_bytes[box] + runs.lo[box, 1]
    offset[:, 1] = turn[:, 0] * taken_bytes[box] + runs.offset[box, 1]
    size = np.ones_like(lo)
    size[:, 1] = np.where(whole, rows * row_bytes, run_bytes)[box]
    return Boxes(runs.owner[box], runs.memory[box], lo, lo + size, offset)


def _deeper(boxes: Boxes, first: Ints, past: Ints, in_bytes: Bools) -> Boxes:
    """Return the boxes with the coordinates of more dimensions, both (m, q).

    Those in bytes take all of them: what other buffers stand on has no layers.
    """
    first, past = first.copy(), past.copy()
    first[in_bytes], past[in_bytes] = 0, past.max(initial=1)
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
