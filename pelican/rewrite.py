"""The kernel: the only code that makes a rewritten expression.

`rewrite` checks that a law's left side under a binding is the problem at hand,
decides the law's `given` facts, and builds its right side. Whoever proposes the
binding need not be trusted: a wrong proposal is refused here.

A right side whose root is a mod or a floordiv comes back as a `DivMod`, a problem
that is still to be simplified, so that a chain of rewrites needs no recursion.
"""

from __future__ import annotations

from pelican.build import plain, product, sum_of
from pelican.integers import literal
from pelican.kinds import constant
from pelican.lemma import evaluate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pelican.lemma import Fact, Lemma, Term
    from pelican.node import Expr
    from pelican.ranges import Interval

    Binding = Mapping[str, Expr | int]


class DivMod:
    """A mod or floordiv that is not built yet.

    Attributes:
        op: ``%`` or ``//``.
        numer: The canonical numerator.
        denom: The divisor, >= 1.
    """

    __slots__ = ("denom", "numer", "op")

    def __init__(self, op: str, numer: Expr, denom: int) -> None:
        self.op = op
        self.numer = numer
        self.denom = denom

    def __repr__(self) -> str:
        return f"DivMod({self.op!r}, {self.numer!r}, {literal(self.denom)})"


class Step:
    """One use of a law.

    Attributes:
        lemma: The law.
        bindings: What its metavariables stand for; several when one pass applies a
            law to several terms of a sum.
        rest: The terms that a pass over a sum leaves alone; None for a plain step.
    """

    __slots__ = ("bindings", "lemma", "rest")

    def __init__(
        self,
        lemma: Lemma,
        bindings: tuple[Binding, ...],
        rest: Expr | None = None,
    ) -> None:
        self.lemma = lemma
        self.bindings = bindings
        self.rest = rest

    def __repr__(self) -> str:
        return f"<Step {self.lemma.name} {self.bindings}>"


def rewrite(step: Step, problem: DivMod) -> Expr | DivMod | None:
    """Return the right side of a law that applies to a problem, or None.

    None means that the left side is not the problem, or that a fact is not known to
    hold.
    """
    lemma = step.lemma
    left = _side(lemma.lhs, step)
    if not isinstance(left, DivMod) or not _same(left, problem):
        return None
    for binding in step.bindings:
        if not all(holds(fact, binding) for fact in lemma.given):
            return None
    return _side(lemma.rhs, step)


def _same(left: DivMod, right: DivMod) -> bool:
    return (left.op, left.denom) == (right.op, right.denom) and (
        left.numer == right.numer
    )


def _side(side: Term, step: Step) -> Expr | DivMod:
    """Return one side of a law under the bindings of a step.

    A law over a sum holds for every rest ``r``. Applied term by term, with the
    others as the rest, it replaces each bound term by what the side has in its
    place; so the whole is the untouched rest plus the side of each term over r = 0.
    """
    if side.op not in {"%", "//"}:
        return _expr(instantiate(side, step.bindings[0]))
    numer, denom = side.args
    divisor = evaluate(denom, step.bindings[0])
    if step.rest is None:
        whole = _expr(instantiate(numer, step.bindings[0]))
    else:
        parts = [instantiate(numer, {**b, "r": 0}) for b in step.bindings]
        whole = sum_of([step.rest, *parts])
    return DivMod(side.op, whole, divisor)


def instantiate(term: Term, binding: Binding) -> Expr | int:
    """Return the canonical sum or plain node that a term stands for."""
    if term.op == "int":
        value: int = term.args[0]
        return value
    if term.op in {"expr", "literal"}:
        return binding[term.args[0]]
    left = instantiate(term.args[0], binding)
    right = instantiate(term.args[1], binding)
    if isinstance(left, int) and isinstance(right, int):
        folded: int = evaluate(term, binding)
        return folded
    if term.op == "+":
        return sum_of([left, right])
    if term.op == "-":
        return sum_of([left, product(constant(-1), _expr(right))])
    if term.op == "*":
        return product(_expr(left), _expr(right))
    if not isinstance(right, int):
        raise TypeError(f"the divisor of {term} is no literal")
    return plain(term.op, _expr(left), right)


def holds(fact: Fact, binding: Binding) -> bool:
    """Decide a fact by the ranges of what its metavariables stand for.

    False means "not known to hold": nothing is rewritten on a doubt.
    """
    ends = {
        name: value if isinstance(value, int) else value.range
        for name, value in binding.items()
    }
    left, right = evaluate(fact.left, ends), evaluate(fact.right, ends)
    if fact.relation == "divides":
        return isinstance(left, int) and isinstance(right, int) and right % left == 0
    (low, high), (floor, ceiling) = _ends(left), _ends(right)
    if fact.relation == "==":
        return low is not None and low == high == floor == ceiling
    if high is None or floor is None:
        return False
    return high <= floor if fact.relation == "<=" else high < floor


def _ends(value: Interval | int) -> tuple[int | None, int | None]:
    return (value, value) if isinstance(value, int) else (value.lo, value.hi)


def _expr(value: Expr | int) -> Expr:
    return constant(value) if isinstance(value, int) else value
