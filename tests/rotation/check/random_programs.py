"""Hypothesis strategies for very small programs with shared memory."""

from __future__ import annotations

from hypothesis import strategies as st

from rotation.loop_form.kernel import Engine, MemoryLocationSet, Role
from rotation.unrolled.program import Edges, Placement, Program
from tests.rotation.check.builder import (
    Op,
    Touch,
    build,
    dram,
    inner,
    moved,
    private,
    sb,
    waits,
)

ENGINES = [Engine.DMA, Engine.DMA, Engine.CC, Engine.VECTOR, Engine.PE]


def tensors() -> tuple[MemoryLocationSet, ...]:
    """Return the buffers of a random program; small, so that boxes often meet."""
    return (
        sb("a", (2, 4), "int8"),
        sb("b", (2, 2, 3), "int8"),
        sb("c", (3, 2), "int16"),
        dram("x", (3, 4), Role.INPUT, "int8"),
        inner("p", (3, 4), "int8"),
        inner("q", (4, 2), "int16"),
        dram("z", (2, 2, 3), Role.OUTPUT, "int8"),
    )


@st.composite
def touches(draw: st.DrawFn, tensor: MemoryLocationSet) -> Touch:
    """Draw a box of an instance of a tensor, often the whole."""
    instance = draw(st.integers(0, 1)) if tensor.is_placed else 0
    if draw(st.booleans()):
        return Touch(tensor, instance)
    start = tuple(draw(st.integers(0, size - 1)) for size in tensor.shape)
    extent = tuple(
        draw(st.integers(1, size - first))
        for first, size in zip(start, tensor.shape, strict=True)
    )
    return Touch(tensor, instance, start, extent)


@st.composite
def programs(draw: st.DrawFn, max_ops: int = 6) -> Program:
    """Draw a program; the first operation often writes all buffers, the last DRAM."""
    pool = tensors()
    tiles = tuple(Touch(t, k) for t in pool if t.is_placed for k in range(2))
    fill = Op("fill", Engine.DMA, tiles, (Touch(pool[3]),), latency_ps=7)
    first = [fill] if draw(st.booleans()) else []

    def some(least: int, most: int) -> tuple[Touch, ...]:
        picked = draw(st.lists(st.sampled_from(pool), min_size=least, max_size=most))
        return tuple(draw(touches(tensor)) for tensor in picked)

    ops = [
        Op(
            f"op{row}",
            draw(st.sampled_from(ENGINES)),
            some(1, 2),
            some(0, 2),
            opcode=draw(st.sampled_from(["f", "g"])),
            accumulates=draw(st.booleans()),
            latency_ps=draw(st.sampled_from([0, 7])),
        )
        for row in range(draw(st.integers(1, max_ops - 1 - len(first))))
    ]
    store = Op("store", Engine.DMA, (draw(touches(pool[-1])),), some(1, 1))
    return build([*first, *ops, store])


@st.composite
def placements(draw: st.DrawFn, program: Program) -> Placement:
    """Draw a placement in which some locations may share bytes.

    Those in DRAM do behind everything else that is there.
    """
    movable = [(t.name, k) for t in tensors() if t.is_placed for k in range(2)]
    on_chip = {t.name for t in tensors() if t.on_chip}
    shared = draw(st.sets(st.sampled_from(movable)))
    to = {
        key: (draw(st.integers(0, 2)), draw(st.integers(0, 6)))
        if key[0] in on_chip
        else (0, 1000 + draw(st.integers(0, 12)))
        for key in shared
    }
    return moved(program, private(program), to)


@st.composite
def forward_waits(draw: st.DrawFn, program: Program) -> Edges:
    """Draw edges from earlier to later rows: few of them, or all but few."""
    rows = range(len(program))
    pairs = {(first, second) for second in rows for first in range(second)}
    some = draw(st.sets(st.sampled_from(sorted(pairs))))
    return waits(draw(st.sampled_from([some, pairs - some])))


@st.composite
def orders(draw: st.DrawFn, program: Program) -> list[int]:
    """Draw a total order: the source order with a few neighbours exchanged."""
    order = list(range(len(program)))
    for at in draw(st.lists(st.integers(0, len(order) - 2), max_size=4)):
        order[at], order[at + 1] = order[at + 1], order[at]
    return order
