"""Which dependences rotation removed, which it kept, and which are new."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.loop_form.kernel import EdgeKind
from rotation.passes.base import State, built
from rotation.unrolled.program import Ints


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """Dependences of one kind from one operation to another, after reduction.

    Attributes:
        kind: ``flow``, ``anti``, ``output`` or ``ordered``.
        source: The operation that is waited for.
        sink: The operation that waits.
        kept: Pairs of instructions that are ordered in both programs.
        removed: Pairs that are ordered without rotation only.
        added: Pairs that are ordered with rotation only.
    """

    kind: str
    source: str
    sink: str
    kept: int
    removed: int
    added: int


def edge_changes(before: State, after: State) -> tuple[EdgeChange, ...]:
    """Return what became of the dependences, those with most removed first.

    Args:
        before: The program without rotation.
        after: The same instructions, rotated.

    >>> from rotation import load, run
    >>> result = run(load("examples/matmul_tiled.kernel"))
    >>> first = edge_changes(result.before, result.after)[0]
    >>> first.kind, first.source, first.sink, first.removed, first.kept
    ('anti', 'mm', 'ld_l', 480, 0)
    """
    program = built(after.program, "unrolled program")
    names = [each.name for each in program.function.instructions]
    old, new = _keys(before), _keys(after)
    parts = (np.intersect1d(old, new), np.setdiff1d(old, new), np.setdiff1d(new, old))
    counts: dict[tuple[int, str, str], list[int]] = {}
    for column, keys in enumerate(parts):
        kind, pair = np.divmod(keys, len(program) ** 2)
        ends = program.statement[np.array(np.divmod(pair, len(program)))]
        triples, often = np.unique(
            np.stack([kind, *ends], axis=1), axis=0, return_counts=True
        )
        for (key, source, sink), count in zip(
            triples.tolist(), often.tolist(), strict=True
        ):
            found = counts.setdefault((key, names[source], names[sink]), [0, 0, 0])
            found[column] = count
    changes = (
        EdgeChange(EdgeKind(kind).name.lower(), source, sink, *found)
        for (kind, source, sink), found in counts.items()
    )
    return tuple(
        sorted(changes, key=lambda c: (-c.removed, -c.kept, c.kind, c.source, c.sink))
    )


def _keys(state: State) -> Ints:
    """Return a number for each edge, of its kind and its two ends."""
    edges = built(state.edges, "dependences")
    count = len(built(state.program, "unrolled program"))
    return (edges.kind * count + edges.source) * count + edges.sink
