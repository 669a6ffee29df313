"""Buffers to place: a table of life times, sizes, alignments and fixed places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rotation.columns import Ints
from rotation.errors import AllocationError

FREE: Final = -1
"""In `Buffers.pinned`: the offset is for the allocator to choose."""


@dataclass(frozen=True, slots=True, eq=False)
class Buffers:
    """Buffers of one linear memory, one row each.

    Two buffers live together when their intervals share a point: ``[0, 3)`` and
    ``[3, 5)`` do not.

    Attributes:
        start: First position at which the bytes are in use, (n,).
        end: First position at which they are not any more, (n,), > start.
        size: How many, (n,), >= 1 [bytes].
        alignment: What the offset is a multiple of, (n,), >= 1 [bytes].
        pinned: Offset that the buffer has and keeps, (n,) [bytes]; `FREE` without.
    """

    start: Ints
    end: Ints
    size: Ints
    alignment: Ints
    pinned: Ints

    def __len__(self) -> int:
        return len(self.start)


Column = Sequence[int] | Ints


def buffers(
    start: Column,
    end: Column,
    size: Column,
    *,
    alignment: Column | int = 1,
    pinned: Column | int = FREE,
) -> Buffers:
    """Return the table of some columns.

    Args:
        start: First position in use of each buffer.
        end: First position not in use any more.
        size: Bytes of each.
        alignment: What each offset is a multiple of, or one number for all [bytes].
        pinned: Offset that each has and keeps, `FREE` without one [bytes].

    Raises:
        AllocationError: If a row makes no sense, with its number.

    >>> table = buffers([0, 2], [4, 6], [64, 128], alignment=64)
    >>> len(table), max_live(table)
    (2, 192)
    """
    columns = [np.asarray(column, np.int64) for column in (start, end, size)]
    count = len(columns[0])
    columns += [
        np.full(count, column, np.int64)
        if isinstance(column, int)
        else np.asarray(column, np.int64)
        for column in (alignment, pinned)
    ]
    lengths = [len(column) for column in columns]
    if len(set(lengths)) != 1:
        raise AllocationError(f"columns of one table have lengths {lengths}")
    table = Buffers(*columns)
    _require_sense(table)
    return table


def _require_sense(table: Buffers) -> None:
    fixed = table.pinned != FREE
    checks = (
        (table.end <= table.start, "ends at {end}, not after its start {start}"),
        (table.size < 1, "has {size} bytes, not at least 1"),
        (table.alignment < 1, "has alignment {alignment}, not at least 1"),
        (table.pinned < FREE, "is pinned at {pinned}, not at 0 or above"),
        (
            fixed & (table.pinned % np.maximum(table.alignment, 1) != 0),
            "is pinned at {pinned}, not a multiple of its alignment {alignment}",
        ),
    )
    for wrong, message in checks:
        if wrong.any():
            row = int(wrong.argmax())
            names = ("start", "end", "size", "alignment", "pinned")
            values = {name: int(getattr(table, name)[row]) for name in names}
            raise AllocationError(f"buffer {row} {message.format(**values)}")


def max_live(table: Buffers) -> int:
    """Return the most bytes that live at one moment: no placement has a lower peak.

    >>> max_live(buffers([0, 0, 3], [3, 5, 5], [8, 4, 8]))
    12
    """
    slots = time_slots(table)
    return int(slots.load.max(initial=0))


@dataclass(frozen=True, slots=True, eq=False)
class TimeSlots:
    """Time cut at the starts of buffers: what happens between two does not matter.

    Two buffers live together exactly if they share a slot.

    Attributes:
        first: First slot of each buffer, (n,).
        last: The slot after its last one, (n,), > first.
        load: Bytes that live in each slot, (t,), t <= n.
    """

    first: Ints
    last: Ints
    load: Ints


def time_slots(table: Buffers) -> TimeSlots:
    """Return the time slots of a table."""
    moments = np.unique(table.start)
    first = np.searchsorted(moments, table.start)
    last = np.searchsorted(moments, table.end)
    change = np.zeros(len(moments) + 1, np.int64)
    np.add.at(change, first, table.size)
    np.subtract.at(change, last, table.size)
    return TimeSlots(first, last, np.cumsum(change)[:-1])
