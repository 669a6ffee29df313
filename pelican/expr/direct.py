"""Nodes of parts that need no check, as the compiled core makes them fastest.

A compiled function that calls these calls no Python.
"""

from __future__ import annotations

from pelican.expr.compound import (
    AffineExpr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
)
from pelican.known.congruence import Congruence
from pelican.known.interval import Interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr.compound import Parts
    from pelican.expr.node import Expr
    from pelican.tree.build import Terms


def new_affine(terms: Terms, constant: int) -> AffineExpr:
    """Return the node of distinct terms in term order, and a constant."""
    return AffineExpr(terms, constant, _checked=True)


def new_sum(parts: Parts, divisions: int) -> SumExpr:
    """Return the sum of some parts, with their number of mods and floordivs."""
    return SumExpr(parts, _divisions=divisions)


def new_mult(operand: Expr, scale: int) -> MultExpr:
    """Return an expression times an integer."""
    return MultExpr(operand, scale)


def new_floordiv(numer: Expr, denom: int) -> FloorDivExpr:
    """Return the plain floordiv of an expression and a divisor that need no check."""
    return FloorDivExpr(numer, denom, _checked=True)


def new_modulo(numer: Expr, denom: int) -> ModuloExpr:
    """Return the plain mod of an expression and a divisor that need no check."""
    return ModuloExpr(numer, denom, _checked=True)


def new_interval(lo: int | None, hi: int | None) -> Interval:
    """Return the interval of ends that are in order."""
    return Interval(lo, hi, _checked=True)


def new_congruence(modulus: int, residue: int) -> Congruence:
    """Return the class of a modulus, 0 or one that the residue is below."""
    return Congruence(modulus, residue, _checked=True)
