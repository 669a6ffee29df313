"""Facts of the laws, as functions. Generated; do not edit.

`pelican.laws.generate_sides` writes this file from `pelican.lemmas`: run
`make update-golden`. `at` binds the metavariables of a law; `numer` is the numerator
of its left side; `ask` builds simplified mods and floordivs.
"""

from __future__ import annotations

from pelican.tree.build import plain, weighted_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from pelican.expr.node import Expr
    from pelican.laws.step import Make

    Binding = Mapping[str, Any]  # integers or expressions: a law knows which, by name


def _nested_mod_divides(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether n divides m."""
    m, n = at["m"], at["n"]
    return bool(m % n == 0)


def _nested_mod_larger(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether x mod m < n."""
    n = at["n"]
    span = numer.range
    return bool(span.hi is not None and span.hi < n)


def _period_fold_mod(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether k * n <= e and e < (k + 1) * n."""
    k, n = at["k"], at["n"]
    span = numer.range
    if not (span.lo is not None and k * n <= span.lo):
        return False
    return bool(span.hi is not None and span.hi < (k + 1) * n)


def _sum_mod_inner(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether n divides a * m."""
    a, m, n = at["a"], at["m"], at["n"]
    return bool((a * m) % n == 0)


def _sum_mod_drop(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether n divides a."""
    a, n = at["a"], at["n"]
    return bool(a % n == 0)


def _mod_gcd(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether k * g <= r and r < (k + 1) * g."""
    g, k, r = at["g"], at["k"], at["r"]
    span = r.range
    if not (span.lo is not None and k * g <= span.lo):
        return False
    return bool(span.hi is not None and span.hi < (k + 1) * g)


def _congruent_term(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether n divides a * (x - c)."""
    a, c, n, x = at["a"], at["c"], at["n"], at["x"]
    return bool(weighted_sum([(x, a)], -a * c).stride.is_multiple_of(n))


def _congruent_mod(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether 0 <= x mod g + r and x mod g + r < g."""
    g, r, x = at["g"], at["r"], at["x"]
    span = weighted_sum([(plain("%", x, g), 1), (r, 1)]).range
    if not (span.lo is not None and 0 <= span.lo):
        return False
    return bool(span.hi is not None and span.hi < g)


def _mod_floordiv(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether m <= d."""
    d, m = at["d"], at["m"]
    return bool(m <= d)


def _period_fold_floordiv(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether k * n <= e and e < (k + 1) * n."""
    k, n = at["k"], at["n"]
    span = numer.range
    if not (span.lo is not None and k * n <= span.lo):
        return False
    return bool(span.hi is not None and span.hi < (k + 1) * n)


def _floordiv_gcd(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether k * g <= r and r < (k + 1) * g."""
    g, k, r = at["g"], at["k"], at["r"]
    span = r.range
    if not (span.lo is not None and k * g <= span.lo):
        return False
    return bool(span.hi is not None and span.hi < (k + 1) * g)


def _scaled_mod_join(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether 0 <= r and r < g."""
    g, r = at["g"], at["r"]
    span = r.range
    if not (span.lo is not None and 0 <= span.lo):
        return False
    return bool(span.hi is not None and span.hi < g)


def _mod_out(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether c * m = t * d."""
    c, d, m, t = at["c"], at["d"], at["m"], at["t"]
    return bool(c * m == t * d)


def _congruent_floordiv(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether 0 <= x mod g + r and x mod g + r < g."""
    g, r, x = at["g"], at["r"], at["x"]
    span = weighted_sum([(plain("%", x, g), 1), (r, 1)]).range
    if not (span.lo is not None and 0 <= span.lo):
        return False
    return bool(span.hi is not None and span.hi < g)


def _recompose(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether y = x floordiv n."""
    n, x, y = at["n"], at["x"], at["y"]
    return bool(y == ask("//", x, n))


def _remainder(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether y = x floordiv n."""
    n, x, y = at["n"], at["x"], at["y"]
    return bool(y == ask("//", x, n))


def _quotient(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether y = x mod n."""
    n, x, y = at["n"], at["x"], at["y"]
    return bool(y == ask("%", x, n))


def _stripe(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether y = x floordiv d and z = x mod d."""
    d, x, y, z = at["d"], at["x"], at["y"], at["z"]
    if not (y == ask("//", x, d)):
        return False
    return bool(z == ask("%", x, d))


def _absorb_mod(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether y = x floordiv (t * d)."""
    d, t, x, y = at["d"], at["t"], at["x"], at["y"]
    return bool(y == ask("//", x, t * d))


def _floordiv_difference(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether c * m = t * d."""
    c, d, m, t = at["c"], at["d"], at["m"], at["t"]
    return bool(c * m == t * d)


def _point(at: Binding, numer: Expr, ask: Make) -> bool:
    """Tell whether c <= e and e <= c."""
    c, e = at["c"], at["e"]
    span = e.range
    if not (span.lo is not None and c <= span.lo):
        return False
    return bool(span.hi is not None and span.hi <= c)


FACTS: Final[dict[str, Callable[[Binding, Expr, Make], bool]]] = {
    "nested-mod-divides": _nested_mod_divides,
    "nested-mod-larger": _nested_mod_larger,
    "period-fold-mod": _period_fold_mod,
    "sum-mod-inner": _sum_mod_inner,
    "sum-mod-drop": _sum_mod_drop,
    "mod-gcd": _mod_gcd,
    "congruent-term": _congruent_term,
    "congruent-mod": _congruent_mod,
    "mod-floordiv": _mod_floordiv,
    "period-fold-floordiv": _period_fold_floordiv,
    "floordiv-gcd": _floordiv_gcd,
    "scaled-mod-join": _scaled_mod_join,
    "mod-out": _mod_out,
    "congruent-floordiv": _congruent_floordiv,
    "recompose": _recompose,
    "remainder": _remainder,
    "quotient": _quotient,
    "stripe": _stripe,
    "absorb-mod": _absorb_mod,
    "floordiv-difference": _floordiv_difference,
    "point": _point,
}
