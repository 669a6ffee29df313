"""The kernel: the only code that makes a rewritten expression.

`rewrite` and `rewrite_sum` decide the `given` facts of a law and build its right side,
both by the functions of `pelican.laws.facts` and `pelican.laws.sides`, which are
written from the record. That the left side under the binding is the problem at hand is
how strategies find a binding; while somebody listens, it is looked at again by the
record itself, and a wrong proposal is refused.

What a right side divides is simplified by the engine, which hands itself in as
`make`. Only a right side whose root is a mod or a floordiv comes back as a `DivMod`, a
problem that is still to be simplified, so that a chain of rewrites needs no recursion.

Every rewrite happens here, so it is reported here: see `pelican.engine.listening`.
"""

from __future__ import annotations

from pelican.engine.listening import Application, Recorder, listener, quiet
from pelican.laws.facts import FACTS
from pelican.laws.sides import LIFTED, SINGLE
from pelican.laws.step import Step
from pelican.laws.term import evaluate
from pelican.lemmas.sums import CONSTANT_FLOORDIV, CONSTANT_MOD, FLOORDIV_ONE, MOD_ONE
from pelican.tree.build import linear_sum, plain, product, scale, weighted_sum
from pelican.tree.divmod import DivMod
from pelican.tree.kinds import constant, is_constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from pelican.expr.node import Expr
    from pelican.laws.lemma import Fact
    from pelican.laws.step import Binding, Make
    from pelican.laws.term import Term


def rewrite(step: Step, problem: DivMod, make: Make) -> Expr | DivMod | None:
    """Return the right side of a law that applies to a mod or floordiv, or None.

    None means that the left side is not the problem, or that a fact is not known to
    hold.

    Args:
        step: The law and what its metavariables stand for.
        problem: What is to be rewritten.
        make: Builds the simplified mod (``%``) or floordiv (``//``).
    """
    return rewrite_chain((step,), problem, make)


def rewrite_chain(
    chain: tuple[Step, ...], problem: DivMod, make: Make
) -> Expr | DivMod | None:
    """Return what a chain of steps makes of a problem, or None if one does not hold.

    Only the last step simplifies what it builds: the others build what the next
    step matches.
    """
    outcome: Expr | DivMod | None = problem
    recorder = listener()
    if recorder is None:
        for step in chain:
            if not isinstance(outcome, DivMod):
                return None
            if not _facts_hold(step, outcome.numer, make):
                return None
            outcome = _right_side(step, make if step is chain[-1] else plain)
        return outcome
    used: list[Application] = []
    for step in chain:
        if not isinstance(outcome, DivMod):
            return None
        outcome = _applied(
            step, outcome, make if step is chain[-1] else plain, used, recorder
        )
    if used and outcome is not None:
        recorder.report(used)
    return outcome


def _applied(
    step: Step,
    problem: DivMod,
    make: Make,
    used: list[Application],
    recorder: Recorder,
) -> Expr | DivMod | None:
    if not _is_left_side(step, problem):
        return None
    if not _facts_hold(step, problem.numer, make):
        return None
    used.append(Application(step, problem.node, lambda maker: _right_side(step, maker)))
    return recorder.made(used[-1], make)


def _is_left_side(step: Step, problem: DivMod) -> bool:
    left = _side(step.sides[0], step, plain)
    return (
        isinstance(left, DivMod)
        and (left.op, left.denom) == (problem.op, problem.denom)
        and left.numer == problem.numer
    )


def _right_side(step: Step, make: Make) -> Expr | DivMod:
    """Return what a step builds, by the law's own function."""
    if step.backward:
        return _side(step.lemma.lhs, step, make)
    lifted = LIFTED.get(step.lemma.name)
    if lifted is None:
        return SINGLE[step.lemma.name](step.bindings[0], make)
    if step.others is not None:
        return lifted(step.bindings, *step.others, make)
    (binding,) = step.bindings
    rest = _expr(binding[str(step.lemma.rest)])
    return lifted(step.bindings, [(rest, 1)], 0, make)


def rewrite_sum(
    step: Step,
    total: Expr,
    make: Make,
    accept: Callable[[Expr], bool] | None = None,
) -> Expr | None:
    """Return a sum in which a law replaced some terms, or None.

    The sum must be ``scale * left side + rest``; it becomes
    ``scale * right side + rest``.

    Args:
        step: The law, its binding, scale and rest.
        total: The sum.
        make: Builds the simplified mod (``%``) or floordiv (``//``).
        accept: Tells whether the outcome is wanted; None takes any.
    """
    recorder = listener()
    if recorder is not None and not _is_left_part(step, total):
        return None
    if not _facts_hold(step, total, make):
        return None
    if recorder is None:
        outcome = _in_sum(step, make)
        return outcome if accept is None or accept(outcome) else None
    use = Application(step, total, lambda maker: _in_sum(step, maker))
    recorder.made(use, make)
    if accept is not None and not accept(use.after):
        return None
    recorder.report([use])
    return use.after


def _is_left_part(step: Step, total: Expr) -> bool:
    left = _expr(instantiate(step.sides[0], step.bindings[0], plain))
    return _beside(step, left) == total


def _in_sum(step: Step, make: Make) -> Expr:
    """Return what a step makes of the sum that it stands in."""
    right = _right_side(step, make)
    if isinstance(right, DivMod):
        right = make(right.op, right.numer, right.denom)
    return _beside(step, right)


def _beside(step: Step, side: Expr) -> Expr:
    if step.beside is None:
        return scale(side, step.scale)
    terms, offset = step.beside
    return weighted_sum([(side, step.scale), *terms], offset)


def fold(problem: DivMod) -> Expr | None:
    """Return a mod or floordiv of a constant, or by 1, folded; else None."""
    numer, denom = problem.numer, problem.denom
    mod = problem.op == "%"
    constants = is_constant(numer)
    if is_constant(numer):
        value = constant(numer.constant % denom if mod else numer.constant // denom)
    elif denom == 1:
        value = constant(0) if mod else numer
    else:
        return None
    recorder = listener()
    if recorder is not None:
        binding: Binding = {"c": numer, "n": denom} if constants else {"x": numer}
        of_constant, by_one = _FOLDS[problem.op]
        use = Step(of_constant if constants else by_one, (binding,))
        folded = Application(use, problem.node, lambda _: value)
        folded.made(plain)
        recorder.report([folded])
    return value


_FOLDS: Final = {
    "%": (CONSTANT_MOD, MOD_ONE),
    "//": (CONSTANT_FLOORDIV, FLOORDIV_ONE),
}


def _facts_hold(step: Step, numer: Expr, make: Make) -> bool:
    if step.modelled:
        facts = step.lemma.modelled
        return facts is not None and all(
            holds(fact, binding, make) for binding in step.bindings for fact in facts
        )
    decide = FACTS.get(step.lemma.name)
    if decide is None:
        return True
    ask = quiet(make)
    for binding in step.bindings:  # noqa: SIM110 - a loop costs less
        if not decide(binding, numer, ask):
            return False
    return True


def _side(side: Term, step: Step, make: Make) -> Expr | DivMod:
    """Return one side of a law under the bindings of a step."""
    if step.lemma.rest is not None and step.others is not None:
        return _side_over_sum(side, step, make)
    (binding,) = step.bindings
    if side.op not in {"%", "//"}:
        return _expr(instantiate(side, binding, make))
    numer, denom = side.args
    whole = _expr(instantiate(numer, binding, make))
    return DivMod(side.op, whole, evaluate(denom, binding))


def _side_over_sum(side: Term, step: Step, make: Make) -> Expr | DivMod:
    """Return one side of a law that treats several terms of a sum at once.

    The law holds for every rest ``r``. Applied term by term, with the others as the
    rest, it replaces each bound term by what the side has in its place; so the whole
    is the untouched rest plus the side of each term over r = 0. What a side adds
    outside its division is added up in the same way.
    """
    division, outside = side.args if side.op == "+" else (side, None)
    numer, denom = division.args
    alone = [{**binding, str(step.lemma.rest): 0} for binding in step.bindings]
    parts = [instantiate(numer, binding, make) for binding in alone]
    rest = constant(0) if step.rest is None else step.rest
    whole = linear_sum([rest, *parts])
    divisor = evaluate(denom, alone[0])
    if outside is None:
        return DivMod(division.op, whole, divisor)
    added = [instantiate(outside, binding, make) for binding in alone]
    return linear_sum([make(division.op, whole, divisor), *added])


def instantiate(term: Term, binding: Binding, make: Make) -> Expr | int:
    """Return what a term stands for; its divisions are built by `make`."""
    if term.op == "int":
        value: int = term.args[0]
        return value
    if term.op in {"expr", "literal"}:
        return binding[term.args[0]]
    left = instantiate(term.args[0], binding, make)
    right = instantiate(term.args[1], binding, make)
    if isinstance(left, int) and isinstance(right, int):
        folded: int = evaluate(term, binding)
        return folded
    if term.op == "+":
        return linear_sum([left, right])
    if term.op == "-":
        return linear_sum([left, product(constant(-1), _expr(right))])
    if term.op == "*":
        return product(_expr(left), _expr(right))
    if not isinstance(right, int):
        raise TypeError(f"the divisor of {term} is no literal")
    return make(term.op, _expr(left), right)


def holds(fact: Fact, binding: Binding, make: Make = plain) -> bool:
    """Decide a fact: an equation by building both sides, the others by what is known.

    An order follows from ranges, divisibility from classes. False means "not known to
    hold": nothing is rewritten on a doubt.
    """
    if fact.relation == "==":
        left_side = _expr(instantiate(fact.left, binding, make))
        return left_side == _expr(instantiate(fact.right, binding, make))
    left = instantiate(fact.left, binding, plain)
    right = instantiate(fact.right, binding, plain)
    if fact.relation == "divides":
        return isinstance(left, int) and _is_multiple(right, left)
    high, floor = _ends(left)[1], _ends(right)[0]
    if high is None or floor is None:
        return False
    return high <= floor if fact.relation == "<=" else high < floor


def _is_multiple(value: Expr | int, n: int) -> bool:
    if isinstance(value, int):
        return value % n == 0
    return value.stride.is_multiple_of(n)


def _ends(value: Expr | int) -> tuple[int | None, int | None]:
    if isinstance(value, int):
        return value, value
    return value.range.lo, value.range.hi


def _expr(value: Expr | int) -> Expr:
    return constant(value) if isinstance(value, int) else value
