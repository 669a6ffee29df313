"""Operators of Python that expressions do not have: each says what to write instead."""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import AffineExpr, OperandError
from pelican.expr.remedies import on_bits
from tests.strategies import I, J, N, all_expressions, literals

BITS: dict[str, Callable[[int, int], int]] = {
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
NUMBERS_WITH_REMEDY = {
    "<<": st.integers(0, 63),
    ">>": st.integers(0, 63),
    "&": st.integers(0, 63).map(lambda bits: (1 << bits) - 1),
    "|": st.integers(0, (1 << 63) - 1),
    "^": st.integers(0, (1 << 63) - 1),
}
BINARY: dict[str, Callable[[Any, Any], object]] = {
    **BITS,
    "**": pow,
    "@": operator.matmul,
    "/": operator.truediv,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
UNARY: dict[str, Callable[[Any], object]] = {
    "abs": abs,
    "~": operator.invert,
    "bool": bool,
    "int": int,
    "float": float,
    "round": round,
    "round to": lambda e: round(e, 2),
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
}
REMEDIES = [
    (lambda: I << 2, "(i) << (2)", "there are no bit operators: i << 2 is 4*i"),
    (lambda: I >> 2, "(i) >> (2)", "there are no bit operators: i >> 2 is i // 4"),
    (lambda: I & 3, "(i) & (3)", "there are no bit operators: i & 3 is i % 4"),
    (lambda: 3 & I, "(3) & (i)", "there are no bit operators: i & 3 is i % 4"),
    (lambda: I & 6, "(i) & (6)", "there are no bit operators"),
    (lambda: I | 3, "(i) | (3)", "i | 3 is i + 3 where no bit is in both"),
    (lambda: I ^ 3, "(i) ^ (3)", "i ^ 3 is i + 3 where no bit is in both"),
    (lambda: (I + J) >> 1, "(i + j) >> (1)", "(i + j) >> 1 is (i + j) // 2"),
    (lambda: I << J, "(i) << (j)", "there are no bit operators"),
    (lambda: 2 << I, "(2) << (i)", "there are no bit operators"),
    (lambda: I << 100, "(i) << (100)", "there are no bit operators"),
    (lambda: I << -1, "(i) << (-1)", "there are no bit operators"),
    (lambda: I**2, "(i) ** (2)", "there are no powers"),
    (lambda: 2**I, "(2) ** (i)", "there are no powers"),
    (lambda: pow(I, 2, 5), "(i) ** (2)", "there are no powers"),
    (lambda: I @ J, "(i) @ (j)", "a product with a number is written *"),
    (lambda: ~I, "~(i)", "~x is -x - 1"),
    (lambda: abs(I), "abs(i)", "it is never below 0: leave abs away"),
    (lambda: abs(-I), "abs(-i)", "it is never above 0: write - instead"),
    (lambda: abs(N), "abs(n)", "write x where x >= 0 is known"),
    (lambda: round(I), "round(i)", "leave round away"),
    (lambda: math.floor(I), "math.floor(i)", "leave math.floor away"),
    (lambda: int(I), "int(i)", "int(e.eval({i: 3}))"),
    (lambda: float(I), "float(i)", "float(e.eval({i: 3}))"),
    (lambda: int(AffineExpr((), 7)), "int(7)", "the integer of a constant is e.const"),
    (lambda: I / 2, "(i) / (2)", "write // to round down"),
    (lambda: 2 / I, "(2) / (i)", "write // to round down"),
    (lambda: I < 3, "(i) compared with (3)", "ask proofs.prove_in"),
    (lambda: bool(I), "no truth value: i", "ask proofs.prove_in"),
]


class Pipe:
    """A value with an operator of its own."""

    def __ror__(self, other: object) -> str:
        return f"piped {other}"


@pytest.mark.parametrize(("ask", "shown", "hint"), REMEDIES)
def test_the_error_shows_the_expression_and_the_remedy(
    ask: Callable[[], object], shown: str, hint: str
):
    """Not Python's own words on the names of classes."""
    with pytest.raises(OperandError) as caught:
        ask()

    assert shown in str(caught.value)
    assert caught.value.hint is not None
    assert hint in caught.value.hint


@given(st.sampled_from(sorted(BITS)), literals, st.data())
def test_a_remedy_for_bits_has_the_value_of_the_operator(
    op: str, value: int, data: st.DataObject
):
    """Where it makes a condition, only under that."""
    number = data.draw(NUMBERS_WITH_REMEDY[op])
    _, _, remedy = on_bits(op, number, "x", python=True).partition(" is ")
    same, _, condition = remedy.partition(" where ")
    shared = value & number if condition else 0

    assert BITS[op](value - shared, number) == eval(same, {"x": value - shared})


@pytest.mark.parametrize(
    ("op", "number"), [("<<", -1), (">>", 64), ("&", 5), ("|", -2), ("^", 1 << 63)]
)
def test_bits_of_other_numbers_have_no_remedy(op: str, number: int):
    """Nothing short has the value of such an operator."""
    assert on_bits(op, number, "x", python=True) == "there are no bit operators"


@pytest.mark.parametrize("other", [2, 2.5, np.int64(2), np.array([1, 2]), True, J])
@pytest.mark.parametrize("apply", BINARY.values(), ids=BINARY)
def test_numbers_are_refused_on_either_side(
    apply: Callable[..., object], other: object
):
    """Arrays of them too."""
    with pytest.raises(OperandError):
        apply(I, other)
    with pytest.raises(OperandError):
        apply(other, I)


@given(all_expressions())
def test_no_expression_has_such_a_function(expr):
    """Of any kind, and the error says which."""
    for ask in UNARY.values():
        with pytest.raises(OperandError) as caught:
            ask(expr)
        assert caught.value.hint


def test_another_type_may_have_the_operator():
    """One that knows what to do with an expression on its left."""
    assert I | Pipe() == "piped i"  # type: ignore[comparison-overlap]


@pytest.mark.parametrize("apply", [operator.truediv, operator.lt, operator.ge])
def test_division_and_order_are_refused_beside_anything(apply: Callable[..., object]):
    """No other type gives them a meaning."""
    with pytest.raises(OperandError):
        apply(I, "x")
    with pytest.raises(OperandError):
        apply(I, Pipe())


@pytest.mark.parametrize("apply", [pow, operator.lshift, operator.and_])
def test_what_no_type_answers_is_an_error_of_python(apply: Callable[..., object]):
    """As between any two types that do not know each other."""
    with pytest.raises(TypeError, match="unsupported operand type"):
        apply(I, "x")
