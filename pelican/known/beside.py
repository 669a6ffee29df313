"""What stands beside what in a sum: what the ranges of sums look at."""

from __future__ import annotations

from collections import deque

from pelican.known.tables import MAX_VALUES
from pelican.tree.build import linear_sum, scale
from pelican.tree.flat import LINEAR, flat_weights, weights
from pelican.tree.kinds import LEAF_KINDS, is_affine, is_divlike, is_mult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.expr import AffineExpr
    from pelican.expr.node import Expr
    from pelican.tree.flat import Weighted


MAX_OPENED: Final = 64
"""Most sums and scales in a sum that are laid flat where it is looked at: so the ranges
of a chain of n sums, each in the next, cost n steps and no square of n."""


def nearest_numerator(numer: Expr, n: int) -> Expr:
    """Return a numerator of the same mod n, its coefficients nearest to 0."""
    terms, _ = weights(numer)
    near = [(t, (2 * c + n) // (2 * n)) for t, c in terms]
    return linear_sum([numer, *(scale(t, -n * k) for t, k in near)])


def multiple_of(terms: dict[Expr, int], x: Expr) -> int:
    """Return how often x stands in a sum, by the first of its terms that does."""
    shared = ((terms[term], v) for term, v in weights(x)[0] if term in terms)
    return next((have // v for have, v in shared if v and have % v == 0), 0)


def merged(node: Expr) -> tuple[Weighted, int]:
    """Return the distinct terms of a sum with their coefficients, and its constant.

    Of the sums and scales in it the outer `MAX_OPENED` are opened; those further in are
    terms.
    """
    terms, offset = flat_weights(node, 1) or _opened(node)
    total: dict[Expr, int] = {}
    for term, c in terms:
        total[term] = total.get(term, 0) + c
    return [(term, c) for term, c in total.items() if c], offset


def _opened(node: Expr) -> tuple[Weighted, int]:
    terms: Weighted = []
    offset = 0
    opened = 0
    waiting = deque([(node, 1)])
    while waiting:
        part, factor = waiting.popleft()
        if is_affine(part):
            offset += factor * part.constant
            terms.extend((idx, factor * c) for idx, c in part.terms)
        elif is_mult(part) and part.operand.kind not in LINEAR:
            terms.append((part.operand, factor * part.scale))
        elif part.kind in LINEAR and opened < MAX_OPENED:
            opened += 1
            weight = part.scale if is_mult(part) else 1
            waiting.extend((inner, factor * weight) for inner in part.parts)
        else:
            terms.append((part, factor))
    return terms, offset


def varies_with(atom: Expr, present: set[Expr]) -> bool:
    """Tell whether a term of the sum stands in the numerator of a mod or floordiv."""
    return is_divlike(atom) and any(
        term in present for term, _ in weights(atom.numer)[0]
    )


def holds_parts(node: AffineExpr) -> bool:
    """Tell whether an index of an affine node follows from another one."""
    return bool([idx for idx, _ in node.terms if idx.kind not in LEAF_KINDS])


def is_wide(node: AffineExpr) -> bool:
    """Tell whether some index alone has too many values for a table."""
    for idx, _ in node.terms:
        lo, hi = idx.lo, idx.hi
        if lo is None or hi is None or hi - lo > MAX_VALUES * idx.step:
            return idx.kind in LEAF_KINDS
    return False
