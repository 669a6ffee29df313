"""How points are shown: the value of each index, indices of one name being numbered."""

from __future__ import annotations

from pelican.integers import brief
from pelican.tree.kinds import is_expr, is_leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pelican.expr import SimpleExpr
    from pelican.expr.node import Expr


def point_text(point: Mapping[Any, int], *others: Mapping[Any, int]) -> str:
    """Return the text of a point, as messages show it.

    Args:
        point: The value of each index or metavariable.
        others: Points that are shown beside it.

    >>> from pelican import index
    >>> point_text({index("i"): 0, index("k"): 3})
    'i = 0, k = 3'
    >>> point_text({index("i"): 0, index("i"): 3})
    'i = 0, i#2 = 3'
    """
    names = point_names(point, *others)
    return ", ".join(f"{names[key]} = {brief(value)}" for key, value in point.items())


def in_term_order(point: Mapping[Any, int]) -> dict[Any, int]:
    """Return a point whose indices stand in term order, after all other keys.

    >>> from pelican import index
    >>> j, i = index("j"), index("i")
    >>> point_text(in_term_order({j: 0, i: 3}))
    'i = 3, j = 0'
    """
    leaves = [key for key in point if is_expr(key) and is_leaf(key)]
    leaves.sort(key=lambda leaf: leaf.order_key)
    others = (key for key in point if not is_expr(key))
    return {key: point[key] for key in (*others, *leaves)}


def point_names(*points: Mapping[Any, int]) -> dict[Any, str]:
    """Return how the keys of some points are shown, no two of them alike.

    The second index of one name, in term order, is ``i#2``, as in the text of an
    expression over them.
    """
    keys = {key: str(key) for point in points for key in point}
    leaves = [key for key in keys if is_expr(key) and is_leaf(key)]
    return keys | numbered(sorted(leaves, key=lambda leaf: leaf.order_key))


def numbered(leaves: Iterable[SimpleExpr]) -> dict[Expr, str]:
    """Return ``i#2`` and so on for the second index of one name, in their order."""
    count: dict[str, int] = {}
    names: dict[Expr, str] = {}
    for idx in leaves:
        count[idx.name] = count.get(idx.name, 0) + 1
        if count[idx.name] > 1:
            names[idx] = f"{idx.name}#{count[idx.name]}"
    return names
