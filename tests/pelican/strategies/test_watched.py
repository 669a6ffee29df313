"""A sum that remembers who looked: what it answers, and whom it asks."""

import pytest
from hypothesis import given

from pelican import Expr, index
from pelican.strategies.linear import LinearSum
from pelican.strategies.watched import WatchedSum
from pelican.tree.build import linear_sum
from tests.pelican.strategies.sums import looked_up, sums
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
    here.turns.ranks.update((div, k) for k, div in enumerate(divs))
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


@pytest.mark.parametrize(
    ("look", "added", "others"),
    [
        (lambda here: here.over(J, 4), J % 4, []),
        (lambda here: here.over(J, 5), J % 4, None),
        (lambda here: 5 in here.divisors, I % 5, []),
        (lambda here: None, I // 9, [I % 8, J % 12]),
        (lambda here: here.along(I, 2, 18), I // 9, [I % 8, J % 12]),
    ],
)
def test_who_would_see_a_new_term_wakes(look, added: Expr, others: list[Expr] | None):
    """A mod over a numerator, a new divisor, the first floordiv of all."""
    here = WatchedSum(linear_sum([I % 8, J % 12, N % 3]))
    asked(here)
    here.watch.looking = N % 3
    look(here)
    here.watch.looking = None
    here.add(added)

    seen = [] if others is None else [N % 3, *others]
    assert set(asked(here)) == {added, *seen}


def test_who_compared_sizes_wakes_where_another_coefficient_counts():
    """Far from 0, how large it is makes no difference."""
    here = WatchedSum(linear_sum([9 * (I % 8), N % 3]))
    asked(here)
    here.watch.looking = N % 3
    here.shrinks(I % 8, 0 * I)
    here.watch.looking = None
    here.add(I % 8, -4)

    assert asked(here) == [I % 8]
    here.add(I % 8, -3)
    assert asked(here) == [N % 3, I % 8]


def test_at_rest_who_saw_a_list_whose_order_changes_wakes():
    """A term that was set stood after the others, and does no longer."""
    here = WatchedSum(linear_sum([J % 4, J % 12, N % 3]))
    here.turns.ranks.update({J % 4: 1, J % 12: 2, N % 3: 3})
    asked(here)
    here.add(J % 4)
    asked(here)
    here.watch.looking = N % 3

    assert here.over(J, 4) == [J % 12, J % 4]
    here.watch.looking = None
    here.rest(J % 4)
    assert N % 3 in asked(here)
    assert here.over(J, 4) == [J % 4, J % 12]


def test_a_term_that_wakes_before_it_comes_is_asked_next_time():
    """It was not there when the turns began."""
    here = WatchedSum(linear_sum([I % 8, N % 3]))
    found = []
    for term in here.to_join():
        found.append(term)
        if len(found) == 1:
            here.watch.wake([J % 4])
        else:
            here.add(J % 4)

    assert found == [I % 8, N % 3]
    assert asked(here) == [N % 3, J % 4]
