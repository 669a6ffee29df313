"""Laws that look right and are wrong, each with a counterexample.

Every past mistake about mod and floordiv stays here: a solver that accepts one of
these proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pelican.lemma import Fact, Lemma, eq, le, lt
from pelican.term import Term, expr, literal

x, y, e, r = (expr(name) for name in ("x", "y", "e", "r"))
a, d, g, k, m, n, s, t = (literal(name) for name in "adgkmnst")


@dataclass(frozen=True, slots=True)
class WrongLaw:
    """A law that fails.

    Attributes:
        law: The record; its source says where the mistake is met.
        tempting: Why it looks right.
        counterexample: A point known to refute it.
    """

    law: Lemma
    tempting: str
    counterexample: Mapping[str, int]


def _wrong(
    name: str,
    lhs: Term,
    rhs: Term | int,
    *,
    given: tuple[Fact, ...] = (),
    tempting: str,
    source: str,
    at: Mapping[str, int],
) -> WrongLaw:
    law = Lemma(name=name, lhs=lhs, rhs=rhs, given=given, source=source)
    return WrongLaw(law, tempting, at)


_MODELLED = "description of the modelled system"
_C = "ISO/IEC 9899 (C), 6.5.5: division truncates toward zero"
_FOLKLORE = "a common slip"

REFUTED: Final = (
    _wrong(
        "sum-mod-without-outer-mod",
        (x + y) % n,
        x % n + y % n,
        tempting="a mod seems to distribute over a sum, one mod per operand",
        source=f"{_MODELLED}: the words for its sum rule",
        at={"x": 2, "y": 2, "n": 3},
    ),
    _wrong(
        "affine-mod-without-outer-mod",
        (a * x + r) % n,
        (a % n) * x + r % n,
        tempting="coefficient and offset are reduced, so nothing seems left to reduce",
        source=f"{_MODELLED}: its affine rule without the node that it keeps",
        at={"a": 1, "x": 3, "r": 0, "n": 2},
    ),
    _wrong(
        "coefficient-shift-without-outer-mod",
        (a * x + r) % n,
        (a + t * n) * x + r,
        tempting="the shifted coefficient is congruent, which is not the same as equal",
        source=f"{_MODELLED}: its affine rule without the node that it keeps",
        at={"a": 3, "t": -1, "x": 3, "r": 0, "n": 2},
    ),
    _wrong(
        "remainder-of-c-for-mod",
        x % n,
        0 - (0 - x) % n,
        given=(lt(x, 0),),
        tempting="% of C agrees with mod on every numerator that is not negative",
        source=_C,
        at={"x": -1, "n": 3},
    ),
    _wrong(
        "division-of-c-for-floordiv",
        x // n,
        0 - (0 - x) // n,
        given=(lt(x, 0),),
        tempting="/ of C agrees with floordiv on every numerator that is not negative",
        source=_C,
        at={"x": -1, "n": 2},
    ),
    _wrong(
        "multiple-out-of-division-of-c",
        0 - (0 - (n * x + r)) // n,
        x + r // n,
        given=(lt(n * x + r, 0), le(0, r)),
        tempting="the law holds for floordiv, and for / of C when nothing is negative",
        source=_C,
        at={"x": -1, "n": 2, "r": 1},
    ),
    _wrong(
        "nested-mod-without-divisibility",
        x % m % n,
        x % n,
        tempting="holds whenever n divides m, which is the usual case",
        source=f"{_MODELLED}: its nested rule without the guard",
        at={"x": -30, "m": 4, "n": 3},
    ),
    _wrong(
        "nested-mod-larger-for-smaller-n",
        x % m % n,
        x % m,
        given=(lt(n, m),),
        tempting="the guard is the wrong way round",
        source=f"{_MODELLED}: its nested rule with the guard reversed",
        at={"x": 3, "m": 4, "n": 3},
    ),
    _wrong(
        "mod-floordiv-at-m-minus-1",
        (x % m) // d,
        0,
        given=(eq(d, m - 1),),
        tempting="m <= d is enough, and this is one less",
        source=f"{_MODELLED}: its guard m < d, off by two",
        at={"x": 3, "m": 4, "d": 3},
    ),
    _wrong(
        "period-fold-at-closed-end",
        e % n,
        e - k * n,
        given=(le(k * n, e), le(e, (k + 1) * n)),
        tempting="a range with both ends included reads like one period",
        source=_FOLKLORE,
        at={"e": 8, "k": 0, "n": 8},
    ),
    _wrong(
        "sum-mod-inner-without-divisibility",
        (x % m + r) % n,
        (x + r) % n,
        tempting="the outer mod is there, so the inner one seems idle",
        source=_FOLKLORE,
        at={"x": 5, "m": 4, "r": 0, "n": 3},
    ),
    _wrong(
        "negative-factor-out-of-mod",
        (s * x) % n,
        s * (x % k),
        given=(lt(s, 0), eq(n, -1 * s * k)),
        tempting="holds for every positive s that divides n",
        source=f"{_MODELLED}: identities checked by brute force",
        at={"s": -8, "x": -30, "n": 32, "k": 4},
    ),
    _wrong(
        "negation-through-mod",
        (0 - x) % n,
        n - x % n,
        tempting="holds for every x that is not a multiple of n",
        source=_FOLKLORE,
        at={"x": 0, "n": 4},
    ),
    _wrong(
        "factor-out-of-mod",
        (a * x) % n,
        a * (x % n),
        tempting="the two sides are congruent, which is not the same as equal",
        source=_FOLKLORE,
        at={"a": 2, "x": 2, "n": 3},
    ),
    _wrong(
        "offset-out-of-mod",
        (r + a * x) % n,
        r + (a * x) % n,
        tempting="base + (i*stride) mod size and (base + i*stride) mod size read alike",
        source=f"{_MODELLED}: two formulas for one address",
        at={"r": 3, "a": 1, "x": 1, "n": 4},
    ),
    _wrong(
        "sum-floordiv-splits",
        (x + y) // n,
        x // n + y // n,
        tempting="holds when n divides one of the two",
        source=_FOLKLORE,
        at={"x": 1, "y": 1, "n": 2},
    ),
    _wrong(
        "ceiling-is-floor-plus-one",
        0 - (0 - x) // n,
        x // n + 1,
        tempting="holds for every x that is not a multiple of n",
        source=_FOLKLORE,
        at={"x": 8, "n": 4},
    ),
    _wrong(
        "multiple-dropped-for-a-divisor",
        (a * x + r) % n,
        r % n,
        given=(eq(n, k * a),),
        tempting="holds when n divides a; here a divides n",
        source=_FOLKLORE,
        at={"a": 2, "x": 1, "r": 0, "n": 4, "k": 2},
    ),
    _wrong(
        "remainder-by-another-operation",
        x - n * (x + n),
        x % n,
        tempting="x - n*(x floordiv n) is x mod n, and only the operation differs",
        source="tensorflow/mlir issue 82",
        at={"x": 0, "n": 2},
    ),
    _wrong(
        "remainder-of-another-numerator",
        x - n * (y // n),
        x % n,
        tempting="x - n*(x floordiv n) is x mod n, and only the numerator differs",
        source="llvm/llvm-project pull request 181613",
        at={"x": 0, "y": 4, "n": 4},
    ),
    _wrong(
        "remainder-by-another-factor",
        x - m * (x // n),
        x % n,
        given=(le(1, m), lt(m, n)),
        tempting="x - n*(x floordiv n) is x mod n, and one constant is easily misread",
        source="llvm/llvm-project pull request 181613",
        at={"x": 8, "m": 4, "n": 8},
    ),
    _wrong(
        "parity-flip-without-shift",
        y - x % 2,
        y + x % 2 - 1,
        tempting="holds with (x + 1) mod 2 on one side, the other parity",
        source="apache/tvm pull request 14571",
        at={"x": 0, "y": 0},
    ),
    _wrong(
        "offset-lost-in-floordiv",
        (x + r) // n,
        x // n,
        given=(lt(-1 * n, r), lt(r, n)),
        tempting="an offset below the divisor is below one step of the quotient",
        source="apache/tvm issue 19524",
        at={"x": 0, "r": -1, "n": 2},
    ),
    _wrong(
        "period-and-mod-dropped-together",
        (n - x % n) % n,
        0 - x % n,
        tempting="n is 0 modulo n, and what is left is smaller than n",
        source="sympy/sympy issue 13125",
        at={"x": 1, "n": 4},
    ),
    _wrong(
        "negated-mod",
        (0 - x) % n,
        0 - x % n,
        tempting="-x mod n reads like -(x mod n), which is what % of C gives",
        source="Zezombye/overpy issue 158",
        at={"x": 1, "n": 4},
    ),
    _wrong(
        "mod-dropped-below-twice-the-numerator",
        (0 - k) % (2 * k),
        0 - k,
        tempting="the magnitude is below the divisor",
        source="diofant/diofant issue 312",
        at={"k": 1},
    ),
    _wrong(
        "mod-dropped-by-upper-end",
        x % n,
        x,
        given=(lt(x, n),),
        tempting="a numerator below the divisor is its own remainder if it is >= 0 too",
        source="pytorch/pytorch pull request 131761",
        at={"x": -2, "n": 4},
    ),
    _wrong(
        "negation-through-floordiv",
        (0 - x) // n,
        0 - x // n,
        tempting="/ of C gives it, and so does a remainder >= 0 for a negative divisor",
        source="llvm/llvm-project pull request 97031",
        at={"x": 1, "n": 4},
    ),
    _wrong(
        "negative-factor-cancelled-in-floordiv",
        (s * x) // n,
        0 - x // k,
        given=(lt(s, 0), eq(n, -1 * s * k)),
        tempting="holds for every positive s, without the sign",
        source="halide/Halide issues 2949 and 3154",
        at={"s": -3, "x": 3, "n": 6, "k": 2},
    ),
    _wrong(
        "factor-lost-from-mod",
        (g * x) % (g * n),
        x % n,
        tempting="a common factor cancels in a floordiv; in a mod it must stay outside",
        source="apache/tvm pull request 17765",
        at={"g": 2, "x": 1, "n": 2},
    ),
    _wrong(
        "stride-out-of-mod-without-divisibility",
        (a * x) % n,
        a * (x % (n // a)),
        given=(lt(0, a), le(a, n)),
        tempting="holds whenever the stride a divides the size n",
        source="NVIDIA/cutlass issue 3177",
        at={"a": 3, "x": 2, "n": 4},
    ),
    _wrong(
        "carry-lost",
        x % n + a * (x // n),
        x,
        given=(le(n, a),),
        tempting="holds for a = n, and for every a while x stays below n",
        source="NVIDIA/cutlass issue 2955",
        at={"x": 7, "n": 6, "a": 7},
    ),
    _wrong(
        "offset-rounded-up-in-floordiv",
        (g * x + r) // (g * d),
        (x + k) // d,
        given=(lt((k - 1) * g, r), le(r, k * g)),
        tempting="the offset is rounded to a multiple of g, but must be rounded down",
        source="tinygrad/tinygrad pull request 5982",
        at={"g": 4, "x": 2, "r": 7, "d": 4, "k": 2},
    ),
)
"""Every wrong law of the corpus, in the order of its page."""
