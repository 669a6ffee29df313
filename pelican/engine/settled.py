"""Mods and floordivs that one look at their numbers settles, without the laws.

Most are of plain indices: addresses in rings, tiles, strides; or of one mod or floordiv
of such a sum. The laws that make the same of them are named at each place, and tests
hold the one against the other. Somebody who listens is to hear of the laws, so nothing
is settled then.
"""

from __future__ import annotations

from pelican.engine.listening import listener
from pelican.strategies.plain import folded, has_common_factor, look_at
from pelican.tree.build import affine_node, plain, unwrapped, weighted_sum
from pelican.tree.flat import weights
from pelican.tree.kinds import (
    DIVLIKE_KINDS,
    constant,
    is_affine,
    is_divlike,
    is_modulo,
    is_mult,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr import DivLikeExpr, MultExpr
    from pelican.expr.node import Expr


def settled(op: str, numer: Expr, denom: int) -> Expr | None:
    """Return a mod (``%``) or floordiv (``//``) as its numbers settle it.

    Args:
        op: The operation.
        numer: A canonical numerator.
        denom: The divisor, >= 1.

    Returns:
        What the laws would make of it, or None where they must be asked.
    """
    if listener() is not None:
        return None
    if numer.kind in DIVLIKE_KINDS:
        # A raw one may be deep: then the laws take one division after the other.
        is_flat = numer.divisions == 1
        return _nested(op, numer, denom) if is_flat else None  # type: ignore[arg-type]
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
        return None if has_common_factor(terms, denom) else plain(op, numer, denom)
    if has_common_factor(left, denom):
        return None
    rest = offset % denom
    if rest != offset or left != terms:  # by `sum-mod-drop` and `coefficient-shift`
        numer = affine_node(left, rest)
    return plain(op, numer, denom)


def _nested(op: str, numer: DivLikeExpr, denom: int) -> Expr | None:
    """Return a mod or floordiv of one mod or floordiv, or None."""
    x, m = numer.numer, numer.denom
    if is_modulo(numer):
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
    return _ring_of_quotients(numer, denom)


def _ring_of_quotients(numer: DivLikeExpr, denom: int) -> Expr | None:
    """Return ``(x + c) floordiv d mod denom`` for one plain index x, or None.

    The floordiv takes all integers between its ends. With three of them at least, no
    other coefficient brings it into one period; with a divisor above 2 it has no
    shorter form of the opposite sign.
    """
    look = look_at(numer.numer, numer.denom)
    if look is None or denom <= 2:
        return None
    terms, offset, _, _ = look
    idx, c = terms[0]
    if len(terms) != 1 or c != 1 or not 0 <= offset < numer.denom * denom:
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


def settled_sum(total: Expr) -> Expr | None:
    """Return a sum of mods and floordivs as one look settles it, or None.

    Args:
        total: A canonical sum or scale that is not joined yet.
    """
    if listener() is not None:
        return None
    if is_mult(total):
        return total if _is_shortest(total) else None
    return _recomposed(total) if total.divisions == 2 else None


def _is_shortest(scaled: MultExpr) -> bool:
    """Tell whether no law writes a scaled mod or floordiv in a shorter way.

    `complement` does where a mod has a constant, `negated-floordiv` where something
    falls or where the constant of a floordiv is one below a multiple of its divisor.
    """
    division = scaled.operand
    if not is_divlike(division) or not is_affine(division.numer):
        return False
    terms, offset = division.numer.terms, division.numer.constant
    if is_modulo(division):
        return not offset
    if scaled.scale < 0 or not (offset + 1) % division.denom:
        return False
    return not [c for _, c in terms if c < 0]


def _recomposed(total: Expr) -> Expr | None:
    """Return ``c*x + r`` for ``c*(x mod n) + c*n*(x floordiv n) + r``, or None.

    By `recompose`, where x and r are of indices: nothing is left to join.
    """
    terms, offset = weights(total)
    divisions = [(e, c) for e, c in terms if is_divlike(e)]
    if len(divisions) != 2 or divisions[0][0].kind == divisions[1][0].kind:
        return None
    if not is_modulo(divisions[0][0]):
        divisions.reverse()
    (mod, c), (div, scale) = divisions
    x, n = mod.numer, mod.denom
    if n != div.denom or scale != c * n or not is_affine(x) or not is_affine(div.numer):
        return None
    if x.terms != div.numer.terms or x.constant != div.numer.constant:
        return None
    rest = [pair for pair in terms if not is_divlike(pair[0])]
    return weighted_sum([*rest, (unwrapped(x), c)], offset)
