"""Who looked at what: tables and numbers that wake those whose answer changes.

What a term's proposals find in a sum is a list of answers: what stands under a key, or
whether a number is above a bound. As long as all of them stay, it finds the same.
"""

from __future__ import annotations

from bisect import bisect_left, insort

from pelican.strategies.linear import quotient_like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from pelican.expr.node import Expr

    Awake = dict[Expr, None]

# What a table's own methods do after they have noted who looks.
_get = dict.get
_item = dict.__getitem__
_has = dict.__contains__


class Watch:
    """Who looks, and who has to look again.

    Attributes:
        looking: The term whose proposals are asked for, or None.
        to_join: The terms whose joins are to be asked for.
        to_shorten: The terms whose shapes are to be asked for.
        woken: The terms that were entered there since the list was emptied.
    """

    __slots__ = ("looking", "to_join", "to_shorten", "woken")

    def __init__(self) -> None:
        self.looking: Expr | None = None
        self.to_join: Awake = {}
        self.to_shorten: Awake = {}
        self.woken: list[Expr] = []

    def wake(self, terms: Iterable[Expr]) -> None:
        """Let terms be asked again."""
        for term in terms:
            self.to_join[term] = self.to_shorten[term] = None
            self.woken.append(term)


class Table(dict["Any", "Any"]):
    """A table that notes who looked at which key, whether or not it was there.

    Attributes:
        lookers: What was asked of each key, None for all that stands there, and by
            whom.
        watch: Who looks.
    """

    __slots__ = ("lookers", "watch")

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch
        self.lookers: dict[Any, dict[tuple[Any, Expr], None]] = {}

    def get(self, key: object, default: object = None) -> Any:  # noqa: ANN401 - as dict
        """Return what stands under a key, or the default."""
        self.note(key)
        return _get(self, key, default)

    def __getitem__(self, key: object) -> Any:  # noqa: ANN401 - as dict
        self.note(key)
        return _item(self, key)

    def __contains__(self, key: object) -> bool:
        self.note(key)
        return _has(self, key)

    def note(self, key: object, asked: object = None) -> None:
        """Note what the term that is looking asked of a key."""
        term = self.watch.looking
        if term is None:
            return
        found = self.lookers.get(key)
        if found is None:
            self.lookers[key] = {(asked, term): None}
        else:
            found[asked, term] = None

    def entered(self, key: object, denom: int) -> None:
        """Wake those that looked at a key, as a term with a divisor came there."""
        del denom
        self.wake(key, lambda _: True)

    def wake(self, key: object, concerns: Callable[[Any], bool]) -> None:
        """Wake those that asked of a key what a change concerns."""
        found = self.lookers.pop(key, None)
        if found is None:
            return
        kept = {entry: None for entry in found if not concerns(entry[0])}
        if len(kept) < len(found):
            self.watch.wake([entry[1] for entry in found if entry not in kept])
        if kept:
            self.lookers[key] = kept


class Multiples(Table):
    """A table of terms with divisors; what is asked for is a factor of the divisors."""

    __slots__ = ()

    def entered(self, key: object, denom: int) -> None:
        """Wake those that asked for a factor of a divisor, as a term came there."""
        self.wake(key, lambda factor: denom % factor == 0)


class Coefficients(Table):
    """A table of integers; what is asked may be less than what the integer is.

    A bound asks whether it is greater, three integers ask for a `quotient_like`.
    """

    __slots__ = ()

    def __contains__(self, key: object) -> bool:
        self.note(key, -1)
        self.note(key, 0)
        return _has(self, key)

    def moved(self, key: object, old: int, new: int) -> None:
        """Wake those for whom a coefficient is another one now."""
        self.wake(key, lambda asked: _answer(asked, old) != _answer(asked, new))


def _answer(asked: Any, c: int) -> int:  # noqa: ANN401 - see `Coefficients`
    if asked is None:
        return c
    return c > asked if type(asked) is int else quotient_like(c, *asked)


class Bounds:
    """Who asked whether a number is greater than which bounds."""

    __slots__ = ("bounds", "lookers", "watch")

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.bounds: list[int] = []
        self.lookers: dict[int, list[Expr]] = {}

    def asked(self, *bounds: int) -> None:
        """Note that the term that is looking asked for these bounds."""
        term = self.watch.looking
        if term is None:
            return
        for bound in bounds:
            found = self.lookers.get(bound)
            if found is None:
                insort(self.bounds, bound)
                self.lookers[bound] = [term]
            elif found[-1] is not term:
                found.append(term)

    def moved(self, old: int, new: int) -> None:
        """Wake those whose answer is another one now."""
        first = bisect_left(self.bounds, min(old, new))
        last = bisect_left(self.bounds, max(old, new))
        for bound in self.bounds[first:last]:
            self.watch.wake(self.lookers.pop(bound))
        del self.bounds[first:last]
