"""The laws as Python code are those of the records."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, parse, simplify, trace
from pelican.engine.rewrite import holds, instantiate
from pelican.laws import facts
from pelican.laws import sides as laws
from pelican.laws.generate_sides import facts_text, laws_text
from pelican.laws.lemma import Lemma
from pelican.lemmas import LEMMAS
from pelican.tree.arguments import as_expr
from pelican.tree.build import plain
from pelican.tree.divmod import DivMod
from tests.strategies import INDICES, instances, raw_expressions

FACTS, LAWS = Path(facts.__file__), Path(laws.__file__)

lemmas = pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)


def test_the_laws_are_written_from_the_records(golden: Callable[[Path, str], None]):
    """Whoever changes a record writes the file again."""
    golden(FACTS, facts_text())
    golden(LAWS, laws_text())


def test_every_law_has_its_functions():
    """A builder for each law, and what decides its facts where it has some."""
    names = {lemma.name for lemma in LEMMAS}

    assert names == set(laws.SINGLE) | set(laws.LIFTED)
    assert {lemma.name for lemma in LEMMAS if lemma.given} == set(facts.FACTS)


@lemmas
@given(data=st.data())
def test_facts_are_decided_as_the_record_says(lemma: Lemma, data: st.DataObject):
    """The function holds just where each fact of the record does."""
    binding = data.draw(instances(lemma))
    numer: Expr = as_expr(0)
    if lemma.lhs.op in {"%", "//"}:
        numer = as_expr(instantiate(lemma.lhs.args[0], binding, plain))
    decide = facts.FACTS.get(lemma.name, lambda *_: True)

    expected = all(holds(fact, binding) for fact in lemma.given)
    assert decide(binding, numer, plain) == expected


@lemmas
@given(data=st.data())
def test_the_right_side_is_what_the_record_says(lemma: Lemma, data: st.DataObject):
    """The function builds what instantiating the record's right side gives."""
    binding = data.draw(instances(lemma))
    if lemma.rest is None:
        made = laws.SINGLE[lemma.name](binding, plain)
    else:
        rest = as_expr(binding[lemma.rest])
        made = laws.LIFTED[lemma.name]([binding], [(rest, 1)], 0, plain)

    expected = as_expr(instantiate(lemma.rhs, binding, plain))
    assert (made.node if isinstance(made, DivMod) else made) == expected


@given(raw_expressions())
def test_no_proposal_is_about_another_problem(raw: Expr):
    """What the kernel makes is the same where it looks at left sides."""
    unchecked = simplify(raw)

    with trace():
        assert str(simplify(raw)) == str(unchecked)
        assert str(parse(str(unchecked), INDICES)) == str(unchecked)
