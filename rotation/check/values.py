"""What each read of a program takes, and from whom: values in one written form.

The value of a region says, for each of its bytes, which byte of which result it is.
It is written in one way only, however memory was cut into pieces: as the coarsest
slabs of the first dimension whose cross-sections are equal, and each cross-section
likewise.

What an arm of an `if` on loaded values has written is there only if that arm was done.
A read that may find it takes a *gate*: the results that it may find, the newest first,
each with what must hold for it to be there (`rotation.check.branches`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from rotation.check.branches import Cover, Guard, conflict
from rotation.check.footprint import Boxes
from rotation.check.sweep import History, elementary_cells, history
from rotation.unrolled.program import Bools, Ints

Corner = tuple[int, ...]
"""Coordinates in a region."""

Label = tuple[Hashable, Corner]
"""Whose result, and what to add to a place in the region for the place in the result.

In `Readings` the first entry is the number of the writing access, or of a gate; in
values it is the term.
"""

Gate = tuple[tuple[Guard, int, Corner], ...]
"""Results that a read may find, the newest first: guard, writing access, shift."""

Piece = tuple[Corner, Corner, Label]
"""An elementary box of a region: first corner, one past the last, its label."""

Slabs = Label | tuple[tuple[int, int, "Slabs"], ...]
"""A labelled region in its one form: (first, one past the last, cross-section)."""


def slabs(pieces: Sequence[Piece], axis: int = 0) -> Slabs:
    """Return the one form of a region that is cut into a grid of pieces.

    Two cuts of the same region with the same labels give the same form.

    Args:
        pieces: All cells of a product grid, sorted by first corner, at least one.
        axis: Dimensions before this one are the same in all pieces.

    >>> slabs([((0, 0), (2, 4), (7, (0, 0))), ((0, 4), (2, 8), (7, (0, 0)))])
    ((0, 2, ((0, 8, (7, (0, 0))),)),)
    """
    if axis == len(pieces[0][0]):
        return pieces[0][2]
    found: list[tuple[int, int, Slabs]] = []
    for first, group in groupby(pieces, key=lambda piece: piece[0][axis]):
        members = list(group)
        section = slabs(members, axis + 1)
        merges = bool(found) and found[-1][2] == section
        start = found.pop()[0] if merges else first
        found.append((start, members[0][1][axis], section))
    return tuple(found)


def whole(size: Corner, label: Label) -> Slabs:
    """Return the form of a region of that size that has one label.

    >>> whole((2, 8), (7, (0, 0)))
    ((0, 2, ((0, 8, (7, (0, 0))),)),)
    """
    form: Slabs = label
    for extent in reversed(size):
        form = ((0, extent, form),)
    return form


@dataclass(frozen=True, slots=True)
class Readings:
    """Who wrote what each access reads.

    Attributes:
        of_one: For each access that reads the result of one other: the label, and
            the size of the region.
        of_several: For each other access that reads: its pieces by first corner.
        unwritten: The number that stands for no writer in a label.
        gates: What the numbers beyond `unwritten` stand for, in their order.
    """

    of_one: dict[int, tuple[tuple[int, Corner], Corner]]
    of_several: dict[int, list[tuple[Corner, Corner, tuple[int, Corner]]]]
    unwritten: int
    gates: tuple[Gate, ...] = ()

    def writers(self, access: int) -> set[int]:
        """Return the accesses whose results an access reads, or may read."""
        if access in self.of_one:
            found = {self.of_one[access][0][0]}
        else:
            found = {label[0] for _, _, label in self.of_several.get(access, ())}
        gates = [self.gates[w - self.unwritten - 1] for w in found if self._gated(w)]
        behind = {writer for gate in gates for _, writer, _ in gate}
        return {writer for writer in found if not self._gated(writer)} | behind

    def value(self, access: int, term: Sequence[int]) -> Slabs:
        """Return the value that an access reads, given the term of each access."""
        if access in self.of_one:
            (writer, shift), size = self.of_one[access]
            return whole(size, (self._term(writer, term), shift))
        return slabs(
            [
                (lo, hi, (self._term(writer, term), shift))
                for lo, hi, (writer, shift) in self.of_several[access]
            ]
        )

    def _gated(self, writer: int) -> bool:
        return writer > self.unwritten

    def _term(self, writer: int, term: Sequence[int]) -> Hashable:
        """Return the term of an access, or what a gate makes of those behind it."""
        if not self._gated(writer):
            return term[writer]
        gate = self.gates[writer - self.unwritten - 1]
        return tuple((guard, term[behind], shift) for guard, behind, shift in gate)


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """Who wrote what each access reads, as columns.

    Attributes:
        one: Accesses that read the result of one other, ascending, (u,).
        one_label: Their labels, (u, 1 + d).
        one_size: The sizes of their regions, (u, d).
        several: The access of each piece of the others, ascending, (p,).
        lo: First corner of each piece; ascending for one access, (p, d).
        hi: One past its last, (p, d).
        label: Its label, (p, 1 + d).
        unwritten: The number that stands for no writer in a label.
        gates: What the numbers beyond `unwritten` stand for, in their order.
    """

    one: Ints
    one_label: Ints
    one_size: Ints
    several: Ints
    lo: Ints
    hi: Ints
    label: Ints
    unwritten: int
    gates: tuple[Gate, ...] = ()

    def readings(self) -> Readings:
        """Return the same, access by access."""
        labels = [(int(row[0]), tuple(row[1:])) for row in self.one_label.tolist()]
        sizes = map(tuple, self.one_size.tolist())
        pairs = zip(labels, sizes, strict=True)
        of_one = dict(zip(self.one.tolist(), pairs, strict=True))
        return Readings(of_one, self._of_several(), self.unwritten, self.gates)

    def all_as_in(self, other: Taken) -> bool:
        """Tell whether each access takes the same bytes of the same results.

        False too if nothing has written some of them, or if it is not known whose they
        are. If true, the values of all accesses are equal in both: by induction, as
        each value is made of values that were there before.
        """
        for taken in (self, other):
            writers = (taken.one_label[:, 0], taken.label[:, 0])
            if any((writer >= taken.unwritten).any() for writer in writers):
                return False
        if not self._same_columns(other, "one", "one_label", "one_size"):
            return False
        if self._same_columns(other, "several", "lo", "hi", "label"):
            return True
        mine, theirs = self._of_several(), other._of_several()
        return mine.keys() == theirs.keys() and all(
            slabs(pieces) == slabs(theirs[access]) for access, pieces in mine.items()
        )

    def _same_columns(self, other: Taken, *names: str) -> bool:
        return all(np.array_equal(getattr(self, n), getattr(other, n)) for n in names)

    def _of_several(self) -> dict[int, list[tuple[Corner, Corner, tuple[int, Corner]]]]:
        pieces: dict[int, list[tuple[Corner, Corner, tuple[int, Corner]]]] = {}
        columns = (self.several, self.lo, self.hi, self.label)
        for access, start, past_end, (writer, *shift) in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            piece = tuple(start), tuple(past_end), (writer, tuple(shift))
            pieces.setdefault(access, []).append(piece)
        return pieces


def taken_results(
    boxes: Boxes,
    moment: Ints,
    is_write: Bools,
    num_accesses: int,
    guards: Sequence[Guard] = (),
) -> Taken:
    """Return who wrote what each access reads, when accesses happen at `moment`.

    Args:
        boxes: What each access touches.
        moment: When each access happens, (a,); reads before writes within one.
        is_write: True for a write, (a,).
        num_accesses: a; this number stands for no writer.
        guards: What must hold for each access to happen, (a,); empty if all happen.
    """
    past = history(elementary_cells(boxes), moment[boxes.owner], is_write[boxes.owner])
    reads = np.flatnonzero(~past.is_write)
    reads = reads[np.argsort(boxes.owner[past.box[reads]], kind="stable")]
    reader = boxes.owner[past.box[reads]]
    label = _labels(boxes, past, reads, num_accesses)
    gates = _gated(boxes, past, reads, label, guards) if guards else ()
    first = np.flatnonzero(np.diff(reader, prepend=-1))
    length = np.diff(first, append=len(reader))
    same = (label == np.repeat(label[first], length, axis=0)).all(axis=1)
    uniform = np.logical_and.reduceat(same, first) if len(first) else same
    size = np.zeros((num_accesses, boxes.lo.shape[1]), np.int64)
    np.maximum.at(size, boxes.owner, boxes.offset + boxes.hi - boxes.lo)
    one = first[uniform]
    fragments = np.flatnonzero(np.repeat(~uniform, length))
    pieces = _pieces(boxes, past, reads[fragments], label[fragments])
    return Taken(
        reader[one], label[one], size[reader[one]], *pieces, num_accesses, gates
    )


def _labels(boxes: Boxes, past: History, reads: Ints, unwritten: int) -> Ints:
    """Return writer and shift of each read pair, (k, 1 + d)."""
    reader, writer = past.box[reads], past.last_write[reads]
    base = boxes.offset - boxes.lo
    label = np.zeros((len(reads), 1 + base.shape[1]), np.int64)
    label[:, 0] = np.where(writer < 0, unwritten, boxes.owner[writer])
    label[:, 1:] = np.where(writer[:, None] < 0, 0, base[writer] - base[reader])
    return label


def _gated(
    boxes: Boxes, past: History, reads: Ints, label: Ints, guards: Sequence[Guard]
) -> tuple[Gate, ...]:
    """Put gates into the labels of reads that may find several results.

    Args:
        boxes: What each access touches.
        past: The accesses of each cell in order of time.
        reads: Entries of `past` that read, (k,).
        label: Their labels, (k, 1 + d); changed in place.
        guards: What must hold for each access to happen, (a,).

    Returns:
        The gates, numbered on from the number that stands for no writer.
    """
    owner = boxes.owner[past.box].tolist()
    is_write, cell = past.is_write.tolist(), past.cells.cell[past.pair].tolist()
    base = boxes.offset[past.box] - boxes.lo[past.box]
    unwritten = len(guards)
    gates: dict[Gate, int] = {}
    for place, entry in enumerate(reads.tolist()):
        if past.last_write[entry] < 0:
            continue
        under, found = guards[owner[entry]], list[tuple[Guard, int, Corner]]()
        cover = Cover()
        earlier = entry - 1
        while earlier >= 0 and cell[earlier] == cell[entry]:
            given = guards[owner[earlier]]
            may_show = is_write[earlier] and not conflict(given, under)
            if may_show and not cover.holds(under | given):
                shift = tuple((base[earlier] - base[entry]).tolist())
                found.append((given - under, owner[earlier], shift))
                cover.add(given - under)
                if cover.holds(under):
                    break
            earlier -= 1
        else:
            found.append((frozenset(), unwritten, (0,) * base.shape[1]))
        gate = tuple(found)
        if len(gate) == 1:
            label[place, 0], label[place, 1:] = gate[0][1], gate[0][2]
        else:
            number = gates.setdefault(gate, unwritten + 1 + len(gates))
            label[place, 0], label[place, 1:] = number, 0
    return tuple(gates)


def _pieces(
    boxes: Boxes, past: History, reads: Ints, label: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    """Return access, corners and label of the pieces of some read pairs.

    They are sorted by access, then by first corner.
    """
    box = past.box[reads]
    lo, hi = past.cells.corners(past.pair[reads])
    move = boxes.offset[box] - boxes.lo[box]
    lo, hi = lo + move, hi + move
    order = np.lexsort((*lo.T[::-1], boxes.owner[box]))
    return boxes.owner[box][order], lo[order], hi[order], label[order]
