"""A mod or floordiv of a sum of plain indices, settled by its numbers alone.

Most numerators are such sums: addresses in rings, tiles, strides. Plain indices run
over all integers between their ends, and over two at least; so the coefficients and
the ends say which laws apply, and one look does what these make, without them.
`explain` goes by the laws themselves, and tests hold the one against the other.
"""

from __future__ import annotations

from math import gcd

from pelican.strategies.terms import narrow_choices
from pelican.tree.kinds import AFFINE, AFFINE_IV, AP_INDEX, SHARD_ID, TILED_AP_INDEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr import AffineExpr
    from pelican.expr.node import Expr
    from pelican.strategies.terms import WeightedEnds
    from pelican.tree.build import Terms

    Numbers = tuple[Terms, int]
    """Terms and a constant, as an affine node has them."""


def terms_of(expr: Expr) -> Terms:
    """Return the terms of a sum of plain indices, or none if it is no such sum."""
    terms: Terms
    if expr.kind == AFFINE:
        node: AffineExpr = expr  # type: ignore[assignment]
        terms = node.terms
    elif AFFINE_IV <= expr.kind <= SHARD_ID:
        terms = ((expr, 1),)  # type: ignore[assignment]
    else:
        return ()
    for idx, _ in terms:
        if idx.step != 1 or AP_INDEX <= idx.kind <= TILED_AP_INDEX:
            return ()
        lo, hi = idx.lo, idx.hi
        if lo is not None and hi is not None and hi - lo == 1:
            return ()
    return terms


def folded(op: str, terms: Terms, offset: int, denom: int) -> Numbers | None:
    """Return the sum that a mod (``%``) or floordiv (``//``) is equal to, or None.

    There is one where coefficients that are equal modulo the divisor bring the sum into
    one period: by `coefficient-shift` and `period-fold-mod`, or by `floordiv-shift` and
    `period-fold-floordiv`. Two such sums are equal, so the first is taken.
    """
    if _reaches(terms, denom):
        return None
    for near, period in narrow_choices(_with_ends(terms), offset, denom):
        pairs = zip(terms, near, strict=True)
        if op == "%":
            left = [(idx, a) for (idx, _), a in pairs if a]
            return tuple(left), offset - period * denom
        taken = [(idx, (c - a) // denom) for (idx, c), a in pairs if a != c]
        return tuple(taken), period
    return None


def _reaches(terms: Terms, denom: int) -> bool:
    """Tell whether one term alone reaches as far as the divisor, however it is written.

    Addresses in rings do: then no coefficients bring the sum into one period.
    """
    for idx, c in terms:
        a = c % denom
        if a:
            lo, hi = idx.lo, idx.hi
            if lo is None or hi is None:
                return True
            if (a if 2 * a <= denom else denom - a) * (hi - lo - 1) >= denom:
                return True
    return False


def _with_ends(terms: Terms) -> list[WeightedEnds]:
    return [(c, idx.lo, None if (hi := idx.hi) is None else hi - 1) for idx, c in terms]


def reduced(terms: Terms, offset: int, denom: int) -> Numbers:
    """Return the numerator of a mod with its numbers in [0, denom).

    By `sum-mod-drop` and `coefficient-shift`.
    """
    kept = [(idx, c % denom) for idx, c in terms if c % denom]
    return tuple(kept), offset % denom


def has_multiple(terms: Terms, offset: int, denom: int) -> bool:
    """Tell whether `floordiv-shift` takes a multiple of the divisor out of a sum."""
    multiples = [c for _, c in terms if not c % denom]
    return bool(multiples) or (offset != 0 and not offset % denom)


def may_divide(terms: Terms, denom: int) -> bool:
    """Tell whether a common factor may be taken out of a sum and the divisor.

    What the factor does not divide must have a range narrower than it.
    """
    common = denom  # what each factor divides: all terms that reach as far, too
    for idx, c in terms:
        lo, hi = idx.lo, idx.hi
        if lo is None or hi is None or abs(c) * (hi - lo - 1) >= common:
            common = gcd(common, c)
            if common == 1:
                return False
    factors = [g for _, c in terms if (g := gcd(c, denom)) != 1]
    if len(factors) > 1 and denom & (denom - 1):  # else each divides the next
        factors += {gcd(a, b) for a in factors for b in factors} - {1}
    for g in factors:
        room = g
        for idx, c in terms:
            if c % g:
                lo, hi = idx.lo, idx.hi
                room -= g if lo is None or hi is None else abs(c) * (hi - lo - 1)
                if room <= 0:
                    break
        else:
            return True
    return False
