"""The congruence rules: how the class of an operation follows from its operands'.

An expression is in the class ``r`` modulo ``s`` if its value is r plus a multiple of s;
the rules are those of Granger's arithmetical congruences.
"""

from __future__ import annotations

from pelican.laws.lemma import CongruenceRule, divisor_of
from pelican.laws.term import expr, literal
from pelican.lemmas import floordiv

k, h, trip = expr("k"), expr("h"), expr("trip")
r, r_x, r_y = literal("r"), literal("r_x"), literal("r_y")
c, g, n, s, t = (literal(name) for name in "cgnst")
first, step = literal("first"), literal("step")

_GRANGER = "Granger, Static Analysis of Arithmetical Congruences, IJCM 30, 1989"

WEAKER_CLASS = CongruenceRule(
    name="weaker-class",
    subject=r + s * k,
    modulus=g,
    residue=r,
    given=(divisor_of(g, s),),
    quotient=(s // g) * k,
    source=_GRANGER,
)
INDEX_CLASS = CongruenceRule(
    name="index-class",
    subject=first + step * trip,
    modulus=step,
    residue=first,
    quotient=trip,
    source=_GRANGER,
)
SUM_CLASS = CongruenceRule(
    name="sum-class",
    subject=(r_x + g * k) + (r_y + g * h),
    modulus=g,
    residue=r_x + r_y,
    quotient=k + h,
    source=_GRANGER,
)
SCALE_CLASS = CongruenceRule(
    name="scale-class",
    subject=c * (r + s * k),
    modulus=t,
    residue=c * r,
    given=(divisor_of(t, c * s),),
    quotient=((c * s) // t) * k,
    source=_GRANGER,
)
FLOORDIV_CLASS = CongruenceRule(
    name="floordiv-class",
    subject=(r + (n * t) * k) // n,
    modulus=t,
    residue=r // n,
    quotient=k,
    uses=((floordiv.FLOORDIV_SHIFT, {"a": n * t, "x": k, "r": r, "t": t, "n": n}),),
    source=_GRANGER,
)
MOD_CLASS = CongruenceRule(
    name="mod-class",
    subject=(r + g * k) % n,
    modulus=g,
    residue=r,
    given=(divisor_of(g, n),),
    quotient=k - (n // g) * ((r + g * k) // n),
    source=_GRANGER,
)

CONGRUENCE_RULES = (
    WEAKER_CLASS,
    INDEX_CLASS,
    SUM_CLASS,
    SCALE_CLASS,
    FLOORDIV_CLASS,
    MOD_CLASS,
)
