"""A sum that changes in place, with what the proposals look up in it by hash.

Each look-up is a step or two, whatever the number of terms, and a change touches the
terms that change: so a sum of n terms is joined in about n steps.
"""

from __future__ import annotations

from math import gcd

from pelican.core.native import mypyc_attr
from pelican.known.congruence import nearest_residue
from pelican.strategies.terms import inner_period
from pelican.tree.build import linear_sum, scale, unwrapped
from pelican.tree.flat import weights
from pelican.tree.kinds import is_divlike, is_floordiv, is_modulo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, MutableMapping
    from typing import Any, Final

    from pelican.expr import FloorDivExpr, ModuloExpr
    from pelican.expr.node import Expr

    Slope = tuple[Expr, int, int]
    """A term, and how fast a floordiv rises with it: rise and run in lowest terms."""

    Size = tuple[int, int, int, int, int, int, int]
    """What a part adds to a sum, the weightiest first: mods and floordivs; nodes of
    the text; terms; negative mods and floordivs; sum of the literals; floordivs; sum of
    the coefficients. The sizes of all parts add up."""

MAX_ALONG: Final = 4
"""Most floordivs of one slope that are tried with another."""


_NOTHING: Final[Size] = (0, 0, 0, 0, 0, 0, 0)
"""The size of no term."""


@mypyc_attr(allow_interpreted_subclasses=True)
class LinearSum:
    """Terms with their coefficients, and a constant.

    Attributes:
        coefficients: Coefficient of each term, none of them 0, in the order in which
            they came.
        offset: The constant.
        modulus: The n of the ``mod n`` over the sum, or 0: coefficients count modulo
            it.
        mods_over: The mods among the terms, by their numerators.
        divs_along: The floordivs among the terms, by the slopes of their numerators.
        divisors: How many mods and floordivs have a divisor.
        made: What was built for questions, by operation, numerator and divisor.
        has_floordiv: True if there was a floordiv among the terms or in their
            numerators.
    """

    __slots__ = (
        "_positive",
        "coefficients",
        "divisors",
        "divs_along",
        "has_floordiv",
        "made",
        "mods_over",
        "modulus",
        "offset",
    )

    # With dict here compiled code would pass by a table that notes who looks at it.
    coefficients: MutableMapping[Expr, int]
    mods_over: MutableMapping[Expr, dict[ModuloExpr, None]]
    divs_along: MutableMapping[Slope, dict[FloorDivExpr, None]]
    divisors: MutableMapping[int, int]

    def __init__(self, total: Expr, modulus: int = 0) -> None:
        terms, self.offset = weights(total)
        self.modulus = modulus
        self._empty()
        self.has_floordiv = False
        self.made: dict[tuple[str, Expr, int], Expr] = {}
        self._positive = 0
        for term, c in terms:
            self._set(term, self.coefficients.get(term, 0) + c)

    def _empty(self) -> None:
        """Hold no term."""
        self.coefficients = {}
        self.mods_over = {}
        self.divs_along = {}
        self.divisors = {}

    def expr(self) -> Expr:
        """Return the sum as it is now."""
        terms = [scale(term, c) for term, c in self.coefficients.items()]
        return linear_sum([*terms, self.offset])

    def divlike(self) -> list[Expr]:
        """Return the mods and floordivs among the terms."""
        return [term for term in self.coefficients if is_divlike(term)]

    def to_join(self) -> Iterable[Expr]:
        """Return the mods and floordivs that may join with others."""
        return self.divlike()

    def to_shorten(self) -> Iterable[Expr]:
        """Return the mods and floordivs that may be written in a shorter way."""
        return self.divlike()

    def replace(self, old: Expr, new: Expr) -> None:
        """Take one expression away and add another."""
        self.add(old, -1)
        self.add(new)

    def add(self, part: Expr, factor: int = 1) -> None:
        """Add an expression, times a factor."""
        terms, offset = weights(part, factor)
        self._move(offset)
        for term, c in terms:
            self._set(term, self.coefficients.get(term, 0) + c)

    def shrinks(self, old: Expr, new: Expr) -> bool:
        """Tell whether taking `old` away and adding `new` makes the sum smaller.

        What is asked of the constant and of other terms is asked only where the
        terms that change do not decide.
        """
        change: dict[Expr, int] = {}
        moved = 0
        for part, sign in ((old, -1), (new, 1)):
            terms, offset = weights(part, sign)
            moved += offset
            for term, c in terms:
                change[term] = change.get(term, 0) + c
        now = [(e, self._coefficient_before(e, c), c) for e, c in change.items()]
        divisions, nodes, terms_added, negative, literals, *rest = _growth(
            [self._size(term, own) for term, own, _ in now],
            [self._size(term, own + c) for term, own, c in now],
        )
        if divisions:
            return divisions < 0
        constants = self.cancels(0) - self.cancels(moved) if moved else 0
        nodes += 2 * constants + self._minus_added(now, moved)
        if nodes or terms_added + constants or negative:
            return (nodes, terms_added + constants, negative) < (0, 0, 0)
        literals = self._literals_sign(literals, moved)
        return [literals, *rest] < [0, 0, 0]

    def _minus_added(self, now: list[tuple[Expr, int, int]], moved: int) -> int:
        """Return how many minus signs before the sum a change adds: 1, 0 or -1.

        There is one where no part is positive.
        """
        if self.modulus:
            return 0
        positive = sum(own > 0 for _, own, _ in now)
        if self._positive_beside(positive):
            return 0
        left = sum(own + c > 0 for _, own, c in now)
        before = positive or self.above(0)
        after = left or self.above(-moved)
        return bool(before) - bool(after)

    def nearest(self, number: int) -> int:
        """Return a number, or of those that are equal modulo n the one nearest 0."""
        if not self.modulus:
            return number
        return nearest_residue(number, self.modulus)

    def alike(self, number: int) -> tuple[int, ...]:
        """Return a number; under ``mod n`` its residues next to 0."""
        if not self.modulus:
            return (number,)
        rest = number % self.modulus
        return (rest, rest - self.modulus)

    def same(self, left: int, right: int) -> bool:
        """Tell whether two coefficients count as equal."""
        return not self.nearest(left - right)

    def shares(self, expr: Expr) -> bool:
        """Tell whether some term of an expression is a term of this sum."""
        return any(term in self.coefficients for term, _ in weights(expr)[0])

    def holds(self, expr: Expr) -> bool:
        """Tell whether each term of an expression is a term of this sum."""
        return all(term in self.coefficients for term, _ in weights(expr)[0])

    def lowers(self, expr: Expr, factor: int) -> bool:
        """Tell whether taking ``factor*expr`` away lowers each of its terms here.

        Under ``mod n`` a coefficient is lower if it is nearer to 0, or as it will be
        written, in [0, n).
        """
        taken = weights(expr, factor)[0]
        return bool(taken) and all(self._lower(term, c) for term, c in taken)

    def _lower(self, term: Expr, c: int) -> bool:
        old = self.coefficients.get(term, 0)
        if not self.modulus:
            return abs(old - c) < abs(old)
        nearer = abs(self.nearest(old - c)) < abs(self.nearest(old))
        return nearer or (old - c) % self.modulus < old % self.modulus

    def over(self, numer: Expr, factor: int = 1) -> list[ModuloExpr]:
        """Return the mods over a numerator whose divisors have a factor."""
        return [m for m in self.mods_over.get(numer, ()) if m.denom % factor == 0]

    def times(self, term: Expr, a: int, weight: int, n: int) -> int:
        """Return `quotient_like` of the coefficient of a term."""
        return quotient_like(self.coefficients.get(term, 0), a, weight, n)

    def along(self, term: Expr, rise: int, run: int) -> list[FloorDivExpr]:
        """Return a few of the floordivs whose slope in a term is ``rise/run``."""
        found = self.divs_along.get(slope_of(term, rise, run), {})
        return [div for div, _ in zip(found, range(MAX_ALONG), strict=False)]

    def free(self) -> int:
        """Return the constant."""
        return self.offset

    def cancels(self, number: int) -> bool:
        """Tell whether the constant and a number add up to 0, modulo n."""
        return not self.nearest(self.offset + number)

    def above(self, bound: int) -> bool:
        """Tell whether the constant is greater than a number."""
        return self.offset > bound

    def _coefficient_before(self, term: Expr, moved: int) -> int:
        """Return a coefficient, for a comparison with what it is moved by a number."""
        del moved
        return self.coefficients.get(term, 0)

    def _literals_sign(self, added: int, moved: int) -> int:
        """Return a number with the sign of what a change adds to the literals.

        Args:
            added: What the terms add.
            moved: How much the constant moves.
        """
        before, after = self.offset, self.offset + moved
        if self.modulus:
            before, after = before % self.modulus, after % self.modulus
        return added + abs(after) - abs(before)

    def _positive_beside(self, own: int) -> int:
        """Return how many terms have a positive coefficient beside some that have."""
        return self._positive - own

    def _move(self, by: int) -> None:
        self.offset += by

    def _set(self, term: Expr, c: int) -> None:
        old = self.coefficients.pop(term, 0)
        self._positive += (c > 0) - (old > 0)
        if old and is_divlike(term):
            self._index(term, old, present=False)
        if c:
            self.coefficients[term] = c
            if is_divlike(term):
                self._index(term, c, present=True)

    def _index(self, term: FloorDivExpr | ModuloExpr, c: int, *, present: bool) -> None:
        """Enter a mod or floordiv where proposals look it up, or take it out."""
        count = self.divisors.get(term.denom, 0) + (1 if present else -1)
        self.divisors[term.denom] = count
        if not self.has_floordiv:
            self.has_floordiv = holds_floordiv(term)
        for table, key in self._places(term, c):
            found = table.setdefault(key, {})
            if present:
                found[term] = None
            else:
                found.pop(term, None)  # a raw part may have one slope twice

    def _places(
        self, term: FloorDivExpr | ModuloExpr, c: int
    ) -> Iterator[tuple[MutableMapping[Any, Any], object]]:
        """Yield the tables and keys under which a mod or floordiv is looked up."""
        if is_modulo(term):
            yield self.mods_over, unwrapped(term.numer)
            return
        for inner, weight in weights(term.numer)[0]:
            yield self.divs_along, slope_of(inner, c * weight, term.denom)

    def _size(self, term: Expr, c: int) -> Size:
        """Return what a term with a coefficient adds to the size of the sum."""
        c = c % self.modulus if self.modulus else c
        if not c:
            return _NOTHING
        nodes = term.nodes + (1 if abs(c) == 1 else 3)
        div = is_floordiv(term)
        negative = c < 0 and is_divlike(term)
        period = 0
        if self.modulus and is_floordiv(term):
            period = inner_period(c, term.denom, self.modulus)
        literals = abs(c) + _literals(term, period)
        return (term.divisions, nodes, 1, negative, literals, div, abs(c))


def _literals(term: Expr, period: int) -> int:
    """Return the sum of the numbers in the numerator of a mod or floordiv.

    With a period they count as the engine will write them.
    """
    if not is_divlike(term):
        return 0
    terms, offset = weights(term.numer)
    if not period:
        return abs(offset) + sum(abs(c) for _, c in terms)
    return offset % period + sum(abs(nearest_residue(c, period)) for _, c in terms)


def holds_floordiv(term: FloorDivExpr | ModuloExpr) -> bool:
    """Tell whether a mod or floordiv is a floordiv, or has one in its numerator."""
    return is_floordiv(term) or any(is_floordiv(e) for e, _ in weights(term.numer)[0])


def quotient_like(c: int, a: int, weight: int, n: int) -> int:
    """Return ``c/a`` if it is an integer that equals a weight modulo n, else 0."""
    return c // a if c % a == 0 and (c // a - weight) % n == 0 else 0


def slope_of(term: Expr, rise: int, run: int) -> Slope:
    """Return the key of floordivs that rise by ``rise/run`` with a term."""
    common = gcd(rise, run)
    return (term, rise // common, run // common)


def _growth(before: list[Size], after: list[Size]) -> list[int]:
    """Return how much each part of a size grows, from all sizes before to all after."""
    less = [tuple([-part for part in size]) for size in before]
    return [sum(parts) for parts in zip(_NOTHING, *after, *less, strict=True)]
