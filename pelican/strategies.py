"""Which laws to try on a mod or a floordiv, with which bindings.

A strategy only proposes. Each proposal is a chain of steps that hold together or not
at all; `pelican.rewrite` checks every fact of every step, so a poor proposal costs
time and never soundness. Proposals come in the order in which they are tried.
"""

from __future__ import annotations

from pelican.build import scale, sum_of, weights
from pelican.kinds import constant, is_modulo
from pelican.lemmas.floordiv import MOD_FLOORDIV, PERIOD_FOLD_FLOORDIV
from pelican.lemmas.modulo import (
    COEFFICIENT_SHIFT,
    NESTED_MOD_DIVIDES,
    NESTED_MOD_LARGER,
    PERIOD_FOLD_MOD,
    SUM_MOD_DROP,
    SUM_MOD_INNER,
)
from pelican.ranges import Interval
from pelican.rewrite import Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pelican.lemma import Lemma
    from pelican.node import Expr
    from pelican.rewrite import Binding

    Weighted = list[tuple[Expr, int]]
    Chain = tuple[Step, ...]


def propose_mod(numer: Expr, denom: int) -> Iterator[Chain]:
    """Yield proposals for ``numer mod denom``, the most reducing first."""
    if is_modulo(numer):
        inner: Binding = {"x": numer.numer, "m": numer.denom, "n": denom}
        yield (Step(NESTED_MOD_DIVIDES, (inner,)),)
        yield (Step(NESTED_MOD_LARGER, (inner,)),)
    yield from _period_fold(PERIOD_FOLD_MOD, numer, numer.range, denom)
    terms, offset = weights(numer)
    yield from _shifted_period_fold(terms, offset, denom)
    yield from _without_inner_mods(terms, offset, denom)
    yield from _reduced_coefficients(terms, offset, denom)


def propose_floordiv(numer: Expr, denom: int) -> Iterator[Chain]:
    """Yield proposals for ``numer floordiv denom``, the most reducing first."""
    if is_modulo(numer):
        inner: Binding = {"x": numer.numer, "m": numer.denom, "d": denom}
        yield (Step(MOD_FLOORDIV, (inner,)),)
    yield from _period_fold(PERIOD_FOLD_FLOORDIV, numer, numer.range, denom)


def _period_fold(
    law: Lemma, numer: Expr, span: Interval, denom: int
) -> Iterator[Chain]:
    """Propose a fold into the one period that holds the numerator's range."""
    period = _period(span, denom)
    if period is not None:
        whole: Binding = {"e": numer, "k": period, "n": denom}
        yield (Step(law, (whole,)),)


def _period(span: Interval, denom: int) -> int | None:
    """Return k where the range lies in [k*denom, (k + 1)*denom), else None."""
    if span.lo is None or span.hi is None:
        return None
    period = span.lo // denom
    return period if span.hi // denom == period else None


def _shifted_period_fold(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose other coefficients modulo `denom` under which the numerator folds.

    Each coefficient a may become ``a mod n`` or ``(a mod n) - n``. The range of the
    numerator is narrowest when each takes the one nearer to 0, and it must be
    narrower than n to fold. Taking the farther one for two terms adds at least n, so
    it is enough to try the narrowest choice and those that differ in one term. The
    sum of the ranges is kept, so that a term costs the same however many there are.
    """
    residues = [c % denom for _, c in terms]
    nearest = [a if 2 * a <= denom else a - denom for a in residues]
    spans = [_ends(new, term) for (term, _), new in zip(terms, nearest, strict=True)]
    known = [span for span in spans if span is not None]
    lo, hi = (offset + sum(ends) for ends in zip((0, 0), *known, strict=True))
    if len(known) < len(spans) or hi - lo >= denom:
        return
    yield from _fold_with(terms, nearest, Interval(lo, hi), offset, denom)
    for k, a in enumerate(residues):
        farther = a - denom if nearest[k] == a else a
        other = _ends(farther, terms[k][0])
        if a and other is not None:
            ends = (lo - known[k][0] + other[0], hi - known[k][1] + other[1])
            flipped = [*nearest[:k], farther, *nearest[k + 1 :]]
            yield from _fold_with(terms, flipped, Interval(*ends), offset, denom)


def _ends(scale: int, term: Expr) -> tuple[int, int] | None:
    """Return the least and the greatest value of a scaled term, if it has both."""
    span = scale * term.range
    return None if span.lo is None or span.hi is None else (span.lo, span.hi)


def _fold_with(
    terms: Weighted, coefficients: list[int], span: Interval, offset: int, denom: int
) -> Iterator[Chain]:
    period = _period(span, denom)
    if period is None:
        return
    shift = _shift(terms, coefficients, constant(offset), denom)
    pairs = zip(terms, coefficients, strict=True)
    numer = sum_of([*(scale(term, new) for (term, _), new in pairs), offset])
    whole: Binding = {"e": numer, "k": period, "n": denom}
    fold = Step(PERIOD_FOLD_MOD, (whole,))
    yield (shift, fold) if shift.bindings else (fold,)


def _shift(terms: Weighted, coefficients: list[int], offset: Expr, denom: int) -> Step:
    """Return the step that gives the terms new coefficients modulo `denom`."""
    bindings: list[Binding] = []
    rest = [offset]
    for (term, old), new in zip(terms, coefficients, strict=True):
        if old == new:
            rest.append(scale(term, old))
        else:
            trips = (new - old) // denom
            bindings.append({"a": old, "x": term, "t": trips, "n": denom})
    return Step(COEFFICIENT_SHIFT, tuple(bindings), sum_of(rest))


def _without_inner_mods(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to remove the inner mods that the outer one makes needless."""
    bindings: list[Binding] = []
    rest: list[Expr | int] = [offset]
    for term, c in terms:
        if is_modulo(term) and c * term.denom % denom == 0:
            bindings.append({"a": c, "x": term.numer, "m": term.denom, "n": denom})
        else:
            rest.append(scale(term, c))
    if bindings:
        yield (Step(SUM_MOD_INNER, tuple(bindings), sum_of(rest)),)


def _reduced_coefficients(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to drop the terms that are 0, then coefficients in [0, denom)."""
    dropped: tuple[Binding, ...] = tuple(
        {"a": c, "x": term, "n": denom} for term, c in terms if c % denom == 0
    )
    if dropped:
        kept = [scale(term, c) for term, c in terms if c % denom]
        yield (Step(SUM_MOD_DROP, dropped, sum_of([*kept, offset])),)
    weighted = [*terms, (constant(1), offset)] if offset else terms
    residues = [c % denom for _, c in weighted]
    shift = _shift(weighted, residues, constant(0), denom)
    if shift.bindings:
        yield (shift,)
