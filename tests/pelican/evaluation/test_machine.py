"""Programs of masks, shifts and multiples: the values are those of mod and floordiv."""

import pytest
from hypothesis import given

from pelican import Expr, index
from pelican.evaluation.machine import machine_program
from pelican.evaluation.program import lower
from pelican.expr import AffineExpr, CCDivExpr, CCModExpr, MultExpr, SumExpr
from tests.pelican.programs import run_program
from tests.strategies import (
    SHARD,
    STEP,
    SYMBOL,
    TILE,
    I,
    J,
    all_points,
    points,
    raw_expressions,
)

X = index("x", -100, 100)

KINDS: list[Expr] = [
    AffineExpr(((STEP, 2), (TILE, -1), (SYMBOL, 3), (SHARD, 5)), 3),
    SumExpr((CCDivExpr(I, 5, 0), MultExpr(CCModExpr(J, 7, 1), 2))),
    CCModExpr(CCDivExpr(J, 4, 0), 8, 1),
]


@given(raw_expressions(), points())
def test_a_machine_program_has_the_value_of_its_expression(raw: Expr, at):
    """Masks, shifts and multiples give what mod and floordiv do."""
    program = machine_program(lower(raw))

    assert run_program(program, at)[program.result] == int(raw.eval(at))


@pytest.mark.parametrize("expr", KINDS, ids=str)
@given(at=all_points())
def test_every_kind_that_is_arithmetic_has_a_machine_program(expr: Expr, at):
    """Collective divisions and indices of access patterns too."""
    program = machine_program(lower(expr))

    assert run_program(program, at)[program.result] == int(expr.eval(at))


@given(raw_expressions(), points())
def test_every_machine_step_stays_in_its_interval(raw: Expr, at):
    """The interval of a step holds its value at every point."""
    program = machine_program(lower(raw))

    for step, value in zip(program.steps, run_program(program, at), strict=True):
        assert value in step.interval


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (X % 8, ["index", "and"]),
        (X // 8, ["index", "shift"]),
        (X // 6, ["index", "floordiv"]),
        (X % 6, ["index", "floordiv", "mul", "sub"]),
    ],
    ids=str,
)
def test_powers_of_two_are_masks_and_shifts(expr: Expr, expected: list[str]):
    """Another mod is what its quotient leaves."""
    assert [step.op for step in machine_program(lower(expr)).steps] == expected


def test_a_quotient_serves_its_remainder():
    """The two divide once."""
    program = machine_program(lower(SumExpr((X // 6, MultExpr(X % 6, 10)))))

    assert [step.op for step in program.steps].count("floordiv") == 1
