"""Walks over expressions, without recursion: a depth of 100,000 is fine.

An expression is a graph that may share parts. Every walk visits a shared part once.
"""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.integers import brief_value
from pelican.kinds import (
    AFFINE,
    CC_MOD,
    LEAF_KINDS,
    MODULO,
    is_affine,
    is_ap_index,
    is_collective,
    is_comparison,
    is_divlike,
    is_expr,
    is_leaf,
    is_mult,
    is_sum,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Final

    from pelican.expr import SimpleExpr
    from pelican.node import Expr


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct parts of a node, in order; a leaf has none.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> children(4 * i + 3)
    (index('i', 0, 64),)
    """
    return expr.parts


def postorder(
    root: Expr, *, done: Callable[[Expr], bool] | None = None
) -> Iterator[Expr]:
    """Yield each distinct node once, parts before wholes, the root last.

    Args:
        root: Where to start.
        done: Nodes for which this is true are left out, with all that only they
            reach; used to stop at parts whose result is cached.

    Raises:
        OperandError: If the root is no expression.
    """
    if not is_expr(root):
        raise OperandError(f"an expression is needed, got {brief_value(root)}")
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


SHALLOW: Final = LEAF_KINDS | {AFFINE}
"""The kinds whose parts are indices, or none."""


def unfinished(root: Expr, done: Callable[[Expr], bool]) -> Iterable[Expr]:
    """Return what `postorder` yields; at little cost where all parts are done.

    A leaf or an affine node among the parts is left out: who asks for it finishes it.
    """
    for part in root.parts:
        if part.kind not in SHALLOW and not done(part):
            return postorder(root, done=done)
    return (root,)


def fold(
    expr: Expr,
    leaf: Callable[[Any], Any],
    known: Mapping[int, Any] | None = None,
    *,
    look: Callable[[], None] | None = None,
) -> Any:  # noqa: ANN401
    """Return the value of an expression by Python operators.

    Args:
        expr: Any expression.
        leaf: Value of each leaf: an integer, a numpy array of integers, or whatever
            has floored ``//`` and ``%``, and ``indicator`` or comparisons.
        known: Values of some nodes, by `id`; their parts are not looked at.
        look: Called before each node is computed; what it raises ends the walk.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> fold((4 * i + 3) % 8, {i: 5}.get)
    7
    """
    value: dict[int, Any] = dict(known or {})
    return _folded(expr, leaf, value, look)


def fold_all(
    exprs: Iterable[Expr],
    leaf: Callable[[Any], Any],
    *,
    look: Callable[[], None] | None = None,
) -> list[Any]:
    """Return the values of several expressions, parts they share being visited once.

    Args:
        exprs: Any expressions.
        leaf: As in `fold`.
        look: As in `fold`.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> fold_all([4 * i, (4 * i + 3) % 8], {i: 5}.get)
    [20, 7]
    """
    value: dict[int, Any] = {}
    return [_folded(expr, leaf, value, look) for expr in exprs]


def _folded(
    expr: Expr,
    leaf: Callable[[Any], Any],
    value: dict[int, Any],
    look: Callable[[], None] | None,
) -> Any:  # noqa: ANN401
    for node in postorder(expr, done=lambda n: id(n) in value):
        if look is not None:
            look()
        value[id(node)] = _apply(node, value, leaf)
    return value[id(expr)]


def _apply(node: Expr, value: dict[int, Any], leaf: Callable[[Any], Any]) -> Any:  # noqa: ANN401
    if is_leaf(node):
        return leaf(node)
    if is_affine(node):
        return sum((c * value[id(idx)] for idx, c in node.terms), node.constant)
    if is_sum(node):
        return sum((value[id(part)] for part in node.operands), 0)
    if is_mult(node):
        return node.scale * value[id(node.operand)]
    if is_divlike(node) or is_collective(node):
        numer = value[id(node.numer)]
        mod = node.kind in {MODULO, CC_MOD}
        return numer % node.denom if mod else numer // node.denom
    if is_ap_index(node):
        return node.value_of(value[id(node.child)])
    if is_comparison(node):
        return _indicator(node.compare_op, value[id(node.lhs)] - value[id(node.rhs)])
    raise TypeError(node.kind)


def _indicator(comparison: str, difference: Any) -> Any:  # noqa: ANN401
    """Return 1 where a difference compares with 0 as said, else 0."""
    own = getattr(difference, "indicator", None)
    if own is not None:
        return own(comparison)
    return 1 * (difference >= 0 if comparison == ">=" else difference == 0)


def indices(expr: Expr) -> tuple[SimpleExpr, ...]:
    """Return the distinct leaves of an expression, in term order.

    These are the indices and opaque values whose values decide that of the
    expression; the indices of access patterns follow from them.
    """
    found = {node: None for node in postorder(expr) if is_leaf(node)}
    return tuple(sorted(found, key=lambda leaf: leaf.order_key))
