"""Trip numbers of loop nests: which iteration, counted and shown."""

from __future__ import annotations

from itertools import takewhile

from pelican.expr import AffineExpr, AffineIdx
from pelican.expr.node import Expr
from pelican.tree.points import point_text
from rotation.loop_form.kernel import Loop
from rotation.loop_form.loop_values import trip_at, value_at


def linear_trip(loops: tuple[Loop, ...]) -> Expr:
    """Return the linear trip number of a nest: 0, 1, 2, ... in source order.

    It is ``(i - lo) floordiv step`` of each loop, outermost first, in mixed radix.
    The instances of an unrolled program are numbered by it, and the slots of the ring
    plan are its remainders.

    >>> from pelican import index
    >>> print(linear_trip(tuple(Loop(index(name, 0, 4), ()) for name in "ij")))
    4*i + j
    """
    trip: Expr = AffineExpr((), 0)
    for depth, loop in enumerate(loops):
        index = loop.index
        own = trip_at(index, index)
        # The outermost loop may have any number of trips.
        trip = trip * loop.trip_count + own if depth else own
    return trip


def common_loops(one: tuple[Loop, ...], other: tuple[Loop, ...]) -> tuple[Loop, ...]:
    """Return the loops around both of two places, from the outermost in.

    >>> from pelican import index
    >>> i, j, k = (Loop(index(name, 0, 4), ()) for name in "ijk")
    >>> common_loops((i, j), (i, k)) == (i,)
    True
    """
    both = takewhile(lambda pair: pair[0] is pair[1], zip(one, other, strict=False))
    return tuple(loop for loop, _ in both)


def values_at(loops: tuple[Loop, ...], trip: int) -> dict[AffineIdx, int]:
    """Return the value of each loop of a nest at a linear trip number.

    >>> from pelican import index
    >>> nest = tuple(Loop(index(name, 1, 9, 2), ()) for name in "ij")
    >>> {idx.name: value for idx, value in values_at(nest, 6).items()}
    {'i': 3, 'j': 5}
    """
    values: dict[AffineIdx, int] = {}
    for loop in reversed(loops):
        trip, own = divmod(trip, loop.trip_count)
        values[loop.index] = value_at(loop.index, own)
    return dict(reversed(values.items()))


def place_of(loops: tuple[Loop, ...], trip: int) -> str:
    """Return where a nest is at a linear trip number; empty without loops.

    >>> from pelican import index
    >>> place_of(tuple(Loop(index(name, 1, 9, 2), ()) for name in "ij"), 6)
    ', at i = 3, j = 5'
    """
    at = point_text(values_at(loops, trip))
    return f", at {at}" if at else ""
