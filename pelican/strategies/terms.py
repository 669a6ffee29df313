"""What the strategies share: periods, coefficients modulo n, splits by a factor."""

from __future__ import annotations

from math import gcd

from pelican.tree.build import weighted_sum
from pelican.tree.kinds import LEAF_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pelican.expr.node import Expr
    from pelican.known.interval import Interval
    from pelican.laws.step import Step
    from pelican.tree.flat import Weighted

    Chain = tuple[Step, ...]
    WeightedEnds = tuple[int, int | None, int | None]


def inner_period(c: int, denom: int, modulus: int) -> int:
    """Return the period of the numbers inside ``c*(e floordiv denom)`` under a mod."""
    return denom * (modulus // gcd(c, modulus))


def period_of(span: Interval, denom: int) -> int | None:
    """Return k where a range lies in [k*denom, (k + 1)*denom), else None."""
    if span.lo is None or span.hi is None:
        return None
    period = span.lo // denom
    return period if span.hi // denom == period else None


def narrow_choices(
    weighted: Iterable[WeightedEnds], offset: int, denom: int
) -> Iterator[tuple[list[int], int]]:
    """Yield coefficients modulo `denom` under which a sum fits into one period.

    Each coefficient a may become ``a mod n`` or ``(a mod n) - n``. The range of the
    sum is narrowest when each takes the one nearer to 0, and it must be narrower
    than n to fit. Taking the farther one for two terms adds at least n, so it is
    enough to try the narrowest choice and those that differ from it in one term.

    Args:
        weighted: The coefficient of each term, its least and its greatest value; None
            where there is none.
        offset: The constant of the sum.
        denom: The divisor n.

    Yields:
        The coefficients and the period.
    """
    near: list[int] = []
    ends: list[tuple[int, int]] = []
    low = high = offset
    for c, lo, hi in weighted:
        a = c % denom
        if not a:  # it is 0, whatever the term
            near.append(0)
            ends.append((0, 0))
            continue
        if lo is None or hi is None:
            return
        if 2 * a > denom:
            a -= denom
        least, most = (a * lo, a * hi) if a > 0 else (a * hi, a * lo)
        low, high = low + least, high + most
        if high - low >= denom:
            return
        near.append(a)
        ends.append((lo, hi))
    if low // denom == high // denom:
        yield near, low // denom
    for k, (a, (lo, hi)) in enumerate(zip(near, ends, strict=True)):
        farther = a - denom if a > 0 else a + denom
        first = low - min(a * lo, a * hi) + min(farther * lo, farther * hi)
        last = high - max(a * lo, a * hi) + max(farther * lo, farther * hi)
        if a and first // denom == last // denom:
            yield [*near[:k], farther, *near[k + 1 :]], first // denom


def with_ends(terms: Weighted) -> Iterator[WeightedEnds]:
    """Yield the coefficient, the least and the greatest value of each term."""
    for term, c in terms:
        span = term.range
        yield c, span.lo, span.hi


def common_factors(
    terms: Weighted, offset: int, denom: int
) -> Iterator[tuple[int, Expr, Expr, int]]:
    """Yield ways to write a sum as ``g*x + r`` with r inside one period of g.

    Yields:
        The factor g > 1, which divides `denom`; x; r; and the period of r. The
        greatest factors come first.
    """
    single = {gcd(c, denom) for _, c in terms}
    factors = {gcd(a, b) for a in single for b in single}
    factors.discard(1)
    for g in sorted(factors, reverse=True):
        outside = [(term, c) for term, c in terms if c % g]
        if not _is_narrower(outside, g):
            continue
        rest = weighted_sum(outside, offset)
        period = period_of(rest.range, g)
        if period is not None:
            inside = [(term, c // g) for term, c in terms if c % g == 0]
            yield g, weighted_sum(inside), rest, period


def _is_narrower(terms: Weighted, width: int) -> bool:
    """Tell whether a sum may have a range narrower than a width."""
    if [term for term, _ in terms if term.kind not in LEAF_KINDS]:
        return True  # its parts may vary together
    found = width_of(terms)
    return found is not None and found < width


def width_of(terms: Weighted) -> int | None:
    """Return how far a sum reaches if its terms vary apart; None if one has no end."""
    width = 0
    for term, c in terms:
        span = term.range
        if span.lo is None or span.hi is None:
            return None
        width += abs(c) * (span.hi - span.lo)
    return width


def congruent_splits(
    terms: Weighted, offset: int, denom: int
) -> Iterator[tuple[int, Expr, Expr]]:
    """Yield ways to write a sum as x + r with r too small to carry.

    x is in a class modulo a factor g of `denom`, and ``x mod g + r`` is in [0, g).

    Yields:
        The factor g, the greatest first; x; and r.
    """
    if not [term for term, _ in terms if term.stride.modulus != 1]:
        return
    moduli = [c * term.stride.modulus for term, c in terms]
    factors = {
        gcd(m, denom)
        for m, (_, c) in zip(moduli, terms, strict=True)
        if gcd(m, denom) > gcd(c, denom)
    }
    for g in sorted(factors, reverse=True):
        split = list(zip(moduli, terms, strict=True))
        held = [pair for m, pair in split if m % g == 0]
        others = [pair for m, pair in split if m % g]
        if not others and not offset:
            continue
        x, rest = weighted_sum(held), weighted_sum(others, offset)
        residue = x.stride.residue % g
        if period_of(residue + rest.range, g) == 0:
            yield g, x, rest
