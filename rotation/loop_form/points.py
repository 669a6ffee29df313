"""Points of a loop nest: index expressions at many iterations at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

import numpy as np

from pelican.expr import SimpleExpr
from pelican.expr.node import Expr
from pelican.tree.kinds import is_affine, is_divlike, is_mult
from pelican.tree.traverse import fold, indices, postorder
from rotation.columns import Bools, Ints
from rotation.loop_form.joins import arm_mask
from rotation.loop_form.kernel import Arm
from rotation.loop_form.loop_values import value_at
from rotation.loop_form.words import MAX_INTEGER

Columns = dict[SimpleExpr, Ints]
"""The value of each loop at each of p points, (p,)."""


def fits_64_bits(expr: Expr) -> bool:
    """Tell whether 64-bit integers evaluate an expression exactly.

    Sums may wrap around on the way, as long as each whole node fits.

    >>> from pelican import index
    >>> i = index("i", 0, 2**40)
    >>> fits_64_bits(8 * i), fits_64_bits(2**40 * i)
    (True, False)
    """
    for node in postorder(expr):
        numbers: list[int | None] = [node.range.lo, node.range.hi]
        if is_affine(node):
            numbers += [node.constant, *(coefficient for _, coefficient in node.terms)]
        elif is_mult(node):
            numbers.append(node.scale)
        elif is_divlike(node):
            numbers.append(node.denom)
        if any(number is None or abs(number) > MAX_INTEGER for number in numbers):
            return False
    return True


def deciding_exprs(arms: Iterable[Arm]) -> list[Expr]:
    """Return the index expressions that some arms compare."""
    return [
        side.expr
        for arm in arms
        for comparison in arm.choice.comparisons
        for side in (comparison.left, comparison.right)
    ]


def loops_in(exprs: Iterable[Expr]) -> tuple[SimpleExpr, ...]:
    """Return the loops that some expressions use, each once, in their order."""
    return tuple(dict.fromkeys(index for expr in exprs for index in indices(expr)))


def all_values(index: SimpleExpr) -> Ints:
    """Return every value of a loop, ascending."""
    return value_at(index, np.arange(index.trip_count, dtype=np.int64))


def grid(values: Mapping[SimpleExpr, Ints]) -> Columns:
    """Return all points that have one of some values in each loop, the last fastest.

    >>> from pelican import index
    >>> i, j = index("i", 0, 2), index("j", 0, 4, 2)
    >>> columns = grid({i: all_values(i), j: all_values(j)})
    >>> columns[i].tolist(), columns[j].tolist()
    ([0, 0, 1, 1], [0, 2, 0, 2])
    """
    inside = prod(map(len, values.values()))
    linear = np.arange(inside, dtype=np.int64)
    columns: Columns = {}
    for index, own in values.items():
        inside //= len(own)
        columns[index] = own[linear // inside % len(own)]
    return columns


def values_at_points(expr: Expr, columns: Columns, count: int) -> Ints:
    """Return the value of an expression at each of `count` points, (count,)."""
    column = np.asarray(fold(expr, columns.__getitem__), np.int64)
    return np.broadcast_to(column, (count,))


def arms_at_points(arms: Sequence[Arm], columns: Columns, count: int) -> Bools:
    """Return which of `count` points do all of some arms, (count,)."""
    return arm_mask(arms, lambda e: values_at_points(e, columns, count), count)
