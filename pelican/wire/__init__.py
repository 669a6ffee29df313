"""The JSON form of expressions: version 2 is read and written, version 1 is read.

An object is a tree: it has no references, so a shared part is written as often as it
is used, and indices stand by name. Reading builds plain nodes and never simplifies, so
that a tree that was written comes back as it was.

The tags of version 2:

| tag | keys |
|---|---|
| CCGetRankKind | iteration_id, channel_id |
| IndirectArgId | arg_id |
| AffIVKind | axis: a name |
| IntRuntimeValueKind | regref: a name |
| ShardIDKind | ub |
| AffExprKind | terms: a list of {idx, coeff}; c |
| SumKind | n_terms, terms |
| MultKind | var, scale |
| FloorDivKind | numer, denom |
| ModuloKind | numer, denom |
| CCDivKind | numer, denom, replica_groups_id |
| CCModKind | numer, denom; read only, as a ModuloExpr, with a warning |

>>> from pelican import index
>>> i = index("i", 0, 64)
>>> text = dumps((3 + 2 * i) % 4)
>>> text[:31]
'{"denom":4,"kind":"ModuloKind",'
>>> print(loads(text, {"i": i}))
(2*i + 3) mod 4
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pelican.errors import TooDeepError, WireError
from pelican.wire.form import MAX_DEPTH, MAX_NODES, VERSION, WireWarning, shown
from pelican.wire.read import from_wire
from pelican.wire.write import to_wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pelican.expr.node import Expr


def dumps(expr: Expr) -> str:
    """Return the JSON text of an expression, version 2, with its keys sorted.

    Raises:
        WireError: If version 2 cannot hold the expression.
        TooDeepError: If it is nested beyond `MAX_DEPTH`.
        TooLargeError: If its tree has more than `MAX_NODES` nodes.
    """
    return json.dumps(to_wire(expr), sort_keys=True, separators=(",", ":"))


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; a key that stands twice would lose a value."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise WireError(f"the key {shown(twice)} stands twice in one object", "")
    return found


def loads(text: str, names: Mapping[str, Expr], *, version: int = VERSION) -> Expr:
    """Return the plain expression of a JSON text.

    Args:
        text: One object.
        names: The loop index of each axis name, the runtime value of each register.
        version: 1 or 2, as the document says that holds the object.

    Raises:
        WireError: If it is no JSON, an object has a key twice, or it is no expression
            of that version.
        TooDeepError: If it is nested beyond `MAX_DEPTH`.
        TooLargeError: If it has more than `MAX_NODES` nodes.
    """
    try:
        value = json.loads(text, object_pairs_hook=_distinct)
    except RecursionError:
        raise TooDeepError(
            f"the JSON text is nested beyond what a reader can hold; an expression "
            f"may have a depth of {MAX_DEPTH}"
        ) from None
    except (TypeError, ValueError) as error:
        if isinstance(error, WireError):
            raise
        raise WireError(f"this is no JSON: {error}", "") from None
    return from_wire(value, names, version=version)


__all__ = [
    "MAX_DEPTH",
    "MAX_NODES",
    "VERSION",
    "WireWarning",
    "dumps",
    "from_wire",
    "loads",
    "to_wire",
]
