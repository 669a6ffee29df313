"""One use of a law: which side becomes which, and what it leaves alone."""

from pelican.laws.step import Step
from pelican.lemmas.modulo import NESTED_MOD_DIVIDES, SUM_MOD_INNER
from tests.strategies import I, J

NESTED = Step(NESTED_MOD_DIVIDES, ({"x": I, "m": 8, "n": 4},))


def test_a_step_goes_from_the_left_side_of_its_law_to_the_right():
    """Unless it says otherwise."""
    assert NESTED.sides == (NESTED_MOD_DIVIDES.lhs, NESTED_MOD_DIVIDES.rhs)


def test_a_backward_step_goes_from_the_right_side_to_the_left():
    """As the modelled rules use the law of a sum under a mod."""
    step = Step(SUM_MOD_INNER, NESTED.bindings, backward=True)

    assert step.sides == (SUM_MOD_INNER.rhs, SUM_MOD_INNER.lhs)


def test_a_step_that_leaves_nothing_alone_has_no_rest():
    """Its bindings stand for all there is."""
    assert NESTED.rest is None


def test_the_rest_of_a_step_is_the_sum_of_what_it_leaves_alone():
    """With the coefficients and the constant."""
    step = Step(SUM_MOD_INNER, NESTED.bindings, ([(I, 3), (J, -1)], 5))

    assert step.rest == 3 * I - J + 5


def test_a_rest_of_no_terms_is_a_constant():
    """Not None, which says that a binding has the rest."""
    assert Step(SUM_MOD_INNER, NESTED.bindings, ([], 0)).rest == 0


def test_a_step_shows_its_law_and_what_stands_in_it():
    """Where a debugger prints it."""
    assert repr(NESTED).startswith("<Step nested-mod-divides ({'x': ")
