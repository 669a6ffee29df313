"""What the writer and the reader of the JSON form agree on."""

from __future__ import annotations

from typing import Any, Final

from pelican.errors import WireError
from pelican.tree.kinds import (
    AFFINE,
    AFFINE_IV,
    CC_DIV,
    CC_GET_RANK,
    FLOORDIV,
    INDIRECT_ARG,
    INT_RUNTIME_VALUE,
    MODULO,
    MULT,
    SHARD_ID,
    SUM,
)

VERSION: Final = 2
"""The version that is written."""

MAX_DEPTH: Final = 200
"""Deepest nesting of expressions; JSON readers recurse, twice or more per level."""

MAX_NODES: Final = 1_000_000
"""Most nodes of a tree, shared parts counted as often as they are used."""

TAGS: Final = {
    CC_GET_RANK: "CCGetRankKind",
    INDIRECT_ARG: "IndirectArgId",
    AFFINE_IV: "AffIVKind",
    INT_RUNTIME_VALUE: "IntRuntimeValueKind",
    SHARD_ID: "ShardIDKind",
    AFFINE: "AffExprKind",
    SUM: "SumKind",
    MULT: "MultKind",
    FLOORDIV: "FloorDivKind",
    MODULO: "ModuloKind",
    CC_DIV: "CCDivKind",
}
"""The tag of each kind that version 2 can hold."""

PART_KEYS: Final = {
    MULT: "var",
    FLOORDIV: "numer",
    MODULO: "numer",
    CC_DIV: "numer",
}
"""The key of the one part of a kind."""

NAME_KEYS: Final = {AFFINE_IV: "axis", INT_RUNTIME_VALUE: "regref"}
"""The key of the name that a kind is found by."""

INTEGER_KEYS: Final = {
    CC_GET_RANK: ("iteration_id", "channel_id"),
    INDIRECT_ARG: ("arg_id",),
    SHARD_ID: ("ub",),
    MULT: ("scale",),
    FLOORDIV: ("denom",),
    MODULO: ("denom",),
    CC_DIV: ("denom", "replica_groups_id"),
}
"""The keys of a kind's integers, in the order of its fields."""

UNSIGNED_KEYS: Final = frozenset({"replica_groups_id", "n_terms"})
"""The keys of integers without a sign."""

CC_MOD_TAG: Final = "CCModKind"
"""A tag that is read as another kind and never written."""

SIGNED: Final = range(-(2**63), 2**63)
UNSIGNED: Final = range(2**64)


class WireWarning(UserWarning):
    """The reader lost a part of what it read."""


def checked_integer(value: object, key: str, at: str) -> int:
    """Return the integer of a key, where the format can hold it.

    Raises:
        WireError: If it is no integer, or has more than 64 bits.
    """
    pointer = f"{at}/{key}"
    within = UNSIGNED if key in UNSIGNED_KEYS else SIGNED
    if isinstance(value, bool) or not isinstance(value, int):
        raise WireError(f"an integer is needed, got {shown(value)}", pointer)
    if value not in within:
        sign = "signed" if within is SIGNED else "unsigned"
        raise WireError(f"{shown(value)} is no {sign} 64-bit integer", pointer)
    return value


def shown(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return a short text of a value, for messages."""
    if isinstance(value, int) and value.bit_length() > 1000:
        return f"an integer of {value.bit_length()} bits"
    text = repr(value) if isinstance(value, (int, str)) else type(value).__name__
    return text if len(text) <= 80 else f"{text[:77]}..."
