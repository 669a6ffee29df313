"""The equations of the builder: what makes a sum canonical.

The builder does not search: it flattens, adds the coefficients of equal terms and
folds constants in one pass. Each equation that it uses stands here, so that it is
proved, enumerated and printed like every law.
"""

from __future__ import annotations

from pelican.laws.lemma import Lemma
from pelican.laws.term import expr, literal

x, y, z = expr("x"), expr("y"), expr("z")
a, b, c, n = (literal(name) for name in "abcn")

_RING = "the integers are a commutative ring"
_DIVISION = "Graham, Knuth, Patashnik, Concrete Mathematics, section 3.4"

SUM_FLATTEN = Lemma(
    name="sum-flatten",
    lhs=x + (y + z),
    rhs=x + y + z,
    source=_RING,
)
SUM_ORDER = Lemma(
    name="sum-order",
    lhs=x + y,
    rhs=y + x,
    source=_RING,
)
LIKE_TERMS = Lemma(
    name="like-terms",
    lhs=a * x + b * x,
    rhs=(a + b) * x,
    source=_RING,
)
ZERO_TERM = Lemma(
    name="zero-term",
    lhs=0 * x + y,
    rhs=y,
    source=_RING,
)
ONE_SCALE = Lemma(
    name="one-scale",
    lhs=1 * x,
    rhs=x,
    source=_RING,
)
SCALE_OF_SCALE = Lemma(
    name="scale-of-scale",
    lhs=a * (b * x),
    rhs=(a * b) * x,
    source=_RING,
)
SCALE_OF_SUM = Lemma(
    name="scale-of-sum",
    lhs=a * (x + y),
    rhs=a * x + a * y,
    source=_RING,
)
DIFFERENCE = Lemma(
    name="difference",
    lhs=x - y,
    rhs=x + (-1) * y,
    source=_RING,
)
MOD_ONE = Lemma(
    name="mod-one",
    lhs=x % 1,
    rhs=0,
    quotient=x,
    remainder=0,
    source=_DIVISION,
)
FLOORDIV_ONE = Lemma(
    name="floordiv-one",
    lhs=x // 1,
    rhs=x,
    quotient=x,
    remainder=0,
    source=_DIVISION,
)
CONSTANT_MOD = Lemma(
    name="constant-mod",
    lhs=c % n,
    rhs=c - n * (c // n),
    quotient=c // n,
    remainder=c - n * (c // n),
    source=_DIVISION,
)
CONSTANT_FLOORDIV = Lemma(
    name="constant-floordiv",
    lhs=c // n,
    rhs=(c - c % n) // n,
    quotient=c // n,
    remainder=0,
    certifies="rhs",
    source=_DIVISION,
)
LEMMAS = (
    SUM_FLATTEN,
    SUM_ORDER,
    LIKE_TERMS,
    ZERO_TERM,
    ONE_SCALE,
    SCALE_OF_SCALE,
    SCALE_OF_SUM,
    DIFFERENCE,
    MOD_ONE,
    FLOORDIV_ONE,
    CONSTANT_MOD,
    CONSTANT_FLOORDIV,
)
