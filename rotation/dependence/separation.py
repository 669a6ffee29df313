"""Loads apart from compute: what a run measures that takes the waits of loads away.

A load that takes nothing which the kernel has written waits for nothing any more, and
all else waits for every such load: a barrier. No instruction moves and no buffer is
copied, so a slot that is loaded twice loses its first contents.

Source: the separation of loads and compute of the modelled system
(docs/passes/separate_load_and_compute.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rotation.dependence.dependences import merged
from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.unrolled.program import Edges, Ints, Program

LOAD_CLASS: Final = frozenset({"load", "copy"})
"""Opcodes of transfers that may be loads; gathers and stores are compute.

Source: the load and the copy of the modelled system.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Separation:
    """Which loads stand before the barrier.

    Attributes:
        loads: Rows of the loads that wait for nothing, (n,), ascending.
        anchor: The first row behind the barrier; None if there is no barrier, since
            one of its sides is empty.
        removed: Waits of the loads that were taken away.
    """

    loads: Ints
    anchor: int | None
    removed: int


def separation_of(program: Program, edges: Edges) -> Separation:
    """Return which loads of a program are set apart, and how many waits they lose.

    Args:
        program: The program.
        edges: Its dependences in source order. A load with a flow edge, which takes
            what the kernel has written, stays with the compute.
    """
    instructions = program.function.instructions
    transfers = [
        i.engine is Engine.DMA and i.opcode in LOAD_CLASS for i in instructions
    ]
    apart = np.array(transfers, np.bool_)[program.statement]
    apart[edges.sink[edges.kind == EdgeKind.FLOW]] = False
    loads, others = np.flatnonzero(apart), np.flatnonzero(~apart)
    anchor = int(others[0]) if len(loads) and len(others) else None
    return Separation(loads, anchor, int(np.isin(edges.sink, loads).sum()))


def separated(program: Program, edges: Edges, separation: Separation) -> Edges:
    """Return the dependences without those of the loads, and with the barrier.

    The barrier is the anchor: it waits for every load, and all else waits for it. Its
    edges are ordered ones, which no rebuild clears.
    """
    keep = ~np.isin(edges.sink, separation.loads)
    left = Edges(edges.source[keep], edges.sink[keep], edges.kind[keep])
    if separation.anchor is None:
        return left
    rows = np.arange(len(program))
    behind = np.setdiff1d(rows, np.append(separation.loads, separation.anchor))
    source = np.append(separation.loads, np.full(len(behind), separation.anchor))
    sink = np.append(np.full(len(separation.loads), separation.anchor), behind)
    kind = np.full(len(source), EdgeKind.ORDERED, np.int64)
    return merged(left, Edges(source, sink, kind))
