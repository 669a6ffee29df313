"""Proposals for sums in which a mod and a floordiv may join.

Each proposal rewrites a few terms and leaves the rest; the engine takes it if the
sum becomes smaller. What a proposal needs beside its term is found by hash.
"""

from __future__ import annotations

from math import gcd

from pelican.known.congruence import nearest_residue
from pelican.laws.step import Step
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
    STRIPE_SPLIT,
)
from pelican.lemmas.floordiv import FLOORDIV_SHIFT
from pelican.strategies.terms import inner_period
from pelican.tree.build import linear_sum, plain, product, scale, unwrapped
from pelican.tree.flat import weights
from pelican.tree.kinds import constant, is_floordiv, is_modulo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from pelican.expr import FloorDivExpr, ModuloExpr
    from pelican.expr.node import Expr
    from pelican.laws.lemma import Lemma
    from pelican.laws.step import Binding, Make
    from pelican.strategies.linear import LinearSum

    Proposal = tuple[Step, Expr]

MAX_POINT_TERMS: Final = 8
"""Most terms of a sum that is asked whether it is a number."""

MAX_TRIAL_DIVISOR: Final = 64
"""Factors of a coefficient are looked for up to here, and their cofactors."""


def propose_joins(term: Expr, here: LinearSum, make: Make) -> Iterator[Proposal]:
    """Yield proposals that reduce a mod or floordiv of a sum, the best first.

    Args:
        term: A mod or floordiv of the sum.
        here: The sum.
        make: Builds the simplified mod or floordiv.

    Yields:
        A step and the part of the sum, ``scale * left side``, that it rewrites.
    """
    a = here.coefficients[term]
    if is_modulo(term):
        if here.has_floordiv:
            yield from _recompose(term, a, here, make)
            yield from _stripe(term, a, here, make)
            yield from _stripe_below(term, here, make)
        yield from _stripe_above(term, here, make)
        yield from _quotient(term, here)
        yield from _half_up(term, a, here)
    elif is_floordiv(term):
        yield from _remainder(term, here, make)
        yield from _absorb_mod(term, a, here, make)
        yield from _difference(term, a, here)


def propose_shapes(term: Expr, here: LinearSum) -> Iterator[Proposal]:
    """Yield proposals that write a mod or floordiv of a sum in a shorter way.

    Args:
        term: A mod or floordiv of the sum.
        here: The sum.

    Yields:
        A step and the part of the sum, ``scale * left side``, that it rewrites.
    """
    a = here.coefficients[term]
    if is_modulo(term):
        yield from _complement(term, a, here)
    elif is_floordiv(term):
        yield from _pull_in(term, a, here)
        yield from _negated(term, a, here)


def propose_point(here: LinearSum) -> Iterator[Proposal]:
    """Yield the proposal that a whole sum is a number, where its range says so.

    Args:
        here: The sum.

    Yields:
        The step and the sum.
    """
    if len(here.coefficients) > MAX_POINT_TERMS or not _mods_share_a_term(here):
        return
    total = here.expr()
    span = total.range
    if span.lo is not None and span.lo == span.hi:
        yield Step(POINT, ({"e": total, "c": span.lo},)), total


def _mods_share_a_term(here: LinearSum) -> bool:
    """Tell whether two mods vary together: else their sum is no number."""
    seen: set[Expr] = set()
    for term in here.coefficients:
        if is_modulo(term):
            inner = {part for part, _ in weights(term.numer)[0]}
            if not seen.isdisjoint(inner):
                return True
            seen |= inner
    return False


def propose_level(div: FloorDivExpr, here: LinearSum) -> Iterator[Proposal]:
    """Yield the proposal of the smallest numbers in a floordiv under a mod.

    Under ``mod n``, those of ``c*(e floordiv d)`` count modulo ``d*n/gcd(c, n)``:
    coefficients come into half of it on either side of 0, the constant into
    ``[0, d*n/gcd(c, n))``.

    Args:
        div: A floordiv of the sum.
        here: The sum, under a mod.

    Yields:
        The step and the part of the sum that it rewrites.
    """
    c, d = here.coefficients[div], div.denom
    period = inner_period(c, d, here.modulus)
    terms, offset = weights(div.numer)
    trips = [(term, (nearest_residue(w, period) - w) // period) for term, w in terms]
    moved = [scale(term, t) for term, t in trips if t]
    x = linear_sum([*moved, -(offset // period)])
    if moved or offset // period:
        t = -(period // d)
        binding: Binding = {"a": 0, "x": x, "r": div.numer, "n": d, "t": t}
        yield _proposal(FLOORDIV_SHIFT, binding, c, div)


def _proposal(law: Lemma, binding: Binding, a: int, left: Expr) -> Proposal:
    """Return the proposal to rewrite ``a*left``, for the left side of a law."""
    return Step(law, (binding,), None, a), scale(left, a)


def quotient_of(mod: ModuloExpr, make: Make) -> Expr:
    """Return the floordiv of a mod's numerator and divisor; each mod keeps it."""
    kept = mod.cached_twin
    if kept is None:
        kept = make("//", unwrapped(mod.numer), mod.denom)
        mod.keep_twin(kept)
    return kept


def _recompose(
    mod: ModuloExpr, a: int, here: LinearSum, make: Make
) -> Iterator[Proposal]:
    """Propose ``x`` for ``x mod n + n*(x floordiv n)``."""
    x, n = unwrapped(mod.numer), mod.denom
    y = quotient_of(mod, make)
    if here.lowers(y, a * n):
        left = linear_sum([mod, scale(y, n)])
        yield _proposal(RECOMPOSE, {"x": x, "n": n, "y": y}, a, left)


def _stripe(mod: ModuloExpr, a: int, here: LinearSum, make: Make) -> Iterator[Proposal]:
    """Propose ``x mod d*q`` for ``x mod d + d*(y mod q)``, from the lower mod."""
    x, d = unwrapped(mod.numer), mod.denom
    y = quotient_of(mod, make)
    for other in here.over(y):
        if here.same(here.coefficients[other], a * d):
            binding: Binding = {"x": x, "d": d, "y": y, "z": mod, "q": other.denom}
            left = linear_sum([mod, scale(other, d)])
            yield _proposal(STRIPE, binding, a, left)


def _stripe_below(mod: ModuloExpr, here: LinearSum, make: Make) -> Iterator[Proposal]:
    """Propose what ``d*(y mod q)`` makes with mods of x, where y is ``x floordiv d``.

    With ``x mod d`` it is ``x mod d*q``, and taken from ``x mod d*q`` it leaves
    ``x mod d``.
    """
    y, q = unwrapped(mod.numer), mod.denom
    for inner, weight in weights(y)[0]:
        if weight != 1 or not is_floordiv(inner):
            continue
        others = linear_sum([y, scale(inner, -1)])
        whole = linear_sum([inner.numer, scale(others, inner.denom)])
        for a in here.alike(here.coefficients[mod]):
            for d in _known_factors(a, inner.denom, here):
                x = whole if d == inner.denom else make("//", whole, inner.denom // d)
                low, high = make("%", x, d), make("%", x, d * q)
                if here.lowers(low, a // d):
                    binding: Binding = {"x": x, "d": d, "y": y, "z": low, "q": q}
                    left = linear_sum([low, scale(mod, d)])
                    yield _proposal(STRIPE, binding, a // d, left)
                if is_modulo(high) and here.lowers(high, -a // d):
                    yield _split(high, d, -a // d)


def _known_factors(a: int, denom: int, here: LinearSum) -> list[int]:
    """Return the common factors of a coefficient and a divisor worth a look."""
    return [
        g
        for g in _factors(gcd(a, denom))
        if g == denom or g in here.divisors or denom // g in here.divisors
    ]


def _stripe_above(mod: ModuloExpr, here: LinearSum, make: Make) -> Iterator[Proposal]:
    """Propose ``d*(x floordiv d mod q)`` for ``x mod d*q - x mod d``."""
    a, n = here.coefficients[mod], mod.denom
    for d in _factors(n):
        if d < n and d in here.divisors and here.lowers(make("%", mod.numer, d), -a):
            yield _split(mod, d, a)


def _split(mod: ModuloExpr, d: int, a: int) -> Proposal:
    """Return the proposal to write ``x mod d*q`` as quotient and remainder by d."""
    binding: Binding = {"x": unwrapped(mod.numer), "d": d, "q": mod.denom // d}
    return _proposal(STRIPE_SPLIT, binding, a, mod)


def _quotient(mod: ModuloExpr, here: LinearSum) -> Iterator[Proposal]:
    """Propose ``n*(x floordiv n)`` for ``x - x mod n``.

    The numerator of the mod has coefficients modulo n and no needless mods; those of
    x are read off the sum.
    """
    inside, kept = weights(mod.numer)
    n = mod.denom
    for a in here.alike(-here.coefficients[mod]):
        parts = [_part(mod, term, weight, a, here) for term, weight in inside]
        if not a or not any(found for found, _ in parts):
            continue
        own = here.free()
        fits = own % a == 0 and (own // a - kept) % n == 0
        terms = [part for _, part in parts]
        x = linear_sum([*terms, own // a if fits else kept])
        yield _whole(mod, x, a)
    if here.holds(mod.numer):
        for a in here.alike(-here.coefficients[mod]):
            if a:
                yield _whole(mod, unwrapped(mod.numer), a)


def _whole(mod: ModuloExpr, x: Expr, a: int) -> Proposal:
    """Return the proposal to take a mod from a times an x of the same remainder."""
    left = linear_sum([x, scale(mod, -1)])
    return _proposal(QUOTIENT, {"x": x, "n": mod.denom, "y": mod}, a, left)


def _part(
    mod: ModuloExpr, term: Expr, weight: int, a: int, here: LinearSum
) -> tuple[bool, Expr]:
    """Return whether ``a`` times what equals a mod's term is in a sum, and it."""
    n = mod.denom
    if not a:
        return False, term
    equal = [m for m in here.over(term, n // gcd(weight, n)) if m != mod]
    for own in (term, *equal):
        count = here.times(own, a, weight, n)
        if count:
            return True, scale(own, count)
    return False, scale(term, weight)


def _half_up(mod: ModuloExpr, a: int, here: LinearSum) -> Iterator[Proposal]:
    """Propose ``(x + 1) floordiv 2`` for ``x floordiv 2 + x mod 2``."""
    if mod.denom != 2:
        return
    x = unwrapped(mod.numer)
    half = plain("//", x, 2)
    if half in here.coefficients and here.same(here.coefficients[half], a):
        left = linear_sum([half, mod])
        yield _proposal(HALF_UP, {"x": x}, a, left)


def _remainder(div: FloorDivExpr, here: LinearSum, make: Make) -> Iterator[Proposal]:
    """Propose ``x mod g`` for ``x - g*(x floordiv g)``.

    The division by n is one by n/g and one by g, for a factor g that the coefficient
    has too: x is the quotient of the first.
    """
    numer, n = unwrapped(div.numer), div.denom
    for p in here.alike(here.coefficients[div]):
        for g in _known_factors(p, n, here):
            x = numer if g == n else make("//", numer, n // g)
            if here.shares(x) or here.shares(make("%", x, g)):
                left = linear_sum([x, scale(div, -g)])
                binding: Binding = {"x": x, "n": g, "y": div}
                yield _proposal(REMAINDER, binding, -p // g, left)


def _factors(number: int) -> list[int]:
    """Return the small divisors of a number and their cofactors, the greatest first."""
    small = [d for d in range(1, MAX_TRIAL_DIVISOR) if number % d == 0]
    return sorted({*small, *(number // d for d in small)} - {1}, reverse=True)


def _absorb_mod(
    div: FloorDivExpr, a: int, here: LinearSum, make: Make
) -> Iterator[Proposal]:
    """Propose ``(c*x + r) floordiv d`` for a mod in there and its quotient beside."""
    d = div.denom
    for inner, c in weights(div.numer)[0]:
        if not is_modulo(inner) or inner.denom % d:
            continue
        x, t = unwrapped(inner.numer), inner.denom // d
        y = quotient_of(inner, make)
        if here.shares(y):
            r = linear_sum([div.numer, scale(inner, -c)])
            left = linear_sum([div, scale(y, c * t)])
            binding: Binding = {"c": c, "x": x, "t": t, "d": d, "r": r, "y": y}
            yield _proposal(ABSORB_MOD, binding, a, left)


def _difference(div: FloorDivExpr, a: int, here: LinearSum) -> Iterator[Proposal]:
    """Propose a mod in a floordiv for a difference of two that rise alike."""
    x, m = unwrapped(div.numer), div.denom
    inside, kept = weights(x)
    if not inside or not inside[0][1]:  # a raw part may have a term with factor 0
        return
    lead, rise = inside[0]
    for other in here.along(lead, -a * rise, m):
        p, d = here.coefficients[other], other.denom
        around, also = weights(other.numer)
        if len(around) == len(inside) and abs(also) < abs(kept):
            continue
        within = dict(around)
        c, t = within[lead] // rise, -a // p
        if a % p or any(within.get(u, 0) != c * w for u, w in inside):
            continue
        r = linear_sum([other.numer, scale(x, -c)])
        left = linear_sum([other, scale(div, -t)])
        binding: Binding = {"c": c, "x": x, "m": m, "r": r, "d": d, "t": t}
        yield _proposal(FLOORDIV_DIFFERENCE, binding, p, left)


def _complement(mod: ModuloExpr, a: int, here: LinearSum) -> Iterator[Proposal]:
    """Propose ``(-1 - x) mod n`` for ``n - 1 - x mod n``.

    A numerator may be deep, so it is not built where more numbers would be written.
    """
    n = mod.denom
    inside, kept = weights(mod.numer)
    if not (kept or (a < 0 and not here.cancels(0))):
        return
    opposite = [-c % n for _, c in inside]
    after = (not here.cancels(a * (n - 1))) + _numbers((-1 - kept) % n, opposite)
    before = (not here.cancels(0)) + _numbers(kept, [c for _, c in inside])
    if after <= before:
        left = linear_sum([constant(n - 1), scale(mod, -1)])
        yield _proposal(COMPLEMENT, {"x": unwrapped(mod.numer), "n": n}, -a, left)


def _numbers(kept: int, coefficients: list[int]) -> int:
    """Return how many numbers the numerator of a mod is written with."""
    return bool(kept) + sum(abs(c) != 1 for c in coefficients)


def _pull_in(div: FloorDivExpr, a: int, here: LinearSum) -> Iterator[Proposal]:
    """Propose ``(r + t*n*x) floordiv n`` for ``r floordiv n + t*x``."""
    numer, n = unwrapped(div.numer), div.denom
    inside, kept = weights(numer)
    candidates = [
        (term, here.coefficients[term])
        for term, _ in inside
        if term in here.coefficients
    ]
    if kept % n:
        candidates.append((constant(1), here.free()))
    for x, own in candidates:
        for c in here.alike(own):
            if here.nearest(c) and c % a == 0:
                left = linear_sum([div, product(x, constant(c // a))])
                binding: Binding = {"r": numer, "n": n, "t": c // a, "x": x}
                yield _proposal(PULL_IN, binding, a, left)


def _negated(div: FloorDivExpr, a: int, here: LinearSum) -> Iterator[Proposal]:
    """Propose ``(n - 1 - x) floordiv n`` for ``-(x floordiv n)``."""
    inside, kept = weights(div.numer)
    falls = a < 0 or any(c < 0 for _, c in inside)
    if not falls and (kept + 1) % div.denom and not here.modulus:
        return
    binding: Binding = {"x": unwrapped(div.numer), "n": div.denom}
    yield _proposal(NEGATED_FLOORDIV, binding, -a, scale(div, -1))
