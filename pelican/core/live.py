"""Tables of nodes that live: what is interned, and what a pickle comes back to.

A node is in a table while something else holds it. In plain Python the tables are
weak. A compiled node takes no weak references: there the tables hold the nodes, and
the number of its references tells whether anything else holds one.
"""

from __future__ import annotations

from sys import getrefcount
from weakref import WeakValueDictionary

from pelican.core.running import COMPILED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any, Final

FIRST_SWEEP: Final = 1024
"""Size at which a table first forgets the nodes that nothing else holds [nodes]."""


class CountedTable:
    """Nodes by their keys, each found while something beside the tables holds it.

    >>> from pelican import rank
    >>> table, one = CountedTable(), rank(0, 1)
    >>> table.setdefault("one", one) is one, table.setdefault("two", rank(0, 2)).name
    (True, 'rank(0, 2)')
    >>> table.get("one") is one, table.get("two")
    (True, None)
    """

    __slots__ = ("_nodes", "_sweep")

    def __init__(self) -> None:
        self._nodes: dict[Hashable, Any] = {}
        self._sweep = FIRST_SWEEP

    def __len__(self) -> int:
        return len(self._nodes)

    def get(self, key: Hashable) -> Any:  # noqa: ANN401 - as the caller entered it
        """Return the live node of a key, or None."""
        if key in self._nodes and self._is_dead(key):
            del self._nodes[key]
        return self._nodes.get(key)

    def setdefault(self, key: Hashable, node: Any) -> Any:  # noqa: ANN401 - the same
        """Return the live node of a key, or enter the given one."""
        live = self.get(key)
        if live is not None:
            return live
        self[key] = node
        return node

    def __setitem__(self, key: Hashable, node: object) -> None:
        if len(self._nodes) >= self._sweep:
            self.forget()
            self._sweep = max(FIRST_SWEEP, 2 * len(self._nodes))
        self._nodes[key] = node

    def forget(self) -> bool:
        """Forget the nodes that nothing else holds; tell whether there was one."""
        dead = [key for key in self._nodes if self._is_dead(key)]
        for key in dead:
            del self._nodes[key]
        return bool(dead)

    def _is_dead(self, key: Hashable) -> bool:
        """Tell whether only this table, and the node's own values, hold a node."""
        own = 0
        table = self._nodes[key].cached_table
        if table is not None and table.leaves is not None:
            own = table.leaves.count(self._nodes[key])
        return getrefcount(self._nodes[key]) - own <= _REFERENCES_OF_ONE_HOLDER


_one: Final = {0: object()}
_REFERENCES_OF_ONE_HOLDER: Final = getrefcount(_one[0])
"""References that are counted where one dictionary alone holds something."""

_counted: Final[list[CountedTable]] = []


def live_table() -> Any:  # noqa: ANN401 - a table of either core
    """Return a new table of nodes by their keys, each found while it lives."""
    if not COMPILED:
        return WeakValueDictionary()
    _counted.append(CountedTable())
    return _counted[-1]


def forget_dead() -> None:
    """Forget, in all tables, the nodes that only tables hold.

    A node holds its parts, so those are forgotten after it.
    """
    while sum(table.forget() for table in _counted):
        pass
