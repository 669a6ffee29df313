"""A sum that changes in place, with what the proposals look up in it by hash.

Each look-up is a step or two, whatever the number of terms, and a change touches the
terms that change: so a sum of n terms is joined in about n steps.
"""

from __future__ import annotations

from math import gcd

from pelican.build import linear_sum, scale, unwrapped
from pelican.congruence import nearest_residue
from pelican.flat import weights
from pelican.kinds import is_divlike, is_floordiv, is_modulo
from pelican.strategies.terms import inner_period

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from pelican.expr import FloorDivExpr, ModuloExpr
    from pelican.node import Expr

    Slope = tuple[Expr, int, int]
    Size = tuple[int, ...]

MAX_ALONG: Final = 4
"""Most floordivs of one slope that are tried with another."""


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
        has_floordiv: True if there was a floordiv among the terms or in their
            numerators.
    """

    __slots__ = (
        "_positive",
        "coefficients",
        "divisors",
        "divs_along",
        "has_floordiv",
        "mods_over",
        "modulus",
        "offset",
    )

    def __init__(self, total: Expr, modulus: int = 0) -> None:
        terms, self.offset = weights(total)
        self.modulus = modulus
        self.coefficients: dict[Expr, int] = {}
        self.mods_over: dict[Expr, dict[ModuloExpr, None]] = {}
        self.divs_along: dict[Slope, dict[FloorDivExpr, None]] = {}
        self.divisors: dict[int, int] = {}
        self.has_floordiv = False
        self._positive = 0
        for term, c in terms:
            self._set(term, self.coefficients.get(term, 0) + c)

    def expr(self) -> Expr:
        """Return the sum as it is now."""
        terms = [scale(term, c) for term, c in self.coefficients.items()]
        return linear_sum([*terms, self.offset])

    def divlike(self) -> list[Expr]:
        """Return the mods and floordivs among the terms."""
        return [term for term in self.coefficients if is_divlike(term)]

    def replace(self, old: Expr, new: Expr) -> None:
        """Take one expression away and add another."""
        for part, sign in ((old, -1), (new, 1)):
            terms, offset = weights(part, sign)
            self.offset += offset
            for term, c in terms:
                self._set(term, self.coefficients.get(term, 0) + c)

    def shrinks(self, old: Expr, new: Expr) -> bool:
        """Tell whether taking `old` away and adding `new` makes the sum smaller."""
        change: dict[Expr, int] = {}
        moved = 0
        for part, sign in ((old, -1), (new, 1)):
            terms, offset = weights(part, sign)
            moved += offset
            for term, c in terms:
                change[term] = change.get(term, 0) + c
        before = [self._size(term, self.coefficients.get(term, 0)) for term in change]
        after = [
            self._size(term, self.coefficients.get(term, 0) + c)
            for term, c in change.items()
        ]
        before.append(self._offset_size(self.offset))
        after.append(self._offset_size(self.offset + moved))
        positive = self._positive - sum(
            self.coefficients.get(term, 0) > 0 for term in change
        )
        rest = sum(self.coefficients.get(t, 0) + c > 0 for t, c in change.items())
        if not self.modulus:
            before.append(_lead_size(self._positive + (self.offset > 0)))
            after.append(_lead_size(positive + rest + (self.offset + moved > 0)))
        return _total(after) < _total(before)

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
        return bool(taken) and all(
            self._lower(self.coefficients.get(term, 0), c) for term, c in taken
        )

    def _lower(self, old: int, c: int) -> bool:
        if not self.modulus:
            return abs(old - c) < abs(old)
        nearer = abs(self.nearest(old - c)) < abs(self.nearest(old))
        return nearer or (old - c) % self.modulus < old % self.modulus

    def along(self, term: Expr, rise: int, run: int) -> list[FloorDivExpr]:
        """Return a few of the floordivs whose slope in a term is ``rise/run``."""
        found = self.divs_along.get(_slope(term, rise, run), {})
        return [div for div, _ in zip(found, range(MAX_ALONG), strict=False)]

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
        inside = weights(term.numer)[0]
        if not self.has_floordiv:
            parts = (inner for inner, _ in inside)
            self.has_floordiv = is_floordiv(term) or any(map(is_floordiv, parts))
        if is_modulo(term):
            found = self.mods_over.setdefault(unwrapped(term.numer), {})
            _enter(found, term, present=present)
            return
        for inner, weight in inside:
            slope = _slope(inner, c * weight, term.denom)
            _enter(self.divs_along.setdefault(slope, {}), term, present=present)

    def _size(self, term: Expr, c: int) -> Size:
        """Return what a term adds to the size of the sum, the weightiest first.

        Mods and floordivs; nodes of the text; terms; negative mods and floordivs; sum
        of the literals; floordivs; coefficient. The sizes of all parts add up.
        """
        c = c % self.modulus if self.modulus else c
        if not c:
            return (0, 0, 0, 0, 0, 0, 0)
        nodes = term.nodes + (1 if abs(c) == 1 else 3)
        div = is_floordiv(term)
        negative = c < 0 and is_divlike(term)
        period = 0
        if self.modulus and is_floordiv(term):
            period = inner_period(c, term.denom, self.modulus)
        literals = abs(c) + _literals(term, period)
        return (term.divisions, nodes, 1, negative, literals, div, abs(c))

    def _offset_size(self, offset: int) -> Size:
        offset = offset % self.modulus if self.modulus else offset
        present = 1 if offset else 0
        return (0, 2 * present, present, 0, abs(offset), 0, 0)


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


def _slope(term: Expr, rise: int, run: int) -> Slope:
    common = gcd(rise, run)
    return (term, rise // common, run // common)


def _enter(found: dict[Any, None], term: Expr, *, present: bool) -> None:
    if present:
        found[term] = None
    else:
        found.pop(term, None)  # a raw part may have one term twice, and so one slope


def _lead_size(positive: int) -> Size:
    """Return the size of the unary minus before a sum without a positive part."""
    return (0, 0 if positive else 1, 0, 0, 0, 0, 0)


def _total(sizes: list[Size]) -> Size:
    return tuple(map(sum, zip(*sizes, strict=True)))
