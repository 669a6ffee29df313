"""Pickles: identity, sharing, depth."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

from hypothesis import given

from pelican import (
    Expr,
    FloorDivExpr,
    Interval,
    ModuloExpr,
    SumExpr,
    ap,
    index,
    shard,
    symbol,
)
from pelican.expr import pickling
from tests.strategies import all_expressions

ROOT = Path(__file__).parents[3]


def again(value):
    """Return what a pickle of a value gives."""
    return pickle.loads(pickle.dumps(value))


@given(all_expressions())
def test_any_expression_comes_back_equal(expr: Expr):
    """In one process the indices are the same ones."""
    assert again(expr) == expr
    assert hash(again(expr)) == hash(expr)


def test_an_index_comes_back_as_itself():
    """In the process that made it, a pickle of an index is that index."""
    i = index("i", 0, 64)

    assert again(i) is i
    assert again((i + 1) % 8) - (i + 1) % 8 == 0


def test_an_index_of_another_process_is_one_index_here():
    """Read twice, it is one; the order of two indices is kept."""
    code = (
        "import pickle, sys; from pelican import index\n"
        "i, j = index('i', 0, 8), index('i', 0, 8)\n"
        "one = pickle.dumps([(j - i) % 8]); two = pickle.dumps([j, i])\n"
        "sys.stdout.buffer.write(pickle.dumps([one, two, str(j - i)]))"
    )
    run = [sys.executable, "-c", code]
    out = subprocess.run(
        run, capture_output=True, check=True, env={"PYTHONPATH": str(ROOT)}
    )
    one, two, text = pickle.loads(out.stdout)
    (expr,), (j, i) = pickle.loads(one), pickle.loads(two)

    assert pickle.loads(two) == [j, i]
    assert pickle.loads(two)[1] is i
    assert expr == (j - i) % 8
    assert str(j - i) == text == "i#2 - i"
    assert index("i", 0, 8) not in {i, j}


def test_a_symbol_comes_back_interned():
    """The live symbol of that name."""
    n = symbol("pickled", 4, 64, 4)

    assert again(n + 1).indices[0] is n


def test_sharing_is_kept():
    """A part that is used twice is one object, within one pickle and across two."""
    part = ModuloExpr(index("i"), 8)
    whole, other = again([SumExpr((part, part)), SumExpr((part, 1))])

    assert whole.operands[0] is whole.operands[1]
    assert other.operands[0] is whole.operands[0]


def test_a_shared_graph_has_a_small_pickle():
    """A tree of 2**60 nodes is pickled as the 60 nodes that it has."""
    expr: Expr = index("i")
    for _ in range(60):
        expr = SumExpr((expr, expr))

    assert len(pickle.dumps(expr)) < 10_000
    assert again(expr) == expr


def test_a_deep_expression_is_pickled():
    """A depth of 100,000 is no recursion."""
    expr: Expr = index("i")
    for k in range(50_000):
        expr = FloorDivExpr(SumExpr((expr, 1)), 2) if k % 2 else ModuloExpr(expr, 1000)
    for _ in range(50_000):
        expr = ModuloExpr(expr, 7)

    assert again(expr) == expr


def test_a_copy_is_the_same_object():
    """An immutable node need not be copied, however deep."""
    expr = (index("i") + 1) % 8

    assert copy.copy(expr) is expr
    assert copy.deepcopy([expr])[0] is expr


def test_an_interval_comes_back():
    """Ranges travel too."""
    assert again(Interval(None, 7)) == Interval(None, 7)


def test_an_index_that_is_read_with_an_equal_child_is_the_live_one():
    """An index of an access pattern keeps its own child."""
    live = ap(shard(4, "s"), 2)
    other = pickling.restored([(13, (4, "t"), ()), (9, (2,), (0,))])

    assert other is live
