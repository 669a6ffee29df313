"""Sums and scales laid flat: the terms of an expression, with their coefficients."""

from __future__ import annotations

from pelican.tree.kinds import AFFINE, MULT, SUM, is_affine, is_mult, is_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from pelican.expr.node import Expr

    Weighted = list[tuple[Expr, int]]
    """Terms with their coefficients."""

LINEAR: Final = frozenset({AFFINE, SUM, MULT})
"""The kinds that are sums or scales of other expressions."""


def weights(expr: Expr, factor: int = 1) -> tuple[Weighted, int]:
    """Return the terms of an expression with their coefficients, and its constant.

    A term is a bare index or a mod or floordiv. Raw trees of sums and scales are
    flattened; equal terms may come several times. A shared part is looked at once.
    """
    node: Any = expr
    kind = node.kind
    if kind == AFFINE:
        if factor == 1:
            return list(node.terms), node.constant
        return [(idx, factor * c) for idx, c in node.terms], factor * node.constant
    if kind == MULT and node.operand.kind not in LINEAR:
        return [(node.operand, factor * node.scale)], 0
    if kind not in LINEAR:
        return [(expr, factor)], 0
    return flat_weights(expr, factor) or _weights(expr, factor)


def flat_weights(
    total: Any,  # noqa: ANN401 - a sum or a scale
    factor: int,
) -> tuple[Weighted, int] | None:
    """Return the terms of a sum without sums or scales in its operands, or None."""
    if total.kind != SUM:
        return None
    terms: Weighted = []
    offset = 0
    for part in total.operands:
        kind = part.kind
        if kind == AFFINE:
            offset += factor * part.constant
            for idx, c in part.terms:
                terms.append((idx, factor * c))
        elif kind == MULT and part.operand.kind not in LINEAR:
            terms.append((part.operand, factor * part.scale))
        elif kind in LINEAR:
            return None
        else:
            terms.append((part, factor))
    return terms, offset


def _weights(expr: Expr, factor: int) -> tuple[Weighted, int]:
    """Return the terms of any sum or scale."""
    terms: Weighted = []
    offset = 0
    linear = _linear_parts(expr)
    weight = dict.fromkeys(map(id, linear), 0)
    weight[id(expr)] = factor
    for node in reversed(linear):  # wholes before parts: all users of a part are done
        if is_sum(node):
            for part in node.operands:
                weight[id(part)] += weight[id(node)]
        elif is_mult(node):
            weight[id(node.operand)] += node.scale * weight[id(node)]
    for node in linear:
        own = weight[id(node)]
        if is_affine(node):
            offset += own * node.constant
            terms.extend((idx, own * c) for idx, c in node.terms)
        elif not is_sum(node) and not is_mult(node):
            terms.append((node, own))
    return terms, offset


def _linear_parts(root: Expr) -> list[Expr]:
    """Return the parts that sums and scales reach, each once, parts before wholes."""
    found: list[Expr] = []
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            found.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            if is_sum(node):
                stack.extend((part, False) for part in reversed(node.operands))
            elif is_mult(node):
                stack.append((node.operand, False))
    return found
