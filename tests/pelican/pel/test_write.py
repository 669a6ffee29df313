"""Expressions as let lines: read back they are equal, whatever they share."""

from typing import Any

import pytest
from hypothesis import given

from pelican import (
    AffineIV,
    Expr,
    OperandError,
    SymbolicIdx,
    TooLargeError,
    arg,
    index,
    rank,
    runtime,
    shard,
    simplify,
    symbol,
    to_pel,
)
from pelican.errors import raise_all
from pelican.expr import AffineIdx, ModuloExpr, SumExpr
from pelican.pel.read import read_pel
from pelican.tree.traverse import indices, postorder
from pelican.wire import dumps
from tests import strategies

DOUBLINGS = 200


def read_back(expr: Expr, *, simplify: bool = True):
    """Return what the lines of an expression are read as, over the same indices."""
    known = {leaf.name: leaf for leaf in indices(expr) if isinstance(leaf, AffineIdx)}
    document = read_pel(to_pel(expr), indices=known, simplify=simplify)
    raise_all(document.errors)
    return document.names["value"]


@given(strategies.raw_expressions())
def test_a_canonical_expression_is_read_back(raw: Expr):
    """The text gives an equal expression."""
    expr = simplify(raw)

    assert read_back(expr) == expr


@given(strategies.all_expressions(), strategies.all_points())
def test_a_plain_tree_keeps_its_value(raw: Expr, point: dict[Any, int]):
    """Also where its kinds are only written as calls."""
    assert read_back(raw, simplify=False).eval(point) == raw.eval(point)


def shared_sums(depth: int) -> tuple[AffineIV, Expr]:
    """Return an index, and a tree of 2**depth leaves that is a chain of sums."""
    i = index("i", 0, 64)
    expr: Expr = i
    for _ in range(depth):
        expr = SumExpr((expr, expr))
    return i, expr


def shared_mods(depth: int) -> tuple[AffineIV, Expr]:
    """Return an index, and a canonical expression that uses each part twice."""
    i = index("i")
    expr: Expr = i
    for k in range(depth):
        expr = (3 * (expr % (997 + 2 * k)) + 5 * (expr % (1001 + 2 * k))) // 7
    return i, expr


def test_sharing_is_kept_in_plain_trees():
    """A tree of 2**200 leaves has 200 lines, and is read back as it was."""
    i, expr = shared_sums(DOUBLINGS)
    read = read_pel(to_pel(expr), indices={"i": i}, simplify=False).names["value"]

    assert to_pel(expr).count("\n") == DOUBLINGS + 1
    assert read == expr
    assert sum(1 for _ in postorder(read)) == DOUBLINGS + 1


def test_sharing_is_kept_in_canonical_expressions():
    """Reading builds and simplifies each shared part once."""
    i, expr = shared_mods(8)

    assert read_pel(to_pel(expr), indices={"i": i}).names["value"] == expr


def test_a_deep_expression_is_written_and_read():
    """No walk recurses."""
    i = index("i", 0, 64)
    expr: Expr = i
    for k in range(2_000):
        expr = ModuloExpr(SumExpr((expr, 1)), 7 + k % 3)

    assert read_back(expr, simplify=False) == expr


def test_each_kind_of_index_is_declared():
    """With its ends and its step; values of the running program are calls."""
    expr = (
        index("i", 0, 64, 4)
        + index("x")
        + index("low", None, 5)
        + symbol("pel_size", 4, 4096, 4)
        + shard(4, "s")
        + runtime("r", 0, 9)
        + rank(0, 1)
        + arg(2)
    )
    lines = sorted(to_pel(expr).splitlines()[:-1])

    assert lines == [
        "index i in [0, 64) step 4",
        "index low in [..., 5)",
        "index x",
        "runtime r in [0, 9)",
        "shard s of 4",
        "symbol pel_size in [4, 4096) step 4",
    ]


def test_names_are_made_plain():
    """A second index of a name and a word of the language get a number."""
    i, j, word = index("i", 0, 4), index("i", 0, 8), index("at")
    text = to_pel(i + 8 * j + 64 * word)

    assert text.splitlines()[:3] == [
        "index at_2",
        "index i in [0, 4)",
        "index i_2 in [0, 8)",
    ]


def test_the_value_may_have_any_name():
    """It is numbered where an index has it."""
    assert to_pel(index("e") + 1, name="e").endswith("let e_2 = e + 1\n")


def test_a_let_takes_no_name_of_an_index():
    """The names of shared parts are free ones."""
    i = index("t0")

    assert "let t_0 = t0 mod 7" in to_pel(SumExpr((i % 7, i % 7)))


@pytest.mark.parametrize("name", ["", "4", "a b", "let", "é", None])
def test_a_word_that_names_nothing_is_refused(name):
    """The error shows it."""
    with pytest.raises(OperandError, match="a value cannot be called"):
        to_pel(index("i") + 1, name=name)


def test_something_else_is_refused():
    """Only an expression has lines."""
    with pytest.raises(OperandError, match="to_pel needs an expression, got 'i'"):
        to_pel("i")  # type: ignore[arg-type]


def test_an_offset_of_a_symbol_is_refused():
    """Text has no place for it."""
    with pytest.raises(OperandError, match="pel_offset has an offset"):
        to_pel(SymbolicIdx("pel_offset", 0, 8, 1, 3) + 1)


@pytest.mark.parametrize("write", [str, dumps, repr], ids=["text", "wire", "repr"])
def test_what_is_too_large_to_write_is_told_of_lets(write):
    """The remedy names the writer that keeps the sharing."""
    _, expr = shared_sums(60) if write is not dumps else shared_sums(30)
    with pytest.raises(TooLargeError) as caught:
        write(expr)

    assert "pelican.to_pel()" in (caught.value.hint or "")
