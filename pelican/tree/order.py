"""The total order of terms: loop depth, name, creation; never an address.

The order decides how a canonical sum is written, so it depends only on what an
expression is. Two terms are compared by their outermost index first, then by kind,
then part by part.
"""

from __future__ import annotations

from functools import cmp_to_key

from pelican.tree.kinds import is_index
from pelican.tree.traverse import children, unfinished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from pelican.expr.node import Expr


def compare(left: Expr, right: Expr) -> int:
    """Return a negative number, 0 or a positive number, as left is before right.

    0 means that the two are equal.
    """
    if left.lead != right.lead:
        return -1 if left.lead < right.lead else 1
    if left.kind != right.kind:
        return left.kind - right.kind
    return compare_parts(left, right)


def compare_parts(left: Expr, right: Expr) -> int:
    """Compare two expressions node by node; 0 means that they are equal."""
    seen: set[tuple[int, int]] = set()
    stack = [(left, right)]
    while stack:
        a, b = stack.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        own, other = _signature(a), _signature(b)
        if own != other:
            return -1 if own < other else 1
        stack.extend(zip(reversed(children(a)), reversed(children(b)), strict=True))
    return 0


def equal(left: Expr, right: Expr) -> bool:
    """Tell whether two expressions are equal; those that are, remember it."""
    if hash(left) != hash(right) or compare_parts(left, right):
        return False
    mark = left.same or right.same or object()
    left.keep_same(mark)
    right.keep_same(mark)
    return True


def hashed(expr: Expr) -> int:
    """Return the hash of an expression; each node keeps its own."""
    value = 0
    for node in unfinished(expr, _is_hashed):
        value = node.keep_hash(node.own_hash())
    return value


def _is_hashed(node: Expr) -> bool:
    return hasattr(node, "_hash")


term_key: Final[Any] = cmp_to_key(compare)
"""Sort key of terms."""


def _signature(node: Expr) -> tuple[Any, ...]:
    """Return all of a node but its parts, comparable within and across kinds."""
    if is_index(node):
        return (node.kind, *node.order_key, *map(_end, node.fields))
    return (node.kind, len(node.parts), *node.own)


def _end(value: int | None) -> tuple[bool, int]:
    """Return a field of an index as something with an order; unbounded comes first."""
    return (value is not None, value or 0)
