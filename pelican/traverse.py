"""Walks over expressions, without recursion: a depth of 100,000 is fine.

An expression is a graph that may share parts. Every walk visits a shared part once.
"""

from __future__ import annotations

from pelican.kinds import MODULO, is_affine, is_divlike, is_index, is_mult, is_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from pelican.expr import AffineIdx
    from pelican.node import Expr


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct parts of a node, in order; an index has none.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> children(4 * i + 3)
    (index('i', 0, 64),)
    """
    if is_affine(expr):
        return tuple(idx for idx, _ in expr.terms)
    if is_sum(expr):
        return expr.operands
    if is_mult(expr):
        return (expr.operand,)
    if is_divlike(expr):
        return (expr.numer,)
    return ()


def postorder(
    root: Expr, *, done: Callable[[Expr], bool] | None = None
) -> Iterator[Expr]:
    """Yield each distinct node once, parts before wholes, the root last.

    Args:
        root: Where to start.
        done: Nodes for which this is true are left out, with all that only they
            reach; used to stop at parts whose result is cached.
    """
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
            continue
        if id(node) in seen or (done is not None and done(node)):
            continue
        seen.add(id(node))
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(children(node)))


def fold(expr: Expr, leaf: Callable[[AffineIdx], Any]) -> Any:  # noqa: ANN401
    """Return the value of an expression by Python operators.

    Args:
        expr: Any expression.
        leaf: Value of each index: an integer, a numpy array of integers, or
            whatever has floored ``//`` and ``%``.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> fold((4 * i + 3) % 8, {i: 5}.get)
    7
    """
    value: dict[int, Any] = {}
    for node in postorder(expr):
        value[id(node)] = _apply(node, value, leaf)
    return value[id(expr)]


def _apply(node: Expr, value: dict[int, Any], leaf: Callable[[AffineIdx], Any]) -> Any:  # noqa: ANN401
    if is_index(node):
        return leaf(node)
    if is_affine(node):
        return sum((c * value[id(idx)] for idx, c in node.terms), node.constant)
    if is_sum(node):
        return sum((value[id(part)] for part in node.operands), 0)
    if is_mult(node):
        return node.scale * value[id(node.operand)]
    if is_divlike(node):
        numer = value[id(node.numer)]
        return numer % node.denom if node.kind == MODULO else numer // node.denom
    raise TypeError(node.kind)


def indices(expr: Expr) -> tuple[AffineIdx, ...]:
    """Return the distinct indices of an expression, in term order."""
    found = [node for node in postorder(expr) if is_index(node)]
    return tuple(sorted(found, key=lambda idx: idx.order_key))
