"""What the strategies share: periods, coefficients modulo n, splits by a factor."""

from __future__ import annotations

from math import gcd

from pelican.build import linear_sum, scale
from pelican.ranges import Interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pelican.node import Expr
    from pelican.rewrite import Step

    Weighted = list[tuple[Expr, int]]
    Chain = tuple[Step, ...]


def period_of(span: Interval, denom: int) -> int | None:
    """Return k where a range lies in [k*denom, (k + 1)*denom), else None."""
    if span.lo is None or span.hi is None:
        return None
    period = span.lo // denom
    return period if span.hi // denom == period else None


def span_of(terms: Weighted, coefficients: list[int], offset: int) -> Interval:
    """Return the range of a sum with other coefficients."""
    span = Interval(offset, offset)
    for (term, _), new in zip(terms, coefficients, strict=True):
        span = span + new * term.range
    return span


def narrow_choices(terms: Weighted, denom: int) -> Iterator[list[int]]:
    """Yield coefficients modulo `denom` under which a sum may fit into one period.

    Each coefficient a may become ``a mod n`` or ``(a mod n) - n``. The range of the
    sum is narrowest when each takes the one nearer to 0, and it must be narrower
    than n to fit. Taking the farther one for two terms adds at least n, so it is
    enough to try the narrowest choice and those that differ from it in one term.
    """
    residues = [c % denom for _, c in terms]
    nearest = [a if 2 * a <= denom else a - denom for a in residues]
    yield nearest
    for k, a in enumerate(residues):
        farther = a - denom if nearest[k] == a else a
        if a:
            yield [*nearest[:k], farther, *nearest[k + 1 :]]


def common_factors(
    terms: Weighted, offset: int, denom: int
) -> Iterator[tuple[int, Expr, Expr, int]]:
    """Yield ways to write a sum as ``g*x + r`` with r inside one period of g.

    Yields:
        The factor g > 1, which divides `denom`; x; r; and the period of r. The
        greatest factors come first.
    """
    factors = {gcd(c, denom) for _, c in terms}
    factors |= {gcd(a, b) for a in factors for b in factors}
    for g in sorted(factors - {1}, reverse=True):
        inside = [scale(term, c // g) for term, c in terms if c % g == 0]
        rest = linear_sum(
            [*(scale(term, c) for term, c in terms if c % g), offset],
        )
        period = period_of(rest.range, g)
        if period is not None:
            yield g, linear_sum(inside), rest, period
