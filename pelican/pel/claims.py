"""The claims of ``check`` statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lark import Token, Tree

from pelican.access.patterns import AccessPattern
from pelican.errors import ParseError
from pelican.expr import AffineIdx
from pelican.expr.node import Expr
from pelican.pel.values import Values, as_token, as_tree
from pelican.questions.claims import (
    Bijective,
    Claim,
    Disjoint,
    Distinct,
    Equal,
    InBounds,
    Injective,
    InRange,
)
from pelican.tree.kinds import is_constant


def read_claim(part: Tree[Token], values: Values) -> Claim:
    """Return the claim of a tree behind the word ``check``.

    Raises:
        ParseError: If a name stands for nothing, or for something of another kind.
        PelicanError: If the claim makes no sense, such as one with an empty range.
    """
    return _READERS[str(part.data)](part, values)


def _in_range(part: Tree[Token], values: Values) -> Claim:
    """Return a range claim: of an expression, or of all addresses of a pattern."""
    subject, ends = map(as_tree, part.children)
    low, high = values.pair(ends)
    if subject.data == "name":
        known = values.names.values.get(str(subject.children[0]))
        if isinstance(known, AccessPattern):
            return InBounds(known, low, high)
    return InRange(values.expression(subject), low, high)


def _equal(part: Tree[Token], values: Values) -> Claim:
    left, comparison, right = part.children
    if comparison != "==":
        raise ParseError(
            f"a claim compares with ==, got {comparison}",
            values.names.span(comparison),
            "say it by a range, as in check e in [0, 64)",
        )
    return Equal(values.expression(left), values.expression(right))


def _distinct(part: Tree[Token], values: Values) -> Claim:
    e, name, other = part.children
    idx = values.names.index(as_token(name))
    return Distinct(values.expression(e), idx, _distance(idx, other, values))


def _distance(idx: AffineIdx, other: Tree[Token] | Token, values: Values) -> int:
    """Return by how much the other iteration is behind that of an index."""
    away = values.expression(other, plain=False) - idx
    if is_constant(away):
        return away.constant
    raise ParseError(
        f"the other iteration must be {idx.name} plus an integer",
        values.names.span(other),
        f"write for {idx.name}, {idx.name} + 1",
    )


def _disjoint(part: Tree[Token], values: Values) -> Claim:
    first, second, *shift = part.children
    p = values.names.pattern(as_token(first))
    q = values.names.pattern(as_token(second))
    moves = as_tree(shift[0]).children if shift else []
    to: dict[AffineIdx, Expr] = {}
    for move in map(as_tree, moves):
        name, value = move.children
        idx = values.names.index(as_token(name))
        if idx in to:
            raise ParseError(
                f"{idx.name} is shifted twice",
                values.names.span(name),
                "give each index one value",
            )
        to[idx] = values.expression(value, plain=False)
    return Disjoint(p, q, to)


def _injective(part: Tree[Token], values: Values) -> Claim:
    return Injective(values.names.pattern_or_map(as_token(part.children[0])))


def _bijective(part: Tree[Token], values: Values) -> Claim:
    return Bijective(values.names.map(as_token(part.children[0])))


_READERS: Final[dict[str, Callable[[Tree[Token], Values], Claim]]] = {
    "in_range": _in_range,
    "comparison": _equal,
    "distinct": _distinct,
    "disjoint": _disjoint,
    "injective": _injective,
    "bijective": _bijective,
}
