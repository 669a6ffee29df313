from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    Expr,
    FloorDivExpr,
    Interval,
    ModuloExpr,
    MultExpr,
    OperandError,
    SumExpr,
    ap,
    cc_div,
    cc_mod,
    icmp,
    index,
    rank,
    runtime,
    shard,
    symbol,
    tile,
)
from proofs import Proved, Refuted, Unknown, prove_equal, prove_in, question
from proofs.encode import MAX_DEPTH

i, j = index("i", 0, 64), index("j", 0, 3192)
s = index("s", 1, 100, 7)
u = index("u")


def test_a_simplified_address_equals_the_raw_one():
    """The range of j lets the mod go."""
    raw = ModuloExpr(SumExpr((4096 * i, 5000, 8193 * j)), 4096)

    assert isinstance(prove_equal(raw, j + 904), Proved)


def test_a_wrong_simplification_is_refuted_at_a_point():
    """Both sides differ at the model."""
    raw = ModuloExpr(SumExpr((4096 * i, 5000, 8193 * j)), 4096)

    verdict = prove_equal(raw, j + 903)

    assert isinstance(verdict, Refuted)
    assert raw.eval(verdict.model) != (j + 903).eval(verdict.model)


def test_equal_nodes_are_proved_without_the_solver(monkeypatch: pytest.MonkeyPatch):
    """Structure decides at once."""
    monkeypatch.setattr(question, "ask", None)

    assert isinstance(prove_equal(4 * i % 7, 4 * i % 7), Proved)


def test_integers_are_expressions():
    """A constant is compared like any other side."""
    assert isinstance(prove_equal(ModuloExpr(s, 7), 1), Proved)
    assert prove_equal(3, 4) == Refuted({})


def test_two_indices_of_one_name_are_two_variables():
    """They are equal by chance only."""
    verdict = prove_equal(index("i", 0, 8), index("i", 0, 8))

    assert isinstance(verdict, Refuted)
    assert len(set(verdict.model.values())) == 2


def test_the_same_symbol_is_one_variable():
    """A symbol is one unknown wherever it stands."""
    raw = SumExpr((symbol("size", 4, 400), MultExpr(symbol("size", 4, 400), -1)))

    assert isinstance(prove_equal(raw, 0), Proved)


@pytest.mark.parametrize(
    ("expr", "within"),
    [
        (i, Interval(0, 63)),
        (s, Interval(1, 99)),
        (u % 7, Interval(0, 6)),
        (i - j, Interval(-3191, 63)),
        (index("a", 5, None), Interval(5, None)),
        (index("a", None, 5), Interval(None, 4)),
        (u, Interval(None, None)),
        (7, Interval(7, 7)),
        (i, Interval(-(10**40), 10**40)),
    ],
)
def test_an_interval_that_holds_every_value_is_proved(
    expr: Expr | int, within: Interval
):
    """Bounds and steps of the indices are facts."""
    assert isinstance(prove_in(expr, within), Proved)


@pytest.mark.parametrize(
    ("expr", "within", "model"),
    [
        (i, Interval(0, 62), {i: 63}),
        (i, Interval(1, None), {i: 0}),
        (s, Interval(None, 98), {s: 99}),
        (s, Interval(2, 99), {s: 1}),
        (7, Interval(0, 6), {}),
    ],
)
def test_an_interval_that_misses_one_value_is_refuted(
    expr: Expr | int, within: Interval, model: dict[Expr, int]
):
    """The model is the value that is missed."""
    assert prove_in(expr, within) == Refuted(model)


def test_a_step_rules_values_out():
    """The values are 1, 8, 15, ..., all 1 mod 7; there are too many to try."""
    endless = index("endless", 1, None, 7)

    assert isinstance(prove_equal(ModuloExpr(endless, 7), 1), Proved)


@pytest.mark.parametrize("operand", [1.5, "i", None, True])
def test_what_is_no_expression_is_refused(operand: object):
    """Before the solver is asked, with the value in the message."""
    with pytest.raises(OperandError, match=repr(operand)):
        prove_equal(operand, i)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match=repr(operand)):
        prove_in(operand, Interval(0, 1))  # type: ignore[arg-type]


def test_what_is_no_interval_is_refused():
    """A pair could mean either end inclusive or exclusive."""
    with pytest.raises(OperandError, match=r"\(0, 7\)"):
        prove_in(i, (0, 7))  # type: ignore[arg-type]


@pytest.mark.parametrize("timeout_s", [0, -1.0, -(10**400), float("-inf")])
def test_a_timeout_that_is_not_positive_is_refused(timeout_s: float):
    """The limit is named with its value."""
    with pytest.raises(OperandError, match="timeout_s must be > 0"):
        prove_equal(i, j, timeout_s=timeout_s)


def test_an_expression_that_is_too_deep_is_unknown():
    """The solver might overflow its stack; the answer names the limit."""
    deep: Expr = u
    for level in range(100_000):
        deep = ModuloExpr(deep, 1_000 + level % 7)

    verdict = prove_in(deep, Interval(0, 10))

    assert isinstance(verdict, Unknown)
    assert f"beyond {MAX_DEPTH}" in verdict.reason


def test_an_expression_just_below_the_depth_limit_is_decided():
    """The solver takes what is allowed."""
    deep: Expr = u
    for level in range(MAX_DEPTH - 2):
        deep = ModuloExpr(deep, 1_000 + level % 7)

    assert isinstance(prove_in(deep, Interval(0, 1_006)), Proved)


def test_a_literal_that_is_too_long_is_unknown():
    """It would go to the solver as decimal text."""
    verdict = prove_in(u, Interval(0, 10**6000))

    assert isinstance(verdict, Unknown)
    assert "bits" in verdict.reason


SMALL = (index("p", 0, 5), index("q", -3, 9, 4))


@st.composite
def raw_expressions(draw: st.DrawFn, depth: int = 3) -> Expr:
    """Draw a plain tree over two small indices."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(SMALL))
    part = draw(raw_expressions(depth - 1))
    match draw(st.sampled_from(["sum", "mult", "floordiv", "mod"])):
        case "sum":
            other = draw(raw_expressions(depth - 1))
            return SumExpr((part, other, draw(st.integers(-9, 9))))
        case "mult":
            return MultExpr(part, draw(st.integers(-4, 4)))
        case "floordiv":
            return FloorDivExpr(part, draw(st.integers(1, 6)))
        case _:
            return ModuloExpr(part, draw(st.integers(1, 6)))


X = index("x", 0, 64)
SPECIAL = [
    (tile(X, 8), X // 8, Proved),
    (ap(X, -3), -3 * X, Proved),
    (tile(X, 8), X // 4, Refuted),
    (cc_div(rank(0, 1), 4, 7), FloorDivExpr(rank(0, 1), 4), Proved),
    (cc_mod(rank(0, 1), 4, 7), rank(0, 1), Refuted),
    (icmp(X, ">=", 8) + icmp(X, "<", 8), 1, Proved),
    (icmp(X, "==", 8), icmp(X, ">=", 8), Refuted),
    (runtime("r", 0, 9) // 9, 0, Proved),
    (shard(4) % 4, shard(4, "s"), Proved),
]


@pytest.mark.parametrize(("a", "b", "verdict"), SPECIAL)
def test_every_kind_is_decided(a: Expr, b: Expr | int, verdict: type):
    """Values from outside are any integers of their range; the others follow."""
    assert isinstance(prove_equal(a, b), verdict)


def _points() -> list[dict[Expr, int]]:
    values = [range(x.lo or 0, x.hi or 0, x.step) for x in SMALL]
    return [dict(zip(SMALL, point, strict=True)) for point in product(*values)]


@given(raw_expressions(), raw_expressions())
def test_the_solver_agrees_with_every_point_on_equality(a: Expr, b: Expr):
    """Proved exactly if both sides agree at all points of the domain."""
    equal = all(int(a.eval(at)) == int(b.eval(at)) for at in _points())  # type: ignore[arg-type]

    assert isinstance(prove_equal(a, b), Proved if equal else Refuted)


@given(raw_expressions(), st.integers(-20, 20), st.integers(0, 30))
def test_the_solver_agrees_with_every_point_on_bounds(e: Expr, lo: int, width: int):
    """Proved exactly if all values of the domain are inside."""
    within = Interval(lo, lo + width)
    inside = all(int(e.eval(at)) in within for at in _points())  # type: ignore[arg-type]

    assert isinstance(prove_in(e, within), Proved if inside else Refuted)


def test_a_counterexample_of_any_length_is_read():
    """The solver's text of it is longer than what Python reads at once."""
    verdict = prove_in(u // 2**9_999, Interval(None, 2**9_999))

    assert isinstance(verdict, Refuted)
    assert verdict.model[u] >> 9_999 > 2**9_999
    assert "6020 digits" in str(verdict)
    assert hex(verdict.model[u]) in repr(verdict)


@pytest.mark.parametrize("timeout_s", ["3", None, True, 1j, float("nan")])
def test_a_timeout_that_is_no_number_is_refused(timeout_s: object):
    """The message does not speak of its size."""
    with pytest.raises(OperandError, match="timeout_s must be a number of seconds"):
        prove_equal(i, j, timeout_s=timeout_s)  # type: ignore[arg-type]
