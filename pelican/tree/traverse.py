"""Walks over expressions, without recursion: a depth of 100,000 is fine.

An expression is a graph that may share parts. Every walk visits a shared part once.
"""

from __future__ import annotations

from pelican.errors import OperandError
from pelican.integers import brief_value
from pelican.tree.kinds import (
    AFFINE,
    AP_INDEX,
    CC_DIV,
    CC_MOD,
    FLOORDIV,
    ICMP,
    LEAF_KINDS,
    MODULO,
    MULT,
    SUM,
    TILED_AP_INDEX,
    is_expr,
    is_leaf,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Final

    from pelican.expr import (
        AffineExpr,
        APIndex,
        DivLikeExpr,
        ICmpExpr,
        MultExpr,
        SimpleExpr,
        SumExpr,
        TiledAPIndex,
    )
    from pelican.expr.node import Expr


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
    _must_be_expr(root)
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


def _must_be_expr(root: object) -> None:
    if not is_expr(root):
        raise OperandError(f"an expression is needed, got {brief_value(root)}")


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
    _must_be_expr(expr)
    stack = [(expr, False)]
    while stack:
        node, is_ready = stack.pop()
        if id(node) in value:  # known from outside, or a part of two wholes
            continue
        rule = _VALUES.get(node.kind)
        if rule is not None and not is_ready:
            stack.append((node, True))
            for part in reversed(node.parts):
                if id(part) not in value:
                    stack.append((part, False))  # noqa: PERF401 - a list costs more
            continue
        if look is not None:
            look()
        value[id(node)] = leaf(node) if rule is None else rule(node, value)
    return value[id(expr)]


def _total(node: AffineExpr, value: dict[int, Any]) -> Any:  # noqa: ANN401
    total: Any = node.constant
    for idx, coefficient in node.terms:
        term = value[id(idx)]
        total = total + (term if coefficient == 1 else coefficient * term)
    return total


def _sum(node: SumExpr, value: dict[int, Any]) -> Any:  # noqa: ANN401
    total = value[id(node.operands[0])]
    for part in node.operands[1:]:
        total = total + value[id(part)]
    return total


def _scaled(node: MultExpr, value: dict[int, Any]) -> Any:  # noqa: ANN401
    return node.scale * value[id(node.operand)]


def _quotient(node: DivLikeExpr, value: dict[int, Any]) -> Any:  # noqa: ANN401
    return value[id(node.numer)] // node.denom


def _remainder(node: DivLikeExpr, value: dict[int, Any]) -> Any:  # noqa: ANN401
    return value[id(node.numer)] % node.denom


def _of_child(node: APIndex | TiledAPIndex, value: dict[int, Any]) -> Any:  # noqa: ANN401
    return node.value_of(value[id(node.child)])


def _indicator(node: ICmpExpr, value: dict[int, Any]) -> Any:  # noqa: ANN401
    """Return 1 where a comparison holds, else 0."""
    difference = value[id(node.lhs)] - value[id(node.rhs)]
    own = getattr(difference, "indicator", None)
    if own is not None:
        return own(node.compare_op)
    return 1 * (difference >= 0 if node.compare_op == ">=" else difference == 0)


_VALUES: Final[dict[int, Callable[[Any, dict[int, Any]], Any]]] = {
    AFFINE: _total,
    SUM: _sum,
    MULT: _scaled,
    FLOORDIV: _quotient,
    CC_DIV: _quotient,
    MODULO: _remainder,
    CC_MOD: _remainder,
    AP_INDEX: _of_child,
    TILED_AP_INDEX: _of_child,
    ICMP: _indicator,
}
"""The value of a node of each kind, from those of its parts; others are leaves."""


def indices(expr: Expr) -> tuple[SimpleExpr, ...]:
    """Return the distinct leaves of an expression, in term order.

    These are the indices and opaque values whose values decide that of the
    expression; the indices of access patterns follow from them.
    """
    found = {node: None for node in postorder(expr) if is_leaf(node)}
    return tuple(sorted(found, key=lambda leaf: leaf.order_key))
