"""Machine code by numba: the same values, types and errors as by numpy."""

import pickle
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import Expr, IndexRangeError, OperandError, compile, index
from pelican.evaluation import jitted
from pelican.evaluation.compiled import BLOCK
from pelican.evaluation.jitted import INTEGERS, MAX_STEPS, source_of
from pelican.evaluation.machine import machine_program
from pelican.evaluation.program import lower
from pelican.expr import FloorDivExpr, ModuloExpr, SumExpr
from tests.strategies import points, raw_expressions

I = index("i", 0, 64)  # noqa: E741 - the name in the texts
J = index("j", -5, 100, 3)
X = index("x")
RING = (9 * I + 4 * J - 5) % 12 + I // 8
"""Its code needs int32."""
LONG = ((1 << 40) * J - 7 * I) // 5 + I % 3
"""Its code needs int64."""


@pytest.fixture(scope="module")
def made():
    """Return functions of `RING` and `LONG` by numba, so that each is made once."""
    pytest.importorskip("numba")
    return {expr: compile(expr, engine="numba") for expr in (RING, LONG)}


@given(raw_expressions(), st.lists(points(), min_size=1, max_size=5))
def test_the_code_does_what_evaluating_does(raw: Expr, rows):
    """Also where numba is not installed: the code is Python, and runs as such."""
    program = machine_program(lower(raw))
    if program.misfit(64) is not None or not program.indices:
        return
    names: dict = {name: getattr(np, name) for name in INTEGERS}
    exec(source_of(program, "int32" if program.misfit(32) is None else "int64"), names)
    columns = [np.array([row[idx] for row in rows]) for idx in program.indices]
    values = np.empty(len(rows), np.int64)

    assert not names["kernel"](*columns, values)
    assert values.tolist() == [int(raw.eval(row)) for row in rows]


@pytest.mark.parametrize("expr", [RING, LONG], ids=["int32", "int64"])
@pytest.mark.parametrize(
    "shapes",
    [((50,), (50,)), ((7, 1), (5,)), ((), (3,)), ((0,), ()), ((), ())],
    ids=str,
)
def test_numba_gives_what_numpy_gives(made, expr: Expr, shapes):
    """The same values, type and shape, for columns, tables, and plain integers."""
    draw = np.random.default_rng(1)
    at = {
        I: draw.integers(0, 64, shapes[0]),
        J: draw.integers(0, 35, shapes[1]) * 3 - 5,
    }
    got, hoped = made[expr](at), compile(expr, engine="numpy")(at)

    assert made[expr].engine == "numba"
    assert (type(got), np.shape(got)) == (type(hoped), np.shape(hoped))
    assert np.asarray(got).dtype == np.asarray(hoped).dtype
    assert np.array_equal(got, hoped)


def test_blocks_join_without_a_seam(made):
    """Strided columns of another type and byte order are read in their own order."""
    column = (np.arange(2 * BLOCK + 3) * 7 % 64).astype(">i2")[::-1]
    at = {I: column, J: 1}

    assert np.array_equal(made[RING](at), compile(RING, engine="numpy")(at))


@pytest.mark.parametrize("column", [[0, 64], [3, -1], [0, 1 << 40]])
def test_a_value_outside_is_refused_with_its_place(made, column):
    """The code finds that there is one, and the message says which."""
    with pytest.raises(IndexRangeError, match=r"i\[1\] = .* is outside"):
        made[RING]({I: np.array(column), J: 1})


def test_a_value_off_the_step_is_refused_with_its_place(made):
    """Steps count from the least value."""
    with pytest.raises(IndexRangeError, match=r"j\[1\] = 2 is off the step"):
        made[RING]({I: 0, J: np.array([1, 2])})


def test_the_test_of_values_can_be_skipped(made):
    """check=False gives the plain arithmetic outside the range."""
    at = {I: np.array([64, 65]), J: 1}

    assert made[RING](at, check=False).tolist() == [
        (9 * i - 1) % 12 + i // 8 for i in (64, 65)
    ]


@pytest.mark.parametrize("step", [1 << 39, 1 << 40, 1 << 70])
def test_a_step_beyond_the_width_leaves_two_values_or_one(step: int):
    """What no machine integer holds is not in the code."""
    idx = index("k", 0, (1 << 40) + 1, step)
    names: dict = {name: getattr(np, name) for name in INTEGERS}
    exec(source_of(machine_program(lower(FloorDivExpr(idx, 3))), "int64"), names)
    column = np.array([0, 1, 1 << 39, 1 << 40, (1 << 40) + 1])

    assert [
        int(v) for v in column if not names["kernel"](np.array([v]), np.zeros(1, int))
    ] == [v for v in column.tolist() if v in range(0, (1 << 40) + 1, step)]


@pytest.mark.parametrize("kind", [np.uint64, object])
def test_integers_beyond_int64_are_left_to_numpy(made, kind):
    """An index that is too large by 2**64 is no small one."""
    column = np.array([3, (1 << 64) - 1], kind)

    with pytest.raises(IndexRangeError, match=r"i\[1\] = 18446744073709551615"):
        made[RING]({I: column, J: 1})


def test_a_shift_beyond_the_width_keeps_the_sign():
    """Shifts of 64 bits and more mean nothing to a processor."""
    pytest.importorskip("numba")
    expr = FloorDivExpr(J, 1 << 70)

    assert compile(expr, engine="numba")({J: [-5, 4]}).tolist() == [-1, 0]


@pytest.mark.parametrize("expr", [X % 8, I - I + 7], ids=["exact", "constant"])
def test_what_has_no_machine_code_is_left_to_numpy(expr: Expr):
    """Exact integers, and what needs no code."""
    pytest.importorskip("numba")
    function = compile(expr, engine="numba")

    assert [int(v) for v in function({X: [3, 9], I: 0})] in ([3, 1], [7, 7])
    assert function.engine == "numpy"


def test_a_long_program_is_left_to_numpy():
    """To make code of it takes long."""
    pytest.importorskip("numba")
    expr: Expr = I
    for k in range(MAX_STEPS // 4 + 1):
        expr = ModuloExpr(SumExpr((expr, 3)), 1001 + k)
    function = compile(expr, engine="numba")

    assert function({I: [5]}).tolist() == [int(expr.eval({I: 5}))]
    assert function.engine == "numpy"


def test_code_is_made_after_many_points(monkeypatch: pytest.MonkeyPatch):
    """Over all calls; before, it would cost more than it saves."""
    pytest.importorskip("numba")
    monkeypatch.setattr(jitted, "JIT_POINTS", 100)
    function = compile(I % 7)
    engines = []
    for _ in range(3):
        function({I: np.arange(40)})
        engines.append(function.engine)

    assert engines == ["numpy", "numpy", "numba"]


def test_without_numba_many_points_are_left_to_numpy(monkeypatch: pytest.MonkeyPatch):
    """It is optional."""
    monkeypatch.setattr(jitted, "JIT_POINTS", 10)
    monkeypatch.setitem(sys.modules, "numba", None)
    function = compile(I % 7)

    assert function({I: np.arange(40)}).tolist() == [i % 7 for i in range(40)]
    assert function.engine == "numpy"


def test_numba_that_is_asked_for_must_be_installed(monkeypatch: pytest.MonkeyPatch):
    """The message says how to install it."""
    monkeypatch.setitem(sys.modules, "numba", None)

    with pytest.raises(ImportError, match=r"pip install 'pelican-rotation\[numba\]'"):
        compile(I % 7, engine="numba")


@pytest.mark.parametrize("engine", ["numexpr", "", None, 3])
def test_an_engine_that_there_is_not_is_refused(engine):
    """With those that there are."""
    with pytest.raises(OperandError, match="there is no engine") as refused:
        compile(I % 7, engine=engine)

    assert refused.value.hint == "one of auto, numba, numpy"


def test_a_function_with_machine_code_can_be_pickled(made):
    """The copy makes its own."""
    made[RING]({I: 0, J: 1})
    copy = pickle.loads(pickle.dumps(made[RING]))

    assert copy.expr == RING
    assert copy({I: [3, 4], J: 1}).tolist() == made[RING]({I: [3, 4], J: 1}).tolist()
