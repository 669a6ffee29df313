"""The range rules: how the ends of an operation follow from those of its operands.

The literals ``lo_x`` and ``hi_x`` are the known ends of ``x``; ``r`` is its distance
from one of them modulo the modulus ``s`` of its class. A rule that names an unknown end
does not apply, so every rule bounds one end only. Several rules may bound one end: the
engine takes the tightest.
"""

from __future__ import annotations

from pelican.laws.lemma import Lemma, RangeRule, eq, le, lt
from pelican.laws.term import expr, literal

x, y = expr("x"), expr("y")
lo_x, hi_x = literal("lo_x"), literal("hi_x")
lo_y, hi_y = literal("lo_y"), literal("hi_y")
c, n, p, r, s, t = (literal(name) for name in "cnprst")
first, step, trips = literal("first"), literal("step"), literal("trips")
trip = expr("trip")

_INTERVALS = "Moore, Kearfott, Cloud, Introduction to Interval Analysis, ch. 2"
_GRANGER = "Granger, Static Analysis of Arithmetical Congruences, IJCM 30, 1989"
_DIVISION = "Graham, Knuth, Patashnik, Concrete Mathematics, section 3.4"

INDEX_LOWER = RangeRule(
    name="index-lower",
    subject=first + step * trip,
    bound=first,
    lower=True,
    given=(le(0, step), le(0, trip)),
    source=_INTERVALS,
)
INDEX_UPPER = RangeRule(
    name="index-upper",
    subject=first + step * trip,
    bound=first + step * (trips - 1),
    lower=False,
    given=(le(0, step), lt(trip, trips)),
    source=_INTERVALS,
)
SUM_LOWER = RangeRule(
    name="sum-lower",
    subject=x + y,
    bound=lo_x + lo_y,
    lower=True,
    given=(le(lo_x, x), le(lo_y, y)),
    source=_INTERVALS,
)
SUM_UPPER = RangeRule(
    name="sum-upper",
    subject=x + y,
    bound=hi_x + hi_y,
    lower=False,
    given=(le(x, hi_x), le(y, hi_y)),
    source=_INTERVALS,
)
SCALE_LOWER = RangeRule(
    name="scale-lower",
    subject=c * x,
    bound=c * lo_x,
    lower=True,
    given=(le(0, c), le(lo_x, x)),
    source=_INTERVALS,
)
SCALE_UPPER = RangeRule(
    name="scale-upper",
    subject=c * x,
    bound=c * hi_x,
    lower=False,
    given=(le(0, c), le(x, hi_x)),
    source=_INTERVALS,
)
NEGATIVE_SCALE_LOWER = RangeRule(
    name="negative-scale-lower",
    subject=c * x,
    bound=c * hi_x,
    lower=True,
    given=(le(c, 0), le(x, hi_x)),
    source=_INTERVALS,
)
NEGATIVE_SCALE_UPPER = RangeRule(
    name="negative-scale-upper",
    subject=c * x,
    bound=c * lo_x,
    lower=False,
    given=(le(c, 0), le(lo_x, x)),
    source=_INTERVALS,
)
FLOORDIV_LOWER = RangeRule(
    name="floordiv-lower",
    subject=x // n,
    bound=lo_x // n,
    lower=True,
    given=(le(lo_x, x),),
    source=_INTERVALS,
)
FLOORDIV_UPPER = RangeRule(
    name="floordiv-upper",
    subject=x // n,
    bound=hi_x // n,
    lower=False,
    given=(le(x, hi_x),),
    source=_INTERVALS,
)
MOD_LOWER = RangeRule(
    name="mod-lower",
    subject=x % n,
    bound=0,
    lower=True,
    source=_DIVISION,
)
MOD_UPPER = RangeRule(
    name="mod-upper",
    subject=x % n,
    bound=n - 1,
    lower=False,
    source=_DIVISION,
)
MOD_PERIOD_LOWER = RangeRule(
    name="mod-period-lower",
    subject=x % n,
    bound=lo_x % n,
    lower=True,
    given=(le(lo_x, x), le(x, hi_x), le(hi_x // n, lo_x // n)),
    source=_DIVISION,
)
MOD_PERIOD_UPPER = RangeRule(
    name="mod-period-upper",
    subject=x % n,
    bound=hi_x % n,
    lower=False,
    given=(le(lo_x, x), le(x, hi_x), le(hi_x // n, lo_x // n)),
    source=_DIVISION,
)

CLASS_LOWER = RangeRule(
    name="class-lower",
    subject=x,
    bound=lo_x + r,
    lower=True,
    given=(le(lo_x, x), eq((x - lo_x) % s, r)),
    source=_GRANGER,
)
CLASS_UPPER = RangeRule(
    name="class-upper",
    subject=x,
    bound=hi_x - r,
    lower=False,
    given=(le(x, hi_x), eq((hi_x - x) % s, r)),
    source=_GRANGER,
)
JOINT_LOWER_FIRST = RangeRule(
    name="joint-lower-first",
    subject=p * (x // n) + t * (x % n),
    bound=p * (lo_x // n) + t * (lo_x % n),
    lower=True,
    given=(le(0, t), le(lo_x, x), le(t * (lo_x % n), p)),
    source=_DIVISION,
)
JOINT_LOWER_LAST = RangeRule(
    name="joint-lower-last",
    subject=p * (x // n) + t * (x % n),
    bound=p * (hi_x // n) + t * (hi_x % n),
    lower=True,
    given=(le(t, 0), le(x, hi_x), le(t * (hi_x % n) + p, t * (n - 1))),
    source=_DIVISION,
)

MOD_AS_DIFFERENCE = Lemma(
    name="mod-as-difference",
    lhs=x % n,
    rhs=x - n * (x // n),
    quotient=x // n,
    remainder=x - n * (x // n),
    source=_DIVISION,
)

IDENTITIES = (MOD_AS_DIFFERENCE,)
"""Equations by which ranges see that a mod and its numerator vary together."""

RANGE_RULES = (
    INDEX_LOWER,
    INDEX_UPPER,
    SUM_LOWER,
    SUM_UPPER,
    SCALE_LOWER,
    SCALE_UPPER,
    NEGATIVE_SCALE_LOWER,
    NEGATIVE_SCALE_UPPER,
    FLOORDIV_LOWER,
    FLOORDIV_UPPER,
    MOD_LOWER,
    MOD_UPPER,
    MOD_PERIOD_LOWER,
    MOD_PERIOD_UPPER,
    CLASS_LOWER,
    CLASS_UPPER,
    JOINT_LOWER_FIRST,
    JOINT_LOWER_LAST,
)
