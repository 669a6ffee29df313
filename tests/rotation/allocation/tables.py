"""Tables of buffers for the tests of the allocator, and its traces."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rotation.allocation import Buffers, buffers, read_trace

TRACES = Path(__file__).parents[1] / "data" / "allocation"
NAMES = "ABCDEFGHIJK"


def trace(name: str) -> Buffers:
    """Return a hard instance of the public set."""
    return read_trace((TRACES / f"{name}.1048576.csv").read_text(encoding="utf-8"))


def random_table(count: int, seed: int) -> Buffers:
    """Return buffers that start anywhere in [0, count) and live for 64 on average.

    Lengths are geometric, sizes log-uniform from 64 to 65,536 bytes.
    """
    random = np.random.default_rng(seed)
    start = random.integers(0, count, count)
    length = random.geometric(1 / 64, count)
    size = np.exp(random.uniform(np.log(64), np.log(65536), count)).astype(np.int64)
    return buffers(start, start + length, size)


def plain_max_live(table: Buffers) -> int:
    """Return the most bytes at one position, by looking at each."""
    return max(
        int(table.size[(table.start <= moment) & (moment < table.end)].sum())
        for moment in range(int(table.start.min()), int(table.end.max()))
    )
