"""What is no operand, no mapping and no text is refused by a class of error."""

import pickle
from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    AccessPattern,
    AffineExpr,
    AffineIV,
    DivisorError,
    ICmpExpr,
    OperandError,
    ParseError,
    RingMap,
    SumExpr,
    WireError,
    compile,
    delinearise,
    fits,
    index,
    linearise,
    parse,
    runtime,
    simplify,
    sum_of,
    symbol,
)
from pelican.access.delinearise import is_sound_address
from pelican.integers import integer_of
from pelican.interchange.c import to_c
from pelican.interchange.isl import from_isl
from pelican.interchange.mlir import from_mlir
from pelican.interchange.python import to_python
from pelican.interchange.sympy import from_sympy, from_sympy_text
from pelican.questions.claims import Distinct
from pelican.wire import from_wire
from tests.strategies import I, all_expressions

Call = Callable[[Any], object]


class Odd:
    """A value whose `kind` has no hash."""

    kind: ClassVar[list[int]] = []

    def __repr__(self) -> str:
        # The name of a test holds it: it must not change between processes.
        return "Odd()"


NO_OPERANDS = (None, True, 1.5, "3", [], {}, int, np.array([1, 2]), np.True_, Odd())
TAKES_OPERAND: dict[str, Call] = {
    "add": lambda x: I + x,
    "reflected": lambda x: x - I,
    "mod": lambda x: I % x,
    "sum": lambda x: SumExpr([I, x]),
    "coefficient": lambda x: AffineExpr([(I, x)]),
    "index end": lambda x: index("i", 0, x) if x is not None else I + x,
    "contains": I.contains,
    "simplify": simplify,
    "replace": lambda x: I.replace(x, 0),
    "exact part": lambda x: I.replace_exact_div(x, I, 2),
    "value": lambda x: I.eval({I: x}),
    "substitute": lambda x: I.substitute({I: x}),
    "bits": lambda x: fits(I, x),
    "address": is_sound_address,
}
TAKES_MAPPING: dict[str, Call] = {
    "eval": I.eval,
    "substitute": I.substitute,
    "parse": lambda x: parse("i", x),
    "compiled": compile(I + 1),
    "wire": lambda x: from_wire({"kind": "AffIVKind", "axis": "i"}, x),
    "mlir": lambda x: from_mlir("d0", x),
    "isl": lambda x: from_isl("{ [i] -> [i] }", x),
    "sympy": lambda x: from_sympy(3, x),
}
TAKES_TEXT: dict[str, Call] = {
    "index": index,
    "symbol": symbol,
    "runtime": runtime,
    "parse": lambda x: parse(x, {}),
    "mlir": from_mlir,
    "isl": from_isl,
    "sympy": from_sympy_text,
    "c": lambda x: to_c(I, x),
    "python": lambda x: to_python(I, x),
}
TAKES_MANY: dict[str, Call] = {
    "project": I.project_max,
    "sum": SumExpr,
    "simplified sum": sum_of,
    "map inputs": lambda x: RingMap(x, [I], [(0, 64)]),
    "map outputs": lambda x: RingMap([I], x, [(0, 64)]),
    "map ranges": lambda x: RingMap([I], [I], x),
    "digits": linearise,
    "sizes": delinearise,
    "affine": AffineExpr,
    "term": lambda x: AffineExpr([x]),
}


@pytest.mark.parametrize("value", NO_OPERANDS, ids=repr)
@pytest.mark.parametrize("take", TAKES_OPERAND.values(), ids=TAKES_OPERAND)
def test_what_is_no_integer_is_no_operand(take: Call, value: object):
    """Arrays, classes and what has no hash too."""
    with pytest.raises(OperandError):
        take(value)


@pytest.mark.parametrize("value", [5, [3], "i", I], ids=repr)
@pytest.mark.parametrize("take", TAKES_MAPPING.values(), ids=TAKES_MAPPING)
def test_what_is_no_mapping_is_refused(take: Call, value: object):
    """Not by an attribute that it lacks."""
    with pytest.raises(OperandError):
        take(value)


@pytest.mark.parametrize("value", [None, True, 5, b"x", ["x"]], ids=repr)
@pytest.mark.parametrize("take", TAKES_TEXT.values(), ids=TAKES_TEXT)
def test_what_is_no_text_is_refused(take: Call, value: object):
    """``None`` and ``True`` look like names when they are written."""
    with pytest.raises(OperandError):
        take(value)


@pytest.mark.parametrize("value", [None, 5, I], ids=repr)
@pytest.mark.parametrize("take", TAKES_MANY.values(), ids=TAKES_MANY)
def test_what_is_no_collection_is_refused(take: Call, value: object):
    """One index is no list of indices."""
    with pytest.raises(OperandError):
        take(value)


def test_a_comparison_without_a_hash_is_refused():
    """As any other unknown one."""
    with pytest.raises(OperandError, match="compares by >= or =="):
        ICmpExpr([], I, 3)


def test_a_loop_depth_is_not_negative():
    """What has no loop is a symbol or a runtime value."""
    with pytest.raises(OperandError, match="a loop depth must be >= 0"):
        AffineIV("i", 0, 4, 1, -5)


@pytest.mark.parametrize("factor", [0, -4])
def test_a_split_is_by_one_or_more(factor: int):
    """As any divisor."""
    with pytest.raises(DivisorError):
        I.requires_predicate(factor)


@given(st.integers(), st.sampled_from([int, np.int64, np.uint8]))
def test_a_constant_equals_its_integer_of_any_type(
    value: int, kind: Callable[..., Any]
):
    """From either side, and their hashes agree."""
    number = kind(value % 200)
    constant = AffineExpr((), value % 200)

    assert constant == number
    assert number == constant
    assert hash(number) == hash(constant)
    assert integer_of(number) == value % 200


@pytest.mark.parametrize("value", [*NO_OPERANDS, 3.0, np.float64(3)], ids=repr)
def test_what_is_no_integer_equals_no_expression(value: object):
    """And does not raise."""
    assert (AffineExpr((), 3) == value) is False


@given(all_expressions(), st.integers(1, 12))
def test_divmod_is_the_pair(expr, n: int):
    """With the expression on the left."""
    assert divmod(expr, n) == (expr // n, expr % n)


@pytest.mark.parametrize("again", [copy, lambda e: pickle.loads(pickle.dumps(e))])
@pytest.mark.parametrize(
    "error", [WireError("m", "/a", "h"), ParseError("m", hint="h")]
)
def test_an_error_is_copied_whole(again: Call, error):
    """Its message is not built a second time."""
    other = again(error)

    assert (type(other), str(other), other.args) == (
        type(error),
        str(error),
        error.args,
    )
    assert vars(other) == vars(error)


def test_an_uncaught_mistake_of_a_text_shows_its_place():
    """Python shows `msg` of a SyntaxError, not its text."""
    with pytest.raises(ParseError) as caught:
        parse("i + ?", {"i": I})

    assert caught.value.msg == str(caught.value)
    assert "<expression>:1:5" in caught.value.msg


@pytest.mark.parametrize("value", [None, 1.5, "i", [I]], ids=repr)
@pytest.mark.parametrize("rules", ["default", "modelled"])
def test_what_is_no_expression_is_not_simplified(value, rules: str):
    """By either rule set."""
    with pytest.raises(OperandError, match="must be an integer or an expression"):
        simplify(value, rules=rules)


def test_a_name_that_is_no_text_is_refused():
    """Before it is looked for among the known names."""
    with pytest.raises(OperandError, match="a name of an index is a text, got 5"):
        parse("j", {5: I})  # type: ignore[dict-item]


@pytest.mark.parametrize("value", [2.5, True, None, "8", I], ids=repr)
@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda value: fits(index("i", 0, 8), value), "a width in bits"),
        (lambda value: index("i", 0, 8, value), "the step of an index"),
        (lambda value: AccessPattern(0, [(value, 2)]), "the stride of a free dim"),
        (lambda value: RingMap([], [0], [(0, value)]), "an end of a range of a map"),
        (lambda value: Distinct(0, index("i", 0, 8), value), "a distance"),
    ],
    ids=["bits", "step", "stride", "end", "distance"],
)
def test_what_takes_no_expression_does_not_ask_for_one(ask, name: str, value):
    """The message names the argument, and that it is an integer."""
    with pytest.raises(OperandError, match=f"^{name} must be an integer, got "):
        ask(value)
