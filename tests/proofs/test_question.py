from __future__ import annotations

import pytest

from pelican import Interval, OperandError, icmp, index, symbol
from pelican.expr import FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from pelican.expr.node import Expr
from proofs import (
    Proved,
    Refuted,
    Unknown,
    exhaust,
    prove_equal,
    prove_in,
    question,
)
from proofs.side import Side

i, j = index("i", 0, 64), index("j", 0, 8)
u = index("u")
n = symbol("assumed", 1, 100)


def test_a_small_domain_is_enumerated_when_the_solver_gives_up(
    monkeypatch: pytest.MonkeyPatch,
):
    """Exhaustion is a proof, and finds counterexamples too."""
    monkeypatch.setattr(question, "_ask", lambda *_: Unknown("no time"))

    assert isinstance(prove_in(i, Interval(0, 63)), Proved)
    assert prove_in(i, Interval(0, 40)) == Refuted({i: 41})


def test_an_unbounded_domain_stays_unknown_when_the_solver_gives_up(
    monkeypatch: pytest.MonkeyPatch,
):
    """There is nothing to enumerate."""
    monkeypatch.setattr(question, "_ask", lambda *_: Unknown("no time"))

    assert str(prove_in(u % 7, Interval(0, 6))).endswith("no time")


def test_a_counterexample_that_does_not_replay_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
):
    """A model is evaluated by pelican before anybody sees it."""
    answer = question.ask([], question.z3.Int("u#0") == 0, (question.z3.Int("u#0"),))
    monkeypatch.setattr(question, "ask", lambda *_, **__: answer)

    verdict = prove_in(u % 7, Interval(0, 6))

    assert isinstance(verdict, Unknown)
    assert "does not replay" in verdict.reason


def test_a_counterexample_outside_the_domain_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
):
    """Evaluation refuses it, and the reason says so."""
    answer = question.ask([], question.z3.Int("v#0") >= 0, (question.z3.Int("v#0"),))
    monkeypatch.setattr(question, "ask", lambda *_, **__: answer)

    verdict = prove_in(index("v", 0, None), Interval(0, 6))

    assert isinstance(verdict, Unknown)
    assert "cannot be evaluated" in verdict.reason


def test_an_assumption_rules_points_out():
    """It holds only where the assumption does."""
    assert isinstance(prove_in(i, Interval(8, 63)), Refuted)
    assert isinstance(prove_in(i, Interval(8, 63), given=(icmp(i, ">=", 8),)), Proved)


def test_a_counterexample_keeps_to_the_assumptions():
    """The first one that satisfies them is shown, not any."""
    verdict = prove_equal(i // 2, i // 3, given=[icmp(i, ">", 10)])

    assert isinstance(verdict, Refuted)
    assert verdict.model[i] > 10


def test_an_assumption_about_another_value_is_used():
    """Leaves of the assumptions belong to the domain."""
    facts = (icmp(u, "<=", n), icmp(n, "<", 8))

    assert isinstance(prove_in(u, Interval(None, 7), given=facts), Proved)


@pytest.mark.parametrize(
    "given",
    [
        (icmp(i, ">=", 64),),
        (icmp(i, ">=", 5), icmp(i, "<", 5)),
        (icmp(3 * u, "==", 7),),
        (icmp(i + j, "==", 70), icmp(j, "==", 0)),
    ],
)
def test_assumptions_that_hold_for_no_values_are_refused(given: tuple[object, ...]):
    """Everything follows from them, so nothing may."""
    with pytest.raises(OperandError, match="hold for no values"):
        prove_equal(i, i, given=given)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [i, (i,), (3,), ("i >= 0",), (True,), 5])
def test_what_is_no_comparison_is_no_assumption(given: object):
    """The message says how one is made."""
    with pytest.raises(OperandError, match=r"comparison.*\n.*icmp"):
        prove_equal(i, i, given=given)  # type: ignore[arg-type]


def test_an_assumption_that_is_plainly_true_is_no_burden():
    """It folds to 1 when it is built."""
    assert isinstance(prove_equal(i, i, given=[icmp(i, ">=", 0)]), Proved)


def test_only_z3_is_asked():
    """Another name is refused with the names that are known."""
    assert isinstance(prove_equal(i, i, solver="z3"), Proved)
    with pytest.raises(OperandError, match=r"no solver 'cvc5'(.|\n)*'z3'"):
        prove_equal(i, i, solver="cvc5")


def test_a_refutation_says_what_the_sides_are():
    """The values follow from the model."""
    verdict = prove_equal(i, 2 * i)

    assert isinstance(verdict, Refuted)
    assert verdict.values == (verdict.model[i], 2 * verdict.model[i])


def test_a_moved_side_asks_for_the_leaves_of_what_moves_it():
    """Its value and its evaluation are those at the second point."""
    side = Side(4 * i + j, {i: i - 1})

    assert list(side.leaves()) == [i, j]
    assert side.value({i: 3, j: 2}.__getitem__) == side.at({i: 3, j: 2}) == 10


def test_a_moved_side_asks_for_no_leaf_of_what_it_does_not_use():
    """What moves an index that is no part of it has no say."""
    side = Side(4 * i + 1, {j: u})

    assert list(side.leaves()) == [i]
    assert side.value({i: 3}.__getitem__) == side.at({i: 3}) == 13
    assert u not in side.parts(set())


@pytest.mark.parametrize("moved", [{}, {i: j - 1}], ids=["plain", "moved"])
def test_every_part_of_a_side_is_looked_at(moved):
    """So a walk over a huge side ends with the time."""
    looks: list[None] = []
    side = Side((4 * i + j) % 7, moved)

    side.value({i: 3, j: 2}.__getitem__, lambda: looks.append(None))

    assert len(looks) == len(list(side.parts(set())))


def test_assumptions_that_nobody_can_check_make_every_answer_unknown(
    monkeypatch: pytest.MonkeyPatch,
):
    """A proof from a contradiction would say nothing."""
    monkeypatch.setattr(question, "_ask", lambda *_: Unknown("no time"))

    verdict = prove_equal(u, u, given=[icmp(u, ">=", 8)])

    assert isinstance(verdict, Unknown)
    assert "assumptions" in verdict.reason


def test_a_counterexample_does_not_depend_on_what_was_asked_before():
    """Of few points, the first that is wrong is shown."""
    a, b = index("a", 0, 90), index("b", 0, 90)
    found = set()
    for asked in range(6):
        prove_in((a * (asked + 2) + b) % 7, Interval(0, asked))
        found.add(str(prove_in((a + 13 * b) % 64, Interval(0, 40))))

    assert found == {"refuted at a = 0, b = 4"}


def test_the_time_limit_bounds_building_the_terms(monkeypatch: pytest.MonkeyPatch):
    """The solver is not asked when they come too late."""
    monkeypatch.setattr(question, "ask", None)
    e: Expr = index("y", 0, 1 << 40)
    for k in range(600):
        e = ModuloExpr(SumExpr((MultExpr(e, 3), 1)), 1000 + k)

    asked = question.Question((Side(e),), lambda values: values[0] >= 0)
    verdict = question.by_solver(asked, asked.domain, 1e-9)

    assert isinstance(verdict, Unknown)
    assert "were not built by then" in verdict.reason


def test_what_is_too_deep_for_the_solver_is_not_built(monkeypatch: pytest.MonkeyPatch):
    """Its depth is known before."""
    monkeypatch.setattr(question, "Encoder", None)
    e: Expr = index("y", 0, 1 << 40)
    for k in range(6000):
        e = FloorDivExpr(e, 2 + k % 2)

    verdict = prove_in(e, Interval(0, 10), timeout_s=600)

    assert isinstance(verdict, Unknown)
    assert "depth 6001 is beyond 5000" in verdict.reason


def test_large_expressions_are_tried_at_few_points_at_once():
    """So that the clock is looked at in between."""
    assert [exhaust.block_points(n) for n in (0, 1, 4_000, 10**9)] == [
        exhaust.BLOCK_POINTS,
        exhaust.BLOCK_POINTS,
        1_000,
        1,
    ]
