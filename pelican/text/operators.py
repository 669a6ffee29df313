"""The operators of the text language, and what each stands for.

The tables are by the names that the grammar gives the operations.
"""

from __future__ import annotations

import operator

from pelican.engine.simplify import floordiv, modulo
from pelican.expr import FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from pelican.tree.kinds import constant, is_constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from pelican.expr.node import Expr


def _raw_sub(left: Expr, right: Expr) -> Expr:
    if is_constant(right):
        return SumExpr((left, -right.constant))
    return SumExpr((left, MultExpr(right, -1)))


def raw_scale(part: Expr, scale: int) -> Expr:
    """Return the plain product of an expression and an integer.

    A factor of -1 is written as a sign, and a signed literal is read as one.
    """
    return _raw_neg(part) if scale == -1 else MultExpr(part, scale)


def _raw_neg(part: Expr) -> Expr:
    return constant(-part.constant) if is_constant(part) else MultExpr(part, -1)


SMART: Final[dict[str, Callable[..., Expr]]] = {
    "group": lambda part: part,
    "neg": operator.neg,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "mod": modulo,
    "floordiv": floordiv,
}
"""The simplified value of each operation."""

RAW: Final[dict[str, Callable[..., Expr]]] = {
    "group": lambda part: part,
    "neg": _raw_neg,
    "add": lambda left, right: SumExpr((left, right)),
    "sub": _raw_sub,
}
"""The plain node of each operation but products and divisions."""

RAW_DIVISIONS: Final = {"mod": ModuloExpr, "floordiv": FloorDivExpr}
"""The plain node of each division, whose divisor is an integer."""

LITERAL: Final[dict[str, Callable[..., int]]] = {
    "group": operator.pos,
    "neg": operator.neg,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "mod": operator.mod,
    "floordiv": operator.floordiv,
}
"""The value of each operation on literals."""
