"""Longest paths of a dependence graph, on engines without limit.

The edges go forward in source order, but for those from instructions that wait for
nothing, which may go backward.
"""

from __future__ import annotations

import numpy as np

from rotation.unrolled.program import Edges, Ints, Program


def earliest_start_ps(program: Program, edges: Edges) -> Ints:
    """Return when each instruction can start if only the edges bind, (n,) [ps]."""
    done = (program.busy_ps + program.latency_ps).tolist()
    start = [0] * len(program)
    for source, sink in zip(edges.source.tolist(), edges.sink.tolist(), strict=True):
        ready = start[source] + done[source]
        if start[sink] < ready:  # noqa: PLR1730 - a call for each edge is slow
            start[sink] = ready
    return np.array(start, np.int64)


def remaining_ps(program: Program, edges: Edges) -> Ints:
    """Return the least time from end of busy to the end of the program, (n,) [ps]."""
    latency = program.latency_ps.tolist()
    busy = program.busy_ps.tolist()
    rest = list(latency)
    pairs = zip(edges.source.tolist()[::-1], edges.sink.tolist()[::-1], strict=True)
    for source, sink in pairs:
        after = latency[source] + busy[sink] + rest[sink]
        if rest[source] < after:  # noqa: PLR1730 - a call for each edge is slow
            rest[source] = after
    return np.array(rest, np.int64)
