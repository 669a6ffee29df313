"""Each law at work: its example, its near miss, and instances of its left side."""

from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pelican
from pelican import Expr, ModuloExpr, index, parse, simplify, trace
from pelican.engine.rewrite import holds, instantiate, rewrite, rewrite_sum
from pelican.engine.simplify import modulo
from pelican.laws.lemma import Lemma, Record
from pelican.laws.step import Step
from pelican.laws.term import evaluate
from pelican.lemmas import BUILDER, RECORDS
from pelican.tree.arguments import as_expr
from pelican.tree.build import plain
from pelican.tree.divmod import DivMod
from pelican.tree.flat import weights
from tests.pelican.lemma_examples import lemmas, names_of
from tests.strategies import instances, points


def problem_of(lemma: Lemma, binding: dict[str, Expr | int]) -> Expr | DivMod:
    """Return the left side of a law under a binding."""
    if lemma.lhs.op not in {"%", "//"}:
        return as_expr(instantiate(lemma.lhs, binding, plain))
    numer, denom = lemma.lhs.args
    made = as_expr(instantiate(numer, binding, plain))
    return DivMod(lemma.lhs.op, made, evaluate(denom, binding))


def rewritten(
    lemma: Lemma, binding: dict[str, Expr | int], problem: Expr | DivMod
) -> Expr | DivMod | None:
    """Return what the kernel makes of a problem with a law and a binding."""
    if not isinstance(problem, DivMod):
        return rewrite_sum(Step(lemma, (binding,)), problem, plain)
    if lemma.rest is None:
        return rewrite(Step(lemma, (binding,)), problem, plain)
    alone = {name: value for name, value in binding.items() if name != lemma.rest}
    rest = as_expr(binding[lemma.rest])
    return rewrite(Step(lemma, (alone,), weights(rest)), problem, plain)


def value_of(outcome: Expr | DivMod) -> Expr:
    """Return the node of what the kernel made."""
    if isinstance(outcome, DivMod):
        return plain(outcome.op, outcome.numer, outcome.denom)
    return outcome


def test_names_are_unique():
    """Two records never share a name."""
    names = [record.name for record in RECORDS]

    assert sorted(set(names)) == sorted(names)


@lemmas
def test_the_example_becomes_what_the_law_says(lemma: Lemma):
    """The engine turns the example's first text into its second."""
    example = lemma.example
    assert example is not None

    assert str(parse(example.before, names_of(lemma))) == example.after


@lemmas
def test_the_near_miss_is_left_alone(lemma: Lemma):
    """The engine leaves an expression alone when a fact of the law fails."""
    example = lemma.example
    assert example is not None

    assert str(parse(example.near_miss, names_of(lemma))) == example.near_miss


@lemmas
@given(data=st.data())
def test_an_instance_keeps_its_value_and_range(lemma: Lemma, data: st.DataObject):
    """Where the kernel rewrites, the value is the same and the range holds it."""
    binding = data.draw(instances(lemma))
    at = data.draw(points())
    problem = problem_of(lemma, binding)
    outcome = rewritten(lemma, binding, problem)
    if outcome is None:
        return
    before = value_of(problem)

    assert value_of(outcome).eval(at) == before.eval(at)
    assert int(before.eval(at)) in value_of(outcome).range


@lemmas
def test_the_law_fires_on_its_own_instances(lemma: Lemma):
    """Random instances of the left side meet the guards often enough to test them."""
    fired = 0

    @given(data=st.data())
    def run(data: st.DataObject):
        nonlocal fired
        binding = data.draw(instances(lemma))
        fired += all(holds(fact, binding) for fact in lemma.given)

    run()
    assert fired >= 5


@lemmas
@given(data=st.data())
def test_a_broken_guard_blocks_the_kernel(lemma: Lemma, data: st.DataObject):
    """The kernel makes nothing while a given fact does not hold."""
    binding = data.draw(instances(lemma))
    for fact in lemma.given:
        if fact.relation == "==" and fact.left.op == "expr":
            name = fact.left.args[0]
            binding[name] = binding[name] + data.draw(st.integers(0, 1))
    if all(holds(fact, binding) for fact in lemma.given):
        return

    assert rewritten(lemma, binding, problem_of(lemma, binding)) is None


@lemmas
@given(data=st.data())
def test_a_binding_of_another_problem_is_refused(lemma: Lemma, data: st.DataObject):
    """Where it looks, the kernel sees that the left side is another problem."""
    binding = data.draw(instances(lemma))
    problem = problem_of(lemma, binding)
    other = (
        DivMod(problem.op, 1 + problem.numer, problem.denom)
        if isinstance(problem, DivMod)
        else 1 + problem
    )

    with trace():
        assert rewritten(lemma, binding, other) is None


@pytest.mark.parametrize("lemma", BUILDER, ids=lambda lemma: lemma.name)
@given(data=st.data())
def test_the_builder_makes_both_sides_equal(lemma: Lemma, data: st.DataObject):
    """Both sides of a builder's equation build the same canonical node."""
    binding = data.draw(instances(lemma))
    made = {
        name: value % 24 if isinstance(value, ModuloExpr) else value
        for name, value in binding.items()
    }
    left, right = (as_expr(evaluate(side, made)) for side in (lemma.lhs, lemma.rhs))

    assert simplify(left) == simplify(right)


def test_a_pass_over_a_sum_equals_one_term_at_a_time():
    """Shifting two coefficients at once gives what two single shifts give."""
    x, y, z = index("x"), index("y"), index("z")

    assert modulo(9 * x + 17 * y + z, 8) == modulo(x + y + z, 8)


PELICAN = Path(pelican.__file__).parent
LEMMA_MODULES = sorted(
    path.stem for path in (PELICAN / "lemmas").glob("*.py") if path.stem != "__init__"
)


def records_of(module: str) -> dict[str, Record]:
    """Return the records among the names of a module."""
    names = vars(import_module(module))
    return {k: value for k, value in names.items() if isinstance(value, Record)}


@pytest.mark.parametrize("module", LEMMA_MODULES)
def test_a_module_lists_every_record_that_it_defines(module: str):
    """So a record cannot be used and stay unproved."""
    found = import_module(f"pelican.lemmas.{module}")
    lists = ("LEMMAS", "IDENTITIES", "RANGE_RULES", "CONGRUENCE_RULES")
    listed = [record for name in lists for record in getattr(found, name, ())]

    assert sorted(map(id, listed)) == sorted(
        map(id, records_of(found.__name__).values())
    )
    assert {id(record) for record in listed} <= {id(record) for record in RECORDS}


@pytest.mark.parametrize("module", ["floordiv", "modulo", "sums"])
def test_strategies_use_listed_records_only(module: str):
    """What they propose is in the book; the rules are written from the lists."""
    used = records_of(f"pelican.strategies.{module}")

    assert used
    assert {id(r) for r in used.values()} <= {id(record) for record in RECORDS}
