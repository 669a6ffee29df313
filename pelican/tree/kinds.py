"""The kinds of expressions, their numbers, and the class of each.

The numbers are those of the modelled system, which docs/trust.md defines. The modules
below the classes read and build nodes through this table: `CLASSES` is filled by
`pelican.expr`, so that nothing below the classes imports them.
"""

from __future__ import annotations

from pelican.core import makers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TypeGuard

    from pelican.expr import (
        AffineExpr,
        AffineIdx,
        APIndex,
        CCDivExpr,
        CCModExpr,
        FloorDivExpr,
        ICmpExpr,
        ModuloExpr,
        MultExpr,
        OpaqueFnExpr,
        SimpleExpr,
        SumExpr,
        TiledAPIndex,
    )
    from pelican.expr.node import Expr

CC_GET_RANK: Final = 2
INDIRECT_ARG: Final = 3
AFFINE_IV: Final = 6
INT_RUNTIME_VALUE: Final = 7
AP_INDEX: Final = 9
TILED_AP_INDEX: Final = 10
SYMBOLIC_IDX: Final = 12
SHARD_ID: Final = 13
AFFINE: Final = 17
SUM: Final = 18
ICMP: Final = 20
MULT: Final = 23
FLOORDIV: Final = 25
MODULO: Final = 26
CC_DIV: Final = 27
CC_MOD: Final = 28

LEAF_KINDS: Final = frozenset(
    {CC_GET_RANK, INDIRECT_ARG, AFFINE_IV, INT_RUNTIME_VALUE, SYMBOLIC_IDX, SHARD_ID}
)
"""The kinds whose value is given from outside."""

RUNTIME_KINDS: Final = frozenset({INDIRECT_ARG, INT_RUNTIME_VALUE})
"""The kinds whose value is known only when the program runs."""

LIVE_KINDS: Final = frozenset(
    {AFFINE_IV, SYMBOLIC_IDX, SHARD_ID, AP_INDEX, TILED_AP_INDEX}
)
"""The indices that are kept in a table of their own while they live."""

DIVLIKE_KINDS: Final = frozenset({FLOORDIV, MODULO})
"""Floordivs and mods, and no collectives."""

AP_KINDS: Final = frozenset({AP_INDEX, TILED_AP_INDEX})
"""The indices of access patterns: each follows from another index."""

CLASSES: dict[int, Any] = {}
"""The class of each kind; calling it builds the plain node."""

TYPES: set[type] = set()
"""The classes of `CLASSES`."""


def is_expr(value: object) -> TypeGuard[Expr]:
    """Tell whether a value is an expression."""
    return type(value) in TYPES


def is_index(expr: Expr) -> TypeGuard[AffineIdx]:
    """Tell whether an expression is a bare index."""
    return AFFINE_IV <= expr.kind <= SHARD_ID


def is_leaf(expr: Expr) -> TypeGuard[SimpleExpr]:
    """Tell whether an expression is a leaf whose value is given from outside."""
    return expr.kind in LEAF_KINDS


def is_opaque(expr: Expr) -> TypeGuard[OpaqueFnExpr]:
    """Tell whether an expression is a value that compilation knows nothing of."""
    return expr.kind in {CC_GET_RANK, INDIRECT_ARG}


def is_ap_index(expr: Expr) -> TypeGuard[APIndex | TiledAPIndex]:
    """Tell whether an expression is an index of an access pattern."""
    return expr.kind in AP_KINDS


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
    """Tell whether an expression is a floordiv or a mod, and no collective."""
    return expr.kind in DIVLIKE_KINDS


def is_collective(expr: Expr) -> TypeGuard[CCDivExpr | CCModExpr]:
    """Tell whether an expression is a division of a rank by a group size."""
    return expr.kind in {CC_DIV, CC_MOD}


def is_comparison(expr: Expr) -> TypeGuard[ICmpExpr]:
    """Tell whether an expression is a comparison."""
    return expr.kind == ICMP


def is_modulo(expr: Expr) -> TypeGuard[ModuloExpr]:
    """Tell whether an expression is a mod."""
    return expr.kind == MODULO


def is_floordiv(expr: Expr) -> TypeGuard[FloorDivExpr]:
    """Tell whether an expression is a floordiv."""
    return expr.kind == FLOORDIV


def is_constant(expr: Expr) -> TypeGuard[AffineExpr]:
    """Tell whether an expression is a constant: an affine node without terms."""
    return is_affine(expr) and not expr.terms


def constant(value: int) -> Expr:
    """Return the expression of an integer."""
    kept = _small.get(value)
    if kept is not None:
        return kept
    node = makers.new_affine((), value)
    if -1 <= value <= MAX_KEPT:
        _small[value] = node
    return node


MAX_KEPT: Final = 16
"""The constants from -1 to this one are one node each."""

_small: Final[dict[int, Expr]] = {}
