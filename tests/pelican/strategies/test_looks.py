"""Who is woken: those whose answer a change makes another one, and nobody else."""

from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr
from pelican.strategies.linear import quotient_like
from pelican.strategies.looks import Bounds, Coefficients, Multiples, Table, Watch
from tests.strategies import I, J, N

numbers = st.integers(-6, 6)


def woken(watch: Watch) -> set[Expr]:
    """Return who is awake, and let all sleep."""
    assert watch.to_join == watch.to_shorten == dict.fromkeys(watch.woken)
    found = set(watch.woken)
    for awake in (watch.to_join, watch.to_shorten, watch.woken):
        awake.clear()
    return found


def test_who_looked_at_a_key_wakes_whether_or_not_it_was_there():
    """Each kind of look counts."""
    watch = Watch()
    table = Table(watch)
    dict.__setitem__(table, "a", 1)
    for watch.looking, look in [
        (I, lambda: table["a"]),
        (J, lambda: table.get("b", 7)),
        (N, lambda: "a" in table),
    ]:
        look()
    table.entered("a", 1)

    assert (woken(watch), table.get("b", 7)) == ({I, N}, 7)
    table.entered("b", 1)
    assert woken(watch) == {J, N}
    table.entered("b", 1)
    assert woken(watch) == set()


def test_nobody_is_noted_while_nobody_looks():
    """The sum itself looks too, for what it is not to be woken."""
    watch = Watch()
    table, bounds = Table(watch), Bounds(watch)
    table.get("a")
    bounds.asked(3)
    table.entered("a", 1)
    bounds.moved(0, 9)

    assert woken(watch) == set()


def test_a_term_with_a_divisor_wakes_who_asked_for_its_factors():
    """One who asked for multiples of 8 sees no term by 12."""
    watch = Watch()
    table = Multiples(watch)
    for watch.looking, factor in ((I, 8), (J, 4), (N, 1)):
        table.note("x", factor)
    table.entered("x", 12)

    assert woken(watch) == {J, N}
    table.entered("x", 16)
    assert woken(watch) == {I}


@given(numbers, numbers, numbers, st.integers(1, 3), numbers, st.integers(1, 4))
def test_a_coefficient_wakes_those_whose_answer_moves(
    old: int, new: int, bound: int, a: int, weight: int, n: int
):
    """Whether it is greater than a bound, its `quotient_like`, and what it is."""
    watch = Watch()
    table = Coefficients(watch)
    for watch.looking, asked in ((I, bound), (J, (a, weight, n)), (N, None)):
        table.note("x", asked)
    table.moved("x", old, new)
    answers = [
        (I, old > bound, new > bound),
        (J, quotient_like(old, a, weight, n), quotient_like(new, a, weight, n)),
        (N, old, new),
    ]

    assert woken(watch) == {who for who, one, other in answers if one != other}


@given(numbers, numbers, numbers)
def test_a_coefficient_that_stays_above_0_is_still_there(old: int, new: int, last: int):
    """Who asked whether there is one wakes when there comes one, or goes."""
    watch = Watch()
    table = Coefficients(watch)
    watch.looking = I
    _ = "x" in table
    table.moved("x", old, new)
    first = woken(watch)

    assert first == {I} or (old > 0) - (old < 0) == (new > 0) - (new < 0)
    assert not (first and old * new > 0)
    table.moved("x", new, last)
    assert not (woken(watch) and new * last > 0)


@given(st.lists(st.tuples(st.sampled_from([I, J, N]), numbers)), numbers, numbers)
def test_a_number_that_passes_a_bound_wakes_who_asked_for_it(
    asked: list[tuple[Expr, int]], old: int, new: int
):
    """Once: they are to ask again."""
    watch = Watch()
    bounds = Bounds(watch)
    for watch.looking, bound in asked:
        bounds.asked(bound)
    bounds.moved(old, new)

    assert woken(watch) == {who for who, b in asked if (old > b) != (new > b)}
    bounds.moved(new, old)
    assert woken(watch) == set()
