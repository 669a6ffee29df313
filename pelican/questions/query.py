"""Questions about an expression: its leaves, its terms, what it holds."""

from __future__ import annotations

from pelican.engine.simplify import as_divisor, sum_of
from pelican.errors import OperandError
from pelican.tree.arguments import as_expr
from pelican.tree.flat import weights
from pelican.tree.kinds import (
    RUNTIME_KINDS,
    is_ap_index,
    is_constant,
    is_expr,
    is_index,
    is_mult,
    is_sum,
)
from pelican.tree.kinds import is_affine as is_affine_node
from pelican.tree.order import term_key
from pelican.tree.printing import brief_text
from pelican.tree.traverse import indices, postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.core.given import Operand
    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr

    Flat = tuple[tuple[tuple[Expr, int], ...], int]


def const(expr: Expr) -> int:
    """Return the integer of a constant.

    Raises:
        OperandError: If the expression is none.
    """
    if is_constant(expr):
        return expr.constant
    raise OperandError(f"{brief_text(expr)} is no constant", hint="ask is_const first")


def divides(n: Expr | int, expr: Expr | int) -> bool:
    """Tell whether every value of an expression is known to be a multiple of n.

    False means "not known": some value may be a multiple.

    Args:
        n: An integer >= 1.
        expr: An expression or an integer.

    Raises:
        DivisorError: If n is below 1.
        OperandError: If `expr` is no expression and no integer.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64, 4), index("j")
    >>> divides(4, i + 8 * j), divides(8, i + 8 * j), divides(2, 3)
    (True, False, False)
    """
    return as_expr(expr).stride.is_multiple_of(as_divisor(n, "divides"))


def is_affine(expr: Expr) -> bool:
    """Tell whether a tree is made of sums and multiples of indices and constants."""
    stack, seen = [expr], set()
    while stack:
        node = stack.pop()
        if id(node) in seen or is_index(node) or is_affine_node(node):
            continue
        if not (is_sum(node) or is_mult(node)):
            return False
        seen.add(id(node))
        stack.extend(node.parts)
    return True


def flatten(expr: Expr) -> Flat:
    """Return the (term, coefficient) pairs of a sum, in term order, and its constant.

    Equal terms are added up, and dropped where they cancel.
    """
    terms, offset = weights(expr)
    total: dict[Expr, int] = {}
    for term, coefficient in terms:
        total[term] = total.get(term, 0) + coefficient
    ordered = sorted(total, key=term_key)
    return tuple((term, total[term]) for term in ordered if total[term]), offset


def index_leaves(expr: Expr) -> tuple[AffineIdx, ...]:
    """Return the distinct indices that decide the value, in term order."""
    return tuple(leaf for leaf in indices(expr) if is_index(leaf))


def has_runtime_value(expr: Expr) -> bool:
    """Tell whether a value that is read when the program runs is part of it."""
    return any(node.kind in RUNTIME_KINDS for node in postorder(expr))


def has_index(expr: Expr, idx: object) -> bool:
    """Tell whether an index is part of an expression.

    Raises:
        OperandError: If `idx` is no index.
    """
    if not is_expr(idx) or not is_index(idx):
        raise OperandError(f"has_index needs an index, got {brief_text(idx)}")
    return contains(expr, idx)


def contains(expr: Expr, part: Operand) -> bool:
    """Tell whether an expression is a subtree of another, or the other."""
    wanted = as_expr(part)
    return any(node == wanted for node in postorder(expr))


def max_loop_depth(expr: Expr) -> int:
    """Return the depth of the innermost loop whose index is part of it, or -1."""
    return max((leaf.depth for leaf in indices(expr)), default=-1)


def ap_split(expr: Expr) -> tuple[Expr, Expr]:
    """Return the sum without access pattern terms, and the sum of those terms."""
    terms, offset = flatten(expr)
    dropped: list[Expr | int] = [offset]
    kept: list[Expr | int] = []
    for term, coefficient in terms:
        inside = any(is_ap_index(node) for node in postorder(term))
        (kept if inside else dropped).append(coefficient * term)
    return sum_of(dropped), sum_of(kept)


def ap_linear(expr: Expr) -> Expr:
    """Return the multiples of indices of access patterns in a sum."""
    terms, _ = flatten(expr)
    return sum_of([c * term for term, c in terms if is_ap_index(term)])
