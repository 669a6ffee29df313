"""Expressions at the points that a question speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pelican.expr import SimpleExpr
from pelican.expr.node import Expr
from pelican.tree.kinds import is_leaf
from pelican.tree.traverse import fold, fold_all, indices, postorder

Leaf = Callable[[SimpleExpr], Any]
"""Returns the value of a leaf: an integer, an array of them, or a solver term."""

Look = Callable[[], None]
"""Is called for each step of a walk, and raises what ends it."""


@dataclass(frozen=True, slots=True)
class Side:
    """An expression at one of the points that a question speaks of.

    Attributes:
        expr: The expression.
        moved: What stands for some of its leaves at that point; other leaves are
            the same at all points.
    """

    expr: Expr
    moved: Mapping[SimpleExpr, Expr] = field(default_factory=dict)

    def value(self, leaf: Leaf, look: Look | None = None) -> Any:  # noqa: ANN401 - as the leaves
        """Return the value, given those of the leaves.

        Args:
            leaf: Returns the value of a leaf; it is asked for those of `leaves` only.
            look: Called before each part is evaluated; what it raises ends the walk.
        """

        def at(idx: SimpleExpr) -> Any:  # noqa: ANN401 - as the leaves
            if idx in self.moved:
                return fold(self.moved[idx], leaf, look=look)
            return leaf(idx)

        return fold(self.expr, at, look=look)

    def leaves(self) -> Iterator[SimpleExpr]:
        """Yield the leaves whose values decide that of the side."""
        for idx in indices(self.expr):
            yield from indices(self.moved[idx]) if idx in self.moved else (idx,)

    def parts(self, seen: set[int]) -> Iterator[Expr]:
        """Yield every part that is evaluated, operands first.

        Args:
            seen: The parts, by `id`, that are left out with all that only they reach;
                those that are yielded are added, unless the side is moved.
        """
        if self.moved:
            for node in postorder(self.expr):
                if is_leaf(node) and node in self.moved:
                    yield from postorder(self.moved[node])
                yield node
            return
        for node in postorder(self.expr, done=lambda part: id(part) in seen):
            seen.add(id(node))
            yield node

    def at(self, point: Mapping[SimpleExpr, int]) -> int:
        """Return the value at a point, by pelican's own evaluation.

        Raises:
            IndexRangeError: If a leaf has no such value.
        """
        values = {
            idx: int(self.moved[idx].eval(point)) if idx in self.moved else point[idx]
            for idx in indices(self.expr)
        }
        return int(self.expr.eval(values))


def values_of(sides: Sequence[Side], leaf: Leaf, look: Look | None = None) -> list[Any]:
    """Return the values of some sides; parts of unmoved ones are visited once.

    Args:
        sides: The sides.
        leaf: As in `Side.value`.
        look: As in `Side.value`.
    """
    unmoved = iter(fold_all([s.expr for s in sides if not s.moved], leaf, look=look))
    return [side.value(leaf, look) if side.moved else next(unmoved) for side in sides]
