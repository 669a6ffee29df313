"""Programs of masks, shifts and multiples: the values are those of mod and floordiv."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pelican import Expr, index
from pelican.evaluation.machine import machine_program, wrapping_bits
from pelican.evaluation.program import apply, lower
from pelican.expr import (
    AffineExpr,
    CCDivExpr,
    CCModExpr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
)
from tests.pelican.programs import run_program
from tests.strategies import (
    SHARD,
    STEP,
    SYMBOL,
    TILE,
    I,
    J,
    K,
    all_points,
    points,
    raw_expressions,
    raw_trees,
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


def wrapped_value(program, at, bits: int, signed_bits: int) -> int:
    """Return what unsigned integers of so many bits make of a program."""
    values: list[int] = []
    for step in program.steps:
        if step.index is not None:
            made = at[step.index]
        else:
            literal = None if step.literal is None else step.literal % (1 << bits)
            made = apply(step.op, [values[k] for k in step.args], literal)
        values.append(made % (1 << bits))
    value = values[program.result]
    is_negative = bits == signed_bits and value >= 1 << (bits - 1)
    return value - (1 << bits) if is_negative else value


@given(raw_trees([I, K, index("l", 0, 1 << 17, 5), index("w", 0, 1 << 40)]), st.data())
def test_wrapping_integers_give_the_value(raw: Expr, data: st.DataObject):
    """Where a width is said to do."""
    program = machine_program(lower(raw))
    signed = [bits for bits in (32, 64) if program.misfit(bits) is None]
    assume(signed)
    bits = wrapping_bits(program, signed[0])
    assume(bits is not None)
    at = {
        idx: data.draw(st.integers(0, (idx.range.hi - idx.range.lo) // idx.step))
        * idx.step
        + idx.range.lo
        for idx in program.indices
    }

    assert wrapped_value(program, at, bits, signed[0]) == int(raw.eval(at))


B = index("b", 0, 1 << 16)
WRAPPING = [
    (B, 32, 16),
    (B + 1, 32, 32),  # the result
    ((B + 1) // 3, 32, 32),  # what is divided
    (ModuloExpr(4096 * B, 1 << 16), 32, 16),  # a mask of what wraps
    (ModuloExpr(7 - B, 1 << 10), 32, 16),
    (FloorDivExpr(B, 1 << 16), 32, 16),
    (FloorDivExpr(B, (1 << 16) + 1), 32, 32),  # a divisor
    (7 - B, 32, 32),  # read as a signed integer
    ((7 - B) // 3, 32, None),
    (X % 8, 32, None),  # an index
    (FloorDivExpr(MultExpr(B, 1 << 40), 3), 64, 64),
    (ModuloExpr(MultExpr(B, (1 << 40) + 1), 1 << 20), 64, 32),
]


@pytest.mark.parametrize(("expr", "signed_bits", "bits"), WRAPPING, ids=str)
def test_a_width_does_if_nothing_that_must_be_whole_wraps(
    expr: Expr, signed_bits, bits
):
    """Divided values, indices, and results that are widened."""
    assert wrapping_bits(machine_program(lower(expr)), signed_bits) == bits
