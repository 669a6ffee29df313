"""The text of all kinds: exact round trips, located mistakes."""

import pytest
from hypothesis import given

from pelican import (
    DivisorError,
    Expr,
    IndexRangeError,
    OperandError,
    ParseError,
    ap,
    arg,
    cc_div,
    cc_mod,
    icmp,
    index,
    parse,
    rank,
    simplify,
    tile,
)
from tests.strategies import ALL_NAMES, all_expressions

X = index("x", 0, 64)
NAMES = {"x": X, "tile": index("tile")}

TEXTS = [
    (rank(0, 2), "rank(0, 2)", 3),
    (arg(1), "arg(1)", 2),
    (ap(X, -4), "ap(x, -4)", 3),
    (tile(X, 4), "tile(x, 4)", 3),
    (tile(X, 4, is_partition=True), "tile(x, 4, 1)", 4),
    (tile(X, 4, tile_pos_flags=2), "tile(x, 4, 0, 2)", 5),
    (cc_div(X + arg(0), 4, 7), "cc_div(arg(0) + x, 4, 7)", 7),
    (cc_mod(X, 4, 7), "cc_mod(x, 4, 7)", 4),
    (icmp(X, ">=", 3), "x - 3 >= 0", 5),
    (icmp(X, "==", arg(0)), "arg(0) - x == 0", 6),
    (2 * icmp(X, ">=", 3) + 1, "2*(x - 3 >= 0) + 1", 9),
    (-tile(X, 4), "-tile(x, 4)", 4),
    (tile(X, 4) % 8, "tile(x, 4) mod 8", 5),
]


@pytest.mark.parametrize(("expr", "text", "nodes"), TEXTS)
def test_a_kind_is_written_as_known(expr: Expr, text: str, nodes: int):
    """Text, size, and the way back."""
    assert (str(expr), expr.nodes) == (text, nodes)
    assert parse(text, NAMES) == expr
    assert str(parse(text, NAMES, simplify=False)) == text


@given(all_expressions())
def test_parsing_the_print_gives_the_canonical_expression(raw: Expr):
    """For every canonical e of any kind, parse(print(e)) == e."""
    simple = simplify(raw)

    assert parse(str(simple), ALL_NAMES) == simple


@given(all_expressions())
def test_a_raw_tree_prints_back_the_same_text(raw: Expr):
    """Text of any kind that was printed is read and printed again unchanged."""
    text = str(raw)

    assert str(parse(text, ALL_NAMES, simplify=False)) == text


@pytest.mark.parametrize("text", ["x < 8", "x <= 7", "8 > x", "7 >= x", "7 - x >= 0"])
def test_comparisons_are_lowered_to_at_least(text: str):
    """One meaning has one form, read raw or not."""
    assert str(parse(text, NAMES)) == "7 - x >= 0"
    assert simplify(parse(text, NAMES, simplify=False)) == parse(text, NAMES)


def test_a_call_word_may_name_an_index():
    """The word is a call only before a bracket."""
    assert str(parse("tile + tile(x, 4)", NAMES)) == "tile + tile(x, 4)"


MISTAKES = [
    ("rank(1)", OperandError, 1, "rank is written rank(iteration, channel)"),
    ("2 + rank(x, 1)", OperandError, 5, "a constant instead of x"),
    ("tile(x + 1, 4)", OperandError, 1, "needs an index"),
    ("tile(x, 5)", IndexRangeError, 1, "no multiple of 5"),
    ("cc_div(x, 1 - 1, 0)", DivisorError, 11, "got 0"),
    ("cc_mod(x, 4)", OperandError, 1, "cc_mod(numerator, divisor, group)"),
    ("x >= 3 >= 2", ParseError, 8, "unexpected '>'"),
    ("x = 3", ParseError, 3, "unexpected"),
    ("rank (0, nope)", ParseError, 10, "unknown name 'nope'"),
]


@pytest.mark.parametrize(("text", "kind", "column", "message"), MISTAKES)
@pytest.mark.parametrize("smart", [True, False])
def test_a_mistake_is_located(text: str, kind, column: int, message: str, smart: bool):
    """The error says where and what, raw or not."""
    with pytest.raises(kind) as caught:
        parse(text, NAMES, simplify=smart)

    assert caught.value.column == column
    assert message in caught.value.message
