"""A check of a placement that shares no code with what makes placements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from rotation.allocation.buffers import FREE, Buffers
from rotation.columns import Ints


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one buffer, or with two.

    Attributes:
        kind: ``overlap``, ``alignment``, ``capacity``, ``moved`` or ``unplaced``.
        rows: The buffers, ascending: two for an overlap, else one.
        message: One sentence.
    """

    kind: str
    rows: tuple[int, ...]
    message: str


def faults(
    table: Buffers, offset: Ints, capacity: int | None = None
) -> tuple[Fault, ...]:
    """Return what is wrong with a placement; nothing if it may be used.

    Every buffer is at offset 0 or above, on its alignment, below the capacity, and in
    its place if it is pinned; no two that live together share a byte. Of several that
    overlap one buffer, one is named.

    Args:
        table: The buffers.
        offset: Offset of each, (n,) [bytes].
        capacity: What none may end above; None for no limit [bytes].

    >>> import numpy as np
    >>> from rotation.allocation import buffers
    >>> table = buffers([0, 2, 3], [3, 5, 6], [8, 4, 8])
    >>> faults(table, np.array([0, 8, 0]))
    ()
    >>> print(faults(table, np.array([0, 8, 4]))[0].message)
    buffers 1 and 2 live together and share bytes 8 to 11
    """
    return (*_misplaced(table, offset, capacity), *_overlaps(table, offset))


def _misplaced(table: Buffers, offset: Ints, capacity: int | None) -> Iterator[Fault]:
    """Yield buffers that are where they may not be, whatever else there is."""
    for row in range(len(table)):
        at, size = int(offset[row]), int(table.size[row])
        step, pin = int(table.alignment[row]), int(table.pinned[row])
        if at < 0:
            yield Fault("unplaced", (row,), f"buffer {row} has offset {at}")
        if at % step:
            text = f"buffer {row} at {at} is not on a multiple of {step}"
            yield Fault("alignment", (row,), text)
        if capacity is not None and at + size > capacity:
            text = f"buffer {row} ends at {at + size}, above the capacity {capacity}"
            yield Fault("capacity", (row,), text)
        if pin not in (FREE, at):
            text = f"buffer {row} is at {at}, not at {pin} where it is pinned"
            yield Fault("moved", (row,), text)


def _overlaps(table: Buffers, offset: Ints) -> Iterator[Fault]:
    """Yield a pair for each buffer that lands on another that is still in use.

    One walk over time; what is in use is disjoint and sorted by offset, so that only
    the neighbours can be hit. What hits something is named and left out.
    """
    events = []
    for row in range(len(table)):
        # Ends come before starts at the same position: intervals are half open.
        events.append((int(table.end[row]), 0, row))
        events.append((int(table.start[row]), 1, row))
    in_use: list[tuple[int, int]] = []
    left_out = set()
    for _, is_start, row in sorted(events):
        entry = (int(offset[row]), row)
        if not is_start:
            if row not in left_out:
                del in_use[bisect_left(in_use, entry)]
            continue
        at = bisect_left(in_use, entry)
        hit = next(
            (
                other
                for _, other in in_use[max(0, at - 1) : at + 1]
                if offset[other] < offset[row] + table.size[row]
                and offset[row] < offset[other] + table.size[other]
            ),
            None,
        )
        if hit is None:
            in_use.insert(at, entry)
            continue
        left_out.add(row)
        first, second = sorted((hit, row))
        begin = max(int(offset[first]), int(offset[second]))
        end = min(int(offset[r] + table.size[r]) for r in (first, second))
        text = (
            f"buffers {first} and {second} live together and share bytes "
            f"{begin} to {end - 1}"
        )
        yield Fault("overlap", (first, second), text)
