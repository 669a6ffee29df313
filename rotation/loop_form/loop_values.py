"""Values and trips of one loop: trip k of ``for i in [lo, hi) step s`` is lo + k*s."""

from __future__ import annotations

from typing import TypeVar

from pelican.expr import SimpleExpr
from pelican.expr.node import Expr
from rotation.columns import Ints

Number = TypeVar("Number", int, Ints, Expr)


def first_value(index: SimpleExpr) -> int:
    """Return the value of a loop in its first trip; every loop has one.

    >>> from pelican import index
    >>> first_value(index("i", 3, 9))
    3
    """
    return index.lo or 0


def value_at(index: SimpleExpr, trip: Number) -> Number:
    """Return the value of a loop in a trip, or in each of some; first is trip 0.

    >>> from pelican import index
    >>> value_at(index("i", 3, 9, 2), 2)
    7
    """
    return first_value(index) + trip * index.step


def trip_at(index: SimpleExpr, value: Expr) -> Expr:
    """Return the trip in which a loop has a value, or begins to be above it.

    >>> from pelican import index
    >>> i = index("i", 3, 9, 2)
    >>> print(trip_at(i, i), trip_at(i, i + 2))  # i is odd
    (i - 3) floordiv 2 i floordiv 2
    """
    return (value - first_value(index)) // index.step
