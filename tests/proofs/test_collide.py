from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, index
from pelican.tree.traverse import fold
from proofs.collide import collide
from proofs.exhaust import BLOCK_POINTS
from proofs.verdict import Proved, Refuted, Unknown
from tests.strategies import addresses, points_of, small_indices

i, j = index("i", 0, 5), index("j", 1, 20, 3)


def _results(*exprs: Expr, above: int = -(10**40)):
    """Return the values, and whether the first is above a bound."""

    def results(leaf, look):
        values = [fold(expr, leaf, look=look) for expr in exprs]
        return values, values[0] > above

    return results


def test_results_that_differ_everywhere_are_proved():
    """One expression, or two together."""
    assert isinstance(collide(_results(20 * i + j), (i, j), timeout_s=10), Proved)
    assert isinstance(collide(_results(i, j), (i, j), timeout_s=10), Proved)


def test_the_first_repetition_is_shown_with_what_it_repeats():
    """In the order of the domain, the last index fastest."""
    verdict = collide(_results(3 * i + j), (i, j), timeout_s=10)

    assert verdict == Refuted({i: 0, j: 4}, {i: 1, j: 1})


def test_points_that_do_not_count_are_left_out():
    """Only those above the bound collide."""
    verdict = collide(_results(3 * i + j, above=27), (i, j), timeout_s=10)

    assert verdict == Refuted({i: 3, j: 19}, {i: 4, j: 16})
    assert isinstance(
        collide(_results(3 * i + j, above=28), (i, j), timeout_s=10), Proved
    )


def test_no_point_may_count_at_all():
    """Nothing collides then."""
    verdict = collide(_results(i, above=99), (i, j), timeout_s=10)

    assert isinstance(verdict, Proved)


def test_values_beyond_64_bits_collide_too():
    """They are integers of any size."""
    huge = 10**30 * (i % 4)

    assert collide(_results(huge), (i,), timeout_s=10) == Refuted({i: 0}, {i: 4})


def test_points_of_different_blocks_collide():
    """The first of all and the last of all."""
    k = index("k", 0, 2 * BLOCK_POINTS + 1)

    verdict = collide(_results(k % (2 * BLOCK_POINTS)), (k,), timeout_s=10)

    assert verdict == Refuted({k: 0}, {k: 2 * BLOCK_POINTS})


def test_time_that_runs_out_is_unknown():
    """The reason says how far it came."""
    verdict = collide(_results(i), (i,), timeout_s=-1)

    assert isinstance(verdict, Unknown)
    assert "0 of 5 points" in verdict.reason


def test_the_clock_is_looked_at_while_one_block_is_evaluated():
    """One evaluation of a huge tree takes no longer than all of them may."""

    def endless(leaf, look):
        while True:
            look()

    verdict = collide(endless, (i,), timeout_s=0.01)

    assert isinstance(verdict, Unknown)
    assert "0 of 5 points" in verdict.reason


@given(st.data())
def test_collisions_are_those_of_all_pairs(data: st.DataObject):
    """By plain Python over every point."""
    over = data.draw(small_indices(2))
    expr = data.draw(addresses(over))
    seen = [int(expr.eval(at)) for at in points_of(over)]

    verdict = collide(_results(expr), over, timeout_s=10)

    assert isinstance(verdict, Proved if len(set(seen)) == len(seen) else Refuted)


@pytest.mark.parametrize("domain", [(), (index("one", 3, 4),)])
def test_a_single_point_never_collides(domain: tuple[Expr, ...]):
    """There is no other."""
    assert isinstance(collide(_results(i * 0), domain, timeout_s=10), Proved)  # type: ignore[arg-type]
