"""Values by plain enumeration."""

from itertools import product
from typing import Any

from pelican import Expr
from pelican.tree.traverse import fold, indices


def values_of(expr: Expr) -> list[int]:
    """Return the distinct values by plain enumeration, in ascending order."""
    leaves: tuple[Any, ...] = indices(expr)
    points = product(*(range(leaf.lo, leaf.hi, leaf.step) for leaf in leaves))
    return sorted(
        {fold(expr, dict(zip(leaves, p, strict=True)).__getitem__) for p in points}
    )
