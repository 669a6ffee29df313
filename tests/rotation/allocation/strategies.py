"""Random tables of buffers."""

from __future__ import annotations

from hypothesis import strategies as st

from rotation.allocation import Buffers, buffers


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
