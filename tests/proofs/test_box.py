from __future__ import annotations

import pytest

from pelican.laws.lemma import Fact, Lemma, Record, divisor_of, eq, le, lt
from pelican.laws.term import expr, literal
from pelican.lemmas.floordiv import MOD_FLOORDIV
from proofs.box import LawTooWideError, enumerate_box

x, n = expr("x"), literal("n")


def _record(claim: Fact, *given: Fact) -> Record:
    return Record(name="test", given=given, claim=claim, source="test")


def test_a_law_holds_at_every_point():
    """No counterexample is found to a law that holds."""
    assert enumerate_box(MOD_FLOORDIV).counterexample is None


def test_the_plainest_counterexample_is_shown():
    """Without its fact the law fails first at the smallest numbers."""
    assert enumerate_box(MOD_FLOORDIV, ()).counterexample == {"d": 1, "m": 2, "x": 1}


def test_points_where_a_divisor_is_below_one_do_not_count():
    """20 values of x and the 12 positive ones of n."""
    assert enumerate_box(_record(le(0, x % n))).points == 20 * 12


def test_divisors_inside_divisors_are_kept_positive_first():
    """A divisor n floordiv x counts where x >= 1 and the quotient is >= 1 too."""
    result = enumerate_box(_record(le(0, x % (n // x))))

    assert result.points == sum(n // x >= 1 for x in range(1, 13) for n in range(13))


def test_facts_that_hold_nowhere_leave_no_point():
    """Contradicting facts have no satisfying point."""
    result = enumerate_box(_record(le(x, x), lt(x, 0), lt(0, x)))

    assert (result.points, result.satisfying) == (0, None)


def test_zero_divides_zero_only():
    """A `divides` fact is exact for every divisor."""
    divisible = _record(eq(x, 0), divisor_of(0, x))

    assert enumerate_box(divisible).counterexample is None
    assert enumerate_box(divisible).points == 1


@pytest.mark.parametrize(("count", "side"), [(1, 20), (4, 20), (5, 10), (6, 6)])
def test_the_cube_shrinks_with_the_number_of_metavariables(count: int, side: int):
    """At most 160,000 points are enumerated."""
    total = sum((expr(f"x{number}") for number in range(count)), expr("x0"))

    assert enumerate_box(_record(eq(total, total))).points == side**count


def test_a_law_with_seven_metavariables_is_refused():
    """A law that no box holds has to be split."""
    total = sum((expr(f"x{number}") for number in range(7)), expr("x0"))

    with pytest.raises(LawTooWideError, match="split the law"):
        enumerate_box(_record(eq(total, total)))


def test_a_law_without_variables_on_one_side_is_enumerated():
    """A literal side is as good as any."""
    wrong = Lemma(name="wrong", lhs=x % 1, rhs=1, source="test")

    assert enumerate_box(wrong).counterexample == {"x": 0}
