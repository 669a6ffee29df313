"""How many addresses a pattern touches, and after how many trips they come again.

A sum of independent digits ``weight * t`` with ``0 <= t < size`` is counted by
structure: digits that touch each other join to one run, and a digit whose weight is
beyond all lighter ones multiplies their count. A ring ``(a*i + r) mod n`` is one
digit of ``n / gcd(a*step, n)`` values, if the index makes that many trips. What is of
another form is counted one by one, up to `MAX_POINTS`.
"""

from __future__ import annotations

from itertools import product
from math import gcd, lcm, prod

from pelican.errors import PelicanError
from pelican.questions.query import flatten
from pelican.tree.kinds import (
    AFFINE_IV,
    AP_INDEX,
    is_floordiv,
    is_index,
    is_leaf,
    is_modulo,
)
from pelican.tree.traverse import fold, indices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Final

    from pelican.expr import AffineIdx, ModuloExpr, SimpleExpr
    from pelican.expr.node import Expr

    Free = Sequence[tuple[int, int]]

MAX_POINTS: Final = 1 << 20
"""Most elements that are counted one by one [elements]."""

MAX_PERIOD: Final = 1 << 14
"""Longest common period of several rings that is searched for a shorter one [trips]."""


class Digit:
    """Values that are multiples of a unit between 0 and a span.

    Attributes:
        unit: What all values are multiples of, >= 1.
        span: The largest value.
        count: How many values there are.
        run: True if every multiple of the unit up to the span is a value.
    """

    __slots__ = ("count", "run", "span", "unit")

    def __init__(self, unit: int, span: int, count: int, *, run: bool) -> None:
        self.unit = unit
        self.span = span
        self.count = count
        self.run = run


def count_addresses(
    address: Expr, free: Free, inside: Sequence[tuple[Expr, AffineIdx]]
) -> int | None:
    """Return how many addresses there are over all loop indices, None if unknown.

    Args:
        address: The address of the first element.
        free: Pairs of stride and size.
        inside: Pairs of a value and the index that must be able to take it.
    """
    digits = None if inside else _digits(address, free)
    by_structure = None if digits is None else _count(digits)
    return _count_each(address, free, inside) if by_structure is None else by_structure


def _digits(address: Expr, free: Free) -> list[Digit] | None:
    """Return the digits that an address is the sum of, or None."""
    digits = [_run(abs(stride), size) for stride, size in free]
    used: set[SimpleExpr] = set()
    for term, coefficient in flatten(address)[0]:
        loops = [idx for idx in indices(term) if idx.kind == AFFINE_IV]
        if not loops:
            continue  # the same in all iterations
        if used.intersection(loops) or len(loops) > 1 or len(indices(term)) > 1:
            return None
        used.update(loops)
        digit = _digit(term, abs(coefficient))
        if digit is None:
            return None
        digits.append(digit)
    return [digit for digit in digits if digit.span]


def _run(weight: int, size: int) -> Digit:
    span = weight * (size - 1)
    return Digit(weight or 1, span, size if span else 1, run=True)


def _digit(term: Expr, weight: int) -> Digit | None:
    """Return the values of one term of one loop index, above its least."""
    if is_index(term) and (is_leaf(term) or term.kind == AP_INDEX):
        bounded = term.lo is not None and term.hi is not None
        return _run(weight * term.step, term.trip_count) if bounded else None
    if not is_modulo(term):
        return None
    ring = _ring(term)
    if ring is None:
        return None
    idx, step, period = ring
    trips = None if idx.lo is None or idx.hi is None else idx.trip_count
    if trips is None or trips >= period:
        return _run(weight * step, period)
    span = weight * step * (period - 1)
    return Digit(weight * step, span, trips, run=trips == 1)


def _ring(term: ModuloExpr) -> tuple[AffineIdx, int, int] | None:
    """Return index, distance of values and number of values of ``(a*i + r) mod n``."""
    terms, _ = flatten(term.numer)
    if len(terms) != 1:
        return None
    idx, coefficient = terms[0]
    if not is_leaf(idx) or not is_index(idx):
        return None
    common = gcd(coefficient * idx.step, term.denom)
    return idx, common, term.denom // common


def _count(digits: Iterable[Digit]) -> int | None:
    """Return how many sums independent digits have, None if they overlap unevenly."""
    blocks: list[Digit] = []
    for digit in sorted(digits, key=lambda d: d.unit):
        last = blocks[-1] if blocks else None
        if last and last.run and digit.run and _touches(last, digit):
            span = last.span + digit.span
            blocks[-1] = Digit(last.unit, span, span // last.unit + 1, run=True)
        else:
            blocks.append(digit)
    reach = 0
    for k, block in enumerate(blocks[:-1]):
        reach += block.span
        if gcd(*(heavy.unit for heavy in blocks[k + 1 :])) <= reach:
            return None
    return prod(block.count for block in blocks)


def _touches(run: Digit, digit: Digit) -> bool:
    return digit.unit % run.unit == 0 and digit.unit <= run.span + run.unit


def _count_each(
    address: Expr, free: Free, inside: Sequence[tuple[Expr, AffineIdx]]
) -> int | None:
    """Return the number of distinct sums of an address and an offset, one by one."""
    offsets = {0}
    for stride, size in free:
        if size > MAX_POINTS or len(offsets) * size > MAX_POINTS:
            return None
        offsets = {offset + stride * t for offset in offsets for t in range(size)}
    bases = _values(address, inside)
    if bases is None or len(bases) * len(offsets) > MAX_POINTS:
        return None
    return len({base + offset for base in bases for offset in offsets})


def _values(address: Expr, inside: Sequence[tuple[Expr, AffineIdx]]) -> set[int] | None:
    """Return the values of an address over its loop indices, None if not bounded."""
    terms, _ = flatten(address)
    moving = [
        (term, c)
        for term, c in terms
        if any(idx.kind == AFFINE_IV for idx in indices(term))
    ]
    exprs = [*(term for term, _ in moving), *(value for value, _ in inside)]
    loops = list(dict.fromkeys(idx for expr in exprs for idx in indices(expr)))
    if any(idx.kind != AFFINE_IV or None in (idx.lo, idx.hi) for idx in loops):
        return None
    if prod(idx.trip_count for idx in loops) > MAX_POINTS:
        return None
    ranges = [range(idx.lo or 0, idx.hi or 0, idx.step) for idx in loops]
    points = list(zip(*product(*ranges), strict=True))
    at = dict(zip(loops, points, strict=True))
    size = len(points[0]) if points else 1
    try:
        columns = [_column(expr, at, size) for expr in exprs]
    except PelicanError:  # a part that has no value before the program runs
        return None
    weights = [c for _, c in moving]
    # Without a part that moves there is one row, and nothing in it.
    rows = zip(*columns, strict=True) if columns else iter([()])
    return {
        sum(c * v for c, v in zip(weights, row, strict=False))
        for row in rows
        if all(
            idx.takes(value)
            for (_, idx), value in zip(inside, row[len(weights) :], strict=True)
        )
    }


def _column(
    expr: Expr, at: Mapping[SimpleExpr, Sequence[int]], size: int
) -> Sequence[int]:
    """Return the values of an expression at all points."""
    from pelican.evaluation.compiled import compile_expr  # noqa: PLC0415 - loads numpy

    values = compile_expr(expr)({idx: at[idx] for idx in indices(expr)})
    return [values] * size if isinstance(values, int) else values.tolist()


def ring_period(address: Expr, idx: AffineIdx) -> int | None:
    """Return the least number of trips after which an address comes again, or None.

    None where an index moves an address on without end, where it is in no ring, or
    where the form of the rings does not tell.
    """
    terms = [pair for pair in flatten(address)[0] if idx in indices(pair[0])]
    if not terms:
        return None
    periods = [_period(term, idx) for term, _ in terms]
    if len(periods) == 1:
        return periods[0]
    known = [period for period in periods if period is not None]
    alone = all(indices(term) == (idx,) for term, _ in terms)
    if len(known) < len(periods) or not alone:
        return None
    return _least_period(terms, idx, lcm(*known))


def _period(term: Expr, idx: AffineIdx) -> int | None:
    """Return the period of ``e mod n`` in one index, e being affine in it.

    In ``(e floordiv d) mod q`` it is that of ``e mod d*q``.
    """
    if not is_modulo(term):
        return None
    numer, ring = term.numer, term.denom
    parts, _ = flatten(numer)
    while len(parts) == 1 and parts[0][1] == 1 and is_floordiv(parts[0][0]):
        numer, ring = parts[0][0].numer, ring * parts[0][0].denom
        parts, _ = flatten(numer)
    moving = [(part, c) for part, c in parts if idx in indices(part)]
    if len(moving) != 1 or moving[0][0] != idx:
        return None
    if numer is not term.numer and len(parts) > 1:
        return None  # other indices may hide a shorter period
    return ring // gcd(moving[0][1] * idx.step, ring)


def _least_period(
    terms: Sequence[tuple[Expr, int]], idx: AffineIdx, period: int
) -> int | None:
    """Return the least divisor of a period that is one of the sum as well."""
    if period > MAX_PERIOD:
        return None
    first = idx.lo or 0
    values = []
    for trip in range(2 * period):
        at = {idx: first + idx.step * trip}
        values.append(sum(c * fold(term, at.__getitem__) for term, c in terms))
    divisors = [d for d in range(1, period + 1) if period % d == 0]
    return next(d for d in divisors if values[d : d + period] == values[:period])
