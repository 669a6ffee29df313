"""Bounds of an expression that hold for all values of some of its indices."""

from __future__ import annotations

from pelican.engine.simplify import floordiv, scaled, sum_of
from pelican.engine.special import cc_div
from pelican.errors import IndexRangeError, OperandError
from pelican.questions.substitute import canonicalized
from pelican.tree.arguments import as_tuple
from pelican.tree.kinds import (
    CC_DIV,
    FLOORDIV,
    constant,
    is_affine,
    is_collective,
    is_divlike,
    is_expr,
    is_index,
    is_leaf,
    is_mult,
    is_sum,
)
from pelican.tree.printing import brief_text
from pelican.tree.traverse import postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pelican.expr.node import Expr

    Ends = tuple[Expr | None, Expr | None]


def project_max(expr: Expr, eliminated: Iterable[Expr]) -> Expr:
    """Return an upper bound of an expression, without some indices.

    Raises:
        IndexRangeError: If it has no upper bound.
        OperandError: If one of them is no index and no opaque value.
    """
    return _end(expr, eliminated, 1)


def project_min(expr: Expr, eliminated: Iterable[Expr]) -> Expr:
    """Return a lower bound of an expression, without some indices.

    Raises:
        IndexRangeError: If it has no lower bound.
        OperandError: If one of them is no index and no opaque value.
    """
    return _end(expr, eliminated, 0)


def _end(expr: Expr, eliminated: Iterable[Expr], side: int) -> Expr:
    given = as_tuple(eliminated, "a list of indices is needed")
    for idx in given:
        if not is_expr(idx) or not (is_index(idx) or is_leaf(idx)):
            raise OperandError(
                f"only an index can be eliminated, got {brief_text(idx)}"
            )
    gone = frozenset(given)
    whole = canonicalized(expr)  # like terms are one, so that i - i is 0
    ends: dict[int, Ends] = {}
    for node in postorder(whole):
        ends[id(node)] = _ends(node, gone, ends)
    found = ends[id(whole)][side]
    if found is None:
        names = ", ".join(sorted(brief_text(idx) for idx in gone))
        end = "upper" if side else "lower"
        raise IndexRangeError(
            f"{brief_text(expr)} has no {end} bound over all values of {names}"
        )
    return found


def _ends(node: Expr, gone: frozenset[Expr], ends: Mapping[int, Ends]) -> Ends:
    """Return lower and upper bounds of a node; None is unbounded."""
    if node in gone:
        return _constants(node)
    below = [ends[id(part)] for part in node.parts]
    unchanged = zip(below, node.parts, strict=True)
    if all(low is part and high is part for (low, high), part in unchanged):
        return node, node
    if is_affine(node):
        scaled = [_scaled(e, c) for e, (_, c) in zip(below, node.terms, strict=True)]
        free = constant(node.constant)
        return _summed([*scaled, (free, free)])
    if is_sum(node):
        return _summed(below)
    if is_mult(node):
        return _scaled(below[0], node.scale)
    if node.kind in {FLOORDIV, CC_DIV}:
        low, high = (None if e is None else _divided(node, e) for e in below[0])
        return low, high
    return _constants(node)


def _constants(node: Expr) -> Ends:
    low, high = node.range.lo, node.range.hi
    return (
        None if low is None else constant(low),
        None if high is None else constant(high),
    )


def _summed(parts: list[Ends]) -> Ends:
    lows = [low for low, _ in parts if low is not None]
    highs = [high for _, high in parts if high is not None]
    return (
        sum_of(lows) if len(lows) == len(parts) else None,
        sum_of(highs) if len(highs) == len(parts) else None,
    )


def _scaled(ends: Ends, factor: int) -> Ends:
    if factor == 0:
        return constant(0), constant(0)
    low, high = (None if end is None else scaled(end, factor) for end in ends)
    return (low, high) if factor > 0 else (high, low)


def _divided(node: Expr, numer: Expr) -> Expr:
    if is_collective(node):
        return cc_div(numer, node.denom, node.group)
    if is_divlike(node):
        return floordiv(numer, node.denom)
    raise TypeError(node.kind)
