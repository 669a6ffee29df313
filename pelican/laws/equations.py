"""Which equation of the builder a pass over a sum is named by."""

from __future__ import annotations

from pelican.lemmas.sums import (
    LIKE_TERMS,
    ONE_SCALE,
    SCALE_OF_SCALE,
    SCALE_OF_SUM,
    SUM_FLATTEN,
    SUM_ORDER,
    ZERO_TERM,
)
from pelican.tree.build import linear_sum, scale
from pelican.tree.kinds import is_affine, is_constant, is_mult, is_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from pelican.expr.node import Expr
    from pelican.laws.lemma import Lemma

    Values = dict[str, list[Expr | int]]
    Found = dict[str, Values]

MAX_LOOKED_AT: Final = 10_000
"""Most parts of a sum that are looked at for an equation to name."""

_EQUATIONS: Final = (
    LIKE_TERMS,
    ZERO_TERM,
    SCALE_OF_SUM,
    SCALE_OF_SCALE,
    ONE_SCALE,
    SUM_FLATTEN,
)


def builder_equation(total: Expr) -> tuple[str, Values]:
    """Return the name and the binding of the equation that a pass of the builder used.

    Args:
        total: A sum or scale that the builder changes.
    """
    found: Found = {}
    coefficients: dict[Expr | None, int] = {}
    for term, c in _occurrences(total, found):
        if c == 0 and term is not None:
            found.setdefault(ZERO_TERM.name, {"x": [term]})
        elif term in coefficients:
            x: Expr | int = 1 if term is None else term
            merged: Values = {"a": [coefficients[term]], "b": [c], "x": [x]}
            found.setdefault(LIKE_TERMS.name, merged)
        else:
            coefficients[term] = c
    for law in _EQUATIONS:
        if law.name in found:
            return law.name, found[law.name]
    return SUM_ORDER.name, _order(total)


def _occurrences(total: Expr, found: Found) -> Iterator[tuple[Expr | None, int]]:
    """Yield the terms with their coefficients; None stands for the constant 1."""
    stack = [(total, 1)]
    for _ in range(MAX_LOOKED_AT):
        if not stack:
            return
        node, factor = stack.pop()
        if is_sum(node):
            _nested(node, found)
            stack.extend((part, factor) for part in reversed(node.parts))
        elif is_mult(node):
            _scaled(node.operand, node.scale, found)
            stack.append((node.operand, factor * node.scale))
        elif is_affine(node):
            yield from ((idx, factor * c) for idx, c in node.terms)
            if node.constant or not node.terms:
                yield None, factor * node.constant
        else:
            yield node, factor


def _nested(node: Expr, found: Found) -> None:
    """Note a sum inside a sum that is not its first operand."""
    for k, part in enumerate(node.parts):
        if k and is_sum(part):
            y, *others = part.parts
            values: Values = {
                "x": [linear_sum(node.parts[:k])],
                "y": [y],
                "z": [linear_sum(others)],
            }
            found.setdefault(SUM_FLATTEN.name, values)


def _scaled(operand: Expr, factor: int, found: Found) -> None:
    """Note the equation that removes a scale of a sum, a scale, or by 1 or 0."""
    law: Lemma | None = None
    values: Values = {}
    if factor == 0:
        law, values = ZERO_TERM, {"x": [operand]}
    elif factor == 1:
        law, values = ONE_SCALE, {"x": [operand]}
    elif is_mult(operand):
        a, b = factor, operand.scale
        law, values = SCALE_OF_SCALE, {"a": [a], "b": [b], "x": [operand.operand]}
    elif is_sum(operand) and len(operand.parts) > 1:
        x, *others = operand.parts
        law = SCALE_OF_SUM
        values = {"a": [factor], "x": [x], "y": [linear_sum(others)]}
    elif is_affine(operand) and not is_constant(operand):
        x = scale(operand.terms[0][0], operand.terms[0][1])
        rest = linear_sum([operand, scale(x, -1)])
        law, values = SCALE_OF_SUM, {"a": [factor], "x": [x], "y": [rest]}
    if law is not None:
        found.setdefault(law.name, values)


def _order(total: Expr) -> Values:
    x, *others = total.parts
    return {"x": [x], "y": [linear_sum(others)]} if is_sum(total) else {}
