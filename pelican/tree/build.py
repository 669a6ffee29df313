"""The builder: sums and scales in canonical form, in one pass.

A canonical expression is a constant, a bare index, an affine node, one term that is
not affine (scaled or not), or a sum of at least two terms of which one is not
affine. A sum lists its terms in the order in which it is written: the first positive
term, the others in term order, the constant last unless it is the only positive
part. Each equation used here is a record of `pelican.lemmas.sums`.
"""

from __future__ import annotations

from bisect import bisect_left

from pelican.core import makers
from pelican.errors import NonAffineError
from pelican.tree.arguments import as_expr, as_tuple
from pelican.tree.flat import LINEAR, weights
from pelican.tree.kinds import (
    AFFINE,
    AFFINE_IV,
    SHARD_ID,
    TYPES,
    constant,
    is_affine,
    is_constant,
    is_index,
)
from pelican.tree.order import term_key
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

    from pelican.core.given import Operand
    from pelican.expr import AffineExpr, AffineIdx
    from pelican.expr.node import Expr
    from pelican.tree.flat import Weighted

    Rank = tuple[Any, ...]

    Terms = tuple[tuple[AffineIdx, int], ...]
    """Indices with their coefficients, as an affine node has them."""


def linear_sum(terms: Iterable[Operand]) -> Expr:
    """Return the sum of some expressions and integers, like terms added up.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64), index("j")
    >>> print(linear_sum([j, 3 * i, 5, -1 * j]))
    3*i + 5
    """
    given = as_tuple(terms, "a sum needs its terms in a list")
    if len(given) == 2:
        return added(as_expr(given[0]), given[1])
    return weighted_sum([(as_expr(term), 1) for term in given])


def added(left: Expr, right: object) -> Expr:
    """Return the canonical sum of an expression and another one or an integer.

    Raises:
        OperandError: If `right` is neither.
    """
    # What the kinds say is told to the compiler by types, not by calls.
    one: AffineExpr
    other: Expr
    terms: Terms
    if left.kind == AFFINE:
        one = left  # type: ignore[assignment]
        terms, offset = one.terms, one.constant
    elif AFFINE_IV <= left.kind <= SHARD_ID:
        terms, offset = ((left, 1),), 0  # type: ignore[assignment]
    elif type(right) is int and not right and left.kind not in LINEAR:
        return left
    else:
        return weighted_sum([(left, 1), (as_expr(right), 1)])
    if type(right) is int:
        return affine_node(merged_terms(terms, ()), offset + right)
    other = right if type(right) in TYPES else as_expr(right)  # type: ignore[assignment]
    if other.kind == AFFINE:
        one = other  # type: ignore[assignment]
        return affine_node(merged_terms(terms, one.terms), offset + one.constant)
    if AFFINE_IV <= other.kind <= SHARD_ID:
        return affine_node(merged_terms(terms, ((other, 1),)), offset)  # type: ignore[arg-type]
    return weighted_sum([(left, 1), (other, 1)])


MIN_RATIO: Final = 16
"""How many times as many terms one affine node has as another whose terms are put in
between them one by one.

Source: measured. To put one term in costs as much as a walk over some ten.
"""


def merged_terms(left: Terms, right: Terms) -> Terms:
    """Return the terms of two affine nodes in term order, like terms added up."""
    if type(left) is tuple is type(right):  # each is in term order
        if not left or not right:
            return left or right
        if left[-1][0].order_key < right[0][0].order_key:
            return left + right
        if right[-1][0].order_key < left[0][0].order_key:
            return right + left
        if len(right) <= len(left) // MIN_RATIO:
            return _inserted(left, right)
        return _interleaved(left, right)
    return added_up(left + right)


def _interleaved(left: Terms, right: Terms) -> Terms:
    """Return the terms of two affine nodes, each in term order, in one walk."""
    merged: list[tuple[AffineIdx, int]] = []
    at = beside = 0
    while at < len(left) and beside < len(right):
        (one, c), (other, d) = left[at], right[beside]
        if one is other:
            if c + d:
                merged.append((one, c + d))
            at, beside = at + 1, beside + 1
        elif one.order_key < other.order_key:
            merged.append((one, c))
            at += 1
        elif other.order_key < one.order_key:
            merged.append((other, d))
            beside += 1
        else:  # two objects of one index, or two indices of one place
            return added_up(left + right)
    return (*merged, *left[at:], *right[beside:])


def _inserted(left: Terms, right: Terms) -> Terms:
    """Return the terms of two affine nodes, few of which are on the right.

    The many are copied and not looked at, so that a sum that grows by one index costs
    little more than the copy.
    """
    merged = left
    for idx, c in right:
        at = bisect_left(merged, idx.order_key, key=_index_key)
        if at < len(merged) and merged[at][0].order_key == idx.order_key:
            return added_up(left + right)
        merged = (*merged[:at], (idx, c), *merged[at:])
    return merged


def added_up(given: Terms) -> Terms:
    """Return scaled indices in term order, like terms added up."""
    coefficients: dict[AffineIdx, int] = {}
    for idx, c in given:
        coefficients[idx] = coefficients.get(idx, 0) + c
    terms = [(idx, c) for idx, c in coefficients.items() if c]
    terms.sort(key=_index_key)
    return tuple(terms)


def _index_key(term: tuple[AffineIdx, int]) -> Rank:
    return term[0].order_key


def affine_node(terms: Terms, offset: int) -> Expr:
    """Return the canonical node of terms in term order, none of them 0."""
    if not offset and len(terms) == 1 and terms[0][1] == 1:
        return terms[0][0]
    return makers.new_affine(terms, offset)


def scale(expr: Expr, factor: int) -> Expr:
    """Return the canonical product of an expression and an integer."""
    if AFFINE_IV <= expr.kind <= SHARD_ID:
        return affine_node(((expr, factor),) if factor else (), 0)  # type: ignore[arg-type]
    if expr.kind == AFFINE:
        node: AffineExpr = expr  # type: ignore[assignment]
        if type(node.terms) is tuple:
            given = node.terms if factor else ()
            terms = tuple([(idx, c * factor) for idx, c in given])
            return affine_node(terms, node.constant * factor)
    return weighted_sum([(expr, factor)])


def product(left: Expr, right: Expr) -> Expr:
    """Return the canonical product of two expressions, one of them constant.

    Raises:
        NonAffineError: If neither is constant.
    """
    if is_constant(right):
        return scale(left, right.constant)
    if is_constant(left):
        return scale(right, left.constant)
    raise NonAffineError(
        f"one side of * must be a constant, got ({brief_text(left)}) * "
        f"({brief_text(right)})",
        hint="index expressions are linear; a product of two indices has no form here",
    )


def weighted_sum(parts: Weighted, offset: int = 0) -> Expr:
    """Return the canonical sum of some expressions times integers, and a constant."""
    for part, _ in parts:
        if not AFFINE_IV <= part.kind <= SHARD_ID:
            break
    else:
        return _index_sum(parts, offset)
    coefficients: dict[Expr, int] = {}
    for part, factor in parts:
        if part.kind in LINEAR:
            terms, constant_part = weights(part, factor)
            offset += constant_part
            for term, weight in terms:
                coefficients[term] = coefficients.get(term, 0) + weight
        else:
            coefficients[part] = coefficients.get(part, 0) + factor
    return canonical([(t, c) for t, c in coefficients.items() if c], offset)


def _index_sum(parts: list[Any], offset: int) -> Expr:
    """Return the canonical sum of some indices times integers, and a constant."""
    terms = [pair for pair in parts if pair[1]]
    if len(terms) > 1:
        terms.sort(key=_index_key)
        last = None
        for idx, _ in terms:
            if idx.order_key == last:
                return affine_node(added_up(tuple(terms)), offset)
            last = idx.order_key
    return affine_node(tuple(terms), offset)


def canonical(terms: Weighted, offset: int) -> Expr:
    """Return the canonical node of distinct terms with coefficients other than 0.

    The list is sorted in place.
    """
    for term, _ in terms:
        if not AFFINE_IV <= term.kind <= SHARD_ID:
            break
    else:
        return _index_sum(terms, offset)
    if len(terms) == 1 and not offset:
        return weighted(*terms[0])
    terms.sort(key=_order)
    lead = next((k for k, (_, c) in enumerate(terms) if c > 0), None)
    divisions = sum([term.divisions for term, _ in terms])
    return sum_node([weighted(term, c) for term, c in terms], lead, offset, divisions)


def sum_node(
    operands: list[Expr], lead: int | None, offset: int, divisions: int
) -> Expr:
    """Return the canonical sum of at least two operands, one of them not affine.

    Args:
        operands: Terms times their coefficients, in term order; the list is changed.
        lead: Place of the first one with a positive coefficient, or None.
        offset: The constant.
        divisions: How many mods and floordivs the operands have.
    """
    if lead is not None:
        operands.insert(0, operands.pop(lead))
    if offset:
        last = lead is not None or offset < 0
        operands.insert(len(operands) if last else 0, constant(offset))
    return makers.new_sum(tuple(operands), divisions)


def _order(pair: tuple[Expr, int]) -> Any:  # noqa: ANN401 - a key of the sort
    return term_key(pair[0])


def weighted(term: Expr, coefficient: int) -> Expr:
    """Return a term times its coefficient, as it stands in a sum."""
    if coefficient == 1:
        return term
    if is_index(term):
        return affine_node(((term, coefficient),), 0)
    return makers.new_mult(term, coefficient)


def plain(op: str, numer: Expr, denom: int) -> Expr:
    """Return the plain mod (``%``) or floordiv (``//``) node.

    A bare index is wrapped as an affine node: the one place where that form is
    canonical.
    """
    if AFFINE_IV <= numer.kind <= SHARD_ID:
        numer = makers.new_affine(((numer, 1),), 0)  # type: ignore[arg-type]
    if op == "%":
        return makers.new_modulo(numer, denom)
    return makers.new_floordiv(numer, denom)


def unwrapped(numer: Expr) -> Expr:
    """Return the index that a numerator of `plain` wraps; others as they are."""
    if not is_affine(numer) or numer.constant or len(numer.terms) != 1:
        return numer
    ((idx, coefficient),) = numer.terms
    return idx if coefficient == 1 else numer
