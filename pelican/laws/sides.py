"""Right sides of laws, as functions. Generated; do not edit.

`pelican.laws.generate_sides` writes this file from `pelican.lemmas`: run
`make update-golden`. `at` binds the metavariables of a law; `make` builds simplified
mods and floordivs. A law over a sum gets a binding for each term that it treats; the
other terms are `rest` and `offset`.
"""

from __future__ import annotations

from pelican.tree.build import added, scale, weighted_sum
from pelican.tree.divmod import DivMod
from pelican.tree.kinds import constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Final

    from pelican.expr.node import Expr
    from pelican.laws.step import Make
    from pelican.tree.flat import Weighted

    Binding = Mapping[str, Any]  # integers or expressions: a law knows which, by name
    Single = Callable[[Binding, Make], Expr | DivMod]
    Lifted = Callable[[Sequence[Binding], Weighted, int, Make], Expr | DivMod]


def _nested_mod_divides(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x mod n``."""
    n, x = at["n"], at["x"]
    return DivMod("%", x, n)


def _nested_mod_larger(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x mod m``."""
    m, x = at["m"], at["x"]
    return DivMod("%", x, m)


def _period_fold_mod(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``e - k * n``."""
    e, k, n = at["e"], at["k"], at["n"]
    return added(e, -(k * n))


def _mod_gcd(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``g * ((x + k) mod d) + (r - k * g)``."""
    d, g, k, r, x = at["d"], at["g"], at["k"], at["r"], at["x"]
    return weighted_sum([(make("%", added(x, k), d), g), (r, 1)], -(k * g))


def _congruent_mod(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x mod (g * d) + r``."""
    d, g, r, x = at["d"], at["g"], at["r"], at["x"]
    return weighted_sum([(make("%", x, g * d), 1), (r, 1)])


def _mod_floordiv(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``0``."""
    return constant(0)


def _period_fold_floordiv(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``k``."""
    k = at["k"]
    return constant(k)


def _nested_floordiv(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(x + a * r) floordiv (a * b)``."""
    a, b, r, x = at["a"], at["b"], at["r"], at["x"]
    return DivMod("//", weighted_sum([(x, 1), (r, a)]), a * b)


def _nested_negated_floordiv(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(a - 1 - x + a * r) floordiv (a * b)``."""
    a, b, r, x = at["a"], at["b"], at["r"], at["x"]
    return DivMod("//", weighted_sum([(x, -1), (r, a)], a - 1), a * b)


def _floordiv_gcd(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(x + k) floordiv d``."""
    d, k, x = at["d"], at["k"], at["x"]
    return DivMod("//", added(x, k), d)


def _mod_floordiv_exchange(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x floordiv d mod q``."""
    d, q, x = at["d"], at["q"], at["x"]
    return DivMod("%", make("//", x, d), q)


def _scaled_mod_join(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(g * x + r) mod (g * d) floordiv k``."""
    d, g, k, r, x = at["d"], at["g"], at["k"], at["r"], at["x"]
    return DivMod("//", make("%", weighted_sum([(x, g), (r, 1)]), g * d), k)


def _div_mod_div(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``((x + d * y) mod (d * q) + d * r) floordiv (d * b)``."""
    b, d, q, r, x, y = at["b"], at["d"], at["q"], at["r"], at["x"], at["y"]
    return DivMod("//", weighted_sum([(make("%", weighted_sum([(x, 1), (y, d)]), d * q), 1), (r, d)]), d * b)


def _mod_out(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(c * x + r) floordiv d - t * (x floordiv m)``."""
    c, d, m, r, t, x = at["c"], at["d"], at["m"], at["r"], at["t"], at["x"]
    return weighted_sum([(make("//", weighted_sum([(x, c), (r, 1)]), d), 1), (make("//", x, m), -t)])


def _congruent_floordiv(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x floordiv (g * d)``."""
    d, g, x = at["d"], at["g"], at["x"]
    return DivMod("//", x, g * d)


def _recompose(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x``."""
    x: Expr = at["x"]
    return x


def _remainder(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x mod n``."""
    n, x = at["n"], at["x"]
    return DivMod("%", x, n)


def _quotient(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``n * (x floordiv n)``."""
    n, x = at["n"], at["x"]
    return scale(make("//", x, n), n)


def _stripe(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``x mod (d * q)``."""
    d, q, x = at["d"], at["q"], at["x"]
    return DivMod("%", x, d * q)


def _stripe_split(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``d * (x floordiv d mod q) + x mod d``."""
    d, q, x = at["d"], at["q"], at["x"]
    return weighted_sum([(make("%", make("//", x, d), q), d), (make("%", x, d), 1)])


def _absorb_mod(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(c * x + r) floordiv d``."""
    c, d, r, x = at["c"], at["d"], at["r"], at["x"]
    return DivMod("//", weighted_sum([(x, c), (r, 1)]), d)


def _pull_in(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(r + t * n * x) floordiv n``."""
    n, r, t, x = at["n"], at["r"], at["t"], at["x"]
    return DivMod("//", weighted_sum([(r, 1), (x, t * n)]), n)


def _complement(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(-1 - x) mod n``."""
    n, x = at["n"], at["x"]
    return DivMod("%", weighted_sum([(x, -1)], -1), n)


def _half_up(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(x + 1) floordiv 2``."""
    x = at["x"]
    return DivMod("//", added(x, 1), 2)


def _floordiv_difference(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(c * (x mod m) + r) floordiv d``."""
    c, d, m, r, x = at["c"], at["d"], at["m"], at["r"], at["x"]
    return DivMod("//", weighted_sum([(make("%", x, m), c), (r, 1)]), d)


def _negated_floordiv(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``(n - 1 - x) floordiv n``."""
    n, x = at["n"], at["x"]
    return DivMod("//", weighted_sum([(x, -1)], n - 1), n)


def _point(at: Binding, make: Make) -> Expr | DivMod:
    """Build ``c``."""
    c = at["c"]
    return constant(c)


def _sum_mod_inner(
    bindings: Sequence[Binding], rest: Weighted, offset: int, make: Make
) -> Expr | DivMod:
    """Build ``(a * x + r) mod n``."""
    parts = list(rest)
    for at in bindings:
        a, x = at["a"], at["x"]
        parts.append((x, a))
    n = bindings[0]["n"]
    return DivMod("%", weighted_sum(parts, offset), n)


def _sum_mod_drop(
    bindings: Sequence[Binding], rest: Weighted, offset: int, make: Make
) -> Expr | DivMod:
    """Build ``r mod n``."""
    parts = list(rest)
    n = bindings[0]["n"]
    return DivMod("%", weighted_sum(parts, offset), n)


def _coefficient_shift(
    bindings: Sequence[Binding], rest: Weighted, offset: int, make: Make
) -> Expr | DivMod:
    """Build ``((a + t * n) * x + r) mod n``."""
    parts = list(rest)
    for at in bindings:
        a, n, t, x = at["a"], at["n"], at["t"], at["x"]
        parts.append((x, a + (t * n)))
    n = bindings[0]["n"]
    return DivMod("%", weighted_sum(parts, offset), n)


def _congruent_term(
    bindings: Sequence[Binding], rest: Weighted, offset: int, make: Make
) -> Expr | DivMod:
    """Build ``(a * c + r) mod n``."""
    parts = list(rest)
    for at in bindings:
        a, c = at["a"], at["c"]
        offset += a * c
    n = bindings[0]["n"]
    return DivMod("%", weighted_sum(parts, offset), n)


def _floordiv_shift(
    bindings: Sequence[Binding], rest: Weighted, offset: int, make: Make
) -> Expr | DivMod:
    """Build ``((a - t * n) * x + r) floordiv n + t * x``."""
    parts = list(rest)
    outside: Weighted = []
    for at in bindings:
        a, n, t, x = at["a"], at["n"], at["t"], at["x"]
        parts.append((x, a - (t * n)))
        outside.append((x, t))
    n = bindings[0]["n"]
    return weighted_sum([(make("//", weighted_sum(parts, offset), n), 1), *outside])


SINGLE: Final[dict[str, Single]] = {
    "nested-mod-divides": _nested_mod_divides,
    "nested-mod-larger": _nested_mod_larger,
    "period-fold-mod": _period_fold_mod,
    "mod-gcd": _mod_gcd,
    "congruent-mod": _congruent_mod,
    "mod-floordiv": _mod_floordiv,
    "period-fold-floordiv": _period_fold_floordiv,
    "nested-floordiv": _nested_floordiv,
    "nested-negated-floordiv": _nested_negated_floordiv,
    "floordiv-gcd": _floordiv_gcd,
    "mod-floordiv-exchange": _mod_floordiv_exchange,
    "scaled-mod-join": _scaled_mod_join,
    "div-mod-div": _div_mod_div,
    "mod-out": _mod_out,
    "congruent-floordiv": _congruent_floordiv,
    "recompose": _recompose,
    "remainder": _remainder,
    "quotient": _quotient,
    "stripe": _stripe,
    "stripe-split": _stripe_split,
    "absorb-mod": _absorb_mod,
    "pull-in": _pull_in,
    "complement": _complement,
    "half-up": _half_up,
    "floordiv-difference": _floordiv_difference,
    "negated-floordiv": _negated_floordiv,
    "point": _point,
}

LIFTED: Final[dict[str, Lifted]] = {
    "sum-mod-inner": _sum_mod_inner,
    "sum-mod-drop": _sum_mod_drop,
    "coefficient-shift": _coefficient_shift,
    "congruent-term": _congruent_term,
    "floordiv-shift": _floordiv_shift,
}
