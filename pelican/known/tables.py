"""Tables of values: what an expression is at each point of a few small indices.

A table over indices is exact: it lists the value at each point of their product, so
that parts which vary together stay together. Where the points are too many, a plain
set of values is left: every value is in it, and perhaps more.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from pelican.expr import SimpleExpr


MAX_VALUES: Final = 64
"""Most points of a table, and most members of a set."""

MAX_PAIRS: Final = 256
"""Most pairs of members that are combined into a set."""

MAX_PARTS: Final = 64
"""Most nodes under a node with a table: deeper, tables would cost more than nodes."""


class Table:
    """The values of an expression, exact over `leaves`, or a set that holds them.

    Attributes:
        leaves: The indices of the points; None for a plain set.
        values: The value at each point, the last index running fastest; for a set,
            its members in ascending order.
        parts: Number of nodes that it was made of.
    """

    __slots__ = ("leaves", "parts", "values")

    def __init__(
        self,
        leaves: tuple[SimpleExpr, ...] | None,
        values: tuple[int, ...],
        parts: int = 1,
    ) -> None:
        self.leaves = leaves
        self.values = values
        self.parts = parts

    @property
    def members(self) -> tuple[int, ...]:
        """The distinct values in ascending order."""
        return self.values if self.leaves is None else tuple(sorted(set(self.values)))

    def map(self, function: Callable[[int], int]) -> Table | None:
        """Return the table of a function of the values; None if it is too deep."""
        if self.parts >= MAX_PARTS:
            return None
        values = tuple(map(function, self.values))
        if self.leaves is None:
            values = tuple(sorted(set(values)))
        return Table(self.leaves, values, self.parts + 1)

    def join(self, other: Table, function: Callable[[int, int], int]) -> Table | None:
        """Return the table of a function of two values; None if it is too large."""
        parts = self.parts + other.parts + 1
        if parts > MAX_PARTS:
            return None
        if self.leaves is not None and other.leaves is not None:
            leaves = tuple(dict.fromkeys((*self.leaves, *other.leaves)))
            if _points(leaves) <= MAX_VALUES:
                pairs = zip(self._over(leaves), other._over(leaves), strict=True)
                return Table(leaves, tuple(function(a, b) for a, b in pairs), parts)
        lefts, rights = self.members, other.members
        if len(lefts) * len(rights) > MAX_PAIRS:
            return None
        found = {function(a, b) for a in lefts for b in rights}
        return set_of(found, parts)

    def _over(self, leaves: tuple[SimpleExpr, ...]) -> tuple[int, ...]:
        """Return the value at each point of more indices."""
        if self.leaves is None or self.leaves == leaves:
            return self.values
        places = [0]
        for leaf in leaves:
            pace = 0
            if leaf in self.leaves:
                pace = _points(self.leaves[self.leaves.index(leaf) + 1 :])
            trips = range(leaf.trip_count)
            places = [place + pace * trip for place in places for trip in trips]
        return tuple(self.values[place] for place in places)


NO_TABLE: Final = Table(None, ())
"""What a node without a table keeps."""


def _points(leaves: tuple[SimpleExpr, ...]) -> int:
    total = 1
    for leaf in leaves:
        total *= leaf.trip_count
    return total


def set_of(values: Iterable[int], parts: int = 1) -> Table | None:
    """Return the set of some values, or None if they are too many."""
    members = tuple(sorted(set(values)))
    return Table(None, members, parts) if len(members) <= MAX_VALUES else None


def table_of_leaf(leaf: SimpleExpr) -> Table | None:
    """Return the values of an index in order, or None if they are too many."""
    if leaf.lo is None or leaf.hi is None:
        return None
    if leaf.hi - leaf.lo > MAX_VALUES * leaf.step:
        return None
    return Table((leaf,), tuple(range(leaf.lo, leaf.hi, leaf.step)))
