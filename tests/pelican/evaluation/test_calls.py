"""Calls of numpy over blocks: any column, tested once, and never a value that wraps."""

from math import prod
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pelican import Expr, IndexRangeError, compile, index
from pelican.evaluation import calls, columns, compiled
from pelican.evaluation.calls import Calls
from pelican.evaluation.compiled import BLOCK
from pelican.evaluation.machine import machine_program
from pelican.evaluation.program import Program, lower
from pelican.expr import FloorDivExpr, ModuloExpr, SumExpr
from tests.strategies import raw_trees

I = index("i", 0, 64)  # noqa: E741 - the name in the texts
J = index("j", -5, 100, 3)
K = index("k", 7, 1000)
L = index("l", 0, 1 << 20, 5)
W = index("w", 0, (1 << 40) + 1)
X = index("x")
INDICES = [I, J, K, L, W]
RING = (4096 * ((9 * I + 4 * K) % 513) + I // 8) % 65536
"""Its calls compute in uint16, its values are int32."""

TYPES = [
    np.dtype(name)
    for name in ("i1", "u1", "<i2", ">i2", "u2", "i4", ">u4", "<i8", ">i8", "u8", "O")
]
SHAPES = [(), (5,), (3, 1), (1, 5), (3, 5), (2, 3, 5)]


@st.composite
def arrays(draw: st.DrawFn, idx) -> np.ndarray:
    """Return values that an index can have, in a type that holds the last of them."""
    fitting = [kind for kind in TYPES if kind.hasobject or _holds(kind, idx)]
    kind, shape = draw(st.sampled_from(fitting)), draw(st.sampled_from(SHAPES))
    last = (idx.range.hi - idx.range.lo) // idx.step
    trips = draw(st.lists(st.integers(0, last), min_size=1, max_size=prod(shape)))
    column = np.array([idx.range.lo + idx.step * trip for trip in trips], object)
    column = np.resize(column, shape).astype(kind)
    layout = draw(st.sampled_from(["rows", "columns", "backwards", "spread", "frozen"]))
    if layout == "columns":
        column = np.asfortranarray(column)
    elif layout == "backwards" and shape:
        column = column[::-1].copy()[::-1]
    elif layout == "spread" and shape:
        column = np.repeat(column, 2, axis=-1)[..., ::2]
    elif layout == "frozen":
        column.setflags(write=False)
    return column


def _holds(kind: np.dtype, idx) -> bool:
    ends = np.iinfo(kind)
    return ends.min <= idx.range.lo and idx.range.hi <= ends.max


def points_of(at: dict) -> tuple[list[dict], tuple[int, ...]]:
    """Return every point of some arrays as Python integers, and the shape of all."""
    shape = np.broadcast_shapes(*(column.shape for column in at.values()))
    flat = [
        np.broadcast_to(column, shape).astype(object).ravel() for column in at.values()
    ]
    return [
        dict(zip(at, map(int, row), strict=True)) for row in zip(*flat, strict=True)
    ], shape


def calls_of(expr: Expr) -> Calls:
    """Return the calls of an expression, for values of the type that it has."""
    return Calls(machine_program(lower(expr)), compile(expr).dtype)


@given(raw_trees(INDICES), st.fixed_dictionaries({idx: arrays(idx) for idx in INDICES}))
def test_columns_of_any_type_and_shape_have_the_values_of_eval(raw: Expr, at):
    """In blocks of four, so that there are seams; nothing given is written or kept."""
    before = {idx: column.copy() for idx, column in at.items()}
    function = compile(raw, engine="numpy")
    points, shape = points_of(at)
    with patch.object(compiled, "BLOCK", 4):
        values = function(at)

    assert np.shape(values) == shape
    assert np.ravel(values).tolist() == [int(raw.eval(point)) for point in points]
    for idx, column in at.items():
        assert (column == before[idx]).all()
        assert not np.shares_memory(values, column)
    if shape:
        assert values.dtype == function.dtype
        assert values.flags.writeable


@given(
    raw_trees(INDICES),
    st.fixed_dictionaries({idx: arrays(idx) for idx in INDICES}),
    st.sampled_from(INDICES),
    st.data(),
)
def test_one_value_that_is_none_is_refused(raw: Expr, at, idx, data: st.DataObject):
    """Whichever it is, and whatever a narrower type would make of it."""
    column = at[idx] = at[idx].copy()
    place = tuple(data.draw(st.integers(0, size - 1)) for size in column.shape)
    good = int(column[place])
    wraps = [good + sign * (1 << bits) for bits in (8, 16, 32) for sign in (1, -1)]
    others = [idx.range.lo - 1, idx.range.hi + 1, good + 1, -good - 1]
    wrong = [
        value
        for value in (*wraps, *others)
        if value not in range(idx.lo, idx.range.hi + 1, idx.step)
        and (column.dtype.hasobject or _fits(column.dtype, value))
    ]
    assume(wrong)
    column[place] = value = data.draw(st.sampled_from(wrong))
    named = f"{idx.name}[{', '.join(map(str, place))}]" if place else idx.name

    with patch.object(compiled, "BLOCK", 4), pytest.raises(IndexRangeError) as refused:
        compile(raw, engine="numpy")(at)
    assert str(refused.value).startswith(f"{named} = {value} is ")


def _fits(kind: np.dtype, value: int) -> bool:
    return np.iinfo(kind).min <= value <= np.iinfo(kind).max


@pytest.mark.parametrize("wrong", [64, -1, 1 << 16, 1 << 32, -(1 << 32), -(1 << 63)])
def test_a_wrong_value_in_the_last_block_is_refused(wrong: int):
    """Also one of which a narrower type makes a right one."""
    column = np.zeros(2 * BLOCK + 3, np.int64)
    column[-1] = wrong

    with pytest.raises(IndexRangeError, match=rf"i\[{2 * BLOCK + 2}\] = {wrong} is"):
        compile(RING, engine="numpy")({I: column, K: np.full(column.shape, 7)})


def test_the_first_wrong_column_is_named():
    """In the order in which they are given, though a short one is tested before."""
    at = {I: np.array([1, 64]), K: 1000}

    with pytest.raises(IndexRangeError, match=r"i\[1\] = 64"):
        compile(I + K)(at)
    with pytest.raises(IndexRangeError, match="k = 1000"):
        compile(I + K)(dict(reversed(at.items())))


def test_every_value_is_tested_once(monkeypatch: pytest.MonkeyPatch):
    """Those of a long column in blocks, of a short one or of another index at once."""
    seen: list[tuple[str, int]] = []

    def is_inside(idx, values) -> bool:
        seen.append((idx.name, values.size))
        return True

    monkeypatch.setattr(columns, "is_inside", is_inside)
    monkeypatch.setattr(calls, "is_inside", is_inside)
    rows = np.zeros(BLOCK + 3, int)
    compile(RING + J, engine="numpy")(
        {X: [5, 6, 7], I: rows[:, None], J: 1, K: [7] * 3}
    )

    assert sorted(seen) == [("i", BLOCK + 3), ("j", 1), ("k", 3), ("x", 3)]
    seen.clear()
    compile(RING, engine="numpy")({I: rows, K: rows + 7})

    assert seen == [("i", BLOCK), ("k", BLOCK), ("i", 3), ("k", 3)]


def test_nothing_is_computed_of_a_block_with_a_wrong_value():
    """What was in the room for the values stays."""
    out = np.full(3, 7, np.int32)
    is_wrong = calls_of(2048 * I).over(3, [True])(np.array([1, 64, 63]), out)

    assert is_wrong
    assert out.tolist() == [7, 7, 7]


def test_blocks_behind_a_wrong_value_are_not_looked_at(
    monkeypatch: pytest.MonkeyPatch,
):
    """The second of three blocks is the last one."""
    sizes: list[int] = []

    def is_inside(idx, values) -> bool:
        sizes.append(values.size)
        return columns.is_inside(idx, values)

    monkeypatch.setattr(calls, "is_inside", is_inside)
    column = np.zeros(3 * BLOCK, int)
    column[BLOCK] = 64
    with pytest.raises(IndexRangeError):
        compile(I + 1, engine="numpy")({I: column})

    assert sizes == [BLOCK, BLOCK]


COMPUTED_IN = [
    (RING, "uint16"),
    (I + K, "uint16"),
    (I - K, "uint32"),
    (2048 * I, "uint32"),
    ((1 << 27) * I, "uint64"),
    (J + 0, "int32"),
    ((I - K) // 3, "int32"),
    (W - J, "int64"),
    (X + 1, "object"),
]


@pytest.mark.parametrize(("expr", "name"), COMPUTED_IN, ids=str)
def test_the_narrowest_unsigned_integers_that_do_are_computed_in(expr: Expr, name: str):
    """The type of the values is another matter."""
    assert calls_of(expr).work_dtype.name == name


def test_a_shift_of_all_bits_leaves_nothing():
    """Numpy has a value for it, where a processor has none."""
    idx = index("b", 0, 1 << 16)
    expr = FloorDivExpr(idx, 1 << 16)

    assert calls_of(expr).work_dtype == np.uint16
    assert compile(expr)({idx: [3, (1 << 16) - 1]}).tolist() == [0, 0]


@pytest.mark.parametrize("idx", [I, J, K, W], ids=str)
@pytest.mark.parametrize("kind", ["<i2", ">i2", "<i4", ">i4", "<i8", ">i8", ">u8", "O"])
def test_the_values_of_a_bare_index_are_a_copy(idx, kind: str):
    """In the machine's byte order; the result shares no memory with what is given."""
    column = np.array([7, 10, 40, 61]).astype(kind)
    kept = column.tolist()
    values = compile(idx + 0)({idx: column})

    assert values.tolist() == kept
    values[:] = 0
    assert column.tolist() == kept


@pytest.mark.parametrize("expr", [RING, 2048 * I - K, W % 13 - K + I], ids=str)
@pytest.mark.parametrize("kind", ["<i2", ">i2", "<i4", ">u4", ">i8", "<u8", "O"])
def test_a_column_of_any_type_joins_others(expr: Expr, kind: str):
    """For calls of 16, 32 and 64 bits."""
    at = {I: np.arange(50).astype(kind), K: np.arange(7, 57), W: np.arange(50)}
    points, _ = points_of(at)

    assert compile(expr)(at).tolist() == [int(expr.eval(point)) for point in points]


def test_a_result_that_a_later_step_uses_stays():
    """Its column is not used again."""
    program = Program()
    first = program.emit("index", (), I)
    program.result = program.emit("add", (first, first), I)
    program.emit("neg", (program.result,), I)
    out = np.zeros(3, np.int32)
    Calls(program, out.dtype).over(3, [False])(np.array([1, 2, 63], np.int32), out)

    assert out.tolist() == [2, 4, 126]


def test_one_array_serves_two_indices():
    """It is only read."""
    column = np.arange(7, 64)

    assert compile(I + 2 * K)({I: column, K: column}).tolist() == [
        3 * value for value in range(7, 64)
    ]


def test_a_long_program_needs_few_columns():
    """Work columns are used again."""
    expr: Expr = I
    for k in range(200):
        expr = ModuloExpr(SumExpr((expr, 3)), 1000 + k)

    assert calls_of(expr).columns <= 3
