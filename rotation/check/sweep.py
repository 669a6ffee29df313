"""Who wrote each byte last: one sweep over elementary cells.

All boxes of one memory are cut at all their borders; what lies between the cuts is
an elementary cell, which a box covers whole or not at all. Sorted by (cell, moment)
the accesses of a cell form its history, and everything else is read off that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.check.footprint import Boxes, expanded
from rotation.unrolled.program import Bools, Ints, Program


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Which box covers which elementary cell: k pairs.

    Attributes:
        box: A row of the boxes, (k,).
        cell: The cell, an ordinal, (k,).
        rank: Ordinal of the cell's first border in each dimension, (k, d).
        borders: For each dimension the coordinates that the ranks stand for.
    """

    box: Ints
    cell: Ints
    rank: Ints
    borders: tuple[Ints, ...]

    def corners(self, pairs: Ints) -> tuple[Ints, Ints]:
        """Return first and one-past-last coordinates of some pairs' cells, (k, d)."""
        rank = self.rank[pairs]
        lo = [border[rank[:, d]] for d, border in enumerate(self.borders)]
        hi = [border[rank[:, d] + 1] for d, border in enumerate(self.borders)]
        return np.stack(lo, axis=1), np.stack(hi, axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The pairs of `cells` by (cell, moment), reads of an instruction before writes.

    Attributes:
        cells: What was swept.
        pair: Position in `cells` of each, (k,).
        box: Its box, (k,).
        is_write: True if that box is written, (k,).
        last_write: The box that wrote this cell last before it, or -1, (k,).
        next_write: The box that writes this cell next after it, or -1, (k,).
    """

    cells: Cells
    pair: Ints
    box: Ints
    is_write: Bools
    last_write: Ints
    next_write: Ints


def elementary_cells(boxes: Boxes) -> Cells:
    """Return all pairs of a box and an elementary cell that it covers."""
    dims = boxes.lo.shape[1]
    ranked = [
        _ranked(boxes.memory, boxes.lo[:, d], boxes.hi[:, d]) for d in range(dims)
    ]
    first = np.stack([lo for lo, _, _ in ranked], axis=1)
    past = np.stack([hi for _, hi, _ in ranked], axis=1)
    box, point = expanded(past - first)
    rank = first[box] + point
    # The rank in one dimension tells the memory, so ranks alone tell cells apart.
    cell = rank[:, 0]
    for d in range(1, dims):
        borders = len(ranked[d][2])
        cell = np.unique(cell * borders + rank[:, d], return_inverse=True)[1]
    return Cells(box, cell, rank, tuple(border for _, _, border in ranked))


def history(cells: Cells, moment: Ints, is_write: Bools) -> History:
    """Return the accesses of each cell in order of time.

    Args:
        cells: The cells of some boxes.
        moment: When each box is touched, (m,); equal within one instruction.
        is_write: True if the box is written, (m,).
    """
    order = np.lexsort((is_write[cells.box], moment[cells.box], cells.cell))
    cell, box = cells.cell[order], cells.box[order]
    write = is_write[box]
    here = np.arange(len(order))
    none = len(order)
    starts = np.ones(len(order), np.bool_)
    starts[1:] = cell[1:] != cell[:-1]
    ends = np.ones(len(order), np.bool_)
    ends[:-1] = starts[1:]

    past = np.maximum.accumulate(np.where(write, here, -1))
    last = np.concatenate(([-1], past[:-1]))[: len(order)]
    cell_start = np.maximum.accumulate(np.where(starts, here, -1))
    coming = np.minimum.accumulate(np.where(write, here, none)[::-1])[::-1]
    following = np.concatenate((coming[1:], [none]))[: len(order)]
    cell_end = np.minimum.accumulate(np.where(ends, here, none)[::-1])[::-1]
    return History(
        cells,
        order,
        box,
        write,
        np.where(last >= cell_start, box[last], -1),
        np.where(following <= cell_end, box[np.minimum(following, none - 1)], -1),
    )


def conflicts(program: Program, boxes: Boxes, position: Ints) -> tuple[Ints, Ints]:
    """Return pairs of accesses in conflict, the earlier by `position` first.

    Each access stands against the last write before it of each cell, and each read
    against the next write. If all these are ordered, then so are all accesses to
    the same byte of which one is a write: order is transitive, and an instruction
    starts before it is complete. Accesses of one instruction are no conflict: it
    reads before it writes.

    Args:
        program: Whose accesses own the boxes.
        boxes: What each access touches.
        position: Moment of each instruction, (n,).
    """
    moment = position[program.access_instruction[boxes.owner]]
    is_write = program.access_is_write[boxes.owner]
    past = history(elementary_cells(boxes), moment, is_write)
    later = past.last_write >= 0
    anti = ~past.is_write & (past.next_write >= 0)
    earlier_box = np.concatenate([past.last_write[later], past.box[anti]])
    later_box = np.concatenate([past.box[later], past.next_write[anti]])
    earlier, after = boxes.owner[earlier_box], boxes.owner[later_box]
    row = program.access_instruction
    apart = row[earlier] != row[after]
    num_accesses = len(row)
    once = np.unique(after[apart] * num_accesses + earlier[apart])
    after, earlier = np.divmod(once, num_accesses)
    return earlier, after


def _ranked(memory: Ints, lo: Ints, hi: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the ordinals of lo and hi among all borders, and the borders.

    Borders are sorted by memory, then coordinate.
    """
    where = np.concatenate((memory, memory))
    coordinate = np.concatenate((lo, hi))
    order = np.lexsort((coordinate, where))
    where, coordinate = where[order], coordinate[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (where[1:] != where[:-1]) | (coordinate[1:] != coordinate[:-1])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.cumsum(new) - 1
    return rank[: len(lo)], rank[len(lo) :], coordinate[new]
