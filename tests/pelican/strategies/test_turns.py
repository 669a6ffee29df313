"""The order in which the terms of a growing sum are asked again."""

from pelican import Expr
from pelican.strategies.looks import Coefficients, Watch
from pelican.strategies.turns import Turns
from tests.strategies import I, J, N

A, B, C = I % 8, J % 8, N % 3


def started(*terms: Expr, lead=None) -> tuple[Turns, Watch, Coefficients]:
    """Return turns of some terms in term order, what tells who woke, and the terms."""
    turns, watch = Turns(), Watch()
    coefficients = Coefficients(watch)
    coefficients.update(dict.fromkeys(terms, 1))
    turns.ranks.update((term, k) for k, term in enumerate(terms))
    turns.start_anew(lead)
    watch.wake(terms)
    return turns, watch, coefficients


def test_the_lead_comes_first_then_term_order():
    """As in a sum that is made anew."""
    turns, watch, there = started(A, B, C, lead=B)

    assert list(turns.in_turn(watch.to_join, watch, there)) == [B, A, C]


def test_what_was_set_comes_after_the_others():
    """In the order in which it was set last."""
    turns, watch, there = started(A, B, C)
    for term in (B, A, B):
        turns.comes_last(term, present=True)

    assert list(turns.in_turn(watch.to_join, watch, there)) == [C, A, B]
    assert turns.sets == 3


def test_a_new_start_forgets_what_was_set():
    """Term order again."""
    turns, watch, there = started(A, B, C)
    turns.comes_last(A, present=True)
    turns.start_anew(None)

    assert list(turns.in_turn(watch.to_join, watch, there)) == [A, B, C]


def test_a_term_that_is_gone_is_not_asked():
    """Neither before the turns nor during them."""
    turns, watch, there = started(A, B, C)
    del there[A]
    asked = []
    for term in turns.in_turn(watch.to_join, watch, there):
        asked.append(term)
        there.pop(C, None)

    assert asked == [B]


def test_what_wakes_before_its_turn_is_asked_and_after_it_next_time():
    """Its place is what it was at first, whatever was set meanwhile."""
    turns, watch, there = started(A, B, C)
    del watch.to_join[A], watch.to_join[C]
    asked = []
    for term in turns.in_turn(watch.to_join, watch, there):
        asked.append(term)
        turns.comes_last(C, present=True)
        if term is B:
            watch.wake([A, C])

    assert asked == [B, C]
    assert list(watch.to_join) == [A]
