"""Whether an address can be split over the dimensions of an access pattern.

The modelled system has a rule for each kind. It looks at the numerator of a division
too little: ``(i + 1) floordiv 4`` over 8 trips passes, though no split of ``i`` makes
it affine. `is_sound_address` is a rule under which every division that passes is
affine once its index is split into an outer and an inner one.
"""

from __future__ import annotations

from math import gcd

from pelican.engine.simplify import as_divisor
from pelican.errors import OperandError
from pelican.questions.query import flatten
from pelican.tree.arguments import as_expr
from pelican.tree.kinds import (
    is_affine,
    is_collective,
    is_comparison,
    is_constant,
    is_divlike,
    is_index,
    is_mult,
    is_sum,
)
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pelican.core.given import Integer
    from pelican.expr import AffineIdx, DivLikeExpr
    from pelican.expr.node import Expr


def is_legal_as_modelled(
    expr: Expr, factor: Integer, *, is_partition_dim: bool, require_predicate: bool
) -> bool:
    """Tell whether the modelled system delinearises an address.

    Args:
        expr: The address.
        factor: By what a dimension is split, for a bare index under a division, >= 1.
        is_partition_dim: True for the dimension that is spread over partitions.
        require_predicate: True if a partial tile would need a guard.

    Raises:
        OperandError: If the address holds a comparison.
        DivisorError: If the factor is below 1.
    """
    split = as_divisor(factor, "a split")

    def division(node: DivLikeExpr) -> bool:
        return _division_as_modelled(node, split, require_predicate=require_predicate)

    return _all_legal(expr, division, is_partition_dim=is_partition_dim)


def _division_as_modelled(
    node: DivLikeExpr, factor: int, *, require_predicate: bool
) -> bool:
    numer = node.numer
    if is_index(numer):
        return not (require_predicate and numer.requires_predicate(factor))
    if not is_affine(numer) or len(numer.terms) > 1:
        return False
    if is_constant(numer) or not require_predicate:
        return True
    ((idx, coefficient),) = numer.terms
    return not idx.requires_predicate(node.denom // gcd(node.denom, coefficient))


def is_sound_address(expr: Expr, *, is_partition_dim: bool = False) -> bool:
    """Tell whether an address is affine once its indices are split.

    Each division must have one index i with a positive coefficient, and with
    ``f = denom / gcd(coefficient, denom)`` and ``i = first + step * (f*o + t)`` both
    the quotient and the remainder must be affine in (o, t).

    Args:
        expr: The address.
        is_partition_dim: True for the dimension that is spread over partitions: its
            constant, added up over the whole sum, must be 0 there.

    Raises:
        OperandError: If the address holds a comparison.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> is_sound_address(i // 4), is_sound_address((i + 1) // 4)
    (True, False)
    """
    whole = as_expr(expr)
    terms, offset = flatten(whole)
    if is_partition_dim and terms and offset:
        return False
    return _all_legal(whole, _division_is_sound, is_partition_dim=is_partition_dim)


def _division_is_sound(node: DivLikeExpr) -> bool:
    if not is_divlike(node):  # a collective's group is known only at run time
        return False
    numer, denom = node.numer, node.denom
    if is_constant(numer):
        return True
    if is_index(numer):
        return _splits(numer, 1, 0, denom)
    if not is_affine(numer) or len(numer.terms) > 1:
        return False
    ((idx, coefficient),) = numer.terms
    return _splits(idx, coefficient, numer.constant, denom)


def _splits(idx: AffineIdx, coefficient: int, offset: int, denom: int) -> bool:
    """Tell whether ``coefficient * idx + offset`` splits evenly by a divisor."""
    if idx.lo is None or idx.hi is None or coefficient <= 0:
        return False
    pace = coefficient * idx.step
    divides = denom % pace == 0 or pace % denom == 0
    aligned = (offset + coefficient * idx.lo) % denom == 0
    return divides and aligned and idx.trip_count % (denom // gcd(pace, denom)) == 0


def _all_legal(
    expr: Expr, division: Callable[[DivLikeExpr], bool], *, is_partition_dim: bool
) -> bool:
    """Tell whether every operand of a sum is legal; the first that is not decides."""
    stack, seen = [expr], set()
    while stack:
        node = stack.pop()
        if id(node) in seen or is_index(node):
            continue
        seen.add(id(node))
        if is_sum(node) or is_mult(node):
            stack.extend(reversed(node.parts))
        elif is_comparison(node):
            raise OperandError(f"a comparison is no address: {brief_text(node)}")
        elif is_affine(node):
            if node.terms and is_partition_dim and node.constant:
                return False
        elif not (is_divlike(node) or is_collective(node)) or not division(node):
            return False  # an opaque value, or a division that does not split
    return True
