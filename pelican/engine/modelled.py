"""The modelled rule set: what the modelled system simplifies, and nothing else.

Constants are folded, sums and scales are merged, and the four lemmas of the modelled
system are used with its own guards, the `modelled` facts of the records:

* ``(x mod m) mod n`` is ``x mod n`` if n divides m, else ``x mod m`` if m < n;
* ``(x mod m) floordiv d`` is 0 if m < d;
* under ``mod n``, coefficients and constants become those in [0, n);
* ``(a + b) mod n`` is ``(a mod n + b mod n) mod n``, left to right, for each operand
  that is neither a mod n nor inside [0, n). The operand of all plain indices is one.

Comparisons and the divisions of ranks stay as they are. The rules end: the first two
remove a mod or floordiv, the last lowers the number of operands that are neither a
mod n nor inside [0, n), the third keeps it and lowers the number of coefficients
outside [0, n).
"""

from __future__ import annotations

from pelican.engine.rewrite import fold, rewrite
from pelican.errors import OperandError
from pelican.laws.step import Step
from pelican.lemmas.floordiv import MOD_FLOORDIV
from pelican.lemmas.modulo import (
    COEFFICIENT_SHIFT,
    NESTED_MOD_DIVIDES,
    NESTED_MOD_LARGER,
    SUM_MOD_INNER,
)
from pelican.tree.build import linear_sum, plain, scale
from pelican.tree.divmod import DivMod
from pelican.tree.flat import weights
from pelican.tree.kinds import constant, is_constant, is_index, is_modulo
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from pelican.engine.collective import Add
    from pelican.expr.node import Expr
    from pelican.laws.step import Binding

RULES: Final = ("default", "modelled")
"""The rule sets of `pelican.simplify`."""

MAX_NESTING: Final = 40
"""Deepest recursion into operands; below it a mod stays as it is."""


def check_rules(rules: object) -> str:
    """Return the name of a rule set.

    Raises:
        OperandError: If it is no rule set.
    """
    if isinstance(rules, str) and rules in RULES:
        return rules
    raise OperandError(
        f"rules must be {' or '.join(map(repr, RULES))}, got {brief_text(rules)}",
        hint="default uses every law, modelled those of the modelled system",
    )


def rebuilt_only(node: Expr, parts: tuple[Expr, ...], add: Add) -> Expr:
    """Return the node of a kind over other parts: nothing folds."""
    del add
    return node.built(node.own, parts)


def modelled_divmod(op: str, numer: Expr, denom: int, nesting: int = 0) -> Expr:
    """Simplify a mod or floordiv; the numerator is simplified by these rules."""
    problem = DivMod(op, numer, denom)

    def make(op: str, numer: Expr, denom: int) -> Expr:
        if nesting >= MAX_NESTING:
            return plain(op, numer, denom)
        return modelled_divmod(op, numer, denom, nesting + 1)

    while True:
        folded = fold(problem) if is_constant(problem.numer) else None
        if folded is not None:
            return folded
        outcomes = (rewrite(step, problem, make) for step in _proposed(problem))
        outcome = next((o for o in outcomes if o is not None), None)
        if outcome is None:
            return problem.node
        if not isinstance(outcome, DivMod):
            return outcome
        problem = outcome


def _proposed(problem: DivMod) -> Iterator[Step]:
    """Yield proposals, in the order of the modelled system."""
    numer, n = problem.numer, problem.denom
    inner: Binding = {}
    if is_modulo(numer):
        inner = {"x": numer.numer, "m": numer.denom}
    if problem.op == "//":
        if inner:
            yield Step(MOD_FLOORDIV, ({**inner, "d": n},), modelled=True)
        return
    if inner:
        for law in (NESTED_MOD_DIVIDES, NESTED_MOD_LARGER):
            yield Step(law, ({**inner, "n": n},), modelled=True)
        return
    operands, offset = operands_of(numer)
    if len(operands) > 1:
        yield from _distributed(operands, offset, n)
    yield from _reduced(numer, n)


def operands_of(numer: Expr) -> tuple[list[Expr], int]:
    """Return the operands of a sum, and its constant where no operand holds it.

    The plain indices and the constant are one operand.
    """
    terms, offset = weights(numer)
    affine = [scale(term, c) for term, c in terms if is_index(term)]
    others = [scale(term, c) for term, c in terms if not is_index(term)]
    return ([linear_sum([*affine, offset]), *others], 0) if affine else (others, offset)


def is_reduced(operand: Expr, n: int) -> bool:
    """Tell whether an operand of a sum under ``mod n`` needs no mod of its own."""
    low, high = operand.range.lo, operand.range.hi
    inside = low is not None and high is not None and low >= 0 and high < n
    return inside or (is_modulo(operand) and operand.denom == n)


def _distributed(operands: list[Expr], offset: int, n: int) -> Iterator[Step]:
    """Propose a mod of its own for each operand that needs one."""
    needy: tuple[Binding, ...] = tuple(
        {"a": 1, "x": operand, "m": n, "n": n}
        for operand in operands
        if not is_reduced(operand, n)
    )
    if needy:
        rest = linear_sum([*(e for e in operands if is_reduced(e, n)), offset])
        yield Step(SUM_MOD_INNER, needy, weights(rest), backward=True, modelled=True)


def _reduced(numer: Expr, n: int) -> Iterator[Step]:
    """Propose coefficients in [0, n), of a sum of several operands its constant's."""
    operands, offset = operands_of(numer)
    weighted = [(constant(1), offset)]
    if len(operands) == 1:
        terms, offset = weights(numer)
        weighted = [*terms, (constant(1), offset)]
    outside = [(term, c) for term, c in weighted if not 0 <= c < n]
    if outside:
        bindings: tuple[Binding, ...] = tuple(
            {"a": c, "x": term, "t": -(c // n), "n": n} for term, c in outside
        )
        rest = linear_sum([numer, *(scale(term, -c) for term, c in outside)])
        yield Step(COEFFICIENT_SHIFT, bindings, weights(rest), modelled=True)
