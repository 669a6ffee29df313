"""Ends and classes of operations, by rule. Generated; do not edit.

`pelican.laws.generate_rules` writes this file from `pelican.lemmas.ranges` and
`pelican.lemmas.congruences`: run `make update-golden`. A literal that may be None is an
end that is not known. Each end is the tightest that the rules give, None where none
applies; each class is a modulus and a residue, None where a fact fails.
"""

from __future__ import annotations

from math import gcd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pelican.expr.node import Expr


def index_lower(first: int, step: int) -> int | None:
    """Bound ``first + step * trip``."""
    found: int | None = None
    # index-lower
    if step >= 0:
        found = first
    return found


def index_upper(first: int, step: int, trips: int | None) -> int | None:
    """Bound ``first + step * trip``."""
    found: int | None = None
    # index-upper
    if trips is not None and step >= 0:
        found = first + (step * (trips - 1))
    return found


def sum_lower(lo_x: int | None, lo_y: int | None) -> int | None:
    """Bound ``x + y``."""
    found: int | None = None
    # sum-lower
    if lo_x is not None and lo_y is not None:
        found = lo_x + lo_y
    return found


def sum_upper(hi_x: int | None, hi_y: int | None) -> int | None:
    """Bound ``x + y``."""
    found: int | None = None
    # sum-upper
    if hi_x is not None and hi_y is not None:
        found = hi_x + hi_y
    return found


def scale_lower(c: int, hi_x: int | None, lo_x: int | None) -> int | None:
    """Bound ``c * x``."""
    found: int | None = None
    # scale-lower
    if lo_x is not None and c >= 0:
        found = c * lo_x
    # negative-scale-lower
    if hi_x is not None and c <= 0:
        found = c * hi_x if found is None else max(found, c * hi_x)
    return found


def scale_upper(c: int, hi_x: int | None, lo_x: int | None) -> int | None:
    """Bound ``c * x``."""
    found: int | None = None
    # scale-upper
    if hi_x is not None and c >= 0:
        found = c * hi_x
    # negative-scale-upper
    if lo_x is not None and c <= 0:
        found = c * lo_x if found is None else min(found, c * lo_x)
    return found


def floordiv_lower(lo_x: int | None, n: int) -> int | None:
    """Bound ``x floordiv n``."""
    found: int | None = None
    # floordiv-lower
    if lo_x is not None:
        found = lo_x // n
    return found


def floordiv_upper(hi_x: int | None, n: int) -> int | None:
    """Bound ``x floordiv n``."""
    found: int | None = None
    # floordiv-upper
    if hi_x is not None:
        found = hi_x // n
    return found


def mod_lower(hi_x: int | None, lo_x: int | None, n: int) -> int | None:
    """Bound ``x mod n``."""
    # mod-lower
    found = 0
    # mod-period-lower
    if hi_x is not None and lo_x is not None and hi_x // n <= lo_x // n:
        found = max(found, lo_x % n)
    return found


def mod_upper(hi_x: int | None, lo_x: int | None, n: int) -> int | None:
    """Bound ``x mod n``."""
    # mod-upper
    found = n - 1
    # mod-period-upper
    if hi_x is not None and lo_x is not None and hi_x // n <= lo_x // n:
        found = min(found, hi_x % n)
    return found


def class_lower(lo_x: int | None, r: int | None) -> int | None:
    """Bound ``x``."""
    found: int | None = None
    # class-lower
    if lo_x is not None and r is not None:
        found = lo_x + r
    return found


def class_upper(hi_x: int | None, r: int | None) -> int | None:
    """Bound ``x``."""
    found: int | None = None
    # class-upper
    if hi_x is not None and r is not None:
        found = hi_x - r
    return found


def joint_lower(hi_x: int | None, lo_x: int | None, n: int, p: int, t: int) -> int | None:
    """Bound ``p * (x floordiv n) + t * (x mod n)``."""
    found: int | None = None
    # joint-lower-first
    if lo_x is not None and t >= 0 and t * (lo_x % n) <= p:
        found = (p * (lo_x // n)) + (t * (lo_x % n))
    # joint-lower-last
    if hi_x is not None and t <= 0 and (t * (hi_x % n)) + p <= t * (n - 1):
        found = (p * (hi_x // n)) + (t * (hi_x % n)) if found is None else max(found, (p * (hi_x // n)) + (t * (hi_x % n)))
    return found


def weighted_ends(
    terms: Iterable[tuple[Expr, int]], offset: int
) -> tuple[int | None, int | None]:
    """Bound the sum of ``c * x`` over some terms, and an offset."""
    low: int | None = offset
    high: int | None = offset
    for x, c in terms:
        span = x.range
        lo_x, hi_x = span.lo, span.hi
        if c >= 0:
            # scale-lower
            lo_y = None if lo_x is None else c * lo_x
            # scale-upper
            hi_y = None if hi_x is None else c * hi_x
        else:
            # negative-scale-lower
            lo_y = None if hi_x is None else c * hi_x
            # negative-scale-upper
            hi_y = None if lo_x is None else c * lo_x
        # sum-lower
        low = None if low is None or lo_y is None else low + lo_y
        # sum-upper
        high = None if high is None or hi_y is None else high + hi_y
    return low, high


def weighted_residue(
    terms: Iterable[tuple[Expr, int]], offset: int
) -> tuple[int, int]:
    """Classify the sum of ``c * x`` over some terms, and an offset."""
    modulus, residue = 0, offset
    for x, c in terms:
        known = x.stride
        r, s = known.residue, known.modulus
        # scale-class
        r_y = c * r
        # weaker-class, sum-class
        modulus = gcd(modulus, c * s)
        residue = residue + r_y
    return modulus, residue


def weaker_class(g: int, r: int, s: int) -> tuple[int, int] | None:
    """Classify ``r + s * k``."""
    if s % g == 0:
        return g, r
    return None


def index_class(first: int, step: int) -> tuple[int, int] | None:
    """Classify ``first + step * trip``."""
    return step, first


def sum_class(g: int, r_x: int, r_y: int) -> tuple[int, int] | None:
    """Classify ``r_x + g * k + (r_y + g * h)``."""
    return g, r_x + r_y


def scale_class(c: int, r: int, s: int, t: int) -> tuple[int, int] | None:
    """Classify ``c * (r + s * k)``."""
    if (c * s) % t == 0:
        return t, c * r
    return None


def floordiv_class(n: int, r: int, t: int) -> tuple[int, int] | None:
    """Classify ``(r + n * t * k) floordiv n``."""
    return t, r // n


def mod_class(g: int, n: int, r: int) -> tuple[int, int] | None:
    """Classify ``(r + g * k) mod n``."""
    if n % g == 0:
        return g, r
    return None
