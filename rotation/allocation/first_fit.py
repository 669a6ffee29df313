"""First fit: each request takes the lowest offset that is free over its whole life."""

from __future__ import annotations

import sys
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """A number of bytes that is needed over a closed interval of positions.

    Attributes:
        size_bytes: How many, >= 1.
        alignment_bytes: The offset is a multiple of it, >= 1.
        first: First position at which the bytes are in use.
        last: Last position, >= first. They are free from ``last + 1`` on.
    """

    size_bytes: int
    alignment_bytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Packing:
    """An offset for each request; requests that live together do not overlap.

    Attributes:
        offsets_bytes: One for each request, in their order.
        peak_bytes: End of the highest byte in use; 0 without requests.
    """

    offsets_bytes: tuple[int, ...]
    peak_bytes: int


def first_fit(
    requests: Sequence[Request], reserved: Sequence[tuple[int, int]] = ()
) -> Packing:
    """Return a packing made in order of first position, ties in the given order.

    The time is linear in the number of requests times how many live together.

    Args:
        requests: What is needed.
        reserved: Ranges (first, one past the last) that no request may touch, apart
            from one another and ascending.

    >>> first_fit([Request(8, 8, 0, 2), Request(4, 4, 1, 3), Request(8, 8, 3, 4)])
    Packing(offsets_bytes=(0, 8, 0), peak_bytes=12)
    """
    offsets = [0] * len(requests)
    # (offset, end, last position), by offset
    live: list[tuple[int, int, int]] = [(*taken, sys.maxsize) for taken in reserved]
    for row in sorted(range(len(requests)), key=lambda r: requests[r].first):
        request = requests[row]
        live = [entry for entry in live if entry[2] >= request.first]
        offset = _lowest_gap(live, request)
        insort(live, (offset, offset + request.size_bytes, request.last))
        offsets[row] = offset
    ends = (o + r.size_bytes for o, r in zip(offsets, requests, strict=True))
    return Packing(tuple(offsets), max(ends, default=0))


def _lowest_gap(live: list[tuple[int, int, int]], request: Request) -> int:
    offset, step = 0, request.alignment_bytes
    for begin, end, _ in live:
        if offset + request.size_bytes <= begin:
            break
        offset = max(offset, -(-end // step) * step)
    return offset
