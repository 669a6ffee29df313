"""A sum that remembers which of its terms looked at what.

It serves sums that grow. Where something changes, only the terms that looked at it are
asked again whether they join: the others would see what they saw, and they joined with
nothing. Terms are asked in turn and find others in the order in which they do in a sum
that is made anew, so that both give the same.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from heapq import heapify, heappop, heappush, nsmallest

from pelican.kinds import is_divlike, is_modulo
from pelican.order import term_key
from pelican.strategies.linear import MAX_ALONG, LinearSum, holds_floordiv, slope_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from pelican.expr import FloorDivExpr, ModuloExpr
    from pelican.node import Expr

    Awake = dict[Expr, None]

_get = dict.get
_item = dict.__getitem__
_has = dict.__contains__


class Watch:
    """Who looks, and who has to look again.

    Attributes:
        looking: The term whose proposals are asked for, or None.
        looks: How often a term's proposals were asked for.
        to_join: The terms whose joins are to be asked for.
        to_shorten: The terms whose shapes are to be asked for.
        woken: The terms that were entered there since the list was emptied.
    """

    __slots__ = ("looking", "looks", "to_join", "to_shorten", "woken")

    def __init__(self) -> None:
        self.looking: Expr | None = None
        self.looks = 0
        self.to_join: Awake = {}
        self.to_shorten: Awake = {}
        self.woken: list[Expr] = []

    def note(self, lookers: dict[Any, list[Expr]], key: object) -> None:
        """Note that the term that is looking looked at a key."""
        term = self.looking
        if term is None:
            return
        found = lookers.get(key)
        if found is None:
            lookers[key] = [term]
        elif found[-1] is not term:
            found.append(term)

    def wake(self, terms: Iterable[Expr]) -> None:
        """Let terms be asked again."""
        for term in terms:
            self.to_join[term] = self.to_shorten[term] = None
            self.woken.append(term)


class Table(dict["Any", "Any"]):
    """A table that notes who looked at which key, whether or not it was there."""

    __slots__ = ("lookers", "watch")

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch
        self.lookers: dict[Any, list[Expr]] = {}

    def get(self, key: object, default: object = None) -> Any:  # noqa: ANN401 - as dict
        """Return what stands under a key, or the default."""
        self.watch.note(self.lookers, key)
        return _get(self, key, default)

    def __getitem__(self, key: object) -> Any:  # noqa: ANN401 - as dict
        self.watch.note(self.lookers, key)
        return _item(self, key)

    def __contains__(self, key: object) -> bool:
        self.watch.note(self.lookers, key)
        return _has(self, key)

    def changed(self, key: object) -> None:
        """Wake those that looked at a key."""
        self.watch.wake(self.lookers.pop(key, ()))


class Bounds:
    """Who asked whether a number is greater than which bounds."""

    __slots__ = ("bounds", "lookers", "watch")

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.bounds: list[int] = []
        self.lookers: dict[Any, list[Expr]] = {}

    def asked(self, *bounds: int) -> None:
        """Note that the term that is looking asked for these bounds."""
        if self.watch.looking is None:
            return
        for bound in bounds:
            if bound not in self.lookers:
                insort(self.bounds, bound)
            self.watch.note(self.lookers, bound)

    def moved(self, old: int, new: int) -> None:
        """Wake those whose answer is another one now."""
        first = bisect_left(self.bounds, min(old, new))
        last = bisect_left(self.bounds, max(old, new))
        for bound in self.bounds[first:last]:
            self.watch.wake(self.lookers.pop(bound))
        del self.bounds[first:last]


class WatchedSum(LinearSum):
    """A sum, under no mod, whose terms are asked for joins only if they may find some.

    Attributes:
        changed: The terms whose coefficients were set since it was emptied.
        lead: The first positive term in term order, as `rest` shall take it, or None.
        watch: Who looks, and who has to look again; all terms at first.
    """

    __slots__ = (
        "_before",
        "_floordivs",
        "_offsets",
        "_positives",
        "_turn",
        "_turns",
        "_unused",
        "changed",
        "lead",
        "watch",
    )

    coefficients: Table
    divisors: Table

    def __init__(self, total: Expr) -> None:
        self.changed: dict[Expr, None] = {}
        self.lead: Expr | None = None
        self.watch = Watch()
        self._positives = Bounds(self.watch)
        self._offsets = Bounds(self.watch)
        self._floordivs = 0
        self._unused: list[int] = []
        self._turn = 0
        self._turns: dict[Expr, int] = {}
        self._before: dict[Expr, int | None] = {}
        super().__init__(total)

    def rest(self) -> None:
        """Be as a sum made anew: no term was set after others, and nothing was there.

        That a divisor or all floordivs are gone wakes nobody: it only means fewer
        proposals.
        """
        self._turns.clear()
        for denom in self._unused:
            if not _get(self.divisors, denom, 1):
                del self.divisors[denom]
        self._unused.clear()
        self.has_floordiv = self._floordivs > 0

    def to_join(self) -> Iterable[Expr]:
        """Yield the terms that may join with others, each in its turn."""
        return self._in_turn(self.watch.to_join)

    def to_shorten(self) -> Iterable[Expr]:
        """Yield the terms that may be written in a shorter way, each in its turn."""
        return self._in_turn(self.watch.to_shorten)

    def over(self, numer: Expr) -> list[ModuloExpr]:
        """Return the mods over a numerator."""
        found = super().over(numer)
        return sorted(found, key=self._place) if len(found) > 1 else found

    def along(self, term: Expr, rise: int, run: int) -> list[FloorDivExpr]:
        """Return a few of the floordivs whose slope in a term is ``rise/run``."""
        found = self.divs_along.get(slope_of(term, rise, run), ())
        return nsmallest(MAX_ALONG, found, key=self._place)

    def free(self) -> int:
        """Return the constant."""
        self._offsets.asked(self.offset - 1, self.offset)
        return self.offset

    def cancels(self, number: int) -> bool:
        """Tell whether the constant and a number add up to 0."""
        self._offsets.asked(-number - 1, -number)
        return super().cancels(number)

    def _offset_before(self, moved: int) -> int:
        """Return the constant, for a comparison with what it is moved by a number.

        Farther from 0 than the number, how far it is makes no difference.
        """
        if abs(self.offset) <= abs(moved):
            return self.free()
        self._offsets.asked(abs(moved) if self.offset > 0 else -abs(moved) - 1)
        return self.offset

    def _positive_beside(self, own: int) -> int:
        """Return how many terms are positive beside some; what counts is whether."""
        self._positives.asked(own)
        return super()._positive_beside(own)

    def _in_turn(self, awake: Awake) -> Iterator[Expr]:
        """Yield the terms that are awake, and those that wake before their turn.

        The turn of each is what it was at first. A term that was not there comes
        next time, and so does one that wakes after its turn.
        """
        watch = self.watch
        watch.woken.clear()
        self._before.clear()
        queue = [(self._place(term), term) for term in awake]
        heapify(queue)
        while queue:
            place, term = heappop(queue)
            if not _has(awake, term):
                continue
            del awake[term]
            if not _has(self.coefficients, term):
                continue
            watch.looking = term
            watch.looks += 1
            yield term
            watch.looking = None
            for other in watch.woken:
                turn = self._before.get(other, self._turns.get(other, 0))
                if turn is not None and self._place_at(turn, other) > place:
                    heappush(queue, (self._place_at(turn, other), other))
            watch.woken.clear()

    def _place(self, term: Expr) -> tuple[Any, ...]:
        """Return the place of a term among the others, as it is now."""
        return self._place_at(self._turns.get(term, 0), term)

    def _place_at(self, turn: int, term: Expr) -> tuple[Any, ...]:
        """Return the place of a term: those that were set come after the others."""
        return (turn,) if turn else (0, term != self.lead, term_key(term))

    def _table(self) -> Table:
        return Table(self.watch)

    def _move(self, by: int) -> None:
        self._offsets.moved(self.offset, self.offset + by)
        super()._move(by)

    def _set(self, term: Expr, c: int) -> None:
        if term not in self._before:
            there = _has(self.coefficients, term)
            self._before[term] = self._turns.get(term, 0) if there else None
        positive = self._positive
        super()._set(term, c)
        self._turn += 1
        self._turns[term] = self._turn
        self.changed[term] = None
        self.coefficients.changed(term)
        self._positives.moved(positive, self._positive)
        if c and is_divlike(term):
            self.watch.wake((term,))

    def _index(self, term: FloorDivExpr | ModuloExpr, c: int, *, present: bool) -> None:
        new, plain = not _has(self.divisors, term.denom), not self.has_floordiv
        super()._index(term, c, present=present)
        self._floordivs += holds_floordiv(term) * (1 if present else -1)
        if new:
            self.divisors.changed(term.denom)
        elif not _item(self.divisors, term.denom):
            self._unused.append(term.denom)
        if plain and self.has_floordiv:
            self.watch.wake([term for term in self.coefficients if is_modulo(term)])

    def _enter(
        self,
        table: dict[Any, dict[Any, None]],
        key: object,
        term: Expr,
        *,
        present: bool,
    ) -> None:
        super()._enter(table, key, term, present=present)
        if isinstance(table, Table):
            table.changed(key)
