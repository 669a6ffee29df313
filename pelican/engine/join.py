"""Joins the mods and floordivs of a sum while the sum becomes smaller.

The proposals that reduce go first, over all terms, until none is taken; then those
that only write a term in a shorter way. A step costs what its own terms cost, since
the sum changes in place.
"""

from __future__ import annotations

from pelican.engine.listening import listener, quiet
from pelican.engine.rewrite import rewrite_sum
from pelican.errors import RewriteLimitError
from pelican.laws.step import Step
from pelican.strategies.linear import LinearSum
from pelican.strategies.sums import (
    propose_joins,
    propose_level,
    propose_point,
    propose_shapes,
)
from pelican.tree.build import linear_sum, scale
from pelican.tree.flat import weights
from pelican.tree.kinds import is_floordiv
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from pelican.expr.node import Expr
    from pelican.laws.step import Make


MAX_ROUNDS: Final = 64
"""Most passes over the terms of one sum, and most joins of one term. Each makes the sum
smaller, so that there are few."""


def joined(total: Expr, make: Make, modulus: int = 0) -> Expr:
    """Return a sum whose mods and floordivs are joined where that makes it smaller.

    Args:
        total: A canonical sum; it comes back itself if nothing joins.
        make: Builds the simplified mod (``%``) or floordiv (``//``).
        modulus: The n of a ``mod n`` over the sum, under which coefficients count
            modulo n; 0 if there is none. The result is equal to `total` in any case.

    Raises:
        RewriteLimitError: If there is no end to it, which is a fault of the laws.
    """
    if not total.divisions:
        return total
    here = LinearSum(total, modulus)
    return here.expr() if join_in_place(here, make) else total


def join_in_place(here: LinearSum, make: Make) -> bool:
    """Join the mods and floordivs of a sum; tell whether anything changed.

    Args:
        here: The sum.
        make: Builds the simplified mod (``%``) or floordiv (``//``).

    Raises:
        RewriteLimitError: If there is no end to it, which is a fault of the laws.
    """
    make = _remembered(make, here.made)
    changed = bool(here.modulus) and _levelled(here, make)
    for _ in range(MAX_ROUNDS):
        if not _reduced(here, make) and not _shortened(here, make):
            break
        changed = True
    else:
        raise endless(here.expr())
    return _taken(propose_point(here), here, make) or changed


def endless(expr: Expr) -> RewriteLimitError:
    """Return the error of a simplification that does not end."""
    return RewriteLimitError(
        f"{brief_text(expr)} is rewritten again and again",
        hint="this is a fault of the laws: please report it with the ranges of its "
        "indices; parse(text, indices, simplify=False) keeps an expression as it is",
    )


def _remembered(make: Make, made: dict[tuple[str, Expr, int], Expr]) -> Make:
    """Return a maker that builds nothing twice; a listener is told of each time."""
    if listener() is not None:
        return make

    def once(op: str, numer: Expr, denom: int) -> Expr:
        key = (op, numer, denom)
        found = made.get(key)
        if found is None:
            found = made[key] = make(op, numer, denom)
        return found

    return once


def _levelled(here: LinearSum, make: Make) -> bool:
    """Bring the numbers in floordivs under a mod near 0; tell whether any moved."""
    changed = False
    for term in here.divlike():
        if is_floordiv(term) and term in here.coefficients:
            for step, part in propose_level(term, here):
                new = _outcome(step, part, here, make, always=True)
                if new is not None:
                    here.replace(part, new)
                    changed = True
    return changed


def _reduced(here: LinearSum, make: Make) -> bool:
    """Join each term with others as often as it can; tell whether anything did."""
    if len(here.coefficients) < 2:  # there are no others
        return False
    changed = False
    for term in here.to_join():
        for _ in range(MAX_ROUNDS):
            if term not in here.coefficients or not _taken(
                propose_joins(term, here, quiet(make)), here, make
            ):
                break
            changed = True
        else:
            raise endless(here.expr())
    return changed


def _shortened(here: LinearSum, make: Make) -> bool:
    """Write each term in the shortest way; tell whether anything changed."""
    changed = False
    for term in here.to_shorten():
        if term in here.coefficients:
            changed |= _taken(propose_shapes(term, here), here, make)
    return changed


def _taken(proposals: Iterable[tuple[Step, Expr]], here: LinearSum, make: Make) -> bool:
    """Take the first proposal that makes the sum smaller; tell whether one did."""
    for step, part in proposals:
        new = _outcome(step, part, here, make)
        if new is not None:
            here.replace(part, new)
            return True
    return False


def _outcome(
    step: Step, part: Expr, here: LinearSum, make: Make, *, always: bool = False
) -> Expr | None:
    """Return what a step makes of a part, or None if it makes the sum no smaller.

    A listener is told of the whole sum; else the other terms are not looked at.
    """
    if listener() is None:
        return rewrite_sum(
            step, part, make, lambda new: always or here.shrinks(part, new)
        )
    total = here.expr()
    rest = linear_sum([total, scale(part, -1)])
    beside = weights(rest)
    whole = Step(step.lemma, step.bindings, scale=step.scale, beside=beside)

    def new_part(outcome: Expr) -> Expr:
        return linear_sum([outcome, scale(rest, -1)])

    outcome = rewrite_sum(
        whole, total, make, lambda e: always or here.shrinks(part, new_part(e))
    )
    return None if outcome is None else new_part(outcome)
