"""The laws of ``e mod n``.

The four lemmas of the modelled system, each in the direction in which it is sound
and makes progress. Where a law shifts or drops one term of a sum, `r` is the rest of
the sum: the law holds for any rest, so the engine may apply it to all terms of a sum
in one pass (induction over the terms; each step leaves the rest untouched).
"""

from __future__ import annotations

from pelican.laws.lemma import Example, Lemma, divisor_of, eq, le, lt
from pelican.laws.term import expr, literal
from pelican.lemmas import floordiv

x, e, r = expr("x"), expr("e"), expr("r")
a, c, d, g, k, m, n, t = (literal(name) for name in "acdgkmnt")

_DIVISION = "Graham, Knuth, Patashnik, Concrete Mathematics, section 3.4"
_CONGRUENCE = "Hardy and Wright, An Introduction to the Theory of Numbers, ch. 5"

NESTED_MOD_DIVIDES = Lemma(
    name="nested-mod-divides",
    lhs=x % m % n,
    rhs=x % n,
    given=(divisor_of(n, m),),
    modelled=(divisor_of(n, m),),
    quotient=x // n - (m // n) * (x // m),
    remainder=x % n,
    example=Example("x mod 24 mod 8", "x mod 8", near_miss="x mod 24 mod 7"),
    source=_CONGRUENCE,
)
NESTED_MOD_LARGER = Lemma(
    name="nested-mod-larger",
    lhs=x % m % n,
    rhs=x % m,
    given=(lt(x % m, n),),
    modelled=(lt(m, n),),
    quotient=0,
    remainder=x % m,
    example=Example("x mod 8 mod 12", "x mod 8", near_miss="x mod 12 mod 8"),
    source=_DIVISION,
)
COEFFICIENT_SHIFT = Lemma(
    name="coefficient-shift",
    lhs=(a * x + r) % n,
    rhs=((a + t * n) * x + r) % n,
    modelled=(eq(t, -1 * (a // n)),),
    quotient=((a + t * n) * x + r) // n - t * x,
    remainder=((a + t * n) * x + r) % n,
    rest="r",
    example=Example("(9*x + y) mod 8", "(x + y) mod 8", near_miss="(7*x + y) mod 8"),
    source=_CONGRUENCE,
)
SUM_MOD_INNER = Lemma(
    name="sum-mod-inner",
    lhs=(a * (x % m) + r) % n,
    rhs=(a * x + r) % n,
    given=(divisor_of(n, a * m),),
    modelled=(eq(m, n),),
    quotient=(a * x + r) // n - ((a * m) // n) * (x // m),
    remainder=(a * x + r) % n,
    rest="r",
    example=Example(
        "(x mod 8 + y) mod 4", "(x + y) mod 4", near_miss="(x mod 6 + y) mod 4"
    ),
    source=_CONGRUENCE,
)
SUM_MOD_DROP = Lemma(
    name="sum-mod-drop",
    lhs=(a * x + r) % n,
    rhs=r % n,
    given=(divisor_of(n, a),),
    modelled=(divisor_of(n, a),),
    quotient=(a // n) * x + r // n,
    remainder=r % n,
    rest="r",
    example=Example("(8*x + y) mod 4", "y mod 4", near_miss="(6*x + y) mod 8"),
    source=_CONGRUENCE,
)
PERIOD_FOLD_MOD = Lemma(
    name="period-fold-mod",
    lhs=e % n,
    rhs=e - k * n,
    given=(le(k * n, e), lt(e, (k + 1) * n)),
    quotient=k,
    remainder=e - k * n,
    example=Example(
        "(x + 8) mod 8",
        "x",
        near_miss="(x + 1) mod 8",
        indices=("x in [0, 8)",),
    ),
    source=_DIVISION,
)
MOD_GCD = Lemma(
    name="mod-gcd",
    lhs=(g * x + r) % (g * d),
    rhs=g * ((x + k) % d) + (r - k * g),
    given=(le(k * g, r), lt(r, (k + 1) * g)),
    quotient=(x + k) // d,
    remainder=g * ((x + k) % d) + (r - k * g),
    example=Example(
        "(4*x + y) mod 32",
        "4*(x mod 8) + y",
        near_miss="(4*x + 2*y) mod 31",
        indices=("y in [0, 4)",),
    ),
    source=_DIVISION,
)
CONGRUENT_TERM = Lemma(
    name="congruent-term",
    lhs=(a * x + r) % n,
    rhs=(a * c + r) % n,
    given=(divisor_of(n, a * (x - c)),),
    quotient=(a * (x - c)) // n + (a * c + r) // n,
    remainder=(a * c + r) % n,
    rest="r",
    example=Example(
        "(x + y) mod 4",
        "(y + 1) mod 4",
        near_miss="(x + y) mod 8",
        indices=("x in [1, 400) step 4",),
    ),
    source=_CONGRUENCE,
)
CONGRUENT_MOD = Lemma(
    name="congruent-mod",
    lhs=(x + r) % (g * d),
    rhs=x % (g * d) + r,
    given=(le(0, x % g + r), lt(x % g + r, g)),
    quotient=(x // g) // d,
    remainder=g * ((x // g) % d) + x % g + r,
    uses=((floordiv.NESTED_FLOORDIV, {"x": x, "a": g, "r": 0, "b": d}),),
    example=Example(
        "(x + y) mod 64",
        "x mod 64 + y",
        near_miss="(x + y) mod 62",
        indices=("x in [0, 400) step 4", "y in [0, 4)"),
    ),
    source=_CONGRUENCE,
)

LEMMAS = (
    NESTED_MOD_DIVIDES,
    NESTED_MOD_LARGER,
    PERIOD_FOLD_MOD,
    SUM_MOD_INNER,
    SUM_MOD_DROP,
    COEFFICIENT_SHIFT,
    MOD_GCD,
    CONGRUENT_TERM,
    CONGRUENT_MOD,
)
