"""Sums that grow by ``+``: as sums that are joined anew, at the cost of a term."""

from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, OperandError, index, sum_of, trace
from pelican.engine import growing, join
from pelican.engine.simplify import joined_up
from pelican.tree.build import linear_sum, scale
from tests.strategies import I, J, N

X = index("x", 0, 4096)
NUMERS = [I, N, X, 3 * I + 1, I + 4 * X, 8 * N + J, -N, N + 7, 5 * X - 2]
DIVISORS = st.sampled_from([2, 3, 4, 8, 12, 16])
FORMS = [
    lambda x, d, q: x % d,
    lambda x, d, q: x // d,
    lambda x, d, q: x // d % q,
    lambda x, d, q: d * (x // d),
    lambda x, d, q: x,
]
SIGNS = st.sampled_from([1, 1, 1, -1])


def parts() -> st.SearchStrategy[Expr]:
    """Return mods, floordivs and indices that join with each other often."""
    return st.builds(
        lambda form, x, d, q, a, c: a * form(x, d, q) + c,
        st.sampled_from(FORMS),
        st.sampled_from(NUMERS),
        DIVISORS,
        DIVISORS,
        st.sampled_from([1, 1, -1, 2, -2, 3, 4, 8, -8, 16]),
        st.sampled_from([0, 0, 0, 1, -3, 7]),
    )


RINGS = [(7 * index(f"r{k:03}") + 5 * k) % 64 for k in range(200)]
"""Ring terms over an index each, none of which joins with another."""


def anew(total: Expr, part: Expr, sign: int = 1) -> Expr:
    """Return the sum of two expressions, all of whose terms are asked for joins."""
    return joined_up(linear_sum([total, scale(part, sign)]))


@given(
    st.lists(st.tuples(parts(), SIGNS), min_size=1, max_size=25),
    st.lists(st.tuples(st.integers(0, 25), parts(), SIGNS), max_size=3),
    st.sampled_from([1, 8]),
)
def test_a_sum_that_grows_is_the_sum_that_is_joined_anew(
    added: list[tuple[Expr, int]], again: list[tuple[int, Expr, int]], sets: int
):
    """After each addition, whatever came and went, and from older sums too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "MIN_TERMS", 2)
        patch.setattr(growing, "MAX_SETS", sets)
        totals = [sum_of([])]
        old = [(len(added) + place, part, sign) for place, part, sign in again]
        new = [(place, part, sign) for place, (part, sign) in enumerate(added)]
        for place, part, sign in new + old:
            total = totals[place % len(totals)]
            totals.append(total + part if sign > 0 else total - part)
            expected = anew(total, part, sign)

            assert (totals[-1], str(totals[-1])) == (expected, str(expected))


@pytest.mark.nobody_listens
@pytest.mark.parametrize("turned", [False, True])
def test_each_way_to_add_grows_a_sum(turned: bool):
    """The longer side grows, be it the left or the right one."""
    total = sum_of(RINGS[:20])
    for ring in RINGS[20:40]:
        total = ring + total if turned else total + ring

    assert len(total.growth) == 1
    assert total == sum_of(RINGS[:40])
    assert total + 5 - RINGS[7] == sum_of([*RINGS[:7], *RINGS[8:40], 5])


@pytest.mark.nobody_listens
def test_only_what_could_join_is_asked(monkeypatch: pytest.MonkeyPatch):
    """A term asks for itself; one that has a partner asks for both."""
    asked: list[Expr] = []
    propose = join.propose_joins

    def watched(term: Expr, *others: object):
        asked.append(term)
        return propose(term, *others)

    total = sum(RINGS, sum_of([]))
    x = index("d", 0, 1000)
    for part in (8 * (x // 8), x % 8):
        asked.clear()
        monkeypatch.setattr(join, "propose_joins", watched)
        total = total + part
        monkeypatch.undo()

    assert total == sum_of([*RINGS, x])
    assert asked == [x // 8]


@pytest.mark.nobody_listens
def test_an_older_sum_has_no_index_left():
    """It went on with the next sum; adding to the older one is right all the same."""
    total = sum_of(RINGS[:20])
    first = total + I % 8
    other = total + I % 4

    assert len(total.growth) == 0
    assert len(first.growth) == 1
    assert other.growth is None
    assert (first, other) == (anew(total, I % 8), anew(total, I % 4))


@pytest.mark.nobody_listens
def test_few_sums_keep_an_index():
    """The oldest lets it go, so that many sums hold no more than their operands."""
    sums = [sum_of(RINGS[:20]) + ring for ring in RINGS[20:44]]

    assert sum(len(total.growth) for total in sums) == growing.MAX_KEPT
    assert sums[0] + 8 * (I // 8) + I % 8 == sum_of([*RINGS[:21], I])


def test_a_short_sum_keeps_no_index():
    """It is joined anew in less time."""
    short, long = RINGS[: growing.MIN_TERMS - 2], RINGS[: growing.MIN_TERMS]

    assert (sum_of(short) + I % 8).growth is None
    assert (sum_of(long) - RINGS[3]).growth is None


@pytest.mark.nobody_listens
def test_terms_that_come_and_go_leave_nothing_behind():
    """An index is made anew when it has seen many more changes than it has terms."""
    total, most = sum_of(RINGS[:20]) + 1, 0
    for ring in RINGS[20:]:
        total = total + ring - ring
        most = max(most, total.growth[0].here.turns.sets if total.growth else 0)

    assert total == sum_of([*RINGS[:20], 1])
    assert 100 < most <= 20 * growing.MAX_SETS


@pytest.mark.nobody_listens
def test_terms_are_numbered_anew_where_no_number_is_left(
    monkeypatch: pytest.MonkeyPatch,
):
    """Each term comes between two others."""
    monkeypatch.setattr(growing, "RANKS", 2)
    total, x = sum_of(RINGS[:20]), index("r007")
    for k in range(30):
        total = total + x % (1000 - k) + x % (10 + k)

    assert len(total.growth) == 1
    (growth,) = total.growth
    ranks = [growth.here.turns.ranks[term] for term in growth.terms]
    assert ranks == sorted(set(ranks))
    assert total == sum_of([total])
    assert ranks[1] - ranks[0] == 2


@pytest.mark.nobody_listens
def test_a_listener_is_told_what_it_is_told_of_a_sum_made_anew():
    """While somebody listens, nothing is taken from the sums before."""
    total = sum_of(RINGS[:20]) + 8 * (I // 8)
    with trace() as grown:
        first = total + I % 8
    with trace() as made:
        second = anew(total, I % 8)

    assert first == second
    assert len(total.growth) == 1
    assert [step.lemma for step in grown] == [step.lemma for step in made] != []


def test_several_threads_may_add_to_one_sum():
    """One of them gets the index, and all get their sums."""
    total = sum_of(RINGS[:20]) + 8 * (I // 8)
    made = [ring + I % 8 for ring in RINGS[20:32]]
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(lambda part: total + part, made))

    assert sums == [anew(total, part) for part in made]


@pytest.mark.nobody_listens
def test_an_index_goes_with_its_sum():
    """Nothing else holds it."""
    total = sum_of(RINGS[:20]) + I % 8
    kept = ref(total.growth)
    del total

    assert kept() is None


def test_what_is_no_expression_is_refused():
    """A long sum takes the operands that a short one takes."""
    total = sum_of(RINGS[:20])
    for wrong in ("x", 1.5, True, None):
        with pytest.raises(OperandError, match="must be an integer or an expression"):
            total + wrong
