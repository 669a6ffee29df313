"""Faults of reading that users of other systems reported: none happens here.

Each named case is followed by a property over random texts of its shape. What a text
means is what Python says of it; where Python refuses a text, so does `parse`.
"""

import ast
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import (
    DivisorError,
    Expr,
    NonAffineError,
    ParseError,
    PelicanError,
    index,
    parse,
    simplify,
)
from tests.pelican.reported import check_case, in_python
from tests.strategies import ALL_NAMES, raw_expressions

NAMES = {"a": index("a", 1, 9), "i": index("i", 0, 4), "j": index("j", 0, 4)}
POINT = {"a": 7, "i": 3, "j": 2}
tokens = st.lists(
    st.sampled_from([*"aij+--**()", "//", "%", "0", "1", "2", "5", "16"]),
    min_size=1,
    max_size=9,
)


def refused(text: str) -> ParseError:
    """Return the error of a text, which shows its line and a caret."""
    with pytest.raises(ParseError) as caught:
        parse(text, NAMES)
    *_, line, caret = str(caught.value).split("\n    hint:")[0].split("\n")
    assert line.strip() == text.strip()
    assert set(caret.strip()) == {"^"}
    return caught.value


def error_of(text: str) -> PelicanError | None:
    """Return the error of a text, or None if it is an expression."""
    try:
        parse(text, NAMES)
    except PelicanError as error:
        return error
    return None


def test_d03_a_floor_division_binds_like_a_product():
    """5*6 // 7 is 4: one level, to the left."""
    check_case("D03")


def test_d04_a_minus_binds_tighter_than_a_remainder():
    """-a % 4 is (-a) % 4."""
    check_case("D04")


@given(tokens)
def test_a_text_means_what_it_means_in_python(parts: list[str]):
    """It has the value of Python, or is refused with a place where Python refuses."""
    text = " ".join(parts)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a number that is called
            tree = ast.parse(text, mode="eval")
        called = any(isinstance(n, ast.Call | ast.Tuple) for n in ast.walk(tree))
    except SyntaxError:
        called = True
    if called:
        assert refused(text).line == 1
        return
    error = error_of(text)
    if error is not None:
        assert isinstance(error, DivisorError | NonAffineError)
        assert error.span is not None
        return
    expr = parse(text, NAMES)
    at = {idx: POINT[idx.name] for idx in expr.indices}
    assert int(expr.eval(at)) == in_python(text)(POINT)


def test_d05_the_whole_text_is_read():
    """A bracket too many is named, in column 6."""
    error = refused("3 + 7)")

    assert (error.line, error.column) == (1, 6)
    assert error.message.startswith("unexpected ')'")


@pytest.mark.parametrize(
    ("text", "column", "found"), [("i j", 3, "j"), ("5i", 2, "i"), ("2(i)", 2, "(")]
)
def test_d06_two_values_side_by_side_are_refused(text, column, found):
    """Neither of them is dropped."""
    error = refused(text)

    assert (error.line, error.column) == (1, column)
    assert error.message.startswith(f"unexpected {found!r}")


@given(raw_expressions(), st.sampled_from([")", " i", " 5", " (i)", " n", "5 + "]))
def test_nothing_after_an_expression_is_dropped(raw: Expr, tail: str):
    """The place of the mistake is the first token that is too much."""
    text = f"({raw})"

    with pytest.raises(ParseError) as caught:
        parse(text + tail, ALL_NAMES)
    assert caught.value.span is not None
    assert caught.value.span.start == len(text) + len(tail) - len(tail.lstrip())


def test_d09_an_end_too_early_has_a_place():
    """With line and column, and what may follow."""
    error = refused("4*(i + ")

    assert (error.line, error.column) == (1, 7)
    assert error.message == (
        "unexpected end of the text, expected a name, a number, '(' or '-'"
    )


@given(raw_expressions(), st.sampled_from(["+", "-", "*", "mod", "//", "%", "+ ("]))
def test_an_end_too_early_is_placed_at_the_end(raw: Expr, operator: str):
    """Wherever a text breaks off."""
    text = f"({raw}) {operator}"

    with pytest.raises(ParseError) as caught:
        parse(text, ALL_NAMES)
    assert caught.value.span is not None
    assert caught.value.span.start == len(text)
    assert caught.value.message.startswith("unexpected end of the text")


@pytest.mark.parametrize(
    ("text", "column", "found"),
    [
        ("mod(a", 1, "'mod'"),
        ("a floordiv", 11, "end of the text"),
        ("a % % a", 5, "'%'"),
        ("floordiv(a, i", 1, "'floordiv'"),
    ],
)
def test_d10_half_a_division_is_refused_at_its_place(text, column, found):
    """The token that is wrong is named, and its line shown."""
    error = refused(text)

    assert (error.line, error.column) == (1, column)
    assert error.message.startswith(f"unexpected {found}")


def test_d11_a_message_leads_with_what_was_found():
    """What may stand there is short and in the words of the language."""
    error = refused("4*(i + ,)")

    assert (error.line, error.column) == (1, 8)
    assert error.message == "unexpected ',', expected a name, a number, '(' or '-'"


@given(st.text(alphabet="aij 0159+-*/%()<>=,#.modflriv\n", max_size=12))
def test_any_refusal_has_a_place_and_short_words(text: str):
    """No text gives another error, and no message names a token of the parser."""
    error = error_of(text)
    if error is not None:
        assert error.span is not None
        assert error.line in range(1, text.count("\n") + 2)
        assert len(error.message) < 200
        shown = error.message.split("expected")[-1]
        assert not [word for word in ("NAME", "INT", "LPAR", "$END") if word in shown]


def test_d12_a_double_negation_is_nothing():
    """What is printed can be read, and --i is i."""
    i = NAMES["i"]

    assert parse("--i", NAMES) == parse("-(-i)", NAMES) == parse("0 - (0 - i)", NAMES)
    assert parse("--i", NAMES) == i
    assert str(parse("-(-i)", NAMES, simplify=False)) == "--i"
    assert parse("---i", NAMES) == -i


@given(raw_expressions(max_leaves=4), st.integers(1, 5))
def test_any_chain_of_signs_is_read_as_printed(raw: Expr, signs: int):
    """An even number of signs is none."""
    expr = parse("-" * signs + f"({raw})", ALL_NAMES)
    plain = parse("-" * signs + f"({raw})", ALL_NAMES, simplify=False)

    assert expr == (simplify(raw) if signs % 2 == 0 else -simplify(raw))
    assert parse(str(plain), ALL_NAMES) == expr
