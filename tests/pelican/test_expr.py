"""Nodes: identity, equality, operators on both sides, immutability, refusals."""

import copy
import operator
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    AffineExpr,
    AffineIV,
    Expr,
    FloorDivExpr,
    IndexRangeError,
    ModuloExpr,
    MultExpr,
    OperandError,
    SumExpr,
    SymbolicIdx,
    index,
    symbol,
)
from pelican.tree.kinds import CLASSES
from tests.strategies import I, J, points, raw_expressions

KINDS = {
    "CCGetRank": 2,
    "IndirectArg": 3,
    "AffineIV": 6,
    "IntRuntimeValue": 7,
    "APIndex": 9,
    "TiledAPIndex": 10,
    "SymbolicIdx": 12,
    "ShardId": 13,
    "AffineExpr": 17,
    "SumExpr": 18,
    "ICmpExpr": 20,
    "MultExpr": 23,
    "FloorDivExpr": 25,
    "ModuloExpr": 26,
    "CCDivExpr": 27,
    "CCModExpr": 28,
}


def test_each_class_has_its_number():
    """The kind numbers are those of the modelled system."""
    assert {cls.__name__: kind for kind, cls in CLASSES.items()} == KINDS


def test_two_indices_of_one_name_are_two():
    """An index is an identity: equal fields do not make equal indices."""
    first, second = index("i", 0, 8), index("i", 0, 8)

    assert first != second
    assert first - second != 0
    assert str(first - second) == "i - i#2"


def test_a_symbol_is_one_by_name():
    """The same symbol twice is one, and cancels."""
    assert symbol("n", 4, 64, 4) is symbol("n", 4, 64, 4)
    assert symbol("n", 4, 64, 4) - symbol("n", 4, 64, 4) == 0


def test_a_live_symbol_keeps_its_bounds():
    """A second symbol of a live one's name and other bounds is refused."""
    live = symbol("m", 0, 8)

    with pytest.raises(IndexRangeError, match="differs from the live one"):
        symbol("m", 0, 9)
    assert live.range.hi == 7


def test_a_live_symbol_keeps_its_offset():
    """The message shows the field in which the two differ."""
    live = symbol("m", 0, 8, offset=1)

    with pytest.raises(IndexRangeError, match=r"symbol\('m', 0, 8, 1, 2\) differs"):
        symbol("m", 0, 8, offset=2)
    assert live.offset == 1


SYMBOLS = [("m", 0, 8), ("k", 0, 8), ("m", 1, 8), ("m", 0, 9), ("m", 0, None)]
SYMBOLS += [("m", None, 8), ("m", 0, 8, 2), ("m", 0, 8, 1, 1)]


@pytest.mark.parametrize(("left", "right"), [*product(range(len(SYMBOLS)), repeat=2)])
def test_symbols_are_equal_by_all_their_fields(left: int, right: int):
    """Name, range, step and offset decide; unlike symbols of one name never meet."""
    one, other = SYMBOLS[left], SYMBOLS[right]
    a = SymbolicIdx(*one)

    if left != right and one[0] == other[0]:
        with pytest.raises(IndexRangeError, match="differs from the live one"):
            SymbolicIdx(*other)
    else:
        b = SymbolicIdx(*other)
        assert (a == b) == (left == right)
        assert (a - b == 0) == (left == right)


@pytest.mark.parametrize("name", ["", "1", "a b", "é", "mod", "floordiv", "i#2", "x\n"])
def test_a_name_that_cannot_be_read_back_is_refused(name: str):
    """Names are those of the text language: ASCII, and no operator."""
    with pytest.raises(OperandError, match="an index cannot be named"):
        index(name)


@given(raw_expressions())
def test_equal_trees_are_equal_and_hash_alike(raw: Expr):
    """A tree that is built again is equal, though it is another object."""
    again = copy_of(raw)

    assert again == raw
    assert hash(again) == hash(raw)


def copy_of(expr: Expr) -> Expr:
    """Build the same plain tree from new nodes."""
    match expr:
        case SumExpr():
            return SumExpr(copy_of(part) for part in expr.operands)
        case MultExpr():
            return MultExpr(copy_of(expr.operand), expr.scale)
        case ModuloExpr() | FloorDivExpr():
            return type(expr)(copy_of(expr.numer), expr.denom)
        case AffineExpr():
            return AffineExpr(expr.terms, expr.constant)
    return expr


def test_plain_nodes_differ_from_canonical_ones():
    """A class call keeps the tree as it is."""
    assert ModuloExpr(I, 128) != I % 128
    assert str(ModuloExpr(I, 128)) == "i mod 128"


@pytest.mark.parametrize("value", [3, 0, -7])
def test_a_constant_equals_its_integer(value: int):
    """A constant compares and hashes like its integer."""
    constant = I - I + value

    assert constant == value
    assert hash(constant) == hash(value)
    assert constant != bool(value) or not isinstance(value, bool)


def test_an_index_under_a_mod_is_wrapped():
    """A bare index under a div-like node is AffineExpr(idx, 1, 0), only there."""
    assert (J % 4).numer == AffineExpr(((J, 1),), 0)
    assert isinstance(J + 0, AffineIV)


OPERATORS = [operator.add, operator.sub, operator.mul]


@pytest.mark.parametrize("apply", OPERATORS)
@given(at=points(), number=st.integers(-9, 9))
def test_operators_take_numbers_on_either_side(apply, at, number: int):
    """3 - i is not i - 3: both sides are evaluated and compared."""
    left, right = apply(number, I), apply(I, number)

    assert int((0 + left).eval(at)) == apply(number, at[I])
    assert int((0 + right).eval(at)) == apply(at[I], number)


def test_numpy_integers_are_numbers():
    """An operand may be anything with __index__, on either side."""
    assert np.int64(3) * I == 3 * I
    assert I + np.uint8(3) == I + 3
    assert (np.int32(7) - I).eval({I: np.int64(2)}) == (7 - I).eval({I: 2})
    assert I % np.int64(8) == I % 8


@pytest.mark.parametrize("value", [True, 1.5, "3", None, [1]])
def test_other_operands_are_refused(value: object):
    """A bool, a float, a text are no operands."""
    with pytest.raises(OperandError, match="integer or an expression"):
        I + value
    with pytest.raises(TypeError):
        value * I


@pytest.mark.parametrize("name", ["numer", "denom", "other", "_hash"])
def test_a_node_is_immutable(name: str):
    """No field can be set or deleted."""
    node = J % 4

    with pytest.raises(AttributeError, match="immutable"):
        setattr(node, name, 1)
    with pytest.raises(AttributeError, match="immutable"):
        delattr(node, name)


def test_a_copy_is_the_same_node():
    """An immutable node need not be copied."""
    assert copy.copy(J % 4) == J % 4
    assert copy.deepcopy(I) is I


@pytest.mark.parametrize(
    ("lo", "hi", "step"), [(0, 0, 1), (5, 3, 1), (0, 8, 0), (0, 8, -1), (None, 8, 2)]
)
def test_a_malformed_index_is_refused(lo, hi, step):
    """An empty range, a step below 1, a step without a start are errors."""
    with pytest.raises(IndexRangeError, match="index i in"):
        index("i", lo, hi, step)


@pytest.mark.parametrize("name", ["", "2i", "i j", "i-1", "mod", "floordiv"])
def test_an_index_needs_a_name(name: str):
    """The name is one that the text language can read."""
    with pytest.raises(OperandError, match="name"):
        index(name)


def test_the_repr_builds_such_an_expression_again():
    """Evaluating the repr gives an expression that prints the same."""
    expr = 3 * (J % 8) - 4 * I + 5
    scope = {"index": index, "SumExpr": SumExpr, "MultExpr": MultExpr}
    scope |= {"AffineExpr": AffineExpr, "ModuloExpr": ModuloExpr}

    assert str(eval(repr(expr), scope)) == str(expr)


def test_trip_counts_follow_the_step():
    """The trip count is the number of values."""
    assert index("i", 0, 10, 3).trip_count == 4
    assert index("i", 0, 9, 3).trip_count == 3
    with pytest.raises(IndexRangeError, match="no trip count"):
        _ = index("i", 0).trip_count


def test_deep_nodes_are_hashed_compared_and_printed():
    """A depth of 100,000 is built, hashed, compared, evaluated, printed."""
    first, second = deep(), deep()

    assert hash(first) == hash(second)
    assert first == second
    assert first.eval({J: 4}).valid
    assert len(str(first)) > 100_000
    assert first.nodes == second.nodes


def deep() -> Expr:
    """Return a plain expression that is 100,000 nodes deep."""
    expr: Expr = J
    for k in range(70_000):
        expr = FloorDivExpr(SumExpr((expr, J)), 2) if k % 2 else ModuloExpr(expr, 1000)
    return expr


def test_operators_build_deep_expressions():
    """Operators do not recurse into what they are given."""
    expr: Expr = J
    for _ in range(1_500):
        expr = (expr + 1) // 2 + 3 * J

    assert expr.eval({J: 4}).valid
