"""What one look sees of a sum of plain indices beside a divisor.

Plain indices run over all integers between their ends, and over two at least; so the
coefficients and the ends say which laws apply. A residue nearest 0 is written out here:
a call would cost as much as the rest of a look at a term.
"""

from __future__ import annotations

from math import gcd

from pelican.strategies.terms import narrow_choices
from pelican.tree.kinds import AFFINE, AFFINE_IV, AP_INDEX, SHARD_ID, TILED_AP_INDEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pelican.expr import AffineExpr
    from pelican.expr.node import Expr
    from pelican.tree.build import Terms

    AffineParts = tuple[Terms, int]
    """Terms and a constant, as an affine node has them."""

    Look = tuple[Terms, int, Terms, bool]
    """What `look_at` sees: the terms; the constant; the terms whose coefficient the
    divisor does not divide, with what is left of it; and whether the sum with the
    coefficients nearest 0 is narrower than the divisor."""


def look_at(numer: Expr, denom: int) -> Look | None:
    """Return what a sum of plain indices is beside a divisor; None of another one."""
    terms: Terms
    if numer.kind == AFFINE:
        node: AffineExpr = numer  # type: ignore[assignment]
        terms, offset = node.terms, node.constant
        if not terms:
            return None
    elif AFFINE_IV <= numer.kind <= SHARD_ID:
        terms, offset = ((numer, 1),), 0  # type: ignore[assignment]
    else:
        return None
    left = []
    width = 0
    for idx, c in terms:
        if idx.step != 1 or AP_INDEX <= idx.kind <= TILED_AP_INDEX:
            return None
        a = c % denom
        lo, hi = idx.lo, idx.hi
        if lo is None or hi is None:
            reach = denom
        else:
            reach = hi - lo - 1
            if not reach:
                return None
        if a:
            left.append((idx, a))
            width += reach * (a if 2 * a <= denom else denom - a)
    return terms, offset, tuple(left), width < denom


def folded(op: str, terms: Terms, offset: int, denom: int) -> AffineParts | None:
    """Return the sum that a mod (``%``) or floordiv (``//``) is equal to, or None.

    There is one where coefficients that are equal modulo the divisor bring the sum into
    one period: by `coefficient-shift` and `period-fold-mod`, or by `floordiv-shift` and
    `period-fold-floordiv`. Two such sums are equal, so the first is taken: mostly that
    of the coefficients nearest 0.

    Args:
        op: The operation.
        terms: Those of the sum.
        offset: The constant.
        denom: The divisor.
    """
    made = []
    low = high = offset
    for idx, c in terms:
        a = c % denom
        if 2 * a > denom:
            a -= denom
        new = a if op == "%" else (c - a) // denom
        if new:
            made.append((idx, new))
        if a:
            lo, hi = idx.lo, idx.hi
            if lo is None or hi is None:
                return None
            low += a * (lo if a > 0 else hi - 1)
            high += a * (hi - 1 if a > 0 else lo)
    period = low // denom
    if high // denom == period:
        return tuple(made), offset - period * denom if op == "%" else period
    return _folded_farther(op, terms, offset, denom)


def _folded_farther(
    op: str, terms: Terms, offset: int, denom: int
) -> AffineParts | None:
    """Return the sum where one coefficient is not the one nearest 0, or None."""
    ends = [(c, idx.lo, None if (hi := idx.hi) is None else hi - 1) for idx, c in terms]
    for choice, period in narrow_choices(ends, offset, denom):
        pairs = zip(terms, choice, strict=True)
        if op == "%":
            left = [(idx, a) for (idx, _), a in pairs if a]
            return tuple(left), offset - period * denom
        taken = [(idx, (c - a) // denom) for (idx, c), a in pairs if a != c]
        return tuple(taken), period
    return None


def has_common_factor(terms: Terms, denom: int) -> bool:
    """Tell whether a common factor may be taken out of a sum and its divisor.

    What the factor does not divide must have a range narrower than it.
    """
    if len(terms) == 1:
        return gcd(terms[0][1], denom) != 1
    common = denom  # what each factor divides: all terms that reach as far, too
    for idx, c in terms:
        lo, hi = idx.lo, idx.hi
        if lo is None or hi is None or abs(c) * (hi - lo - 1) >= common:
            common = gcd(common, c)
            if common == 1:
                return False
    factors = {gcd(c, denom) for _, c in terms} - {1}
    if len(factors) > 1 and denom & (denom - 1):  # else each divides the next
        factors |= {gcd(a, b) for a in factors for b in factors} - {1}
    return any(_leaves_less(terms, g) for g in factors)


def _leaves_less(terms: Terms, g: int) -> bool:
    """Tell whether the terms that a factor does not divide reach less far than it."""
    width = 0
    for idx, c in terms:
        if c % g:
            lo, hi = idx.lo, idx.hi
            if lo is None or hi is None:
                return False
            width += abs(c) * (hi - lo - 1)
    return width < g
