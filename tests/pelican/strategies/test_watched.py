"""A sum that remembers who looked: what it answers, and whom it asks."""

from hypothesis import given

from pelican import Expr, index
from pelican.strategies.linear import LinearSum
from pelican.strategies.watched import WatchedSum
from pelican.tree.build import linear_sum
from tests.pelican.strategies.test_linear import looked_up, sums
from tests.strategies import I, J, N


def asked(here: WatchedSum) -> list[Expr]:
    """Return the terms that are asked for joins, each of which only looks at itself."""
    found = []
    for term in here.to_join():
        _ = here.coefficients[term]
        found.append(term)
    return found


@given(sums, sums, sums)
def test_a_changed_sum_is_the_sum_made_anew(total: Expr, old: Expr, new: Expr):
    """All that is looked up is what it is in a sum that nobody watches."""
    changed = WatchedSum(total)
    changed.replace(old, new)
    anew = LinearSum(linear_sum([total, -1 * old, new]))

    assert looked_up(changed) == looked_up(anew)
    assert changed.expr() == anew.expr()


@given(sums, sums, sums)
def test_its_answers_are_those_of_a_sum_that_nobody_watches(
    total: Expr, old: Expr, new: Expr
):
    """Whoever looks."""
    watched, plain = WatchedSum(total), LinearSum(total)
    watched.watch.looking = I
    terms = [*plain.coefficients, N]

    assert watched.shrinks(old, new) == plain.shrinks(old, new)
    assert watched.free() == plain.free()
    assert [watched.cancels(c) for c in (0, 3, -7)] == [
        plain.cancels(c) for c in (0, 3, -7)
    ]
    for term in terms:
        for c in (-3, 2):
            assert watched.lowers(term, c) == plain.lowers(term, c)
            assert watched.along(term, c, 4) == plain.along(term, c, 4)
        assert watched.over(term, 2) == plain.over(term, 2)
        assert watched.times(term, 2, 1, 3) == plain.times(term, 2, 1, 3)


def test_each_term_is_asked_once():
    """At first all are awake; then those that changed are."""
    here = WatchedSum(linear_sum([I % 8, J % 8, J % 4]))

    assert asked(here) == [I % 8, J % 4, J % 8]
    assert asked(here) == []
    here.replace(J % 4, 3 * (J % 4))
    here.add(N % 4)
    assert asked(here) == [J % 4, N % 4]


def test_a_term_that_wakes_before_its_turn_is_asked_in_the_same_turns():
    """One that wakes after its turn, and one that was not there, come next time."""
    here = WatchedSum(linear_sum([I % 8, J % 8, J % 4]))
    asked(here)
    here.watch.wake([J % 4])
    found = []
    for term in here.to_join():
        found.append(term)
        if len(found) == 1:
            here.replace(I % 8, J % 8 + N % 2)

    assert found == [J % 4, J % 8]
    assert asked(here) == [J % 4, N % 2]


def test_who_saw_the_first_few_of_a_slope_sees_the_next_when_one_goes():
    """Those behind the first few come and go unseen."""
    xs = [index(f"x{k}") for k in range(7)]
    divs = [(I + x) // 5 for x in xs]
    here = WatchedSum(linear_sum([*divs[:6], N % 3]))
    here.ranks.update((div, k) for k, div in enumerate(divs))
    here.watch.looking = N % 3

    assert here.along(I, 1, 5) == divs[:4]
    here.watch.looking = None
    asked(here)
    here.add(divs[6])
    assert asked(here) == [divs[6]]
    here.replace(divs[0], 0 * I)
    here.watch.looking = N % 3
    assert here.along(I, 1, 5) == divs[1:5]


def test_at_rest_a_divisor_without_terms_is_forgotten():
    """While terms join it stays, as in a sum that is joined anew."""
    here = WatchedSum(linear_sum([I // 8, J % 4]))
    here.replace(I // 8, 0 * I)

    assert 8 in here.divisors
    assert here.has_floordiv
    here.rest(J % 4)
    assert 8 not in here.divisors
    assert not here.has_floordiv


def test_who_saw_others_that_are_positive_wakes_when_none_is_left():
    """A minus before the sum is written only where nothing is positive."""
    here = WatchedSum(linear_sum([I % 8, -1 * (J % 8)]))
    asked(here)
    here.watch.looking = J % 8
    here.shrinks(-1 * (J % 8), -1 * (J % 4))
    here.watch.looking = None
    here.replace(I % 8, 0 * I)

    assert asked(here) == [J % 8]
