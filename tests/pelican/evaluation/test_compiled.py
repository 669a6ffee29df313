"""Compiled functions against evaluation at each point, types and tests of arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    Expr,
    IndexRangeError,
    OperandError,
    UnboundIndexError,
    compile,
    index,
)
from pelican.evaluation.compiled import BLOCK
from pelican.expr import FloorDivExpr, ModuloExpr, SumExpr
from tests.strategies import points, raw_expressions

I = index("i", 0, 64)  # noqa: E741 - the name in the texts
J = index("j", -5, 100, 3)
X = index("x")
WIDE = index("w", 0, 300)


@given(raw_expressions(), st.lists(points(), min_size=1, max_size=5))
def test_a_compiled_function_has_the_values_of_eval(raw: Expr, rows):
    """Over columns, with int32, int64 or exact integers."""
    columns = {idx: np.array([row[idx] for row in rows]) for idx in rows[0]}
    values = compile(raw)(columns)

    assert np.broadcast_to(values, len(rows)).tolist() == [
        int(raw.eval(row)) for row in rows
    ]


@given(raw_expressions(), points())
def test_a_compiled_function_takes_integers(raw: Expr, at):
    """Integers alone give a Python integer."""
    value = compile(raw)(at)

    assert type(value) is int
    assert value == int(raw.eval(at))


WIDTHS = [
    ((2048 * I + 512) % 16384, np.int32),
    ((1 << 25) * I, np.int32),
    ((1 << 26) * I, np.int64),
    (ModuloExpr((1 << 26) * I, 1000), np.int64),  # a product decides
    (ModuloExpr((1 << 60) * I, 1000), object),
    (X % 8, object),
    (J + 0, np.int32),
]


@pytest.mark.parametrize(("expr", "dtype"), WIDTHS, ids=str)
def test_the_narrowest_exact_integers_are_taken(expr: Expr, dtype):
    """int32 where every intermediate value fits, else int64, else Python integers."""
    function = compile(expr)

    assert function.dtype == dtype
    assert (function.reason is None) is (dtype is not object)


def test_exact_integers_are_explained():
    """The reason names the part that no machine integer holds."""
    assert "the index x" in (compile(X + 1).reason or "")


def test_exact_integers_do_not_overflow():
    """Values beyond 64 bits stay exact."""
    huge = (1 << 80) + 5
    values = compile(3 * X + 1)({X: [huge, -huge]})

    assert values.tolist() == [3 * huge + 1, -3 * huge + 1]


def test_shapes_broadcast():
    """Columns and rows make a table, in the order of the axes."""
    rows, columns = np.arange(64)[:, None], np.arange(-5, 100, 3)
    table = compile(64 * I + J)({I: rows, J: columns})

    assert table.shape == (64, 35)
    assert (table == 64 * rows + columns).all()


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64, object])
def test_any_length_and_type_of_column_is_taken(size: int, kind):
    """Blocks join without a seam, and integers of any width convert."""
    column = (np.arange(size) * 7 % 64).astype(kind)
    values = compile((9 * I + 5) % 12 + I // 8)({I: column})

    assert values.dtype == np.int32
    assert values.tolist() == [(9 * i + 5) % 12 + i // 8 for i in column.tolist()]


def test_a_strided_column_is_taken():
    """A view with negative strides is read in its own order."""
    view = np.arange(64)[::-2]

    assert compile(I + 1)({I: view}).tolist() == (view + 1).tolist()


def test_a_constant_has_the_shape_of_what_is_bound():
    """Without anything bound it is an integer."""
    assert compile(I - I + 7)({}) == 7
    assert compile(SumExpr((3, 4)))({I: np.arange(3)}).tolist() == [7, 7, 7]


BAD = [
    (I + 0, {I: np.array([3, 64])}, IndexRangeError, r"i\[1\] = 64 is outside"),
    (I + 0, {I: np.array([[3], [-1]])}, IndexRangeError, r"i\[1, 0\] = -1"),
    (I + 0, {I: 64}, IndexRangeError, "i = 64 is outside"),
    (WIDE + 0, {WIDE: np.array([0, -1], np.int8)}, IndexRangeError, r"w\[1\] = -1"),
    (WIDE + 0, {WIDE: np.array([0, -1], ">i4")}, IndexRangeError, r"w\[1\] = -1"),
    (J + 0, {J: np.array([-5, -4])}, IndexRangeError, r"j\[1\] = -4 is off the step"),
    (J + 0, {J: np.array([-4], np.int8)}, IndexRangeError, "off the step"),
    (I + 0, {I: 3, J: 0}, IndexRangeError, "off the step"),
    (I + J, {I: 3}, UnboundIndexError, "no value for j"),
    (I + 0, {I: np.array([1.0])}, OperandError, "i takes integers, got .* float64"),
    (I + 0, {I: np.array([True])}, OperandError, "i takes integers, got .* bool"),
    (I + 0, {I: "3"}, OperandError, "i takes integers"),
    (I + 0, {"i": 3}, OperandError, "a key must be an index"),
    (X + 0, {X: np.array([1.5], object)}, OperandError, "integer"),
]


@pytest.mark.parametrize(("expr", "at", "error", "message"), BAD)
def test_bad_values_are_refused(expr: Expr, at, error, message: str):
    """With the value and its place."""
    with pytest.raises(error, match=message):
        compile(expr)(at)


def test_the_test_of_values_can_be_skipped():
    """check=False gives the plain arithmetic outside the range."""
    assert compile(I + 1)({I: 64}, check=False) == 65


def test_an_empty_list_has_no_values():
    """An empty column gives an empty array."""
    assert compile(I + 1)({I: []}).tolist() == []


def test_columns_are_not_written():
    """The input stays as it is."""
    column = np.arange(64, dtype=np.int32)
    compile((3 * I + 1) % 7 - I)({I: column})

    assert (column == np.arange(64)).all()


def test_only_expressions_compile():
    """Text is no expression."""
    with pytest.raises(OperandError, match="an expression is needed"):
        compile("i + 1")


def test_a_deep_expression_compiles():
    """Depth costs no stack: 10,000 levels, ten times what Python's stack holds."""
    expr: Expr = I
    for k in range(5_000):
        expr = FloorDivExpr(SumExpr((expr, 70)), 2) if k else ModuloExpr(expr, 60)
    at = {I: 5}

    assert compile(expr)(at) == int(expr.eval(at))


SHAPES = [(), (1,), (3,), (2, 1), (2, 3), (0,)]


@pytest.mark.parametrize("own", SHAPES)
@pytest.mark.parametrize("other", SHAPES)
@pytest.mark.parametrize("expr", [I + 1, I - I + 7], ids=str)
def test_every_bound_index_broadcasts(expr: Expr, own: tuple, other: tuple):
    """Also one that the expression does not use, and with a constant."""
    at = {I: np.zeros(own, int), J: np.full(other, -5)}
    try:
        shape = np.broadcast_shapes(own, other)
    except ValueError:
        with pytest.raises(OperandError, match="the shapes do not broadcast"):
            compile(expr)(at)
        return

    assert np.shape(compile(expr)(at)) == shape


def test_a_ragged_list_is_no_array():
    """Of integers or of anything."""
    with pytest.raises(OperandError, match="i takes an array of integers"):
        compile(I)({I: [[1], [1, 2]]})


def test_masked_values_are_not_computed_as_if_they_stood():
    """The result has no mask."""
    with pytest.raises(OperandError, match="masked array"):
        compile(I)({I: np.ma.array([1, 2], mask=[False, True])})


@pytest.mark.parametrize("value", [70_000, -1, 1 << 70, -(1 << 64)])
def test_integers_that_nobody_checks_give_some_value(value: int):
    """Python's own are of any size, and none of them is an error."""
    function = compile(index("q", 0, 256) % 92)
    (q,) = function.indices

    made = function({q: np.array([value, 100], object)}, check=False)

    assert made.dtype == np.int32
    assert made[1] == 8
