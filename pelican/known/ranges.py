"""What is known of the values of an expression: range, class, small tables.

A range is never narrower than the truth. It follows from the records of
`pelican.lemmas.ranges` and `pelican.lemmas.congruences`; a class or a table is looked
at only under a mod that wraps and in a sum whose parts vary together.
"""

from __future__ import annotations

from math import gcd

from pelican.known.beside import (
    holds_parts,
    is_wide,
    merged,
    multiple_of,
    nearest_numerator,
    varies_with,
)
from pelican.known.congruence import (
    EVERY_INTEGER,
    Congruence,
    class_of_index,
    class_of_values,
    finer,
    weighted_class,
)
from pelican.known.interval import Interval, index_range, weighted_interval
from pelican.known.tables import MAX_VALUES, NO_TABLE, Table, set_of, table_of_leaf
from pelican.tree.build import linear_sum, plain, scale
from pelican.tree.flat import LINEAR, weights
from pelican.tree.kinds import (
    AFFINE,
    AP_INDEX,
    CC_MOD,
    FLOORDIV,
    MODULO,
    is_affine,
    is_ap_index,
    is_collective,
    is_comparison,
    is_divlike,
    is_index,
    is_leaf,
    is_modulo,
    is_mult,
    is_sum,
)
from pelican.tree.traverse import SHALLOW, unfinished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from pelican.expr import DivLikeExpr
    from pelican.expr.node import Expr
    from pelican.tree.flat import Weighted


MAX_JOINT_TERMS: Final = 12
"""Most terms of a sum in which parts that vary together are looked for: each of them is
a look at all terms, and at all that stands in a sum which is a term."""


def range_of(expr: Expr) -> Interval:
    """Return the range of an expression; each node keeps its own.

    >>> from pelican import index
    >>> i, n = index("i", 0, 64), index("n")
    >>> range_of((4 * i + 3) % 100 + i), range_of(i - i % 8)
    (Interval(3, 148), Interval(0, 56))
    >>> range_of((320 * n + 255) % 256)
    Interval(63, 255)
    """
    kept = expr.cached_range
    if kept is not None:
        return kept
    if expr.kind in SHALLOW:  # its parts ask for their own
        return expr.keep_range(_range_of_node(expr))
    for node in unfinished(expr, _has_range):
        kept = node.keep_range(_range_of_node(node))
    if kept is None:
        raise AssertionError("the walk ends at its root")
    return kept


def _has_range(node: Expr) -> bool:
    return hasattr(node, "_range")


def stride_of(expr: Expr) -> Congruence:
    """Return the class of an expression; each node keeps its own.

    The ends of the range are in the class.

    >>> from pelican import index
    >>> n = index("n")
    >>> stride_of(320 * n + 255), stride_of((320 * n + 255) % 256)
    (Congruence(320, 255), Congruence(64, 63))
    """
    kept = expr.cached_stride
    if kept is not None:
        return kept
    range_of(expr)
    for node in unfinished(expr, lambda n: n.cached_stride is not None):
        node.keep_stride(_stride_of_node(node))
    kept = expr.cached_stride
    if kept is None:
        raise AssertionError("the walk ends at its root")
    return kept


def table_of(expr: Expr) -> Table | None:
    """Return the few values of an expression; None where they are many or not known.

    >>> from pelican import index
    >>> i = index("i", 0, 3)
    >>> table_of(5 * i % 8).members
    (0, 2, 5)
    """
    range_of(expr)
    return _table_of(expr)


def _table_of(expr: Expr) -> Table | None:
    """Return the table of an expression whose parts have their ranges."""
    if expr.kind == AFFINE and is_affine(expr) and is_wide(expr):
        return None
    kept = expr.cached_table
    if kept is None:
        for node in unfinished(expr, lambda n: n.cached_table is not None):
            node.keep_table(_table_of_node(node) or NO_TABLE)
        kept = expr.cached_table
    return None if kept is NO_TABLE else kept


# Ranges.


def _range_of_node(node: Expr) -> Interval:
    if is_index(node):
        return index_range(node.lo, node.hi, node.step)
    if is_affine(node) and not holds_parts(node):
        return weighted_interval(node.terms, node.constant)
    if is_affine(node) or is_sum(node):
        return _sum_range(node)
    if is_mult(node):
        return node.scale * range_of(node.operand)
    if is_divlike(node) or is_collective(node):
        if node.kind in {MODULO, CC_MOD}:
            return _mod_range(node)
        return range_of(node.numer) // node.denom
    if is_leaf(node):  # an opaque one
        return Interval(None, None)
    if is_comparison(node):
        return _met(Interval(0, 1), _table_of(node))
    raise TypeError(node.kind)


def _mod_range(node: DivLikeExpr) -> Interval:
    numer, n = range_of(node.numer), node.denom
    span = numer % n
    if span.lo != 0 or span.hi != n - 1:  # it does not wrap
        return span
    known = stride_of(node.numer)
    if gcd(known.modulus, n) > 1 or not known.modulus:
        span = numer.mod(n, known)
    if _is_progression(node.numer) and n % (known.modulus or n) == 0:
        return span  # it wraps, so that both ends of the class are reached
    return _met(span, _table_of(node))


def _is_progression(expr: Expr) -> bool:
    """Tell whether the values are all members of the class in the range."""
    return is_leaf(expr) or (
        is_affine(expr) and len(expr.terms) == 1 and is_leaf(expr.terms[0][0])
    )


def _met(span: Interval, table: Table | None) -> Interval:
    if table is None:
        return span
    return span.meet(Interval(table.members[0], table.members[-1]))


def _sum_range(node: Expr) -> Interval:
    """Return the range of a sum; parts that vary together are seen where they stand.

    A mod or floordiv beside its own numerator is written another way, by
    ``x mod n = x - n*(x floordiv n)``; the sum is the same, so all ranges hold.
    """
    terms, offset = merged(node)
    span = weighted_interval(terms, offset)
    if all(is_leaf(term) for term, _ in terms):
        return span
    divisions = [(atom, c) for atom, c in terms if is_divlike(atom)]
    present = {term for term, _ in terms}
    few = len(terms) <= MAX_JOINT_TERMS and not any(t.kind in LINEAR for t in present)
    varying = [pair for pair in divisions if few and varies_with(pair[0], present)]
    for atom, c in varying:
        span = span.meet(_joint_range(dict(terms), offset, atom))
        if not is_modulo(atom):
            span = span.meet(_swapped_range(terms, offset, atom, c))
    span = _met(span, _table_of(node))
    if varying or len(divisions) > 1:
        span = span.on(_sum_stride(terms, offset))
    return span


def _joint_range(terms: dict[Expr, int], offset: int, atom: DivLikeExpr) -> Interval:
    """Return the range of a sum that holds ``u*x`` beside a division of x by n.

    With ``x = n*(x floordiv n) + x mod n``, all that varies with x is a multiple of
    the quotient plus a multiple of the remainder.
    """
    x, n = atom.numer, atom.denom
    twins = {plain("//", x, n): FLOORDIV, plain("%", x, n): MODULO}
    counts = {FLOORDIV: 0, MODULO: 0}
    others: list[Expr | int] = [offset]
    for term, v in terms.items():
        same = is_divlike(term) and plain(_OPERATORS[term.kind], term.numer, n) in twins
        if same and is_divlike(term) and term.denom == n:
            counts[term.kind] += v
        else:
            others.append(scale(term, v))
    w, c = counts[FLOORDIV], counts[MODULO]
    span = Interval(None, None)
    for numer in (x,) if w else (x, nearest_numerator(x, n)):
        for u in {-c, multiple_of(terms, numer)}:
            rest = linear_sum([*others, scale(numer, -u)])
            joint = _span(numer).joint(u * n + w, u + c, n)
            span = span.meet(joint + weighted_interval(*weights(rest)))
    return span


def _span(expr: Expr) -> Interval:
    """Return the range of an expression, or what its parts say where it is a new one.

    A new one is not looked at in other ways, which would look at others in their turn.
    """
    kept = expr.cached_range
    return weighted_interval(*weights(expr)) if kept is None else kept


_OPERATORS: Final = {FLOORDIV: "//", MODULO: "%"}


def _swapped_range(terms: Weighted, offset: int, atom: DivLikeExpr, c: int) -> Interval:
    """Return the range of a sum with a floordiv written as its mod.

    It is ``x floordiv n = (x - x mod n) / n``.
    """
    x, n = atom.numer, atom.denom
    scaled: list[Expr | int] = [scale(t, n * w) for t, w in terms if t is not atom]
    swapped = [*scaled, n * offset, scale(x, c), scale(plain("%", x, n), -c)]
    return weighted_interval(*weights(linear_sum(swapped))).shrunk(n)


# Classes.


def _stride_of_node(node: Expr) -> Congruence:
    span = range_of(node)
    if span.lo is not None and span.lo == span.hi:
        return Congruence(0, span.lo)
    known, table = _stride_by_rules(node), None if is_leaf(node) else _table_of(node)
    if table is None or span.lo is None or span.hi is None:
        return known
    listed = class_of_values(v for v in table.members if v in span)
    # A set may hold more than the values: then its class may miss the range's ends.
    return finer(known, listed) if span.lo in listed and span.hi in listed else known


def _stride_by_rules(node: Expr) -> Congruence:
    if node.kind == AP_INDEX and is_ap_index(node):
        return node.own[0] * stride_of(node.child)
    if is_index(node):
        return class_of_index(node.lo, node.step)
    if is_affine(node):
        return weighted_class(node.terms, node.constant)
    if is_sum(node):
        return _sum_stride(*merged(node))
    if is_mult(node):
        return node.scale * stride_of(node.operand)
    if is_divlike(node) or is_collective(node):
        numer = stride_of(node.numer)
        mod = node.kind in {MODULO, CC_MOD}
        return numer % node.denom if mod else numer // node.denom
    return EVERY_INTEGER


def _sum_stride(terms: Weighted, offset: int) -> Congruence:
    """Return the class of a sum; a mod is its numerator plus a multiple of its divisor.

    So ``(i + 1) mod 2 - i mod 2`` is known to be odd.
    """
    known = weighted_class(terms, offset)
    numerators: dict[Expr, int] = {}
    multiples = Congruence(0, 0)
    for term, c in terms:
        inside, constant = [(term, 1)], 0
        if is_modulo(term):
            inside, constant = weights(term.numer)
            multiples = multiples + Congruence(abs(c) * term.denom, 0)
        offset += c * constant
        for inner, w in inside:
            numerators[inner] = numerators.get(inner, 0) + c * w
    if not multiples.modulus:
        return known
    return finer(known, weighted_class(numerators.items(), offset) + multiples)


# Tables.


def _table_of_node(node: Expr) -> Table | None:
    if is_ap_index(node):
        child = table_of(node.child)
        return None if child is None else child.map(node.value_of)
    if is_leaf(node):
        return table_of_leaf(node)
    if is_affine(node):
        return _table_of_sum(node.terms, node.constant)
    if is_sum(node):
        return _table_of_sum(((part, 1) for part in node.operands), 0)
    if is_mult(node):
        operand = table_of(node.operand)
        factor = node.scale
        return None if operand is None else operand.map(lambda v: factor * v)
    if is_divlike(node) or is_collective(node):
        return _table_of_division(node)
    if is_comparison(node):
        left, right = table_of(node.lhs), table_of(node.rhs)
        if left is None or right is None:
            return set_of((0, 1))
        if node.compare_op == ">=":
            return left.join(right, lambda a, b: int(a >= b)) or set_of((0, 1))
        return left.join(right, lambda a, b: int(a == b)) or set_of((0, 1))
    raise TypeError(node.kind)


def _table_of_sum(terms: Iterable[tuple[Expr, int]], offset: int) -> Table | None:
    total: Table | None = Table((), (offset,))
    for term, c in sorted(terms, key=lambda pair: not is_leaf(pair[0])):
        part = table_of(term)
        if part is None or total is None:
            return None
        total = total.join(part, lambda a, b, c=c: a + c * b)  # type: ignore[misc]
    return total


def _table_of_division(node: DivLikeExpr) -> Table | None:
    n, mod = node.denom, node.kind in {MODULO, CC_MOD}
    numer = table_of(node.numer) or _few(node.numer)
    if numer is not None:
        return numer.map(lambda v: v % n if mod else v // n)
    if mod:
        known = stride_of(node.numer)
        g = gcd(known.modulus, n)
        return set_of(range(known.residue % g, n, g)) if n // g <= MAX_VALUES else None
    span = range_of(node.numer) // n
    if span.lo is None or span.hi is None or span.hi - span.lo >= MAX_VALUES:
        return None
    return set_of(range(span.lo, span.hi + 1))


def _few(expr: Expr) -> Table | None:
    """Return the members of the class in the range, or None if they are many."""
    span, known = range_of(expr), stride_of(expr)
    if span.lo is None or span.hi is None:
        return None
    if span.hi - span.lo > (MAX_VALUES - 1) * known.modulus:
        return None
    return set_of(range(span.lo, span.hi + 1, known.modulus or 1))
