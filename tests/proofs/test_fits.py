"""Whether integers of a width hold every step, against the text read by Python."""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican import (
    AffineIV,
    Expr,
    NonAffineError,
    OperandError,
    ap,
    fits,
    icmp,
    index,
    parse,
    tile,
)
from pelican.expr import AffineExpr, FloorDivExpr, ModuloExpr, MultExpr, SumExpr
from proofs import Proved, Refuted, prove_fits, question
from tests.strategies import (
    RANK,
    REGISTER,
    SHARD,
    SYMBOL,
    I,
    J,
    points_of,
    raw_trees,
    small_indices,
)

WIDE = index("wide", 0, 1 << 20)
ZERO = index("zero", 0, 1)
PACED = index("paced", 0, 65, 64)
OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def steps(node: ast.expr, at: Mapping[str, int]) -> list[int]:
    """Return every value that Python computes from a text, the last one its value."""
    if isinstance(node, ast.Constant):
        return [int(node.value)]  # type: ignore[arg-type]  # texts hold integers only
    if isinstance(node, ast.Name):
        return [at[node.id]]
    if isinstance(node, ast.UnaryOp):
        inner = steps(node.operand, at)
        # A sign belongs to its number.
        kept = [] if isinstance(node.operand, ast.Constant) else inner
        return [*kept, -inner[-1]]
    assert isinstance(node, ast.BinOp)
    left, right = steps(node.left, at), steps(node.right, at)
    value = OPERATIONS[type(node.op)](left[-1], right[-1])
    return [*left, *right, value]


def overflows(expr: Expr, at: Mapping[AffineIV, int], bits: int) -> bool:
    """Tell whether a step of the text leaves the width at a point."""
    text = str(expr).replace("mod", "%").replace("floordiv", "//")
    tree = ast.parse(text, mode="eval").body
    room = range(-(1 << (bits - 1)), 1 << (bits - 1))
    named = {idx.name: value for idx, value in at.items()}
    return any(value not in room for value in steps(tree, named))


@settings(max_examples=30)
@given(st.data())
def test_it_agrees_with_every_point(data: st.DataObject):
    """Proved exactly if no step of the text overflows anywhere."""
    over = data.draw(small_indices(2, 6))
    expr = data.draw(raw_trees(over, 8))
    bits = data.draw(st.integers(2, 10))
    wrong = [at for at in points_of(over) if overflows(expr, at, bits)]

    verdict = prove_fits(expr, bits)

    assert isinstance(verdict, Refuted if wrong else Proved)
    if isinstance(verdict, Refuted):
        rest = {idx: idx.lo or 0 for idx in over}
        assert overflows(expr, {**rest, **verdict.model}, bits)
        assert f"{verdict.values[0]}, which {bits} bits do not hold" in verdict.reason


@settings(max_examples=15)
@given(st.data())
def test_what_the_ranges_say_is_proved(data: st.DataObject):
    """The ranges of single steps are never narrower than the truth."""
    over = data.draw(small_indices())
    expr = data.draw(raw_trees(over))
    bits = data.draw(st.integers(4, 12))

    assert not fits(expr, bits) or isinstance(prove_fits(expr, bits), Proved)


@settings(max_examples=15)
@given(st.data())
def test_only_points_with_the_assumptions_count(data: st.DataObject):
    """A step may overflow elsewhere."""
    over = data.draw(small_indices(2, 6))
    expr = data.draw(raw_trees(over, 6))
    at = data.draw(st.sampled_from(points_of(over)))
    facts = [icmp(idx, "==", value) for idx, value in at.items()]

    verdict = prove_fits(expr, 8, given=facts)

    assert isinstance(verdict, Refuted if overflows(expr, at, 8) else Proved)


EDGES = [
    (MultExpr(AffineExpr((), 1 << 31), -1), 32, True),  # one literal with its sign
    (MultExpr(AffineExpr((), 1 << 31), -1), 31, False),
    (MultExpr(AffineExpr((), -8), -1), 4, False),  # two signs: -8, then 8
    (MultExpr(SumExpr((8,)), -1), 4, True),
    (SumExpr((MultExpr(SumExpr((8,)), -1), I // 64)), 4, True),
    (SumExpr((MultExpr(AffineExpr((), 0), -300), ZERO)), 8, False),  # the literal -300
    (MultExpr(ZERO, 1), 1, False),  # the literal 1
    (MultExpr(ZERO, 1), 2, True),
    (MultExpr(ZERO, -1), 1, True),
]


@pytest.mark.parametrize(("expr", "bits", "held"), EDGES, ids=str)
def test_what_counts_is_what_is_written(expr: Expr, bits: int, held: bool):
    """Signs of literals and factors of 1 too, and `pelican.fits` agrees."""
    assert overflows(expr, {ZERO: 0, I: 0}, bits) is not held
    assert fits(expr, bits) is held
    assert isinstance(prove_fits(expr, bits), Proved if held else Refuted)


@settings(max_examples=200)
@given(raw_trees([ZERO], 6), st.integers(1, 10))
def test_both_answers_are_about_the_same_steps(expr: Expr, bits: int):
    """Of an index of one value every interval is exact: all three agree."""
    held = not overflows(expr, {ZERO: 0}, bits)

    assert fits(expr, bits) is held
    assert isinstance(prove_fits(expr, bits), Proved if held else Refuted)


def test_what_steps_have_in_common_counts():
    """The ranges of the steps know nothing of each other."""
    digits = parse("3*(i floordiv 3) + (i + 9) mod 3", {"i": I}, simplify=False)

    assert isinstance(prove_fits(digits, 8), Proved)
    assert isinstance(prove_fits(SumExpr((WIDE, I, -1 * WIDE)), 21), Refuted)
    assert isinstance(prove_fits(SumExpr((WIDE, -1 * WIDE, I)), 21), Proved)
    uneven = SumExpr((WIDE // 3, -1 * (WIDE // 7), 800_000))
    assert isinstance(prove_fits(uneven, 21), Proved)
    assert not fits(uneven, 21)


@pytest.mark.parametrize(
    ("expr", "bits", "step"),
    [
        (4096 * WIDE, 32, "a product in 4096*wide"),
        (ModuloExpr(I, 300), 8, "the literal in i mod 300"),
        (WIDE // 2, 20, "the index wide"),
        (SumExpr((I, J, 40)), 8, "a partial sum in i + j + 40"),
        (-1 * index("y", -8, 8), 4, "a negation in -y"),
        (ap(I, -3), 8, "a product in ap(i, -3)"),
        (tile(PACED, 2), 8, "the literal in tile(paced, 2)"),
        (SumExpr((I, 200)) - 200 + 200, 8, "the literal in i + 200"),
        (300, 8, "the literal"),
    ],
    ids=str,
)
def test_the_step_that_overflows_is_named(expr: Expr, bits: int, step: str):
    """In the words of `pelican.fits`, with its value."""
    verdict = prove_fits(expr, bits)

    assert isinstance(verdict, Refuted)
    assert verdict.reason.startswith(f"{step} is ")
    assert not -(1 << (bits - 1)) <= verdict.values[0] < 1 << (bits - 1)


def test_a_quotient_of_a_tile_starts_at_its_first_value():
    """The difference to that is a step of its own."""
    late = tile(index("late", -100, 100), 4)

    assert isinstance(prove_fits(late, 9), Proved)
    assert "a partial sum in tile(late, 4)" in str(prove_fits(late, 8))


@pytest.mark.parametrize("expr", [SYMBOL, SHARD, I + J - 3 * SYMBOL])
def test_every_index_is_integer_arithmetic(expr: Expr):
    """Whatever its kind."""
    assert isinstance(prove_fits(expr, 16), Proved)


def test_an_index_without_an_end_fits_no_width():
    """Unless an assumption bounds it."""
    assert isinstance(prove_fits(REGISTER), Refuted)
    bounds = [icmp(REGISTER, ">=", 0), icmp(REGISTER, "<", 1 << 63)]
    assert isinstance(prove_fits(REGISTER, given=bounds), Proved)


def test_bad_input_is_refused_before_the_solver_is_asked(
    monkeypatch: pytest.MonkeyPatch,
):
    """With the value in the message."""
    monkeypatch.setattr(question, "ask", None)
    for bits in (0, -1, 10_001, 1 << 70, 2.5, True, "8"):
        with pytest.raises(OperandError, match=r"bit|integer"):
            prove_fits(I, bits)  # type: ignore[arg-type]
    with pytest.raises(OperandError, match="got 'i'"):
        prove_fits("i")  # type: ignore[arg-type]
    for part in (RANK, icmp(I, ">=", 3)):
        with pytest.raises(NonAffineError, match="no integer arithmetic"):
            prove_fits(part)


def test_a_long_sum_is_answered():
    """Each step is asked about once, and shared parts are built once."""
    names = {f"i{k}": index(f"i{k}", 0, 64) for k in range(100)}
    total = parse(" + ".join(f"{k + 2}*i{k}" for k in range(100)), names)

    assert isinstance(prove_fits(total, 20), Proved)
    assert isinstance(prove_fits(total, 19), Refuted)


NAMED = [index(f"i{k}", 0, 64) for k in range(500)]
LONG = [
    SumExpr([MultExpr(idx, k + 2) for k, idx in enumerate(NAMED)]),
    SumExpr(
        [MultExpr((37 * idx + 5) % 50 // 3, k - 49) for k, idx in enumerate(NAMED)]
    ),
    SumExpr([term for idx in NAMED for term in (1000 * idx, -999 * idx)]),
]


@pytest.mark.parametrize(
    ("total", "bits"),
    list(zip(LONG, (24, 22, 18), strict=True)),
    ids=("24", "22", "18"),
)
def test_a_sum_of_500_terms_needs_no_solver(
    total: Expr, bits: int, monkeypatch: pytest.MonkeyPatch
):
    """Intervals prove the least width, and extreme points refute the next one."""
    monkeypatch.setattr(question, "by_solver", None)

    assert isinstance(prove_fits(total, bits), Proved)
    assert isinstance(prove_fits(total, bits - 1), Refuted)


def test_few_points_are_tried_before_the_solver_is_asked(
    monkeypatch: pytest.MonkeyPatch,
):
    """A chain of 200 divisions over 8 values needs no solver."""
    monkeypatch.setattr(question, "by_solver", None)
    expr: Expr = index("e", 0, 8)
    for _ in range(200):
        expr = FloorDivExpr(SumExpr((expr, 1)), 2)

    assert isinstance(prove_fits(expr, 32, timeout_s=60), Proved)


def test_the_counterexample_of_few_points_is_the_first():
    """An extreme point would overflow too, and says less."""
    verdict = prove_fits(MultExpr(I, 1 << 30), 32)

    assert isinstance(verdict, Refuted)
    assert verdict.model == {I: 2}
