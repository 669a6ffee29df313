"""Mods and floordivs that one look at their numbers settles, without the laws.

Most are of plain indices: addresses in rings, tiles, strides; or of one mod or floordiv
of such a sum. The laws that make the same of them are named at each place, and tests
hold the one against the other. Somebody who listens is to hear of the laws, so nothing
is settled then.
"""

from __future__ import annotations

from pelican.engine.listening import HOOK
from pelican.strategies.plain import folded, look_at, may_divide
from pelican.tree.build import affine_node, plain
from pelican.tree.kinds import FLOORDIV, MODULO, constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr import DivLikeExpr
    from pelican.expr.node import Expr


def settled(op: str, numer: Expr, denom: int) -> Expr | None:
    """Return a mod (``%``) or floordiv (``//``) as its numbers settle it, or None.

    Args:
        op: The operation.
        numer: A canonical numerator.
        denom: The divisor, >= 1.
    """
    if HOOK.recorder is not None:
        return None
    if numer.kind in (MODULO, FLOORDIV):
        return _nested(op, numer, denom)  # type: ignore[arg-type]
    look = look_at(numer, denom)
    if look is None:
        return None
    terms, offset, left, is_narrow = look
    if is_narrow:
        total = folded(op, terms, offset, denom)
        if total is not None:
            return affine_node(*total)
    if op == "//":
        # A multiple of the divisor goes out of the division: by `floordiv-shift`.
        if len(left) < len(terms) or (offset and not offset % denom):
            return None
        return None if may_divide(terms, denom) else plain(op, numer, denom)
    if may_divide(left, denom):
        return None
    rest = offset % denom
    if rest != offset or left != terms:  # by `sum-mod-drop` and `coefficient-shift`
        numer = affine_node(left, rest)
    return plain(op, numer, denom)


def _nested(op: str, numer: DivLikeExpr, denom: int) -> Expr | None:
    """Return a mod or floordiv of one mod or floordiv, or None."""
    x, m = numer.numer, numer.denom
    if numer.kind == MODULO:
        if m <= denom:  # by `nested-mod-larger` and `mod-floordiv`
            return numer if op == "%" else constant(0)
        if m % denom:
            return None
        if op == "%":  # by `nested-mod-divides`
            return settled("%", x, denom)
        inner = settled("//", x, denom)  # by `mod-floordiv-exchange`
        return None if inner is None else settled("%", inner, m // denom)
    if op == "//":  # by `nested-floordiv`
        return settled("//", x, m * denom)
    return _wrapped_steps(numer, denom)


def _wrapped_steps(numer: DivLikeExpr, denom: int) -> Expr | None:
    """Return ``(x + c) floordiv d mod denom`` for one plain index x, or None.

    The floordiv takes all integers between its ends. With three of them at least, no
    other coefficient brings it into one period; with a divisor above 2 it has no
    shorter form of the opposite sign.
    """
    look = look_at(numer.numer, numer.denom)
    if look is None or len(look[0]) != 1 or denom <= 2:
        return None
    ((idx, c),), offset = look[:2]
    if c != 1 or not 0 <= offset < numer.denom * denom:
        return None
    lo, hi = idx.lo, idx.hi
    if lo is not None and hi is not None:
        first = (lo + offset) // numer.denom
        last = (hi - 1 + offset) // numer.denom
        if first >= 0 and last < denom:  # by `period-fold-mod`
            return numer
        if last - first < 2 or first // denom == last // denom:
            return None
    return plain("%", numer, denom)
