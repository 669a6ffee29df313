"""Proposals for a mod or floordiv of a sum of plain indices, by their numbers alone.

Most numerators are such sums. One look at the coefficients and the ends of the indices
tells which of the laws may apply, so that the others are not tried.
"""

from __future__ import annotations

from math import gcd

from pelican.kinds import AFFINE, INDEX_KINDS, LEAF_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pelican.build import Terms


def terms_of(expr: Any) -> Terms | None:  # noqa: ANN401 - its kind says what it has
    """Return the terms of a sum of indices, or None if it is none."""
    if expr.kind == AFFINE:
        return expr.terms  # type: ignore[no-any-return]
    return ((expr, 1),) if expr.kind in INDEX_KINDS else None


def may_fold(terms: Terms, denom: int) -> bool:
    """Tell whether a law that looks at ranges or classes may apply.

    It does where the sum has a range narrower than the divisor under some coefficients
    that are equal modulo the divisor, or where an index does not run over all integers
    between its ends.
    """
    width = 0
    for idx, c in terms:
        lo, hi = idx.lo, idx.hi
        if idx.step != 1 or idx.kind not in LEAF_KINDS:
            return True
        a = c % denom
        if lo is None or hi is None:
            if a:
                width += denom
        elif hi - lo == 1:
            return True
        elif 2 * a <= denom:
            width += a * (hi - lo - 1)
        else:
            width += (denom - a) * (hi - lo - 1)
    return width < denom


def may_divide(terms: Terms, denom: int) -> bool:
    """Tell whether a common factor may be taken out of a sum and the divisor.

    What the factor does not divide must have a range narrower than it. The indices run
    over all integers between their ends.
    """
    factors = {gcd(c, denom) for _, c in terms}
    if len(factors) > 2:
        factors |= {gcd(a, b) for a in factors for b in factors}
    for g in factors:
        if g == 1:
            continue
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
