"""Solving ``outputs = values`` for the indices, by the structure of the outputs.

Each equation ``left = value`` is taken apart until its left side is one index:

* digits: ``64*i + j = v`` with j in [0, 64) gives ``i = v floordiv 64`` and
  ``j = v mod 64``;
* rings: ``(5*x + 3) mod 128 = v`` gives x, since 5 has an inverse modulo 128 and x
  takes at most 128 neighbouring values;
* swizzles: ``(x + y) mod 8 = v`` with y known gives ``x mod 8 = (v - y) mod 8``;
* pairs: ``x mod 4 = r`` and ``x floordiv 4 = q`` give ``x = 4*q + r``.

Each step is a function of the value. It is taken only if that function, applied to
the left side itself, simplifies to what the step claims; so the composition of all
steps with the outputs is the identity.
"""

from __future__ import annotations

from math import gcd

from pelican.engine.simplify import floordiv, modulo, simplify, sum_of
from pelican.expr import index
from pelican.known.congruence import nearest_residue
from pelican.questions.query import flatten
from pelican.questions.substitute import rebuild, smart
from pelican.tree.arguments import as_expr
from pelican.tree.build import plain, scale
from pelican.tree.kinds import (
    is_ap_index,
    is_divlike,
    is_floordiv,
    is_index,
    is_leaf,
    is_modulo,
)
from pelican.tree.traverse import indices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from pelican.expr import AffineIdx, DivLikeExpr
    from pelican.expr.node import Expr
    from pelican.tree.flat import Weighted

    Equation = tuple[Expr, Expr, str]

MAX_EQUATIONS: Final = 1_000
"""Equations that one search looks at; 40 indices in 10 rings need about 200."""


class Solution:
    """What each index is, in terms of the values.

    Attributes:
        values: The expression of each index.
        steps: The equations on the way, with the reason of each.
    """

    __slots__ = ("steps", "values")

    def __init__(self, values: dict[AffineIdx, Expr], steps: tuple[str, ...]) -> None:
        self.values = values
        self.steps = steps


def solve(
    inputs: Sequence[AffineIdx], outputs: Sequence[Expr], values: Sequence[Expr]
) -> Solution | None:
    """Return the inputs as functions of the values of the outputs, or None.

    Args:
        inputs: The unknown indices.
        outputs: Expressions over the inputs and other leaves, which are known.
        values: What each output is equal to; no input is part of it.
    """
    trips, meaning = in_trips(inputs)
    to: dict[Expr, Expr] = dict(meaning.items())
    counted = [rebuild(output, smart, to) for output in outputs]
    solution = _System(trips, counted, values).solved()
    if solution is None:
        return None
    found: dict[Expr, Expr] = dict(solution.values.items())
    whole = {idx: rebuild(value, smart, found) for idx, value in meaning.items()}
    return Solution(whole, solution.steps)


def in_trips(
    inputs: Sequence[AffineIdx],
) -> tuple[list[AffineIdx], dict[AffineIdx, Expr]]:
    """Return the trip numbers of some indices, and what each index is in them.

    A trip number counts the steps above the least value, so that digits start from
    0; an index of one value is no unknown.
    """
    trips: list[AffineIdx] = []
    meaning: dict[AffineIdx, Expr] = {}
    for idx in inputs:
        count = None if idx.lo is None or idx.hi is None else idx.trip_count
        if count == 1:
            meaning[idx] = as_expr(idx.lo)
            continue
        trip = idx
        if idx.lo is not None and (idx.lo, idx.step) != (0, 1):
            trip = index(f"{idx.name}_trip", 0, count)
        trips.append(trip)
        meaning[idx] = trip if trip is idx else (idx.lo or 0) + idx.step * trip
    return trips, meaning


class _System:
    """Equations that are still open, and what is known already."""

    def __init__(
        self,
        inputs: Sequence[AffineIdx],
        outputs: Sequence[Expr],
        values: Sequence[Expr],
    ) -> None:
        self.inputs = inputs
        self.found: dict[Expr, Expr] = {}
        self.atoms: dict[Expr, Expr] = {}
        self.steps: list[str] = []
        self.open: list[tuple[Expr, Expr]] = list(zip(outputs, values, strict=True))

    def solved(self) -> Solution | None:
        budget = MAX_EQUATIONS
        progress = True
        while progress and budget > 0:
            known = len(self.atoms)
            progress = False
            pending, self.open = self.open, []
            for left, value in pending:
                budget -= 1
                derived = self._derived(*self._isolated(left, value))
                if derived is None:
                    self.open.append((left, value))
                    continue
                progress = True
                self._note(derived)
            progress = progress or len(self.atoms) > known
        if any(idx not in self.found for idx in self.inputs):
            return None
        values = {idx: self.found[idx] for idx in self.inputs}
        return Solution(values, tuple(self.steps))

    def _note(self, derived: Iterable[Equation]) -> None:
        for left, value, why in derived:
            self.steps.append(f"{left} = {value}: {why}")
            if is_index(left) and is_leaf(left):
                self.found.setdefault(left, value)
            elif self._unknown(left):
                if is_divlike(left):
                    self.atoms.setdefault(left, value)
                self.open.append((left, value))

    def _unknown(self, expr: Expr) -> bool:
        """Tell whether an input that is not solved yet is part of an expression."""
        return any(
            idx in self.inputs and idx not in self.found for idx in indices(expr)
        )

    def _known(self, expr: Expr) -> Expr:
        """Return an expression with the solved inputs replaced."""
        return rebuild(expr, smart, self.found)

    def _isolated(self, left: Expr, value: Expr) -> tuple[Weighted, Expr]:
        """Return the unknown terms of an equation, and the value of their sum."""
        terms, offset = flatten(left)
        rest: list[Expr | int] = [value, -offset]
        kept: Weighted = []
        for term, coefficient in terms:
            if self._unknown(term):
                kept.append((term, coefficient))
            else:
                rest.append(-coefficient * self._known(term))
        return kept, sum_of(rest)

    def _derived(self, terms: Weighted, value: Expr) -> list[Equation] | None:
        """Return what follows from an equation: simpler ones, or None."""
        if not terms:
            return []
        ((term, coefficient), *others) = terms
        if others or coefficient != 1:
            step = _digits if others else _divided
            control = step(terms, sum_of(c * t for t, c in terms))
            return step(terms, value) if _agrees(control) else None
        if is_leaf(term):
            return [(term, value, "solved")]
        if is_ap_index(term):
            by = as_expr(term.value_of(term.child))
            return [(by, value, "the index follows from another")]
        return self._numerator(term, value) if is_divlike(term) else None

    def _numerator(self, term: DivLikeExpr, value: Expr) -> list[Equation] | None:
        """Return what a mod or floordiv of known value says of its numerator."""
        self.atoms.setdefault(term, value)
        numer, denom = term.numer, term.denom
        other = (floordiv if is_modulo(term) else modulo)(numer, denom)
        partner = self.atoms.get(other)
        if partner is None and not self._unknown(other):
            partner = self._known(other)
        if partner is not None:
            high, low = (partner, value) if is_modulo(term) else (value, partner)
            whole = sum_of([denom * high, low])
            return [(numer, whole, f"quotient and remainder by {denom}")]
        if not is_modulo(term):
            return None
        terms, residue = self._isolated(numer, value)
        apart = sum_of([numer, *(-c * t for t, c in terms)])
        control = _ring(terms, term - apart, denom)
        if _agrees(control):
            return _ring(terms, residue, denom)
        total = modulo(sum_of(c * t for t, c in terms), denom)
        if total != term and modulo(term - apart, denom) == total:
            why = f"what is known, taken out of the ring of {denom}"
            return [(total, modulo(residue, denom), why)]
        return self._longer_ring(term, value)

    def _longer_ring(self, term: DivLikeExpr, value: Expr) -> list[Equation] | None:
        """Join ``(x floordiv d) mod q`` and ``x mod d`` to ``x mod d*q``."""
        terms, _ = flatten(term.numer)
        for part, coefficient in terms:
            if coefficient != 1 or not is_floordiv(part):
                continue
            denom = part.denom
            whole = sum_of([part.numer, denom * (term.numer - part)])
            low = modulo(whole, denom)
            known = self.atoms.get(low) if self._unknown(low) else self._known(low)
            joined = modulo(whole, denom * term.denom)
            control = plain("%", plain("//", whole, denom), term.denom)
            parts = sum_of([scale(control, denom), plain("%", whole, denom)])
            if known is None or simplify(control) != term or parts != joined:
                continue
            total = sum_of([denom * value, known])
            return [(joined, total, f"the ring of {denom} and that of {term.denom}")]
        return None


def _agrees(control: list[Equation] | None) -> bool:
    """Tell whether each left side is what its value simplifies to."""
    return control is not None and all(left == value for left, value, _ in control)


def _divided(terms: Weighted, value: Expr) -> list[Equation]:
    """Return the one term of a multiple."""
    ((term, coefficient),) = terms
    sign = 1 if coefficient > 0 else -1
    quotient = sign * floordiv(value, abs(coefficient))
    return [(term, quotient, f"divided by {coefficient}")]


def _digits(terms: Weighted, value: Expr) -> list[Equation] | None:
    """Split ``sum = value`` at a weight that is beyond all lighter terms together."""
    ranked = sorted(terms, key=lambda pair: abs(pair[1]) * _step(pair[0]))
    light_low = light_span = 0
    for k, (term, coefficient) in enumerate(ranked[:-1]):
        reach = coefficient * term.range
        if reach.lo is None or reach.hi is None:
            return None
        light_low += reach.lo
        light_span += reach.hi - reach.lo
        heavy = ranked[k + 1 :]
        weight = gcd(*(c * _step(t) for t, c in heavy))
        if weight > light_span:
            return _split(ranked[: k + 1], heavy, value, (light_low, weight))
    return None


def _split(
    light: Weighted, heavy: Weighted, value: Expr, where: tuple[int, int]
) -> list[Equation]:
    """Return the equations of the light and the heavy terms of a sum.

    Args:
        light: Terms whose sum is in [low, low + weight).
        heavy: Terms that are multiples of the weight above their least value.
        value: What all terms add up to.
        where: Low, and the weight.
    """
    low, weight = where
    base = sum(c * _nearest(term, c) for term, c in heavy)
    digits = sum_of([value, -base - low])
    why = f"the digit of weight {weight}"
    high = sum_of([weight * floordiv(digits, weight), base])
    rest = sum_of([modulo(digits, weight), low])
    return [
        (sum_of(c * term for term, c in heavy), high, why),
        (sum_of(c * term for term, c in light), rest, f"below {why}"),
    ]


def _ring(terms: Weighted, residue: Expr, denom: int) -> list[Equation] | None:
    """Return the sum whose residue modulo a ring is known, if its values are too few.

    The terms count their steps; all weights may be multiplied by a unit of the ring.
    """
    trips = [(floordiv(t - _first(t), _step(t)), c * _step(t)) for t, c in terms]
    first = sum(c * _first(t) for t, c in terms)
    common = gcd(denom, *(weight for _, weight in trips))
    ring = denom // common
    if ring == 1:
        return None
    value = floordiv(modulo(residue - first, denom), common)
    weights = [weight // common for _, weight in trips]
    for unit, scaled in _multiples(weights, ring):
        total = sum_of(w * trip for w, (trip, _) in zip(scaled, trips, strict=True))
        low, high = total.range.lo, total.range.hi
        if low is None or high is None or high - low >= ring:
            continue
        why = f"{unit} times it, in a ring of {ring}"
        back = sum_of([low, modulo(unit * value - low, ring)])
        return [(total, back, why)]
    return None


def _multiples(
    weights: Sequence[int], ring: int
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield units of a ring with the weights times the unit, reduced three ways."""
    yield 1, weights
    units = [1, *(pow(w, -1, ring) for w in weights if gcd(w, ring) == 1)]
    for unit in dict.fromkeys(units):
        least = [unit * w % ring for w in weights]
        yield unit, least
        yield unit, [nearest_residue(w, ring) for w in least]


def _step(term: Expr) -> int:
    return term.step if is_index(term) else 1


def _first(term: Expr) -> int:
    """Return the least value of a term, 0 where it has none."""
    low = term.lo if is_index(term) else term.range.lo
    return 0 if low is None else low


def _nearest(term: Expr, coefficient: int) -> int:
    """Return the value of a term at which its multiple is least, if it has one."""
    high = term.range.hi
    if coefficient > 0 or high is None:
        return _first(term)
    return high - (high - _first(term)) % _step(term)
