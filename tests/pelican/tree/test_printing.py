"""Text and size: what is written, with which parentheses, in which order."""

import pytest

from pelican import (
    AffineIdx,
    AffineIV,
    Expr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    SumExpr,
    TooLargeError,
    index,
    symbol,
)
from tests.strategies import I, J, N

CANONICAL = [
    (7 - I, "7 - i", 3),
    (-I - J, "-i - j", 4),
    (-4 * I, "-4*i", 3),
    (-(N % 4), "-(n mod 4)", 4),
    (J - 2 * I + 3, "j - 2*i + 3", 7),
    (3 * (N % 8) - 4 * I, "3*(n mod 8) - 4*i", 9),
    ((3 * I + 5) % 8 // 2, "(3*i + 5) floordiv 2 mod 4", 9),
    (8 * ((I + N) // 8), "8*((i + n) floordiv 8)", 7),
    (5 - N % 3, "5 - n mod 3", 5),
    (I - I - 3, "-3", 1),
    (N % 3 - 3, "n mod 3 - 3", 5),
    (-(N % 3) - 3, "-(n mod 3) - 3", 6),
]


@pytest.mark.parametrize(("expr", "text", "nodes"), CANONICAL)
def test_a_canonical_expression_is_written_as_known(expr: Expr, text: str, nodes: int):
    """Text and node count follow the rules of the language."""
    assert (str(expr), expr.nodes) == (text, nodes)


RAW = [
    (SumExpr((3, I)), "3 + i"),
    (SumExpr((I, SumExpr((J, N)))), "i + (j + n)"),
    (SumExpr((I, MultExpr(SumExpr((J, N)), -1))), "i - (j + n)"),
    (MultExpr(SumExpr((I, 1)), 2), "2*(i + 1)"),
    (MultExpr(MultExpr(I, -1), -1), "--i"),
    (ModuloExpr(FloorDivExpr(I, 2), 4), "i floordiv 2 mod 4"),
    (ModuloExpr(MultExpr(I, 2), 4), "2*i mod 4"),
    (MultExpr(ModuloExpr(I, 4), 2), "2*(i mod 4)"),
    (ModuloExpr(MultExpr(I, -1), 4), "-i mod 4"),
    (MultExpr(ModuloExpr(I, 4), -1), "-(i mod 4)"),
]


@pytest.mark.parametrize(("expr", "text"), RAW)
def test_a_raw_tree_has_the_parentheses_that_it_needs(expr: Expr, text: str):
    """Parentheses show the tree where precedence does not."""
    assert str(expr) == text


def test_terms_come_by_depth_name_and_creation():
    """The order of terms does not depend on the order of building."""
    b, a, inner = index("b"), index("a"), index("a")

    assert str(b + a + inner) == str(inner + b + a) == "a + a#2 + b"


def test_a_tree_that_is_too_large_is_not_written():
    """A graph of 2^40 written nodes is refused with its size."""
    shared: Expr = N
    for _ in range(40):
        shared = SumExpr((shared, shared))

    with pytest.raises(TooLargeError, match="more than 1000000"):
        str(shared)
    assert shared.nodes == 2**41 - 1


REPRS = [
    (index("i"), "index('i')"),
    (index("i", 0, 4), "index('i', 0, 4)"),
    (index("i", None, 4), "index('i', None, 4)"),
    (index("i", 0, 4, 2), "index('i', 0, 4, 2)"),
    (AffineIV("i", 0, 4, 1, 2), "AffineIV('i', 0, 4, 1, 2)"),
    (AffineIV("i", depth=2), "AffineIV('i', None, None, 1, 2)"),
    (symbol("depth"), "symbol('depth')"),
    (symbol("rows", 4, 64, 4), "symbol('rows', 4, 64, 4)"),
    (symbol("cols", 4, 64, offset=3), "symbol('cols', 4, 64, 1, 3)"),
]


@pytest.mark.parametrize(("idx", "text"), REPRS)
def test_the_repr_of_an_index_writes_every_field(idx: AffineIdx, text: str):
    """What a field adds to its default is written, the depth and offset too."""
    assert repr(idx) == text


@pytest.mark.parametrize("text", [text for _, text in REPRS])
def test_the_repr_of_an_index_builds_such_an_index(text: str):
    """Python reads it back with the same fields."""
    names = {"index": index, "symbol": symbol, "AffineIV": AffineIV}

    assert repr(eval(text, names)) == text
