"""The laws of ``e floordiv n``.

Where a law treats one term of a sum, `r` is the rest of the sum; the law holds for
any rest, so one pass treats several terms.
"""

from __future__ import annotations

from pelican.laws.lemma import Example, Lemma, eq, le, lt
from pelican.laws.term import expr, literal

x, y, e, r = expr("x"), expr("y"), expr("e"), expr("r")
a, b, c, d, g, k, m, n, q, t = (literal(name) for name in "abcdgkmnqt")

_DIVISION = "Graham, Knuth, Patashnik, Concrete Mathematics, section 3.4"
_CONGRUENCE = "Hardy and Wright, An Introduction to the Theory of Numbers, ch. 5"

MOD_FLOORDIV = Lemma(
    name="mod-floordiv",
    lhs=(x % m) // d,
    rhs=0,
    given=(le(m, d),),
    modelled=(lt(m, d),),
    quotient=0,
    remainder=x % m,
    example=Example("x mod 8 floordiv 16", "0", near_miss="x mod 8 floordiv 7"),
    source=_DIVISION,
)
PERIOD_FOLD_FLOORDIV = Lemma(
    name="period-fold-floordiv",
    lhs=e // n,
    rhs=k,
    given=(le(k * n, e), lt(e, (k + 1) * n)),
    quotient=k,
    remainder=e - k * n,
    example=Example(
        "(x + 16) floordiv 8",
        "2",
        near_miss="(x + 17) floordiv 8",
        indices=("x in [0, 8)",),
    ),
    source=_DIVISION,
)
NESTED_FLOORDIV = Lemma(
    name="nested-floordiv",
    lhs=(x // a + r) // b,
    rhs=(x + a * r) // (a * b),
    quotient=(x // a + r) // b,
    remainder=x % a + a * ((x // a + r) % b),
    certifies="rhs",
    example=Example(
        "(x floordiv 3 + 1) floordiv 4",
        "(x + 3) floordiv 12",
        near_miss="(2*(x floordiv 3) + 1) floordiv 5",
    ),
    source=_DIVISION,
)
NESTED_NEGATED_FLOORDIV = Lemma(
    name="nested-negated-floordiv",
    lhs=(r - x // a) // b,
    rhs=((a - 1) - x + a * r) // (a * b),
    quotient=(r - x // a) // b,
    remainder=(a - 1) - x % a + a * ((r - x // a) % b),
    certifies="rhs",
    example=Example(
        "-(x floordiv 12) floordiv 8",
        "(11 - x) floordiv 96",
        near_miss="-2*(x floordiv 11) floordiv 9",
    ),
    source=_DIVISION,
)
FLOORDIV_SHIFT = Lemma(
    name="floordiv-shift",
    lhs=(a * x + r) // n,
    rhs=((a - t * n) * x + r) // n + t * x,
    quotient=((a - t * n) * x + r) // n + t * x,
    remainder=((a - t * n) * x + r) % n,
    rest="r",
    example=Example(
        "(8*x + y) floordiv 4",
        "2*x + y floordiv 4",
        near_miss="(7*x + y) floordiv 4",
    ),
    source=_DIVISION,
)
FLOORDIV_GCD = Lemma(
    name="floordiv-gcd",
    lhs=(g * x + r) // (g * d),
    rhs=(x + k) // d,
    given=(le(k * g, r), lt(r, (k + 1) * g)),
    quotient=(x + k) // d,
    remainder=g * ((x + k) % d) + (r - k * g),
    example=Example(
        "(4*x + 7) floordiv 8",
        "(x + 1) floordiv 2",
        near_miss="(3*x + 7) floordiv 8",
    ),
    source=_DIVISION,
)
MOD_FLOORDIV_EXCHANGE = Lemma(
    name="mod-floordiv-exchange",
    lhs=(x % (d * q)) // d,
    rhs=(x // d) % q,
    quotient=(x // d) % q,
    remainder=x % d,
    uses=((NESTED_FLOORDIV, {"x": x, "a": d, "r": 0, "b": q}),),
    example=Example(
        "x mod 12 floordiv 4",
        "x floordiv 4 mod 3",
        near_miss="x mod 12 floordiv 5",
    ),
    source=_DIVISION,
)
SCALED_MOD_JOIN = Lemma(
    name="scaled-mod-join",
    lhs=(g * (x % d) + r) // k,
    rhs=((g * x + r) % (g * d)) // k,
    given=(le(0, r), lt(r, g)),
    quotient=((g * x + r) % (g * d)) // k,
    remainder=((g * x + r) % (g * d)) % k,
    uses=((FLOORDIV_GCD, {"g": g, "x": x, "d": d, "r": r, "k": 0}),),
    example=Example(
        "(3*(x mod 4) + y) floordiv 2",
        "(3*x + y) floordiv 2 mod 6",
        near_miss="(3*(x mod 4) + y) floordiv 7",
        indices=("y in [0, 3)",),
    ),
    source=_DIVISION,
)
DIV_MOD_DIV = Lemma(
    name="div-mod-div",
    lhs=((x // d + y) % q + r) // b,
    rhs=((x + d * y) % (d * q) + d * r) // (d * b),
    quotient=((x // d + y) % q + r) // b,
    remainder=x % d + d * (((x // d + y) % q + r) % b),
    certifies="rhs",
    uses=((NESTED_FLOORDIV, {"x": x, "a": d, "r": y, "b": q}),),
    example=Example(
        "x floordiv 24 mod 64 floordiv 5",
        "x mod 1536 floordiv 120",
        near_miss="(2*(x floordiv 24 mod 64) + 1) floordiv 5",
    ),
    source=_DIVISION,
)
MOD_OUT = Lemma(
    name="mod-out",
    lhs=(c * (x % m) + r) // d,
    rhs=(c * x + r) // d - t * (x // m),
    given=(eq(c * m, t * d),),
    quotient=(c * x + r) // d - t * (x // m),
    remainder=(c * x + r) % d,
    example=Example(
        "(x mod 4 + 2*x + y) floordiv 4",
        "(3*x + y) floordiv 4 - x floordiv 4",
        near_miss="(2*x + x mod 5 + y) floordiv 4",
    ),
    source=_DIVISION,
)
CONGRUENT_FLOORDIV = Lemma(
    name="congruent-floordiv",
    lhs=(x + r) // (g * d),
    rhs=x // (g * d),
    given=(le(0, x % g + r), lt(x % g + r, g)),
    quotient=(x // g) // d,
    remainder=g * ((x // g) % d) + x % g + r,
    uses=((NESTED_FLOORDIV, {"x": x, "a": g, "r": 0, "b": d}),),
    example=Example(
        "(x + y) floordiv 8",
        "x floordiv 8",
        near_miss="(x + y) floordiv 6",
        indices=("x in [0, 400) step 4", "y in [0, 4)"),
    ),
    source=_CONGRUENCE,
)

LEMMAS = (
    MOD_FLOORDIV,
    PERIOD_FOLD_FLOORDIV,
    NESTED_FLOORDIV,
    NESTED_NEGATED_FLOORDIV,
    FLOORDIV_SHIFT,
    FLOORDIV_GCD,
    MOD_FLOORDIV_EXCHANGE,
    SCALED_MOD_JOIN,
    DIV_MOD_DIV,
    MOD_OUT,
    CONGRUENT_FLOORDIV,
)
