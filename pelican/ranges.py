"""Intervals, and the range of an expression by the range rules.

A range is never narrower than the truth. Every bound comes from a record of
`pelican.lemmas.ranges`; the tightest applicable rule wins.
"""

from __future__ import annotations

from pelican.build import linear_sum, plain, scale, weights
from pelican.errors import IndexRangeError
from pelican.integers import brief, literal
from pelican.kinds import (
    CC_MOD,
    MODULO,
    is_affine,
    is_collective,
    is_comparison,
    is_divlike,
    is_index,
    is_leaf,
    is_mult,
    is_sum,
)
from pelican.lemmas import RANGE_RULES
from pelican.lemmas.ranges import INDEX_LOWER, INDEX_UPPER
from pelican.term import evaluate, subterms
from pelican.traverse import postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from pelican.lemma import Fact, RangeRule
    from pelican.node import Expr
    from pelican.term import Term


class Interval:
    """The integers from `lo` to `hi`, both inclusive; None is unbounded.

    Raises:
        IndexRangeError: If lo is above hi.

    >>> Interval(0, 7)
    Interval(0, 7)
    >>> 3 in Interval(0, 7), 8 in Interval(0, None)
    (True, True)
    """

    __slots__ = ("hi", "lo")

    lo: int | None
    hi: int | None

    def __init__(self, lo: int | None, hi: int | None) -> None:
        if lo is not None and hi is not None and lo > hi:
            raise IndexRangeError(
                f"an interval needs lo <= hi, got [{brief(lo)}, {brief(hi)}]",
                hint="both ends are inclusive: Interval(3, 3) holds 3 alone",
            )
        object.__setattr__(self, "lo", lo)
        object.__setattr__(self, "hi", hi)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Interval is immutable, cannot set {name}")

    def __repr__(self) -> str:
        return f"Interval({literal(self.lo)}, {literal(self.hi)})"

    def __reduce__(self) -> tuple[type[Interval], tuple[int | None, int | None]]:
        return (Interval, (self.lo, self.hi))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return (self.lo, self.hi) == (other.lo, other.hi)

    def __hash__(self) -> int:
        return hash((self.lo, self.hi))

    def __contains__(self, value: int) -> bool:
        above = self.lo is None or self.lo <= value
        return above and (self.hi is None or value <= self.hi)

    def within(self, other: Interval) -> bool:
        """Tell whether every integer of this interval is in the other."""
        low = other.lo is None or (self.lo is not None and other.lo <= self.lo)
        return low and (
            other.hi is None or (self.hi is not None and self.hi <= other.hi)
        )

    def meet(self, other: Interval) -> Interval:
        """Return what is in both intervals, which share at least one integer."""
        lows = [end for end in (self.lo, other.lo) if end is not None]
        highs = [end for end in (self.hi, other.hi) if end is not None]
        return Interval(max(lows, default=None), min(highs, default=None))

    def shrunk(self, factor: int) -> Interval:
        """Return the integers k for which ``factor*k`` is in this interval."""
        low = None if self.lo is None else -(-self.lo // factor)
        return Interval(low, None if self.hi is None else self.hi // factor)

    def __add__(self, other: Interval | int) -> Interval:
        right = _interval(other)
        ends = {"lo_x": self.lo, "hi_x": self.hi, "lo_y": right.lo, "hi_y": right.hi}
        return _apply("+", ends)

    __radd__ = __add__

    def __sub__(self, other: Interval | int) -> Interval:
        return self + -1 * _interval(other)

    def __rsub__(self, other: int) -> Interval:
        return -1 * self + other

    def __mul__(self, scale: int) -> Interval:
        return _apply("*", {"lo_x": self.lo, "hi_x": self.hi, "c": scale})

    __rmul__ = __mul__

    def __floordiv__(self, denom: int) -> Interval:
        return _apply("//", {"lo_x": self.lo, "hi_x": self.hi, "n": denom})

    def __mod__(self, denom: int) -> Interval:
        return _apply("%", {"lo_x": self.lo, "hi_x": self.hi, "n": denom})


def _interval(value: Interval | int) -> Interval:
    return value if isinstance(value, Interval) else Interval(value, value)


def range_of(expr: Expr) -> Interval:
    """Return the range of an expression; each node keeps its own.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> range_of((4 * i + 3) % 100 + i), range_of(i - i % 8)
    (Interval(3, 162), Interval(0, 56))
    """
    for node in postorder(expr, done=lambda n: n.cached_range is not None):
        node.keep_range(_range_of_node(node))
    kept = expr.cached_range
    if kept is None:
        raise AssertionError("the walk ends at its root")
    return kept


def _range_of_node(node: Expr) -> Interval:
    if is_index(node):
        return index_range(node.lo, node.hi, node.step)
    if is_affine(node):
        total = Interval(node.constant, node.constant)
        for idx, coefficient in node.terms:
            total = total + coefficient * range_of(idx)
        return total
    if is_sum(node):
        return _sum_range(node)
    if is_mult(node):
        return node.scale * range_of(node.operand)
    if is_divlike(node) or is_collective(node):
        numer = range_of(node.numer)
        mod = node.kind in {MODULO, CC_MOD}
        return numer % node.denom if mod else numer // node.denom
    if is_leaf(node):  # an opaque one
        return Interval(None, None)
    if is_comparison(node):
        return Interval(0, 1)
    raise TypeError(node.kind)


def _sum_range(node: Expr) -> Interval:
    """Return the range of a sum; parts that vary together are seen where they stand.

    A mod or floordiv beside its own numerator is written the other way round, by
    ``x mod n = x - n*(x floordiv n)``; the sum is the same, so both ranges hold.
    """
    terms, offset = weights(node)
    span = _weighted_range(terms, offset)
    present = {term for term, _ in terms}
    for atom, c in terms:
        if not is_divlike(atom) or not _varies_with(atom, present):
            continue
        x, n = atom.numer, atom.denom
        others: list[Expr | int] = [scale(t, w) for t, w in terms if t is not atom]
        if atom.kind == MODULO:
            swapped = [*others, offset, scale(x, c), scale(plain("//", x, n), -c * n)]
            span = span.meet(_weighted_range(*weights(linear_sum(swapped))))
        else:
            scaled = [scale(t, n * w) for t, w in terms if t is not atom]
            swapped = [*scaled, n * offset, scale(x, c), scale(plain("%", x, n), -c)]
            times = _weighted_range(*weights(linear_sum(swapped)))
            span = span.meet(times.shrunk(n))
    return span


def _varies_with(atom: Expr, present: set[Expr]) -> bool:
    """Tell whether a term of the sum stands in the numerator of a mod or floordiv."""
    return is_divlike(atom) and any(
        term in present for term, _ in weights(atom.numer)[0]
    )


def _weighted_range(terms: list[tuple[Expr, int]], offset: int) -> Interval:
    span = Interval(offset, offset)
    for term, c in terms:
        span = span + c * range_of(term)
    return span


def index_range(lo: int | None, hi: int | None, step: int) -> Interval:
    """Return the range of the values ``lo, lo + step, ... < hi``; None is unbounded."""
    if lo is None:
        return Interval(None, None if hi is None else hi - 1)
    trips = None if hi is None else -(-(hi - lo) // step)
    ends = {"first": lo, "step": step, "trips": trips}
    return Interval(_end((INDEX_LOWER,), ends, max), _end((INDEX_UPPER,), ends, min))


def _apply(op: str, ends: Mapping[str, int | None]) -> Interval:
    return Interval(_end(_LOWER[op], ends, max), _end(_UPPER[op], ends, min))


def _end(
    rules: tuple[RangeRule, ...],
    ends: Mapping[str, int | None],
    tightest: Callable[[list[int]], int],
) -> int | None:
    """Return the tightest end that the rules give, or None where none applies."""
    found = [
        evaluate(rule.bound, ends)
        for rule in rules
        if all(ends.get(name) is not None for name in _LITERALS[rule.name])
        and all(literal_fact_holds(fact, ends) for fact in _CHECKED[rule.name])
    ]
    return tightest(found) if found else None


def literal_fact_holds(fact: Fact, binding: Mapping[str, int | None]) -> bool:
    """Decide a fact whose metavariables are all bound to integers."""
    left, right = evaluate(fact.left, binding), evaluate(fact.right, binding)
    if fact.relation == "<=":
        return bool(left <= right)
    if fact.relation == "<":
        return bool(left < right)
    if fact.relation == "==":
        return bool(left == right)
    return bool(right % left == 0)


def _names(*terms: Term) -> frozenset[str]:
    return frozenset(
        t.args[0] for term in terms for t in subterms(term) if t.op == "literal"
    )


def _only_literals(fact: Fact) -> bool:
    return all(
        t.op != "expr" for side in (fact.left, fact.right) for t in subterms(side)
    )


_CHECKED: Final = {
    rule.name: tuple(f for f in rule.given if _only_literals(f)) for rule in RANGE_RULES
}
"""The facts of a rule that are decided; the others say what the ends mean."""

_LITERALS: Final = {rule.name: _names(*rule.terms) for rule in RANGE_RULES}

_LOWER: Final = {
    op: tuple(r for r in RANGE_RULES if r.lower and r.subject.op == op)
    for op in ("+", "*", "//", "%")
}
_UPPER: Final = {
    op: tuple(r for r in RANGE_RULES if not r.lower and r.subject.op == op)
    for op in ("+", "*", "//", "%")
}
