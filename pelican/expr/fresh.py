"""Nodes of parts that need no check, as plain Python makes them fastest.

What sets a slot itself costs less than what looks for it by its name.
"""

from __future__ import annotations

from pelican.expr.compound import (
    AffineExpr,
    DivLikeExpr,
    FloorDivExpr,
    ModuloExpr,
    SumExpr,
)
from pelican.expr.direct import new_mult
from pelican.known.congruence import Congruence
from pelican.known.interval import Interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.expr.node import Expr
    from pelican.tree.build import Terms

__all__ = [
    "new_affine",
    "new_congruence",
    "new_floordiv",
    "new_interval",
    "new_modulo",
    "new_mult",
    "new_sum",
]

_new: Final = object.__new__
_set_terms: Final = AffineExpr.__dict__["terms"].__set__
_set_constant: Final = AffineExpr.__dict__["constant"].__set__
_set_numer: Final = DivLikeExpr.__dict__["numer"].__set__
_set_denom: Final = DivLikeExpr.__dict__["denom"].__set__
_set_divisions: Final = DivLikeExpr.__dict__["divisions"].__set__
_set_lead: Final = DivLikeExpr.__dict__["_lead"].__set__
_set_lo: Final = Interval.__dict__["lo"].__set__
_set_hi: Final = Interval.__dict__["hi"].__set__
_set_modulus: Final = Congruence.__dict__["modulus"].__set__
_set_residue: Final = Congruence.__dict__["residue"].__set__


def new_affine(terms: Terms, constant: int) -> AffineExpr:
    """Return the node of distinct terms in term order, and a constant."""
    node = _new(AffineExpr)
    _set_terms(node, terms)
    _set_constant(node, constant)
    return node


def new_sum(parts: tuple[Expr, ...], divisions: int) -> SumExpr:
    """Return the sum of some parts, with their number of mods and floordivs."""
    node = _new(SumExpr)
    node._hold(parts, divisions)  # noqa: SLF001 - one of its constructors
    return node


def new_floordiv(numer: Expr, denom: int) -> FloorDivExpr:
    """Return the plain floordiv of an expression and a divisor that need no check."""
    node = _new(FloorDivExpr)
    _set_numer(node, numer)
    _set_denom(node, denom)
    _set_divisions(node, numer.divisions + 1)
    _set_lead(node, numer.lead)
    return node


def new_modulo(numer: Expr, denom: int) -> ModuloExpr:
    """Return the plain mod of an expression and a divisor that need no check."""
    node = _new(ModuloExpr)
    _set_numer(node, numer)
    _set_denom(node, denom)
    _set_divisions(node, numer.divisions + 1)
    _set_lead(node, numer.lead)
    return node


def new_interval(lo: int | None, hi: int | None) -> Interval:
    """Return the interval of ends that are in order."""
    span = _new(Interval)
    _set_lo(span, lo)
    _set_hi(span, hi)
    return span


def new_congruence(modulus: int, residue: int) -> Congruence:
    """Return the class of a modulus, 0 or one that the residue is below."""
    known = _new(Congruence)
    _set_modulus(known, modulus)
    _set_residue(known, residue)
    return known
