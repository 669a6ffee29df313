"""Dependences: which instruction must be complete before which one starts.

* Flow goes by location: a read waits for the last write of each cell it reads.
* Anti and output go by storage: a write waits for the reads since the last write of
  each cell it overwrites, and for that write, whoever lived there.

Edges follow one total order, the source order unless another is given. They hold
under any reordering that keeps them: nothing here relies on the queue of an engine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.loop_form.kernel import EdgeKind, MemorySpace
from rotation.unrolled.footprint import Cells, physical_cells
from rotation.unrolled.program import Bools, Edges, Ints, Placement, Program, positions


def flow_edges(program: Program, cells: Cells, order: Ints | None = None) -> Edges:
    """Return the flow edges between accesses of the same location.

    Args:
        program: The program.
        cells: Its logical cells.
        order: A total order of its instructions; None for the source order.
    """
    frame = np.arange(len(program.location_tensor))
    sweep = _sweep(program, cells, frame, order)
    reads = np.flatnonzero(~sweep.is_write & (sweep.last_write >= 0))
    source = sweep.instruction[sweep.last_write[reads]]
    kind = np.full(len(reads), EdgeKind.FLOW, np.int64)
    return _edges(source, sweep.instruction[reads], kind)


def storage_edges(
    program: Program, cells: Cells, placement: Placement, order: Ints | None = None
) -> Edges:
    """Return the anti and output edges between accesses of the same bytes.

    Args:
        program: The program.
        cells: Its logical cells.
        placement: Where its locations live; every location is bound.
        order: A total order of its instructions; None for the source order.
    """
    frame, table = _frames(program, placement)
    cluster = _clusters(program, table)
    shared = np.bincount(cluster)[cluster] > 1
    on_shared = shared[frame[program.access_location]]
    alone = ~on_shared[cells.access]
    own = Cells(cells.access[alone], cells.cell[alone], cells.count)
    parts = [_storage(_sweep(program, own, frame, order), exact=True)]
    rows = np.flatnonzero(on_shared)
    if len(rows):
        group = cluster[frame[program.access_location[rows]]]
        common = physical_cells(program, placement, rows, group)
        one = np.zeros(len(frame), np.int64)
        parts.append(_storage(_sweep(program, common, one, order), exact=False))
    return merged(*parts)


def frame_edges(program: Program, cells: Cells, frame: Ints) -> Edges:
    """Return the anti and output edges of locations in common frames.

    They follow the source order.

    Args:
        program: The program.
        cells: Its logical cells.
        frame: Locations of one tensor with the same number live in the same bytes,
            (l,); a negative one has bytes of its own that are never used again.
    """
    known = frame[program.access_location[cells.access]] >= 0
    own = Cells(cells.access[known], cells.cell[known], cells.count)
    return _storage(_sweep(program, own, frame, None), exact=True)


def merged(*parts: Edges) -> Edges:
    """Return the edges of all parts: one for each pair, of the greatest kind."""
    return _edges(
        np.concatenate([p.source for p in parts]),
        np.concatenate([p.sink for p in parts]),
        np.concatenate([p.kind for p in parts]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Sweep:
    """Accesses of cells, sorted by (frame, cell), then by the order.

    `last_write` is the entry of the write before, `next_write` of the write after,
    in the same cell; -1 without one. The reads of one instruction come before its
    writes.
    """

    instruction: Ints
    location: Ints
    is_write: Bools
    last_write: Ints
    next_write: Ints


def _sweep(program: Program, cells: Cells, frame: Ints, order: Ints | None) -> _Sweep:
    location = program.access_location[cells.access]
    instruction = program.access_instruction[cells.access]
    is_write = program.access_is_write[cells.access]
    key = frame[location] * cells.count + cells.cell
    # Both sorts are stable, so reads stay before the writes of their instruction.
    if order is None:
        by = np.argsort(key, kind="stable")
    else:
        by = np.lexsort((positions(order)[instruction], key))
    written = is_write[by]
    segment = np.concatenate(([0], np.cumsum(np.diff(key[by]) != 0)))[: len(by)]
    return _Sweep(
        instruction[by],
        location[by],
        written,
        _write_before(written, segment),
        len(by) - 1 - _write_before(written[::-1], -segment[::-1], len(by))[::-1],
    )


def _write_before(is_write: Bools, segment: Ints, missing: int = -1) -> Ints:
    """Return the nearest earlier write in the same segment, or `missing`."""
    entry = np.arange(len(is_write))
    upto = np.maximum.accumulate(np.where(is_write, entry, -1))
    before = np.concatenate(([-1], upto[:-1]))[: len(entry)]
    same = (before >= 0) & (segment[before] == segment)
    return np.where(same, before, missing)


def _storage(sweep: _Sweep, *, exact: bool) -> Edges:
    """Return anti and output edges of a sweep.

    An output edge is left out if the entry before the write is a read of what the
    earlier write wrote: flow and anti edges then make a path. In cells that are not
    exact the flow edge may be missing, so there the output edge stays.
    """
    reads = np.flatnonzero(~sweep.is_write & (sweep.next_write >= 0))
    writes = np.flatnonzero(sweep.is_write & (sweep.last_write >= 0))
    if exact:
        last = sweep.last_write[writes]
        before = writes - 1
        path = (before != last) & (sweep.location[before] == sweep.location[last])
        writes = writes[~path]
    ahead = sweep.instruction[sweep.next_write[reads]]
    behind = sweep.instruction[sweep.last_write[writes]]
    kinds = ((EdgeKind.ANTI, len(reads)), (EdgeKind.OUTPUT, len(writes)))
    return _edges(
        np.concatenate((sweep.instruction[reads], behind)),
        np.concatenate((ahead, sweep.instruction[writes])),
        np.concatenate([np.full(count, kind, np.int64) for kind, count in kinds]),
    )


def _edges(source: Ints, sink: Ints, kind: Ints) -> Edges:
    """Return edges sorted by sink, then source; the greatest kind of each pair."""
    other = source != sink
    source, sink, kind = source[other], sink[other], kind[other]
    by = np.lexsort((-kind, source, sink))
    source, sink, kind = source[by], sink[by], kind[by]
    first = np.ones(len(source), np.bool_)
    first[1:] = (np.diff(source) != 0) | (np.diff(sink) != 0)
    return Edges(source[first], sink[first], kind[first])


def _frames(program: Program, placement: Placement) -> tuple[Ints, Ints]:
    """Return the frame of each location, (l,), and the tensor and byte of each frame.

    Locations of one tensor at one address are one frame: they are laid out alike,
    so their logical cells are their physical ones.
    """
    width = int(placement.byte.max(initial=0)) + 1
    height = int(placement.partition.max(initial=0)) + 1
    key = (program.location_tensor * height + placement.partition) * width
    _, first, frame = np.unique(
        key + placement.byte, return_index=True, return_inverse=True
    )
    table = np.stack((program.location_tensor[first], placement.byte[first]), axis=1)
    return frame.astype(np.int64), table


def _clusters(program: Program, table: Ints) -> Ints:
    """Return a number for each frame; two that share a byte have the same.

    Args:
        program: The program.
        table: Tensor and first byte of each frame, (f, 2).
    """
    tensors = program.function.tensors
    spaces = tuple(MemorySpace)
    frames = sorted(
        (spaces.index(owner.space), byte, byte + owner.bytes_in_space, row)
        for row, (tensor, byte) in enumerate(table.tolist())
        for owner in (tensors[tensor],)
    )
    cluster = np.empty(len(frames), np.int64)
    number, current, limit = -1, -1, 0
    for space, byte, end, row in frames:
        if space != current or byte >= limit:
            number, current, limit = number + 1, space, end
        limit = max(limit, end)
        cluster[row] = number
    return cluster
