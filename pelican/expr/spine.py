"""The two sides of the family of expressions: leaves, and what is made of parts."""

from __future__ import annotations

from pelican.errors import IndexRangeError
from pelican.expr.node import Expr
from pelican.integers import brief, half_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    Rank = tuple[Any, ...]


class SimpleExpr(Expr):
    """A leaf: it has a name, and stands for the values ``lo, lo + step, ... < hi``.

    Attributes:
        name: What it is called in text; several leaves may share a name.
        lo: Least value; None is unbounded.
        hi: Exclusive end; None is unbounded.
        step: Distance of the values, >= 1.
        order_key: Place in the order of terms: (loop depth, name, tie breaker).
    """

    __slots__ = ("hi", "lo", "name", "order_key", "step")

    name: str
    lo: int | None
    hi: int | None
    step: int
    order_key: Rank

    @classmethod
    def built(cls, own: tuple[Any, ...], parts: tuple[Expr, ...]) -> Self:
        """Return the leaf with the given fields; it has no parts."""
        del parts
        return cls(*own)

    def _init_leaf(self, values: tuple[int | None, int | None, int]) -> None:
        low, high, step = values
        object.__setattr__(self, "lo", low)
        object.__setattr__(self, "hi", high)
        object.__setattr__(self, "step", step)

    def _init_place(self, depth: int, name: str, tie: int) -> None:
        """Set the name, the place in the order of terms, and the hash from it."""
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "order_key", (depth, name, tie))
        self.keep_hash(hash((self.kind, depth, text_hash(name), tie)))

    def _rename(self, name: str) -> None:
        """Set the name that text shows."""
        object.__setattr__(self, "name", name)

    @property
    def lead(self) -> Rank:
        """Its own rank."""
        return self.order_key

    @property
    def depth(self) -> int:
        """Number of loops around it; -1 if it does not vary in any loop."""
        depth: int = self.order_key[0]
        return depth

    @property
    def trip_count(self) -> int:
        """Number of its values.

        Raises:
            IndexRangeError: If the range is unbounded.
        """
        if self.lo is None or self.hi is None:
            raise IndexRangeError(
                f"{self.describe()} has no trip count",
                hint="only an index with both ends has: index(name, lo, hi)",
            )
        return -(-(self.hi - self.lo) // self.step)

    def _label(self) -> str:
        """Return what messages call it."""
        return self.name

    def values_text(self) -> str:
        """Return the values, as they are declared.

        >>> from pelican import index
        >>> index("i", 0, 64, 4).values_text()
        '[0, 64) step 4'
        """
        step = f" step {brief(self.step)}" if self.step > 1 else ""
        return half_open(self.lo, self.hi) + step

    def describe(self) -> str:
        """Return the name with the values, as it is declared."""
        return f"{self._label()} in {self.values_text()}"


class CompoundExpr(Expr):
    """An expression that is made of parts."""

    __slots__ = ()


class BinaryExpr(CompoundExpr):
    """An expression and an integer."""

    __slots__ = ()


def text_hash(text: str) -> int:
    """Return a hash that is the same in every run, unlike that of a str."""
    return hash(int.from_bytes(text.encode(), "big"))
