"""The laws of ``e floordiv n``."""

from __future__ import annotations

from pelican.lemma import Example, Lemma, expr, le, literal, lt

x, e = expr("x"), expr("e")
d, k, m, n = (literal(name) for name in "dkmn")

_DIVISION = "Graham, Knuth, Patashnik, Concrete Mathematics, section 3.4"

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

LEMMAS = (MOD_FLOORDIV, PERIOD_FOLD_FLOORDIV)
