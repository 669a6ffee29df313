"""The builder: sums and scales in canonical form, in one pass.

A canonical expression is a constant, a bare index, an affine node, one term that is
not affine (scaled or not), or a sum of at least two terms of which one is not
affine. A sum lists its terms in the order in which it is written: the first positive
term, the others in term order, the constant last unless it is the only positive
part. Each equation used here is a record of `pelican.lemmas.sums`.
"""

from __future__ import annotations

from collections.abc import Mapping

from pelican.errors import IndexRangeError, NonAffineError, OperandError
from pelican.integers import brief, integer_of
from pelican.kinds import (
    AFFINE,
    CLASSES,
    FLOORDIV,
    MODULO,
    MULT,
    SUM,
    constant,
    is_affine,
    is_constant,
    is_expr,
    is_index,
    is_leaf,
    is_mult,
    is_sum,
)
from pelican.order import term_key
from pelican.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from pelican.expr import AffineIdx
    from pelican.node import Expr

    Given = TypeVar("Given")
    Key = TypeVar("Key")


def as_expr(value: object) -> Expr:
    """Return the expression of an operand.

    Raises:
        OperandError: If it is no expression and no integer; a bool is none.
    """
    return value if is_expr(value) else constant(as_int(value))


def as_int(value: object, what: str = "") -> int:
    """Return the integer of an operand: anything with ``__index__`` except bool.

    Args:
        value: The operand.
        what: What the message calls it where no expression may stand; or empty.

    Raises:
        OperandError: If it is not an integer.
    """
    number = integer_of(value)
    if number is None:
        wanted = "an integer" if what else "an integer or an expression"
        raise OperandError(
            f"{what or 'an operand'} must be {wanted}, got {brief_text(value)} "
            f"of type {type(value).__name__}"
        )
    return number


def as_index(value: object, what: str, hint: str) -> AffineIdx:
    """Return an argument that must be an index, and none of an access pattern.

    Raises:
        OperandError: If it is something else.
    """
    if is_expr(value) and is_leaf(value) and is_index(value):
        return value
    raise OperandError(f"{what} must be an index, got {brief_text(value)}", hint=hint)


def as_half_open(pair: object, what: str) -> tuple[int, int]:
    """Return the two integers of an argument that must be a half-open range.

    Raises:
        OperandError: If it is no pair of integers.
        IndexRangeError: If it is empty.
    """
    hint = "the end is exclusive: [0, 8) holds 0 to 7"
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise OperandError(
            f"{what} is a pair (lo, hi), got {brief_text(pair)}", hint=hint
        )
    low, high = (as_int(end, f"an end of {what}") for end in pair)
    if low < high:
        return low, high
    message = f"{what} needs lo < hi, got [{brief(low)}, {brief(high)})"
    raise IndexRangeError(message, hint=hint)


def as_tuple(values: Iterable[Given], what: str) -> tuple[Given, ...]:
    """Return the items of an argument that must be a collection.

    Raises:
        OperandError: If it is none.
    """
    try:
        return tuple(values)
    except TypeError:
        raise OperandError(f"{what}, got {brief_text(values)}") from None


def as_mapping(value: Mapping[Key, Given], what: str) -> Mapping[Key, Given]:
    """Return an argument that must be a mapping.

    Raises:
        OperandError: If it is none.
    """
    if isinstance(value, Mapping):
        return value
    raise OperandError(
        f"{what} needs a mapping, got {brief_text(value)}",
        hint='write {i: 3}, or {"i": i} where names are needed',
    )


def as_text(value: str, what: str) -> str:
    """Return an argument that must be a text.

    Raises:
        OperandError: If it is none.
    """
    if isinstance(value, str):
        return value
    raise OperandError(f"{what} needs a text, got {brief_text(value)}")


def linear_sum(terms: Iterable[Expr | int]) -> Expr:
    """Return the sum of some expressions and integers, like terms added up.

    >>> from pelican import index
    >>> i, j = index("i", 0, 64), index("j")
    >>> print(linear_sum([j, 3 * i, 5, -1 * j]))
    3*i + 5
    """
    given = as_tuple(terms, "a sum needs its terms in a list")
    return _weighted_sum((as_expr(term), 1) for term in given)


def scale(expr: Expr, factor: int) -> Expr:
    """Return the canonical product of an expression and an integer."""
    return _weighted_sum([(expr, factor)])


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


def weights(expr: Expr, factor: int = 1) -> tuple[list[tuple[Expr, int]], int]:
    """Return the terms of an expression with their coefficients, and its constant.

    A term is a bare index or a mod or floordiv. Raw trees of sums and scales are
    flattened; equal terms may come several times. A shared part is looked at once.
    """
    if is_affine(expr):
        return [(idx, factor * c) for idx, c in expr.terms], factor * expr.constant
    if not is_sum(expr) and not is_mult(expr):
        return [(expr, factor)], 0
    terms: list[tuple[Expr, int]] = []
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


def _weighted_sum(parts: Iterable[tuple[Expr, int]]) -> Expr:
    coefficients: dict[Expr, int] = {}
    offset = 0
    for part, factor in parts:
        terms, constant_part = weights(part, factor)
        offset += constant_part
        for term, weight in terms:
            coefficients[term] = coefficients.get(term, 0) + weight
    return _canonical([(t, c) for t, c in coefficients.items() if c], offset)


def _canonical(terms: list[tuple[Expr, int]], offset: int) -> Expr:
    """Return the canonical node of distinct terms with coefficients other than 0."""
    affine = [(term, c) for term, c in terms if is_index(term)]
    if len(affine) == len(terms):
        return _affine(affine, offset)
    if len(terms) == 1 and not offset:
        return _term(*terms[0])
    terms.sort(key=lambda pair: term_key(pair[0]))
    lead = next((k for k, (_, c) in enumerate(terms) if c > 0), None)
    operands = [_term(term, c) for term, c in terms]
    if lead is not None:
        operands.insert(0, operands.pop(lead))
    if offset:
        last = lead is not None or offset < 0
        operands.insert(len(operands) if last else 0, constant(offset))
    node: Expr = CLASSES[SUM](tuple(operands))
    return node


def _affine(terms: list[tuple[AffineIdx, int]], offset: int) -> Expr:
    if not offset and len(terms) == 1 and terms[0][1] == 1:
        return terms[0][0]
    terms.sort(key=lambda pair: pair[0].order_key)
    node: Expr = CLASSES[AFFINE].of(tuple(terms), offset)
    return node


def _term(term: Expr, coefficient: int) -> Expr:
    if coefficient == 1:
        return term
    if is_index(term):
        return _affine([(term, coefficient)], 0)
    node: Expr = CLASSES[MULT](term, coefficient)
    return node


def plain(op: str, numer: Expr, denom: int) -> Expr:
    """Return the plain mod (``%``) or floordiv (``//``) node.

    A bare index is wrapped as an affine node: the one place where that form is
    canonical.
    """
    if is_index(numer):
        numer = CLASSES[AFFINE].of(((numer, 1),), 0)
    node: Expr = CLASSES[MODULO if op == "%" else FLOORDIV](numer, denom)
    return node


def unwrapped(numer: Expr) -> Expr:
    """Return the index that a numerator of `plain` wraps; others as they are."""
    if not is_affine(numer) or numer.constant or len(numer.terms) != 1:
        return numer
    ((idx, coefficient),) = numer.terms
    return idx if coefficient == 1 else numer
