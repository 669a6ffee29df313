"""Proposals for ``e floordiv n``."""

from __future__ import annotations

from itertools import chain

from pelican.laws.step import Step
from pelican.lemmas.floordiv import (
    CONGRUENT_FLOORDIV,
    DIV_MOD_DIV,
    FLOORDIV_GCD,
    FLOORDIV_SHIFT,
    MOD_FLOORDIV,
    MOD_FLOORDIV_EXCHANGE,
    MOD_OUT,
    NESTED_FLOORDIV,
    NESTED_NEGATED_FLOORDIV,
    PERIOD_FOLD_FLOORDIV,
    SCALED_MOD_JOIN,
)
from pelican.strategies.plain import look_at
from pelican.strategies.terms import (
    common_factors,
    congruent_splits,
    narrow_choices,
    period_of,
    width_of,
    with_ends,
)
from pelican.tree.build import weighted_sum
from pelican.tree.flat import weights
from pelican.tree.kinds import constant, is_floordiv, is_modulo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

    from pelican.expr.node import Expr
    from pelican.laws.step import Binding
    from pelican.strategies.terms import Chain
    from pelican.tree.divmod import DivMod
    from pelican.tree.flat import Weighted


MAX_JOINT_TERMS: Final = 8
"""Most terms of a sum in which a scaled mod is tried without a look at the widths."""


def propose_floordiv(problem: DivMod, *, is_settled: bool) -> Iterable[Chain]:
    """Return proposals for a floordiv, the most reducing first.

    Args:
        problem: The floordiv.
        is_settled: Whether one look has said of sums of indices that no other sum is
            equal to their floordiv; those have few proposals.
    """
    numer, denom = problem.numer, problem.denom
    look = look_at(numer, denom) if is_settled else None
    if look is None:
        return _propose(numer, denom)
    indices, offset, _, _ = look
    terms: Weighted = list(indices)
    return chain(
        _split_multiples(terms, offset, denom), _common_factor(terms, offset, denom)
    )


def _propose(numer: Expr, denom: int) -> Iterator[Chain]:
    """Yield proposals for ``numer floordiv denom``, for a numerator of any terms."""
    if is_modulo(numer):
        inner: Binding = {"x": numer.numer, "m": numer.denom, "d": denom}
        if numer.denom <= denom:
            yield (Step(MOD_FLOORDIV, (inner,)),)
        if numer.denom % denom == 0:
            q = numer.denom // denom
            split: Binding = {"x": numer.numer, "d": denom, "q": q}
            yield (Step(MOD_FLOORDIV_EXCHANGE, (split,)),)
    terms, offset = weights(numer)
    if numer.divisions:
        yield from _scaled_mod(terms, offset, denom)
    period = period_of(numer.range, denom)
    if period is not None:
        whole: Binding = {"e": numer, "k": period, "n": denom}
        yield (Step(PERIOD_FOLD_FLOORDIV, (whole,)),)
    if numer.divisions:
        yield from _nested(terms, offset, denom)
        yield from _div_mod_div(terms, offset, denom)
    yield from _split_multiples(terms, offset, denom)
    yield from _shifted_period_fold(terms, offset, denom)
    yield from _common_factor(terms, offset, denom)
    for g, x, rest in congruent_splits(terms, offset, denom):
        apart: Binding = {"x": x, "r": rest, "g": g, "d": denom // g}
        yield (Step(CONGRUENT_FLOORDIV, (apart,)),)
    if numer.divisions:
        yield from _mod_out(terms, offset, denom)


def _scaled_mod(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to divide inside a scaled mod: ``(g*(x mod d) + r) floordiv k``."""
    many = len(terms) > MAX_JOINT_TERMS
    width = width_of(terms) if many else None
    if many and width is None:
        return
    for k, (term, g) in enumerate(terms):
        if not is_modulo(term) or g < 2 or g * term.denom % denom:
            continue
        own = width_of([(term, g)])
        if width is not None and own is not None and width - own >= g:
            continue  # the other terms do not stay in one period of g
        rest = _without(terms, k, offset)
        x, d = term.numer, term.denom
        joined: Binding = {"g": g, "x": x, "d": d, "r": rest, "k": denom}
        whole = weighted_sum([(x, g), (rest, 1)])
        split: Binding = {"x": whole, "d": denom, "q": g * d // denom}
        yield Step(SCALED_MOD_JOIN, (joined,)), Step(MOD_FLOORDIV_EXCHANGE, (split,))


def _without(terms: Weighted, k: int, offset: int) -> Expr:
    """Return a sum without term number k."""
    return weighted_sum([*terms[:k], *terms[k + 1 :]], offset)


def _nested(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose one division for two: ``(x floordiv a + r) floordiv b``."""
    for k, (term, c) in enumerate(terms):
        if abs(c) == 1 and is_floordiv(term):
            rest = _without(terms, k, offset)
            inner: Binding = {"x": term.numer, "a": term.denom, "r": rest, "b": denom}
            law = NESTED_FLOORDIV if c == 1 else NESTED_NEGATED_FLOORDIV
            yield (Step(law, (inner,)),)
            return


def _div_mod_div(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose one division for two: ``((x floordiv d + y) mod q + r) floordiv b``."""
    for k, (term, c) in enumerate(terms):
        if c != 1 or not is_modulo(term):
            continue
        for inner, weight in weights(term.numer)[0]:
            if weight == 1 and is_floordiv(inner):
                joined: Binding = {
                    "x": inner.numer,
                    "d": inner.denom,
                    "y": weighted_sum([(term.numer, 1), (inner, -1)]),
                    "q": term.denom,
                    "r": _without(terms, k, offset),
                    "b": denom,
                }
                yield (Step(DIV_MOD_DIV, (joined,)),)
                return


def _mod_out(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to divide a mod apart whose numerator stands beside it, and vanishes."""
    coefficients = dict(terms)
    for k, (term, c) in enumerate(terms):
        if not is_modulo(term) or c * term.denom % denom:
            continue
        inside = weights(term.numer)[0]
        if all(_beside(inner, w * c, coefficients) for inner, w in inside):
            apart: Binding = {
                "c": c,
                "x": term.numer,
                "m": term.denom,
                "r": _without(terms, k, offset),
                "d": denom,
                "t": c * term.denom // denom,
            }
            yield (Step(MOD_OUT, (apart,)),)
            return


def _beside(term: Expr, c: int, coefficients: dict[Expr, int]) -> bool:
    """Tell whether a term, or its dividend with the opposite slope, is in a sum."""
    if term in coefficients:
        return True
    return is_floordiv(term) and all(
        coefficients.get(inner, 0) * term.denom == -c * w
        for inner, w in weights(term.numer)[0]
    )


def _split_multiples(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to take the multiples of the divisor out of the division."""
    coefficients = [0 if c % denom == 0 else c for _, c in terms]
    kept = 0 if offset % denom == 0 else offset
    yield from _shift(terms, coefficients, (offset, kept), denom)


def _shifted_period_fold(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose other coefficients modulo `denom` under which the division folds."""
    for coefficients, _ in narrow_choices(with_ends(terms), offset, denom):
        yield from _shift(terms, coefficients, (offset, offset), denom)


def _shift(
    terms: Weighted, coefficients: list[int], offsets: tuple[int, int], denom: int
) -> Iterator[Chain]:
    """Propose new coefficients, the old offset becoming the new one."""
    before, after = offsets
    bindings: list[Binding] = []
    rest: Weighted = []
    for (term, c), new in zip(terms, coefficients, strict=True):
        if c == new:
            rest.append((term, c))
        else:
            bindings.append({"a": c, "x": term, "t": (c - new) // denom, "n": denom})
    if before != after:
        t = (before - after) // denom
        bindings.append({"a": before, "x": constant(1), "t": t, "n": denom})
        before = 0
    if bindings:
        yield (Step(FLOORDIV_SHIFT, tuple(bindings), (rest, before)),)


def _common_factor(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to divide numerator and divisor by a common factor."""
    for g, inside, rest, period in common_factors(terms, offset, denom):
        split: Binding = {"g": g, "x": inside, "d": denom // g, "r": rest, "k": period}
        yield (Step(FLOORDIV_GCD, (split,)),)
