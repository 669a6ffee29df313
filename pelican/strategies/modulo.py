"""Proposals for ``e mod n``."""

from __future__ import annotations

from itertools import chain

from pelican.laws.step import Step
from pelican.lemmas.modulo import (
    COEFFICIENT_SHIFT,
    CONGRUENT_MOD,
    CONGRUENT_TERM,
    MOD_GCD,
    NESTED_MOD_DIVIDES,
    NESTED_MOD_LARGER,
    PERIOD_FOLD_MOD,
    SUM_MOD_DROP,
    SUM_MOD_INNER,
)
from pelican.strategies.plain import look_at
from pelican.strategies.terms import (
    common_factors,
    congruent_splits,
    narrow_choices,
    period_of,
    with_ends,
)
from pelican.tree.build import weighted_sum
from pelican.tree.flat import weights
from pelican.tree.kinds import constant, is_modulo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pelican.expr.node import Expr
    from pelican.laws.step import Binding
    from pelican.strategies.terms import Chain
    from pelican.tree.divmod import DivMod
    from pelican.tree.flat import Weighted


def propose_mod(problem: DivMod, *, is_settled: bool) -> Iterable[Chain]:
    """Return proposals for a mod, the most reducing first.

    Args:
        problem: The mod.
        is_settled: Whether one look has said of sums of indices that no other sum is
            equal to their mod; those have few proposals.
    """
    numer, denom = problem.numer, problem.denom
    look = look_at(numer, denom) if is_settled else None
    if look is None:
        return _propose(numer, denom)
    indices, offset, _, _ = look
    terms: Weighted = list(indices)
    return chain(
        reduced_coefficients(terms, offset, denom), _factored(terms, offset, denom)
    )


def _propose(numer: Expr, denom: int) -> Iterator[Chain]:
    """Yield proposals for ``numer mod denom``, for a numerator of any terms."""
    if is_modulo(numer):
        inner: Binding = {"x": numer.numer, "m": numer.denom, "n": denom}
        yield (Step(NESTED_MOD_DIVIDES, (inner,)),)
        yield (Step(NESTED_MOD_LARGER, (inner,)),)
    terms, offset = weights(numer)
    period = period_of(numer.range, denom)
    if period is not None:
        whole: Binding = {"e": numer, "k": period, "n": denom}
        yield (Step(PERIOD_FOLD_MOD, (whole,)),)
    yield from _shifted_period_fold(terms, offset, denom)
    if numer.divisions:
        yield from _without_inner_mods(terms, offset, denom)
    yield from _congruent_terms(terms, offset, denom)
    yield from reduced_coefficients(terms, offset, denom)
    yield from _factored(terms, offset, denom)
    for g, x, rest in congruent_splits(terms, offset, denom):
        apart: Binding = {"x": x, "r": rest, "g": g, "d": denom // g}
        yield (Step(CONGRUENT_MOD, (apart,)),)


def _shifted_period_fold(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose other coefficients modulo `denom` under which the numerator folds."""
    for coefficients, period in narrow_choices(with_ends(terms), offset, denom):
        shift = _shift(terms, coefficients, offset, denom)
        pairs = zip(terms, coefficients, strict=True)
        numer = weighted_sum([(term, new) for (term, _), new in pairs], offset)
        whole: Binding = {"e": numer, "k": period, "n": denom}
        fold = Step(PERIOD_FOLD_MOD, (whole,))
        yield (shift, fold) if shift.bindings else (fold,)


def _shift(terms: Weighted, coefficients: list[int], offset: int, denom: int) -> Step:
    """Return the step that gives the terms new coefficients modulo `denom`."""
    bindings: list[Binding] = []
    rest: Weighted = []
    for (term, old), new in zip(terms, coefficients, strict=True):
        if old == new:
            rest.append((term, old))
        else:
            trips = (new - old) // denom
            bindings.append({"a": old, "x": term, "t": trips, "n": denom})
    return Step(COEFFICIENT_SHIFT, tuple(bindings), (rest, offset))


def _without_inner_mods(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to remove the inner mods that the outer one makes needless."""
    bindings: list[Binding] = []
    rest: Weighted = []
    for term, c in terms:
        if is_modulo(term) and c * term.denom % denom == 0:
            bindings.append({"a": c, "x": term.numer, "m": term.denom, "n": denom})
        else:
            rest.append((term, c))
    if bindings:
        yield (Step(SUM_MOD_INNER, tuple(bindings), (rest, offset)),)


def _congruent_terms(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose numbers for the terms whose multiples are one number modulo `denom`.

    Those whose coefficient `denom` divides are left out: they are dropped.
    """
    bindings: dict[Expr, Binding] = {
        term: {"a": c, "x": term, "c": term.stride.residue, "n": denom}
        for term, c in terms
        if c % denom and not c * term.stride.modulus % denom
    }
    if bindings:
        kept = [(term, c) for term, c in terms if term not in bindings]
        yield (Step(CONGRUENT_TERM, tuple(bindings.values()), (kept, offset)),)


def reduced_coefficients(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to drop the terms that are 0, then coefficients in [0, denom)."""
    outside = [c for _, c in terms if not 0 < c < denom]
    if not outside and 0 <= offset < denom:
        return
    if [c for c in outside if c % denom == 0]:
        dropped: tuple[Binding, ...] = tuple(
            {"a": c, "x": term, "n": denom} for term, c in terms if c % denom == 0
        )
        kept = [(term, c) for term, c in terms if c % denom]
        yield (Step(SUM_MOD_DROP, dropped, (kept, offset)),)
    weighted = [*terms, (constant(1), offset)] if offset else terms
    residues = [c % denom for _, c in weighted]
    shift = _shift(weighted, residues, 0, denom)
    if shift.bindings:
        yield (shift,)


def _factored(terms: Weighted, offset: int, denom: int) -> Iterator[Chain]:
    """Propose to take a common factor of coefficients and divisor out of the mod.

    Not where the offset would come apart into two, one inside and one outside.
    """
    for g, inside, rest, period in common_factors(terms, offset, denom):
        if period and offset != period * g:
            continue
        split: Binding = {"g": g, "x": inside, "d": denom // g, "r": rest, "k": period}
        yield (Step(MOD_GCD, (split,)),)
