"""The laws that join a mod and a floordiv inside one sum.

`y` stands for a part of the sum that equals the named quotient or remainder of `x`,
whatever it looks like after its own simplification. A law applies under any scale
and beside any other terms of the sum.
"""

from __future__ import annotations

from pelican.laws.lemma import Example, Lemma, eq, le
from pelican.laws.term import expr, literal
from pelican.lemmas import floordiv

x, y, z = expr("x"), expr("y"), expr("z")
e, r = expr("e"), expr("r")
c, d, m, n, q, t = (literal(name) for name in "cdmnqt")

_DIVISION = "Graham, Knuth, Patashnik, Concrete Mathematics, section 3.4"

RECOMPOSE = Lemma(
    name="recompose",
    lhs=x % n + n * y,
    rhs=x,
    given=(eq(y, x // n),),
    example=Example(
        "8*(x floordiv 8) + x mod 8", "x", near_miss="8*(x floordiv 4) + x mod 8"
    ),
    source=_DIVISION,
)
REMAINDER = Lemma(
    name="remainder",
    lhs=x - n * y,
    rhs=x % n,
    given=(eq(y, x // n),),
    example=Example(
        "x - 8*(x floordiv 8)", "x mod 8", near_miss="x - 9*(x floordiv 4)"
    ),
    source=_DIVISION,
)
QUOTIENT = Lemma(
    name="quotient",
    lhs=x - y,
    rhs=n * (x // n),
    given=(eq(y, x % n),),
    example=Example("x - x mod 8", "8*(x floordiv 8)", near_miss="x - y mod 8"),
    source=_DIVISION,
)
STRIPE = Lemma(
    name="stripe",
    lhs=z + d * (y % q),
    rhs=x % (d * q),
    given=(eq(y, x // d), eq(z, x % d)),
    quotient=y // q,
    remainder=z + d * (y % q),
    certifies="rhs",
    example=Example(
        "x mod 4 + 4*(x floordiv 4 mod 8)",
        "x mod 32",
        near_miss="x mod 4 + 4*(x floordiv 3 mod 8)",
    ),
    source=_DIVISION,
)
STRIPE_SPLIT = Lemma(
    name="stripe-split",
    lhs=x % (d * q),
    rhs=d * ((x // d) % q) + x % d,
    quotient=x // (d * q),
    remainder=d * ((x // d) % q) + x % d,
    uses=((floordiv.NESTED_FLOORDIV, {"x": x, "a": d, "r": 0, "b": q}),),
    example=Example(
        "x mod 32 - x mod 4",
        "4*(x floordiv 4 mod 8)",
        near_miss="x mod 32 - x mod 5",
    ),
    source=_DIVISION,
)
PULL_IN = Lemma(
    name="pull-in",
    lhs=r // n + t * x,
    rhs=(r + (t * n) * x) // n,
    quotient=r // n + t * x,
    remainder=r % n,
    certifies="rhs",
    example=Example(
        "2*x + (2*x + y) floordiv 5",
        "(12*x + y) floordiv 5",
        near_miss="2*x + y floordiv 5",
    ),
    source=_DIVISION,
)
COMPLEMENT = Lemma(
    name="complement",
    lhs=(n - 1) - x % n,
    rhs=(-1 - x) % n,
    quotient=-1 - x // n,
    remainder=(n - 1) - x % n,
    certifies="rhs",
    example=Example("1 - (x + 1) mod 2", "x mod 2", near_miss="1 - (x + 1) mod 3"),
    source=_DIVISION,
)
HALF_UP = Lemma(
    name="half-up",
    lhs=x // 2 + x % 2,
    rhs=(x + 1) // 2,
    quotient=x // 2 + x % 2,
    remainder=1 - x % 2,
    certifies="rhs",
    example=Example(
        "x floordiv 2 + x mod 2",
        "(x + 1) floordiv 2",
        near_miss="x floordiv 3 + x mod 3",
    ),
    source=_DIVISION,
)
ABSORB_MOD = Lemma(
    name="absorb-mod",
    lhs=(c * (x % (t * d)) + r) // d + (c * t) * y,
    rhs=(c * x + r) // d,
    given=(eq(y, x // (t * d)),),
    quotient=(c * (x % (t * d)) + r) // d + (c * t) * y,
    remainder=(c * (x % (t * d)) + r) % d,
    certifies="rhs",
    example=Example(
        "(x mod 2 + 7) floordiv 2 + x floordiv 2",
        "(x + 7) floordiv 2",
        near_miss="x floordiv 2 + (x mod 3 + 7) floordiv 2",
    ),
    source=_DIVISION,
)
FLOORDIV_DIFFERENCE = Lemma(
    name="floordiv-difference",
    lhs=(c * x + r) // d - t * (x // m),
    rhs=(c * (x % m) + r) // d,
    given=(eq(c * m, t * d),),
    quotient=(c * x + r) // d - t * (x // m),
    remainder=(c * x + r) % d,
    certifies="rhs",
    example=Example(
        "(x + 17) floordiv 3 - x floordiv 3",
        "(x mod 3 + 17) floordiv 3",
        near_miss="(x + 17) floordiv 3 - x floordiv 4",
    ),
    source=_DIVISION,
)
NEGATED_FLOORDIV = Lemma(
    name="negated-floordiv",
    lhs=-1 * (x // n),
    rhs=((n - 1) - x) // n,
    quotient=-1 * (x // n),
    remainder=(n - 1) - x % n,
    certifies="rhs",
    example=Example(
        "-((1 - x) floordiv 2)",
        "x floordiv 2",
        near_miss="-(x floordiv 2)",
    ),
    source=_DIVISION,
)
POINT = Lemma(
    name="point",
    lhs=e,
    rhs=c,
    given=(le(c, e), le(e, c)),
    example=Example(
        "(x + 1) mod 2 + x mod 2",
        "1",
        near_miss="x mod 3 + (x + 1) mod 3",
    ),
    source="the integers are totally ordered",
)

LEMMAS = (
    RECOMPOSE,
    REMAINDER,
    QUOTIENT,
    STRIPE,
    STRIPE_SPLIT,
    ABSORB_MOD,
    PULL_IN,
    COMPLEMENT,
    HALF_UP,
    FLOORDIV_DIFFERENCE,
    NEGATED_FLOORDIV,
    POINT,
)
