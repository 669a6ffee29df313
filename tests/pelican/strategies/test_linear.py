"""A sum that changes in place: what is looked up in it, and its size."""

from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr
from pelican.strategies.linear import LinearSum
from pelican.tree.build import linear_sum
from tests.pelican.strategies.sums import looked_up, sums
from tests.strategies import I, J

moduli = st.sampled_from([0, 8, 12])


@given(sums, sums, sums, moduli)
def test_a_changed_sum_is_the_sum_made_anew(
    total: Expr, old: Expr, new: Expr, modulus: int
):
    """All that is looked up by hash moves with the terms."""
    changed = LinearSum(total, modulus)
    changed.replace(old, new)
    anew = LinearSum(linear_sum([total, -1 * old, new]), modulus)

    assert looked_up(changed) == looked_up(anew)
    assert changed.expr() == anew.expr()


@given(sums, sums, sums, moduli)
def test_a_sum_never_shrinks_there_and_back(
    total: Expr, old: Expr, new: Expr, modulus: int
):
    """So that joining ends: what shrinks a sum one way does not the other way."""
    here = LinearSum(total, modulus)
    shrinks = here.shrinks(old, new)
    here.replace(old, new)

    assert not (shrinks and here.shrinks(new, old))


def test_under_a_mod_coefficients_count_modulo_it():
    """10 of a term and 2 of it are the same in a ring of 8."""
    here = LinearSum(10 * I + J, 8)

    assert here.same(10, 2)
    assert here.nearest(10) == 2
    assert here.alike(10) == (2, -6)
    assert here.shrinks(10 * I, 2 * I) is False
    assert here.shrinks(10 * I, 0 * I) is True
