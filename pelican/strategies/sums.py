"""Proposals for sums in which a mod and a floordiv may join.

Each proposal rewrites a few terms and leaves the rest; the engine takes it if the
whole sum becomes smaller.
"""

from __future__ import annotations

from pelican.build import linear_sum, plain, product, scale, weights
from pelican.kinds import (
    constant,
    is_affine,
    is_constant,
    is_floordiv,
    is_index,
    is_modulo,
)
from pelican.lemmas.divmod import (
    ABSORB_MOD,
    COMPLEMENT,
    FLOORDIV_DIFFERENCE,
    HALF_UP,
    NEGATED_FLOORDIV,
    POINT,
    PULL_IN,
    QUOTIENT,
    RECOMPOSE,
    REMAINDER,
    STRIPE,
)
from pelican.rewrite import Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from pelican.expr import FloorDivExpr, ModuloExpr
    from pelican.lemma import Lemma
    from pelican.node import Expr
    from pelican.rewrite import Binding, Make
    from pelican.strategies.terms import Weighted

MAX_POINT_TERMS: Final = 8
"""Most terms of a sum that is asked whether it is a number."""


def propose_sum(total: Expr, make: Make) -> Iterator[Step]:
    """Yield proposals for a sum, the most reducing first.

    Args:
        total: A canonical sum.
        make: Builds the simplified mod or floordiv.
    """
    terms, offset = weights(total)
    if all(is_index(term) for term, _ in terms):
        return
    here = _Sum(total, terms, offset, make)
    for term, c in terms:
        if is_modulo(term):
            yield from here.recompose(term, c)
            yield from here.stripe(term, c)
            yield from here.quotient(term, c)
            yield from here.half_up(term, c)
        elif is_floordiv(term):
            yield from here.remainder(term, c)
            yield from here.absorb_mod(term, c)
            yield from here.difference(term, c)
    for term, c in terms:
        if is_modulo(term):
            yield from here.complement(term, c)
        elif is_floordiv(term):
            yield from here.pull_in(term, c)
            yield from here.negated(term, c)
    yield from here.point()


class _Sum:
    """A sum by its terms, and the proposals for each term."""

    def __init__(self, total: Expr, terms: Weighted, offset: int, make: Make) -> None:
        self.total = total
        self.coefficients = dict(terms)
        self.terms = terms
        self.offset = offset
        self.make = make
        self.mods_over: dict[Expr, list[tuple[ModuloExpr, int]]] = {}
        self.divs_by: dict[int, list[tuple[FloorDivExpr, int]]] = {}
        for term, c in terms:
            if is_modulo(term):
                self.mods_over.setdefault(_bare(term.numer), []).append((term, c))
            elif is_floordiv(term):
                self.divs_by.setdefault(term.denom, []).append((term, c))
        self.has_floordiv = any(
            is_floordiv(inner)
            for term, _ in terms
            for inner in (term, *_inner_terms(term))
        )

    def step(self, lemma: Lemma, binding: Binding, factor: int, left: Expr) -> Step:
        """Return the step that rewrites ``factor*left`` and keeps the rest."""
        rest = linear_sum([self.total, scale(left, -factor)])
        return Step(lemma, (binding,), rest, factor)

    def shares(self, expr: Expr) -> bool:
        """Tell whether some term of an expression is a term of this sum."""
        return any(term in self.coefficients for term, _ in weights(expr)[0])

    def lowers(self, expr: Expr, factor: int) -> bool:
        """Tell whether taking ``factor*expr`` away lowers each of its terms here."""
        taken = weights(expr, factor)[0]
        present = ((self.coefficients.get(term, 0), c) for term, c in taken)
        return bool(taken) and all(abs(old - c) < abs(old) for old, c in present)

    def quotient_of(self, mod: ModuloExpr) -> Expr:
        """Return the floordiv of a mod's numerator and divisor; each mod keeps it."""
        kept = mod.cached_twin
        if kept is None:
            kept = self.make("//", _bare(mod.numer), mod.denom)
            mod.keep_twin(kept)
        return kept

    def recompose(self, mod: ModuloExpr, a: int) -> Iterator[Step]:
        if not self.has_floordiv:
            return
        x, n = _bare(mod.numer), mod.denom
        y = self.quotient_of(mod)
        if self.lowers(y, a * n):
            left = linear_sum([mod, scale(y, n)])
            yield self.step(RECOMPOSE, {"x": x, "n": n, "y": y}, a, left)

    def stripe(self, mod: ModuloExpr, a: int) -> Iterator[Step]:
        if not self.has_floordiv:
            return
        x, d = _bare(mod.numer), mod.denom
        y = self.quotient_of(mod)
        for other, c in self.mods_over.get(y, ()):
            if c == a * d:
                left = linear_sum([mod, scale(other, d)])
                binding: Binding = {"x": x, "d": d, "y": y, "q": other.denom}
                yield self.step(STRIPE, binding, a, left)

    def quotient(self, mod: ModuloExpr, a: int) -> Iterator[Step]:
        x, n = _bare(mod.numer), mod.denom
        if self.shares(x):
            left = linear_sum([x, scale(mod, -1)])
            yield self.step(QUOTIENT, {"x": x, "n": n, "y": mod}, -a, left)

    def half_up(self, mod: ModuloExpr, a: int) -> Iterator[Step]:
        x = _bare(mod.numer)
        half = plain("//", x, 2)
        if mod.denom == 2 and self.coefficients.get(half) == a:
            yield self.step(HALF_UP, {"x": x}, a, linear_sum([half, mod]))

    def remainder(self, div: FloorDivExpr, p: int) -> Iterator[Step]:
        x, n = _bare(div.numer), div.denom
        if p % n:
            return
        if self.shares(x) or self.shares(self.make("%", x, n)):
            left = linear_sum([x, scale(div, -n)])
            yield self.step(REMAINDER, {"x": x, "n": n, "y": div}, -p // n, left)

    def absorb_mod(self, div: FloorDivExpr, a: int) -> Iterator[Step]:
        d = div.denom
        for inner, c in weights(div.numer)[0]:
            if not is_modulo(inner) or c != 1 or inner.denom % d:
                continue
            x, t = _bare(inner.numer), inner.denom // d
            y = self.make("//", x, inner.denom)
            if self.shares(y):
                r = linear_sum([div.numer, scale(inner, -1)])
                left = linear_sum([div, scale(y, t)])
                binding: Binding = {"x": x, "t": t, "d": d, "r": r, "y": y}
                yield self.step(ABSORB_MOD, binding, a, left)

    def difference(self, div: FloorDivExpr, a: int) -> Iterator[Step]:
        for other, c in self.divs_by[div.denom]:
            if c == -a:
                x = _bare(other.numer)
                r = linear_sum([div.numer, scale(x, -1)])
                left = linear_sum([div, scale(other, -1)])
                binding: Binding = {"x": x, "r": r, "n": div.denom}
                yield self.step(FLOORDIV_DIFFERENCE, binding, a, left)

    def negated(self, div: FloorDivExpr, a: int) -> Iterator[Step]:
        binding: Binding = {"x": _bare(div.numer), "n": div.denom}
        yield self.step(NEGATED_FLOORDIV, binding, -a, scale(div, -1))

    def complement(self, mod: ModuloExpr, a: int) -> Iterator[Step]:
        x, n = _bare(mod.numer), mod.denom
        if self.offset == -a * (n - 1):
            left = linear_sum([constant(n - 1), scale(mod, -1)])
            yield self.step(COMPLEMENT, {"x": x, "n": n}, -a, left)

    def pull_in(self, div: FloorDivExpr, a: int) -> Iterator[Step]:
        numer, n = _bare(div.numer), div.denom
        inside, kept = weights(numer)
        candidates = [
            (term, self.coefficients[term])
            for term, _ in inside
            if term in self.coefficients
        ]
        if kept % n:
            candidates.append((constant(1), self.offset))
        for x, c in candidates:
            if c and c % a == 0:
                left = linear_sum([div, product(x, constant(c // a))])
                binding: Binding = {"r": numer, "n": n, "t": c // a, "x": x}
                yield self.step(PULL_IN, binding, a, left)

    def point(self) -> Iterator[Step]:
        if len(self.terms) > MAX_POINT_TERMS or not self.mods_share_a_term():
            return
        span = self.total.range
        if span.lo is not None and span.lo == span.hi:
            yield self.step(POINT, {"e": self.total, "c": span.lo}, 1, self.total)

    def mods_share_a_term(self) -> bool:
        """Tell whether two mods vary together: else their sum is no number."""
        seen: set[Expr] = set()
        for term, _ in self.terms:
            if is_modulo(term):
                inner = _inner_terms(term)
                if not seen.isdisjoint(inner):
                    return True
                seen.update(inner)
        return False


def _inner_terms(term: Expr) -> list[Expr]:
    """Return the terms of a mod's or floordiv's numerator."""
    if is_modulo(term) or is_floordiv(term):
        return [inner for inner, _ in weights(term.numer)[0]]
    return []


def _bare(numer: Expr) -> Expr:
    """Return the index of a numerator that wraps one, or the numerator."""
    if is_affine(numer) and len(numer.terms) == 1 and not is_constant(numer):
        ((idx, c),) = numer.terms
        return idx if c == 1 and not numer.constant else numer
    return numer
