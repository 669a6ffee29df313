"""The hooks of the smart constructors: a simpler form, or None."""

from __future__ import annotations

from pelican.engine.simplify import as_divisor, floordiv, modulo, scaled, sum_of
from pelican.questions.query import flatten
from pelican.tree.arguments import as_expr, as_int
from pelican.tree.build import plain, scale
from pelican.tree.kinds import CLASSES, MULT, SUM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.core.given import Integer, Operand
    from pelican.expr.node import Expr


def exact_div(expr: Expr, n: Integer) -> Expr | None:
    """Return an expression divided by n, or None if a coefficient is no multiple.

    Raises:
        DivisorError: If n is below 1.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(exact_div(12 * i + 8, 4), exact_div(12 * i + 6, 4))
    3*i + 2 None
    """
    divisor = as_divisor(n, "exact_div")
    terms, offset = flatten(expr)
    if offset % divisor or any(c % divisor for _, c in terms):
        return None
    return sum_of([*(c // divisor * term for term, c in terms), offset // divisor])


def replace_exact_div(
    expr: Expr, part: Operand, by: Operand, n: Integer
) -> Expr | None:
    """Return the sum with ``c * part`` as ``(c / n) * by``; None if n divides no c.

    Raises:
        DivisorError: If n is below 1.
    """
    divisor = as_divisor(n, "replace_exact_div")
    terms, _ = flatten(expr)
    old = as_expr(part)
    coefficient = dict(terms).get(old, 0)
    if coefficient % divisor:
        return None
    change = [scale(old, -coefficient), scale(as_expr(by), coefficient // divisor)]
    return sum_of([expr, *change])


def simplify_floordiv(expr: Expr, denom: Integer) -> Expr | None:
    """Return the simplified floordiv, or None if the plain node is simplest."""
    n = as_divisor(denom, "floordiv")
    return _simpler(floordiv(expr, n), plain("//", expr, n))


def simplify_mod(expr: Expr, denom: Integer) -> Expr | None:
    """Return the simplified mod, or None if the plain node is simplest."""
    n = as_divisor(denom, "mod")
    return _simpler(modulo(expr, n), plain("%", expr, n))


def simplify_mult(expr: Expr, factor: Integer) -> Expr | None:
    """Return the simplified product, or None if the plain node is simplest."""
    return _simpler(scaled(expr, as_int(factor)), CLASSES[MULT](expr, factor))


def simplify_add(expr: Expr, value: Integer) -> Expr | None:
    """Return the simplified sum, or None if the plain node is simplest."""
    return _simpler(sum_of((expr, value)), CLASSES[SUM]((expr, value)))


def _simpler(smart: Expr, plain_node: Expr) -> Expr | None:
    return None if smart == plain_node else smart
