"""Straight-line programs: shared parts, and the width of intermediate values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, NonAffineError, OperandError, compile, fits, index, tile
from pelican.evaluation.program import lower
from pelican.expr import (
    AffineExpr,
    CCDivExpr,
    CCModExpr,
    FloorDivExpr,
    ICmpExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
)
from pelican.interchange.python import to_python
from pelican.tree.traverse import indices
from tests.pelican.programs import run_program
from tests.strategies import (
    RANK,
    REGISTER,
    RUNTIME,
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

BYTE = index("b", 0, 128)
ANY = index("x")


@given(raw_expressions(), points())
def test_a_program_has_the_value_of_its_expression(raw: Expr, at: dict[Expr, int]):
    """The step that is the result has the value of the tree."""
    program = lower(raw)

    assert run_program(program, at)[program.result] == int(raw.eval(at))


@given(raw_expressions(), points())
def test_every_step_stays_in_its_interval(raw: Expr, at):
    """The interval of a step holds its value at every point."""
    program = lower(raw)

    for step, value in zip(program.steps, run_program(program, at), strict=True):
        assert value in step.interval


@given(raw_expressions(), points(), st.integers(2, 20))
def test_what_fits_never_overflows(raw: Expr, at, bits: int):
    """If a width fits, every intermediate value and literal is inside it."""
    program = lower(raw)
    room = range(-(1 << bits - 1), 1 << bits - 1)

    if fits(raw, bits):
        assert all(value in room for value in run_program(program, at))
        assert all(s.literal in room for s in program.steps if s.literal is not None)


FITS = [
    (BYTE + 0, 8, True),
    (BYTE + 1, 8, False),
    (BYTE + 1, 9, True),
    (MultExpr(BYTE, -1), 8, True),
    (AffineExpr(((BYTE, 1),), -128), 8, False),  # the literal 128
    (AffineExpr(((BYTE, 1),), -127), 8, True),
    (SumExpr((BYTE, 1, -1)), 8, False),  # a partial sum
    (SumExpr((BYTE, -1, 1)), 8, True),  # the same in another order
    (ModuloExpr(MultExpr(BYTE, 2), 4), 8, False),  # a product
    (ModuloExpr(BYTE, 200), 8, False),  # a divisor
    (ANY + 0, 64, False),
    (ModuloExpr(ANY, 4), 64, False),
    (AffineExpr((), -128), 8, True),
    (AffineExpr((), 128), 8, False),
]


@pytest.mark.parametrize(("expr", "bits", "answer"), FITS, ids=str)
def test_fits_looks_at_every_product_and_partial_sum(expr, bits, answer):
    """In the order in which the text is written."""
    assert fits(expr, bits) is answer


def test_any_width_is_taken():
    """Nothing is made that is as long as the width."""
    assert fits(I + 5, 10**15)
    assert not fits(ANY, 10**15)


def test_an_integer_has_a_bit():
    """A width below 1 is refused."""
    with pytest.raises(OperandError, match="at least 1 bit, got 0"):
        fits(BYTE, 0)


def test_a_misfit_names_the_part():
    """The reason says which value leaves which width."""
    assert lower(4 * BYTE + 1).misfit(8) == (
        "a product in 4*b + 1 is in [0, 509), which 8 bits do not hold"
    )
    assert "the index x is in [..., ...)" in (lower(ANY + 1).misfit(64) or "")
    assert "literal" in (lower(ModuloExpr(BYTE, 200)).misfit(8) or "")


def test_a_shared_part_is_computed_once():
    """Equal parts are one step, whether they are one object or two."""
    one, other = ((BYTE + k - k + 3) % 5 for k in (1, 2))
    program = lower(SumExpr((one, MultExpr(other, 2), one)))

    assert [step.op for step in program.steps].count("mod") == 1


def test_a_shared_tree_lowers_in_linear_time():
    """A tree of 2**60 leaves has as many steps as distinct parts."""
    expr: Expr = BYTE
    for _ in range(60):
        expr = SumExpr((FloorDivExpr(expr, 2), expr))

    assert len(lower(expr).steps) == 121


def test_indices_come_in_term_order():
    """A program lists what it reads as expressions order it."""
    expr = SumExpr((index("z"), index("a"), 3))

    assert lower(expr).indices == indices(expr)


OTHER_KINDS: list[Expr] = [
    AffineExpr(((STEP, 2), (I, -1)), 3),
    ModuloExpr(AffineExpr(((tile(J, 5), 3), (TILE, 1)), 0), 4),
    SumExpr((CCDivExpr(I, 5, 0), MultExpr(CCModExpr(J, 7, 1), 2))),
    AffineExpr(((RUNTIME, 3), (REGISTER, 1), (SYMBOL, -1), (SHARD, 5)), 0),
]


@pytest.mark.parametrize("expr", OTHER_KINDS)
@given(at=all_points())
def test_every_kind_that_is_arithmetic_has_a_program(expr: Expr, at):
    """An index of an access pattern follows from its child, as in eval."""
    program = lower(expr)
    value = int(expr.eval(at))
    names: dict[str, object] = {}
    exec(to_python(expr), names)

    assert run_program(program, at)[program.result] == value
    assert names["f"](*(at[idx] for idx in program.indices)) == value  # type: ignore[operator]
    assert compile(expr)({idx: at[idx] for idx in program.indices}) == value


@pytest.mark.parametrize("expr", [RANK, ICmpExpr(">=", I, 3)])
def test_what_is_no_arithmetic_has_no_program(expr: Expr):
    """Opaque values and comparisons are refused by name."""
    with pytest.raises(NonAffineError, match="no integer arithmetic"):
        lower(expr)
