"""The kinds of expressions, their numbers, and the class of each.

The numbers are those of the modelled system, which docs/trust.md defines. The modules
below the classes read and build nodes through this table: `CLASSES` is filled by the
classes themselves when they are defined, so that nothing below them imports them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeGuard

    from pelican.expr import (
        AffineExpr,
        AffineIdx,
        FloorDivExpr,
        ModuloExpr,
        MultExpr,
        SumExpr,
    )
    from pelican.node import Expr

AFFINE_IV: Final = 6
SYMBOLIC_IDX: Final = 12
AFFINE: Final = 17
SUM: Final = 18
MULT: Final = 23
FLOORDIV: Final = 25
MODULO: Final = 26

INDEX_KINDS: Final = range(6, 14)
"""The kinds of the index family."""

CLASSES: dict[int, Any] = {}
"""The class of each kind; calling it builds the plain node."""


def is_expr(value: object) -> TypeGuard[Expr]:
    """Tell whether a value is an expression."""
    return CLASSES.get(getattr(value, "kind", 0)) is type(value)


def is_index(expr: Expr) -> TypeGuard[AffineIdx]:
    """Tell whether an expression is a bare index."""
    return expr.kind in INDEX_KINDS


def is_affine(expr: Expr) -> TypeGuard[AffineExpr]:
    """Tell whether an expression is an affine node; a constant is one."""
    return expr.kind == AFFINE


def is_sum(expr: Expr) -> TypeGuard[SumExpr]:
    """Tell whether an expression is a sum node."""
    return expr.kind == SUM


def is_mult(expr: Expr) -> TypeGuard[MultExpr]:
    """Tell whether an expression is a scaled node."""
    return expr.kind == MULT


def is_divlike(expr: Expr) -> TypeGuard[FloorDivExpr | ModuloExpr]:
    """Tell whether an expression is a floordiv or a mod."""
    return expr.kind in {FLOORDIV, MODULO}


def is_modulo(expr: Expr) -> TypeGuard[ModuloExpr]:
    """Tell whether an expression is a mod."""
    return expr.kind == MODULO


def is_constant(expr: Expr) -> TypeGuard[AffineExpr]:
    """Tell whether an expression is a constant: an affine node without terms."""
    return is_affine(expr) and not expr.terms


def constant(value: int) -> Expr:
    """Return the expression of an integer."""
    node: Expr = CLASSES[AFFINE]((), value)
    return node
