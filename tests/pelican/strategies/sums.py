"""Sums that change, and what is looked up in them."""

from __future__ import annotations

from pelican import simplify
from pelican.strategies.linear import LinearSum
from tests.strategies import raw_expressions

sums = raw_expressions(6).map(simplify)


def looked_up(total: LinearSum) -> dict[str, object]:
    """Return what proposals look up in a sum, without what is empty by now."""
    return {
        "coefficients": total.coefficients,
        "offset": total.offset,
        "mods": {x: set(found) for x, found in total.mods_over.items() if found},
        "floordivs": {x: set(found) for x, found in total.divs_along.items() if found},
        "divisors": {n: count for n, count in total.divisors.items() if count},
        "positive": total._positive,
    }
