"""An expression as a Python function, and evaluation by it."""

import pytest
from hypothesis import given

from pelican import (
    Expr,
    FloorDivExpr,
    ICmpExpr,
    ModuloExpr,
    MultExpr,
    OperandError,
    SumExpr,
    TooLargeError,
    UnboundIndexError,
    ap,
    icmp,
    index,
    tile,
)
from pelican.evaluation.evaluate import ASKED, Point
from pelican.evaluation.pointwise import MAX_SIZE, point_function
from pelican.tree.traverse import indices
from tests.strategies import I, J, points, raw_expressions


@given(raw_expressions(), points())
def test_the_function_gives_the_value(raw: Expr, at):
    """At every point it is what evaluating gives."""
    function = point_function(raw)

    assert function(*(at[leaf] for leaf in indices(raw))) == int(raw.eval(at))


@pytest.mark.parametrize(
    "make", [lambda: ap(I, 3), lambda: tile(I, 4), lambda: icmp(I, ">=", J)]
)
def test_every_kind_can_be_written(make):
    """Indices of access patterns follow from their children; a comparison is 0 or 1."""
    expr = make() % 5 + J
    at = {I: 5, J: 4}

    assert point_function(expr)(*(at[leaf] for leaf in indices(expr))) == int(
        expr.eval(at)
    )


def test_a_large_expression_is_refused():
    """Python could not read so many brackets; the message says how large it is."""
    expr: Expr = I
    for _ in range(MAX_SIZE):
        expr = FloorDivExpr(expr, 2)

    with pytest.raises(TooLargeError, match="too large for a Python expression") as e:
        point_function(expr)

    assert f"it has {2 * MAX_SIZE + 1} nodes" in e.value.hint


def test_as_many_brackets_as_can_be_open_are_read():
    """A sum under a mod opens a bracket; it adds four operators and numbers."""
    expr: Expr = I
    for _ in range((MAX_SIZE - 1) // 4):
        expr = ModuloExpr(SumExpr([expr, 1]), 5)

    assert point_function(expr)(9) == int(expr.eval({I: 9}))


def test_shared_parts_are_not_written_out_without_end():
    """A hundred doublings would be more text than there is memory."""
    expr: Expr = I
    for _ in range(100):
        expr = SumExpr([expr, expr])

    with pytest.raises(TooLargeError):
        point_function(expr)
    assert {int(value) for value in often(expr, {I: 1})} == {2**100}


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (ModuloExpr(SumExpr([MultExpr(I, 3), J, 5]), 16), "(v0 * 3 + v1 + 5) % 16"),
        (MultExpr(FloorDivExpr(ModuloExpr(I, 9), 2), -4), "v0 % 9 // 2 * -4"),
        (SumExpr([ModuloExpr(SumExpr([I, J]), 3), I]), "(v0 + v1) % 3 + v0"),
        (ICmpExpr(">=", I, SumExpr([J, 1])), "(1 if v0 - (v1 + 1) >= 0 else 0)"),
    ],
)
def test_only_the_brackets_that_are_needed_are_written(raw: Expr, text: str):
    """Python takes long to read brackets, and reads from the left as it is written."""
    assert same_code(point_function(raw, I, J), eval(f"lambda v0, v1: {text}"))


def same_code(one, other) -> bool:
    """Tell whether two functions do the same steps."""
    return (one.__code__.co_code, one.__code__.co_consts) == (
        other.__code__.co_code,
        other.__code__.co_consts,
    )


def often(expr: Expr, at) -> list:
    """Return the outcomes of evaluating more often than is needed for a `Point`."""
    return [expr.eval(at) for _ in range(ASKED + 3)]


def test_asking_again_gives_the_same_value():
    """The first evaluations and those by the written function agree."""
    expr = (5 * I + J) % 7

    outcomes = often(expr, {I: 9, J: 4})

    assert type(expr.point) is Point
    assert {int(outcome) for outcome in outcomes} == {0}
    assert int(expr.eval({J: 4, I: 9})) == 0


@pytest.mark.parametrize("at", [{I: 64}, {I: -1}, {I: "1"}, {J: 2}, {}])
def test_asking_again_refuses_what_it_refused(at):
    """A bad or missing value is treated as it is at the first evaluation."""
    expr = 3 * I % 7
    often(expr, {I: 9})
    fresh = 3 * I % 7

    assert outcome(expr, at) == outcome(fresh, at)


def outcome(expr: Expr, at) -> str:
    """Return the text of a value, or of the error."""
    try:
        return str(expr.eval(at))
    except (TypeError, ValueError) as error:
        return str(error)


def test_asking_again_looks_at_the_step():
    """A value off the step is an error however often it was asked."""
    s = index("s", 0, 64, 4)
    often(s % 24, {s: 8})

    with pytest.raises(ValueError, match="off the step"):
        (s % 24).eval({s: 9})


def test_arguments_stand_in_the_order_that_is_asked_for():
    """Also those that the expression has no use for."""
    i, j, k = index("i", 0, 64), index("j", 0, 8), index("k", 0, 4)

    assert point_function((3 * i + j) % 16, k, j, i)(0, 2, 5) == 1


def test_a_missing_argument_is_named():
    """An index without one has no value."""
    i, j = index("i", 0, 64), index("j", 0, 8)

    with pytest.raises(UnboundIndexError, match="no argument for j"):
        point_function((3 * i + j) % 16, i)


@pytest.mark.parametrize("wrong", [3, "i", index("i", 0, 8) % 3])
def test_an_argument_that_is_no_index_is_refused(wrong):
    """The message shows it."""
    with pytest.raises(OperandError, match="is no index"):
        point_function(index("i", 0, 8) % 3, wrong)


def test_a_number_is_an_expression_too():
    """Its function takes nothing."""
    assert point_function(7)() == 7
