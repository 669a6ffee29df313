"""Tables of buffers for the tests of the allocator, and its traces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

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


@st.composite
def small_tables(draw: st.DrawFn, *, pins: bool = False) -> Buffers:
    """Draw up to 12 buffers; with `pins` some are pinned, well apart."""
    row = st.tuples(
        st.integers(0, 9),
        st.integers(1, 6),
        st.integers(1, 40),
        st.sampled_from([1, 2, 3, 8, 12]),
    )
    rows = draw(st.lists(row, min_size=1, max_size=12))
    pinned = [-1] * len(rows)
    if pins:
        chosen = draw(st.sets(st.integers(0, len(rows) - 1)))
        for place, at in enumerate(sorted(chosen)):
            pinned[at] = 48 * place
    start, length, size, alignment = zip(*rows, strict=True)
    end = [s + n for s, n in zip(start, length, strict=True)]
    return buffers(start, end, size, alignment=alignment, pinned=pinned)


def plain_max_live(table: Buffers) -> int:
    """Return the most bytes at one position, by looking at each."""
    return max(
        int(table.size[(table.start <= moment) & (moment < table.end)].sum())
        for moment in range(int(table.start.min()), int(table.end.max()))
    )
