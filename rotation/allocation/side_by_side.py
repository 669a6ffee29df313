"""Rooms that are never given back: they lie side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rotation.rounding import round_up


class Room(NamedTuple):
    """Bytes that are never given back, and what the first is a multiple of."""

    size: int
    alignment: int


def side_by_side(
    rooms: Sequence[Room], reserved: Sequence[tuple[int, int]] = ()
) -> tuple[list[int], int]:
    """Return bases that share no byte, each the lowest in its turn, and their end.

    Args:
        rooms: What is to be placed.
        reserved: Ranges that are kept free, ascending and apart.
    """
    bases, end = [], 0
    gaps: list[tuple[int, int]] = []  # ascending, between what is taken
    for begin, past in reserved:
        if end < begin:
            gaps.append((end, begin))
        end = past
    for size, step in rooms:
        fitting = [gap for gap in gaps if round_up(gap[0], step) + size <= gap[1]]
        low, high = fitting[0] if fitting else (end, None)
        base = round_up(low, step)
        bases.append(base)
        if high is None:
            end = base + size
            gaps.append((low, base))
        else:
            gaps.remove((low, high))
            gaps += [(low, base), (base + size, high)]
        gaps = sorted(gap for gap in gaps if gap[0] < gap[1])
    return bases, end
