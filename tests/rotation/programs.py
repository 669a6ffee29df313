"""Small programs for the tests of passes: from text, by hand, and at random."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from pelican.expr import AffineIV
from rotation.loop_form.kernel import (
    Engine,
    Function,
    Instruction,
    Loop,
    MemoryLocationSet,
    MemorySpace,
)
from rotation.machine.machine import Machine, get_machine
from rotation.passes.base import State
from rotation.text.parse import parse
from rotation.unrolled.program import Edges, Program
from rotation.unrolled.unroll import unroll

PLANNING = get_machine("planning")
SPLIT = get_machine("split-dma")

STREAM = """
kernel stream on planning {
  dram x [1024, 4096] fp32 input
  dram y [1024, 4096] fp32 input
  dram z [1024, 4096] fp32 output
  for i in [0, 8) { for j in [0, 2) {
    sb xt [128, 2048] fp32
    sb yt [128, 2048] fp32
    sb zt [128, 2048] fp32
    ld_x: dma.load xt <- x[128*i:+128, 2048*j:+2048]
    ld_y: dma.load yt <- y[128*i:+128, 2048*j:+2048]
    add: vector.add zt <- xt, yt
    st: dma.store z[128*i:+128, 2048*j:+2048] <- zt
  } }
}
"""
"""Load, load, add, store: 16 iterations."""


def matmul(rows: int, columns: int, steps: int) -> str:
    """Return a tiled matmul of that many outputs, each the sum of some steps."""
    return f"""
kernel matmul on planning {{
  dram a [{128 * steps}, {128 * rows}] bf16 input
  dram b [{128 * steps}, {512 * columns}] bf16 input
  dram c [{128 * rows}, {512 * columns}] bf16 output
  for m in [0, {rows}) {{ for n in [0, {columns}) {{
    psum acc [128, 512] fp32
    sb ot [128, 512] bf16
    for k in [0, {steps}) {{
      sb lt [128, 128] bf16
      sb rt [128, 512] bf16
      ld_l: dma.load lt <- a[128*k:+128, 128*m:+128]
      ld_r: dma.load rt <- b[128*k:+128, 512*n:+512]
      mm: pe.matmul acc <- lt, rt over(k)
    }}
    ev: vector.copy ot <- acc
    st: dma.store c[128*m:+128, 512*n:+512] <- ot
  }} }}
}}
"""


MATMUL = matmul(rows=2, columns=2, steps=4)
"""A tiled matmul that accumulates over its inner loop: 4 outputs of 4 steps."""

COPY = """
kernel copy on planning {
  dram x [128, 2048] fp32 input
  dram z [128, 2048] fp32 output
  for i in [0, 4) {
    sb t [128, 512] fp32 RING
    sb u [128, 512] fp32
    ld: dma.load t <- x[0:+128, 512*i:+512]
    cp: scalar.copy u <- t
    st: dma.store z[0:+128, 512*i:+512] <- u
  }
}
"""
"""Load, copy, store, four times; ``RING`` is replaced by a test."""

SUM = """
kernel sum on planning {
  dram x [128, 4096] fp32 input
  dram z [128, 512] fp32 output
  sb total [128, 512] fp32
  init: vector.memset total <-
  for i in [0, 8) {
    sb t [128, 512] fp32
    ld: dma.load t <- x[0:+128, 512*i:+512]
    add: vector.add total <- total, t inplace
  }
  st: dma.store z <- total
}
"""
"""A running sum: each addition reads what the one before wrote."""

TURNS = SUM.replace(
    "add: vector.add total <- total, t inplace",
    "add: gpsimd.add total <- total, t inplace\n    more: scalar.f total <- total",
)
"""Two engines take turns at a running sum, and neither is full."""


def kernel(text: str) -> Function:
    """Return the only kernel of a text."""
    (function,) = parse(text)
    return function


def unrolled(text: str, machine: Machine = PLANNING) -> Program:
    """Return the unrolled only kernel of a text."""
    return unroll(kernel(text), machine)


def state_of(text: str) -> State:
    """Return the state in which the pipeline starts."""
    return State(kernel(text), PLANNING)


class Access(NamedTuple):
    """One access of a program made by hand."""

    tensor: int
    instance: int
    start: tuple[int, ...]
    extent: tuple[int, ...]
    is_write: bool


class Op(NamedTuple):
    """One instruction of a program made by hand; reads come before writes."""

    engine: Engine
    busy_ps: int
    latency_ps: int
    accesses: tuple[Access, ...]


SCOPE = Loop(AffineIV("i", 0, 1000), ())


def tile(name: str, shape: tuple[int, ...], space: MemorySpace = MemorySpace.SB):
    """Return a buffer with an instance in each iteration (on chip)."""
    scope = None if space is MemorySpace.DRAM else SCOPE.index
    return MemoryLocationSet(name, space, shape, "uint8", scope=scope)


def program_of(tensors: Sequence[MemoryLocationSet], ops: Sequence[Op]) -> Program:
    """Return the program of these instructions, in this order."""
    accesses = [(row, access) for row, op in enumerate(ops) for access in op.accesses]
    keys = sorted({(a.tensor, a.instance) for _, a in accesses})
    dims = max(len(t.shape) for t in tensors)

    def column(values: Sequence[int]) -> np.ndarray:
        return np.array(values, np.int64)

    def box(values: Sequence[tuple[int, ...]], missing: int) -> np.ndarray:
        rows = [(*v, *[missing] * (dims - len(v))) for v in values]
        return np.array(rows, np.int64).reshape(len(rows), dims)

    statements = [
        Instruction(f"op{row}", op.engine, "op", (), ()) for row, op in enumerate(ops)
    ]
    return Program(
        function=Function("hand", "planning", (*tensors, SCOPE, *statements)),
        machine=PLANNING,
        statement=column(range(len(ops))),
        iteration=column([0] * len(ops)),
        engine=column([op.engine for op in ops]),
        busy_ps=column([op.busy_ps for op in ops]),
        latency_ps=column([op.latency_ps for op in ops]),
        access_instruction=column([row for row, _ in accesses]),
        access_location=column(
            [keys.index((a.tensor, a.instance)) for _, a in accesses]
        ),
        access_is_write=np.array([a.is_write for _, a in accesses], np.bool_),
        access_start=box([a.start for _, a in accesses], 0),
        access_extent=box([a.extent for _, a in accesses], 1),
        location_tensor=column([tensor for tensor, _ in keys]),
        location_instance=column([instance for _, instance in keys]),
    )


def pairs(edges: Edges) -> set[tuple[int, int, int]]:
    """Return the edges as (source, sink, kind)."""
    columns = (edges.source.tolist(), edges.sink.tolist(), edges.kind.tolist())
    return set(zip(*columns, strict=True))


ENGINES = (Engine.DMA, Engine.PE, Engine.VECTOR, Engine.CC)
SHAPE = (4, 2, 3)
"""Two free dimensions, so that an access may be several runs of bytes."""


def _boxes(shape: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return (start, extent) of every box inside a shape."""
    spans = [
        [
            (first, end - first)
            for first in range(size)
            for end in range(first + 1, size + 1)
        ]
        for size in shape
    ]
    return [
        (tuple(first for first, _ in box), tuple(size for _, size in box))
        for box in product(*spans)
    ]


BOXES = _boxes(SHAPE)


ACCESSES = [
    Access(tensor, instance, start, extent, is_write)
    for tensor, instance, is_write in product(range(2), range(3), (False, True))
    for start, extent in BOXES
]
COSTS = [
    (engine, busy_ps, latency_ps)
    for engine, busy_ps, latency_ps in product(ENGINES, (1, 4, 9), (0, 7))
    if not (engine.completes_in_order and latency_ps)
]


def _op(cost: tuple[Engine, int, int], accesses: list[Access]) -> Op:
    return Op(*cost, tuple(sorted(accesses, key=lambda access: access.is_write)))


def random_programs(most: int = 8) -> st.SearchStrategy[Program]:
    """Draw programs of up to `most` instructions on two small tiles."""
    accesses = st.lists(st.sampled_from(ACCESSES), min_size=1, max_size=3)
    ops = st.lists(st.builds(_op, st.sampled_from(COSTS), accesses), max_size=most)
    tiles = (tile("s", SHAPE), tile("t", SHAPE))
    return ops.filter(bool).map(lambda drawn: program_of(tiles, drawn))


def elements(program: Program, access: int) -> set[tuple[int, ...]]:
    """Return the elements of an access, one by one."""
    ranges = [
        range(first, first + size)
        for first, size in zip(
            program.access_start[access].tolist(),
            program.access_extent[access].tolist(),
            strict=True,
        )
    ]
    points: set[tuple[int, ...]] = {()}
    for values in ranges:
        points = {(*point, value) for point in points for value in values}
    return points


def reachable(n: int, edges: Edges) -> list[set[int]]:
    """Return all instructions from which a path of edges leads to each."""
    before: list[set[int]] = [set() for _ in range(n)]
    for source, sink, _ in sorted(pairs(edges), key=lambda edge: edge[1]):
        before[sink] |= {source} | before[source]
    return before
