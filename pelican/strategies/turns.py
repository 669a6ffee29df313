"""The order in which the terms of a sum that grows are asked again.

It is the order in which they would be asked in the same sum made anew.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pelican.expr.node import Expr
    from pelican.strategies.looks import Awake, Coefficients, Watch

    Place = tuple[int, ...]
    """What comes earlier is less: a turn, or 0, 0 for the lead or 1, and a rank."""

# As a dict, for the table notes who looks, and here it is no term that looks.
_has = dict.__contains__


class Turns:
    """Places of terms: first the lead, then term order, then those that were set.

    Attributes:
        lead: The first positive term in term order, or None.
        ranks: A number for each term, in term order; whoever adds terms keeps them.
        sets: How often a coefficient was set.
    """

    __slots__ = ("_at_first", "_turns", "lead", "ranks", "sets")

    def __init__(self) -> None:
        self.lead: Expr | None = None
        self.ranks: dict[Expr, int] = {}
        self.sets = 0
        self._turns: dict[Expr, int] = {}
        self._at_first: dict[Expr, int | None] = {}  # None: it was no term then

    def start_anew(self, lead: Expr | None) -> None:
        """Let no term have been set after others."""
        self.lead = lead
        self._turns.clear()

    def comes_last(self, term: Expr, *, present: bool) -> None:
        """Let a term come last, as its coefficient is being set.

        Args:
            term: The term.
            present: Whether it was a term before.
        """
        if term not in self._at_first:
            self._at_first[term] = self._turns.get(term, 0) if present else None
        self.sets += 1
        self._turns[term] = self.sets

    def place(self, term: Expr) -> Place:
        """Return the place of a term among the others, as it is now."""
        return self._place_at(self._turns.get(term, 0), term)

    def _place_at(self, turn: int, term: Expr) -> Place:
        return (turn,) if turn else (0, int(term != self.lead), self.ranks[term])

    def in_turn(
        self, awake: Awake, watch: Watch, coefficients: Coefficients
    ) -> Iterator[Expr]:
        """Yield the terms that are awake, and those that wake before their turn.

        The place of each is what it was at first. A term that was not there comes
        next time, and so does one that wakes after its turn.

        Args:
            awake: The terms that are awake; each is taken out when it is asked.
            watch: What tells who woke, and is told who looks.
            coefficients: The terms that are there.

        Yields:
            Each term in its turn; what looks at the sum until the next one is asked
            for is noted as looked at by it.
        """
        watch.woken.clear()
        self._at_first.clear()
        for term in [term for term in awake if not _has(coefficients, term)]:
            del awake[term]
        queue = [(self.place(term), term) for term in awake]
        heapify(queue)
        while queue:
            place, term = heappop(queue)
            if not _has(awake, term):
                continue
            del awake[term]
            if not _has(coefficients, term):
                continue
            watch.looking = term
            yield term
            watch.looking = None
            for other in watch.woken:
                theirs = self._place_at_first(other, present=_has(coefficients, other))
                if theirs is not None and theirs > place:
                    heappush(queue, (theirs, other))
            watch.woken.clear()

    def _place_at_first(self, term: Expr, *, present: bool) -> Place | None:
        """Return the place of a term when these turns began; None: it was no term."""
        if term not in self._at_first:
            return self.place(term) if present else None
        turn = self._at_first[term]
        return None if turn is None else self._place_at(turn, term)
