"""Reuse distance: how many holders stand between two of one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from rotation.unrolled.program import Program

PARTITIONS_PER_BAND: Final = 32
"""A band is a quadrant of the partitions.

Source: the geometry of the modelled system (docs/modelled.md).
"""

Place = TypeVar("Place")


class Extent(NamedTuple):
    """A rectangle of a memory: bands, and bytes of each partition; ends exclusive."""

    first_band: int
    end_band: int
    first_byte: int
    end_byte: int

    def overlaps(self, other: Extent) -> bool:
        """Return whether two extents of one memory share a byte of a band."""
        return (
            self.first_band < other.end_band
            and other.first_band < self.end_band
            and self.first_byte < other.end_byte
            and other.first_byte < self.end_byte
        )


def bands_of(partition: int, num_partitions: int) -> tuple[int, int]:
    """Return the first band of some partitions, and the end of the last.

    >>> bands_of(32, 64)
    (1, 3)
    """
    last = (partition + num_partitions - 1) // PARTITIONS_PER_BAND
    return partition // PARTITIONS_PER_BAND, last + 1


def num_bands(program: Program) -> int:
    """Return the bands of the program's machine."""
    return -(-program.machine.psum_partitions // PARTITIONS_PER_BAND)


def farthest(
    recent: Sequence[Extent], find: Callable[[Sequence[Extent]], Place | None]
) -> Place | None:
    """Return the place that keeps the longest reuse distance.

    Args:
        recent: What the last holders took, the latest at the end.
        find: Returns a place that shares nothing with some extents, or None. What it
            finds for many it finds for fewer of them.

    Returns:
        A place that avoids as many of the latest holders as any; None if there is
        none that avoids the latest of all.

    >>> def room(taken):
    ...     return min({0, 1, 2} - {e.first_byte for e in taken}, default=None)
    >>> farthest([Extent(0, 1, byte, byte + 1) for byte in (0, 1, 2)], room)
    0
    """
    if not recent:
        return find(())
    best, low, high = None, 1, len(recent)
    while low <= high:
        middle = (low + high) // 2
        found = find(recent[-middle:])
        if found is None:
            high = middle - 1
        else:
            best, low = found, middle + 1
    return best
