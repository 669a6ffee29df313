"""Pickles of expressions: flat, so that depth does not matter, and sharing is kept.

A pickle lists the nodes of an expression, parts before wholes. A node read from a
pickle is shared with the live nodes that were read before: expressions that were
pickled one by one share their common parts again.
"""

from __future__ import annotations

from pelican.core.live import live_table
from pelican.tree.kinds import CLASSES, LIVE_KINDS
from pelican.tree.traverse import postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final
    from weakref import WeakValueDictionary

    from pelican.expr.node import Expr

    Record = tuple[int, tuple[Any, ...], tuple[int, ...]]


def reduced(expr: Expr) -> tuple[Any, ...]:
    """Return what a pickle of an expression holds."""
    place: dict[int, int] = {}
    records: list[Record] = []
    for node in postorder(expr):
        places = tuple(place[id(part)] for part in node.parts)
        place[id(node)] = len(records)
        records.append((node.kind, node.own, places))
    return restored, (records,)


def restored(records: list[Record]) -> Expr:
    """Return the expression of a pickle's records."""
    made: list[Expr] = []
    for kind, own, places in records:
        parts = tuple(made[place] for place in places)
        if kind in LIVE_KINDS:
            made.append(CLASSES[kind].built(own, parts))
            continue
        key = (kind, own, *map(id, parts))
        node = _read.get(key)
        if node is None:
            node = CLASSES[kind].built(own, parts)
            _read[key] = node
        made.append(node)
    return made[-1]


_read: Final[WeakValueDictionary[tuple[Any, ...], Expr]] = live_table()
