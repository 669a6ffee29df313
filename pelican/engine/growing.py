"""Sums that grow by ``+``: what joining found out goes from each to the next.

The result of an addition keeps its growth: its terms as they are looked up, and who
looked at what. The next addition takes it away and changes what it adds, so that a term
costs what it costs alone, whatever the number of terms. An older result has no growth,
and its next sum is joined anew.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from weakref import ref

from pelican.engine.listening import listener
from pelican.engine.simplify import join_up, joined_up
from pelican.strategies.watched import WatchedSum
from pelican.tree.arguments import as_expr
from pelican.tree.build import added, scale, sum_node, weighted
from pelican.tree.kinds import is_sum
from pelican.tree.order import compare, term_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pelican.expr.node import Expr

MIN_TERMS: Final = 16
"""Fewest operands of a sum that keeps its growth: fewer are joined in less time."""

MAX_SETS: Final = 8
"""Changes of coefficients, for each term of a sum, after which its growth is made anew:
it still holds what terms looked at that are gone, or that had another coefficient."""

RANKS: Final = 1 << 40
"""Distance of the numbers of terms that are numbered anew."""

MAX_KEPT: Final = 8
"""Most results that keep their growth; the oldest one loses it."""


def plus(left: Expr, right: object, factor: int = 1) -> Expr:
    """Return the simplified sum of an expression and an operand times 1 or -1.

    Raises:
        OperandError: If the operand is no expression and no integer.

    >>> from pelican import index
    >>> i = index("i", 0, 64)
    >>> print(plus(8 * (i // 8) + index("j"), i % 8))
    i + j
    """
    total, part = left, as_expr(right)
    if factor == 1 and _length(part) > _length(total):
        total, part = part, total
    if _length(total) < MIN_TERMS or listener() is not None:
        return joined_up(added(left, scale(as_expr(right), factor)))
    kept = total.growth
    growth = None if kept is None else kept.take()
    if growth is None:
        whole = added(total, scale(part, factor))
        if kept is not None or not whole.divisions:
            return joined_up(whole)
        total.keep_growth(Kept())
        growth = Growth(whole)
    else:
        growth.add(part, factor)
    return growth.joined()


def _length(expr: Expr) -> int:
    return len(expr.operands) if is_sum(expr) else 1


class Kept(list["Growth"]):
    """The growth of a result; it is empty once it was taken."""

    __slots__ = ("__weakref__",)

    def take(self) -> Growth | None:
        """Return the growth, if it is still there; one of several threads gets it."""
        _recent.pop(id(self), None)
        try:
            return self.pop()
        except IndexError:
            return None


_recent: Final[OrderedDict[int, ref[Kept]]] = OrderedDict()


def _keep(total: Expr, growth: Growth) -> None:
    """Keep its growth with a result, and let the oldest go where there are many."""
    kept = Kept((growth,))
    total.keep_growth(kept)
    _recent[id(kept)] = ref(kept)
    if len(_recent) > MAX_KEPT:
        _, oldest = _recent.popitem(last=False)
        gone = oldest()
        if gone is not None:
            gone.clear()


class Growth:
    """A joined sum that can be added to.

    Attributes:
        here: The sum, with who looked at what.
        terms: Its terms in term order.
        operands: The terms times their coefficients, in the same order.
        divisions: How many mods and floordivs they have.
        lead: The first of them with a positive coefficient, or None.
    """

    __slots__ = ("divisions", "here", "lead", "operands", "terms")

    def __init__(self, total: Expr) -> None:
        self.here = WatchedSum(total)
        self.terms: list[Expr] = []
        self.operands: list[Expr] = []
        self.divisions = 0
        self.lead: Expr | None = None

    def add(self, part: Expr, factor: int) -> None:
        """Add an expression times a factor."""
        self.here.add(part, factor)
        self._settle()
        self.here.rest(self.lead)

    def joined(self) -> Expr:
        """Return the sum, all joined; it keeps this growth if it is long enough."""
        join_up(self.here)
        self._settle()
        here = self.here
        if not self.divisions or len(self.terms) < 2:
            return here.expr()
        total = sum_node(
            self.operands.copy(), self._lead_place(), here.offset, self.divisions
        )
        is_fresh = here.turns.sets <= MAX_SETS * len(self.terms)
        if is_fresh and _length(total) >= MIN_TERMS:
            _keep(total, self)
        return total

    def _settle(self) -> None:
        """Bring the terms whose coefficients were set to their places."""
        for term in self.here.changed:
            self._put(term, self.here.coefficients.get(term, 0))
        self.here.changed.clear()

    def _put(self, term: Expr, coefficient: int) -> None:
        at = self._place(term)
        there = at < len(self.terms) and self.terms[at] == term
        if not there and coefficient:
            self.terms.insert(at, term)
            self.operands.insert(at, weighted(term, coefficient))
            self.divisions += term.divisions
            self._rank(at)
        elif there and coefficient:
            self.operands[at] = weighted(self.terms[at], coefficient)
        elif there:
            del self.terms[at], self.operands[at], self.here.turns.ranks[term]
            self.divisions -= term.divisions
        self._follow_lead(term, coefficient, at)

    def _place(self, term: Expr) -> int:
        """Return the place of a term in term order, or where it would stand."""
        if not self.terms or compare(self.terms[-1], term) < 0:
            return len(self.terms)
        return bisect_left(self.terms, term_key(term), key=term_key)

    def _rank(self, at: int) -> None:
        """Give a new term a number between those of its neighbours."""
        ranks, terms = self.here.turns.ranks, self.terms
        low = ranks[terms[at - 1]] if at else None
        high = ranks[terms[at + 1]] if at + 1 < len(terms) else None
        if low is None:
            ranks[terms[at]] = 0 if high is None else high - RANKS
        elif high is None:
            ranks[terms[at]] = low + RANKS
        elif low + 1 < high:
            ranks[terms[at]] = (low + high) // 2
        else:
            ranks.update((term, RANKS * k) for k, term in enumerate(terms))

    def _lead_place(self) -> int | None:
        if self.lead is None:
            return None
        return 0 if self.lead is self.terms[0] else self._place(self.lead)

    def _follow_lead(self, term: Expr, coefficient: int, at: int) -> None:
        """Keep the first positive term, where a term has got a coefficient."""
        here = self.here
        if coefficient > 0:
            if self.lead is None or compare(term, self.lead) < 0:
                self.lead = term
        elif term == self.lead:
            later = (self.terms[k] for k in range(at, len(self.terms)))
            self.lead = next(
                (t for t in later if here.coefficients.get(t, 0) > 0), None
            )
