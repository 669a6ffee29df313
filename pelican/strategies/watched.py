"""A sum that remembers which of its terms looked at what.

It serves sums that grow. Where something changes, only the terms that looked at it are
asked again whether they join: the others would see what they saw, and they joined with
nothing. Terms are asked in turn (`pelican.strategies.turns`) and find others in the
order in which they do in a sum that is made anew, so that both give the same.
"""

from __future__ import annotations

from heapq import nsmallest

from pelican.strategies.linear import (
    MAX_ALONG,
    LinearSum,
    holds_floordiv,
    quotient_like,
    slope_of,
)
from pelican.strategies.looks import Bounds, Coefficients, Multiples, Table, Watch
from pelican.strategies.turns import Turns
from pelican.tree.kinds import is_divlike, is_modulo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pelican.expr import FloorDivExpr, ModuloExpr
    from pelican.expr.node import Expr

# As a dict, for the methods of the tables note who looks: here the sum itself looks, or
# a method that has noted just what it was asked.
_get = dict.get
_item = dict.__getitem__
_has = dict.__contains__


class WatchedSum(LinearSum):
    """A sum, under no mod, whose terms are asked for joins only if they may find some.

    Attributes:
        changed: The terms whose coefficients were set since it was emptied.
        turns: The order in which terms are asked; whoever calls `rest` keeps its
            ranks.
        watch: Who looks, and who has to look again; all terms at first.
    """

    __slots__ = (
        "_first",
        "_floordivs",
        "_late",
        "_offsets",
        "_positives",
        "_unused",
        "changed",
        "turns",
        "watch",
    )

    coefficients: Coefficients
    mods_over: Multiples
    divs_along: Table
    divisors: Table

    def __init__(self, total: Expr) -> None:
        self.changed: dict[Expr, None] = {}
        self.turns = Turns()
        self.watch = Watch()
        self._positives = Bounds(self.watch)  # on how many terms are positive
        self._offsets = Bounds(self.watch)  # on the constant
        self._floordivs = 0  # how many terms are one, or have one in their numerators
        self._unused: list[int] = []  # divisors that were of no term at some time
        self._first: dict[object, list[FloorDivExpr]] = {}  # of slopes that have many
        self._late: dict[Expr, None] = {}  # set since the last rest
        super().__init__(total)
        self._late.clear()

    def _empty(self) -> None:
        self.coefficients = Coefficients(self.watch)
        self.mods_over = Multiples(self.watch)
        self.divs_along = Table(self.watch)
        self.divisors = Table(self.watch)

    def rest(self, lead: Expr | None) -> None:
        """Be as a sum made anew: no term was set after others, and nothing was there.

        Lists of terms are in another order now, so those that saw one wake. That a
        divisor or all floordivs are gone only means fewer proposals.

        Args:
            lead: The first positive term in term order, or None.
        """
        before = self.turns.lead
        if lead != before:
            self._late |= {e: None for e in (lead, before) if e is not None}
        self.turns.start_anew(lead)
        for term in self._late:
            c = _get(self.coefficients, term, 0)
            if c and is_divlike(term):
                self._announce(term, c, beside=1)
        self._late.clear()
        for denom in self._unused:
            if not _get(self.divisors, denom, 1):
                del self.divisors[denom]
        self._unused.clear()
        self.has_floordiv = self._floordivs > 0

    def to_join(self) -> Iterable[Expr]:
        """Yield the terms that may join with others, each in its turn."""
        return self.turns.in_turn(self.watch.to_join, self.watch, self.coefficients)

    def to_shorten(self) -> Iterable[Expr]:
        """Yield the terms that may be written in a shorter way, each in its turn."""
        return self.turns.in_turn(self.watch.to_shorten, self.watch, self.coefficients)

    # What proposals ask: each answer is noted.

    def over(self, numer: Expr, factor: int = 1) -> list[ModuloExpr]:
        """Return the mods over a numerator whose divisors have a factor."""
        self.mods_over.note(numer, factor)
        mods = [m for m in _get(self.mods_over, numer, ()) if m.denom % factor == 0]
        return sorted(mods, key=self.turns.place) if len(mods) > 1 else mods

    def along(self, term: Expr, rise: int, run: int) -> list[FloorDivExpr]:
        """Return a few of the floordivs whose slope in a term is ``rise/run``."""
        slope = slope_of(term, rise, run)
        first = self._first.get(slope)
        self.divs_along.note(slope)
        if first is None:
            found = _get(self.divs_along, slope, ())
            first = nsmallest(MAX_ALONG, found, key=self.turns.place)
            if len(found) > MAX_ALONG:
                self._first[slope] = first
        return first

    def times(self, term: Expr, a: int, weight: int, n: int) -> int:
        """Return `quotient_like` of the coefficient of a term."""
        self.coefficients.note(term, (a, weight, n))
        return quotient_like(_get(self.coefficients, term, 0), a, weight, n)

    def free(self) -> int:
        """Return the constant."""
        self._offsets.asked(self.offset - 1, self.offset)
        return self.offset

    def cancels(self, number: int) -> bool:
        """Tell whether the constant and a number add up to 0."""
        self._offsets.asked(-number - 1, -number)
        return super().cancels(number)

    def above(self, bound: int) -> bool:
        """Tell whether the constant is greater than a number."""
        self._offsets.asked(bound)
        return super().above(bound)

    def _lower(self, term: Expr, c: int) -> bool:
        """Tell whether taking ``c*term`` away lowers its coefficient.

        It does if the coefficient is beyond half of c.
        """
        self.coefficients.note(term, c // 2 if c > 0 else -(-c // 2) - 1)
        old: int = _get(self.coefficients, term, 0)
        return abs(old - c) < abs(old)

    def _coefficient_before(self, term: Expr, moved: int) -> int:
        """Return a coefficient, for a comparison with what it is moved by a number.

        Where both are farther from 0 than 1, and on the same side, how far they are
        makes no difference.
        """
        c: int = _get(self.coefficients, term, 0)
        reach = abs(moved) + 1
        if abs(c) <= reach:
            self.coefficients.note(term)
        else:
            self.coefficients.note(term, reach if c > 0 else -reach - 1)
        return c

    def _literals_sign(self, added: int, moved: int) -> int:
        """Return a number with the sign of what a change adds to the literals.

        Between 0 and ``-moved`` what is added rises or falls by 2 with the constant,
        and elsewhere it stays: so its sign changes at one point at most.
        """
        twice = -added - moved if moved > 0 else added - moved
        self._offsets.asked(-(-twice // 2) - 1, twice // 2)
        return super()._literals_sign(added, moved)

    def _positive_beside(self, own: int) -> int:
        """Return how many terms are positive beside some; what counts is whether."""
        self._positives.asked(own)
        return super()._positive_beside(own)

    # Changes: each wakes those that asked.

    def _move(self, by: int) -> None:
        self._offsets.moved(self.offset, self.offset + by)
        super()._move(by)

    def _set(self, term: Expr, c: int) -> None:
        old, positive = _get(self.coefficients, term, 0), self._positive
        self.turns.comes_last(term, present=bool(old))
        super()._set(term, c)
        self._late[term] = self.changed[term] = None
        self.coefficients.moved(term, old, c)
        self._positives.moved(positive, self._positive)
        if c and is_divlike(term):
            self.watch.wake((term,))

    def _index(self, term: FloorDivExpr | ModuloExpr, c: int, *, present: bool) -> None:
        new, plain = not _has(self.divisors, term.denom), not self.has_floordiv
        super()._index(term, c, present=present)
        self._floordivs += holds_floordiv(term) * (1 if present else -1)
        if present:
            self._announce(term, c)
        else:
            self._leave(term, c)
        if new:
            self.divisors.entered(term.denom, term.denom)
        elif not _get(self.divisors, term.denom):
            self._unused.append(term.denom)
        if plain and self.has_floordiv:
            self.watch.wake([term for term in self.coefficients if is_modulo(term)])

    def _announce(
        self, term: FloorDivExpr | ModuloExpr, c: int, beside: int = 0
    ) -> None:
        """Wake those that saw a list of terms in which a term is new or moves."""
        for table, key in self._places(term, c):
            if (
                isinstance(table, Table)
                and len(_item(table, key)) > beside
                and self._is_among_first(key, term)
            ):
                table.entered(key, term.denom)

    def _is_among_first(self, slope: object, term: FloorDivExpr | ModuloExpr) -> bool:
        """Tell whether `along` may return a term; it looks for the first few anew."""
        first = self._first.get(slope)
        place = self.turns.place
        if first and term not in first and place(term) > place(first[-1]):
            return False
        self._first.pop(slope, None)
        return True

    def _leave(self, term: FloorDivExpr | ModuloExpr, c: int) -> None:
        for _, slope in self._places(term, c):
            if term in self._first.get(slope, ()):
                del self._first[slope]
