"""The least and the greatest value, against every point of small domains."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import Expr, Interval, OperandError, icmp, index, rank, tile
from pelican.expr import FloorDivExpr, MultExpr, SumExpr
from proofs import ExactRange, Unknown, exact_range, extremes, question
from tests.strategies import I, J, points_of, raw_trees, small_indices

n, m = index("n"), index("m")
up = index("up", 3, None, 4)
LARGE = index("large", 0, 1 << 40)


@pytest.fixture(params=[True, False], ids=["by points", "by the solver"])
def by_points(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer small domains point by point, or leave everything to the solver."""
    if not request.param:
        monkeypatch.setattr(extremes, "is_small", lambda _: False)


@pytest.mark.usefixtures("by_points")
def test_both_ends_agree_with_every_point():
    """Each is the least and the greatest value, and attained at its point."""

    @settings(max_examples=20)
    @given(st.data())
    def agrees(data: st.DataObject):
        over = data.draw(small_indices(2, 6))
        expr = data.draw(raw_trees(over, 8))
        known = data.draw(st.sampled_from([None, *points_of(over)]))
        facts = [icmp(idx, ">=", value) for idx, value in (known or {}).items()]
        counted = [
            at
            for at in points_of(over)
            if known is None or all(at[idx] >= known[idx] for idx in over)
        ]
        values = [int(expr.eval(at)) for at in counted]

        found = exact_range(expr, given=facts)

        assert isinstance(found, ExactRange)
        assert (found.lo, found.hi) == (min(values), max(values))
        for end, point in ((found.lo, found.least), (found.hi, found.greatest)):
            at = {**counted[-1], **(point or {})}
            assert at in counted
            assert int(expr.eval(at)) == end

    agrees()


@pytest.mark.parametrize(
    ("expr", "lo", "hi"),
    [
        (n, None, None),
        (n % 8, 0, 7),
        (n - n, 0, 0),
        (up, 3, None),
        (-3 * up, None, -9),
        (n // 5 - 2 * (n // 10), 0, 1),
        (n + m, None, None),
        (up // 7 + (up % 7) // 3, 1, None),
        (tile(LARGE, 4) * 2 - 5, -5, (1 << 39) - 7),
        (LARGE // 3 - LARGE // 7, 0, 209430786243),
        (SumExpr((n, MultExpr(n, -1), I)), 0, 63),
        (rank(0, 1) % 6, 0, 5),
        (icmp(n, ">=", 3), 0, 1),
        (7, 7, 7),
    ],
    ids=str,
)
def test_an_end_that_is_not_there_is_none(expr: Expr, lo: int | None, hi: int | None):
    """And one that is there is exact, however large the domain."""
    found = exact_range(expr)

    assert isinstance(found, ExactRange)
    assert (found.lo, found.hi) == (lo, hi)
    assert ((found.least is None), (found.greatest is None)) == (lo is None, hi is None)


@pytest.mark.parametrize(
    ("expr", "fact", "lo", "hi"),
    [
        (n, icmp(n, "<", 77), None, 76),
        (n - m, icmp(n - m, ">=", 3), 3, None),
        (n + m, icmp(n - m, "==", 3), None, None),
        (I - J, icmp(I, "==", 2 * J), 1, 31),
        (n, icmp(n % 4, "==", 3), None, None),
    ],
    ids=str,
)
def test_assumptions_make_it_narrower(expr: Expr, fact: Expr, lo, hi):
    """Also where they tie two indices together."""
    found = exact_range(expr, given=[fact])

    assert isinstance(found, ExactRange)
    assert (found.lo, found.hi) == (lo, hi)


def test_it_is_never_wider_than_the_range():
    """The range of an expression knows each part by itself."""
    uneven = LARGE // 3 - LARGE // 7
    found = exact_range(uneven)

    assert isinstance(found, ExactRange)
    assert found.interval.within(uneven.range)
    assert found.interval != uneven.range


def test_its_text_names_the_points():
    """An end without a point is open."""
    assert str(exact_range(I)) == "[0, 63]: 0 at i = 0, 63 at i = 63"
    assert str(exact_range(n)) == "[..., ...]"
    assert str(exact_range(-5)) == "[-5, -5]"


def test_a_range_that_is_too_narrow_is_not_believed(monkeypatch: pytest.MonkeyPatch):
    """It is where the search starts, and no more."""
    monkeypatch.setattr(FloorDivExpr, "range", Interval(5, 6))
    found = exact_range(LARGE // 2)

    assert isinstance(found, ExactRange)
    assert (found.lo, found.hi) == (0, (1 << 39) - 1)


def test_an_end_that_is_not_decided_is_unknown(monkeypatch: pytest.MonkeyPatch):
    """With the reason."""
    monkeypatch.setattr(question, "_ask", lambda *_: Unknown("no time"))
    found = exact_range(LARGE)

    assert isinstance(found, Unknown)
    assert found.reason.startswith("the least value: not decided")
    assert isinstance(exact_range(index("some", 0, 30_000)), ExactRange)


def test_bad_input_is_refused_before_the_solver_is_asked(
    monkeypatch: pytest.MonkeyPatch,
):
    """With the value in the message."""
    monkeypatch.setattr(question, "ask", None)
    with pytest.raises(OperandError, match="got 'i'"):
        exact_range("i")  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="timeout_s"):
        exact_range(I, timeout_s=0)
    with pytest.raises(OperandError, match="no solver"):
        exact_range(I, solver="minisat")
    with pytest.raises(OperandError, match="must be a comparison"):
        exact_range(I, given=[J])
