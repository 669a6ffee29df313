"""Formatting: one layout, with every statement and every comment kept."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given

from pelican import ParseError
from pelican.pel.format import format_pel
from pelican.pel.read import MAX_ERRORS
from tests.pelican.pel.documents import STATEMENTS, comments_of, documents, meaning

GOLDEN = Path(__file__).parents[2] / "golden" / "pel" / "fmt"
CASES = sorted(path.name.removesuffix(".in.pel") for path in GOLDEN.glob("*.in.pel"))
EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.pel"))


@pytest.mark.parametrize("name", CASES)
def test_a_file_has_one_layout(name: str, golden: Callable[[Path, str], None]):
    """Space, blank lines and comments stand where the layout puts them."""
    text = (GOLDEN / f"{name}.in.pel").read_bytes().decode()

    golden(GOLDEN / f"{name}.out.pel", format_pel(text))


@given(documents())
def test_formatting_twice_is_formatting_once(text: str):
    """The layout of a laid out file is itself."""
    once = format_pel(text)

    assert format_pel(once) == once


@given(documents())
def test_every_statement_and_comment_is_kept(text: str):
    """The words of each statement and the comments are the same, in their order."""
    once = format_pel(text)

    assert (meaning(once), comments_of(once)) == (meaning(text), comments_of(text))


@given(documents())
def test_groups_stay_apart(text: str):
    """No two blank lines, none at either end, no space at the end of a line."""
    once = format_pel(text)

    assert not re.search(r"\n\n\n|\A\n|\n\n\Z|[ \t]+\n", once)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_statement_can_be_formatted(statement: str):
    """The random files are made of statements of the language."""
    assert format_pel(statement).count("\n") == 1


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_laid_out(path: Path):
    """They are what `pelican fmt` writes."""
    text = path.read_text(encoding="utf-8")

    assert format_pel(text) == text


def test_a_name_that_stands_for_nothing_is_formatted():
    """Only the shape of the text matters."""
    assert format_pel("check  a==b") == "check a == b\n"


def test_every_line_that_is_no_statement_is_named():
    """Several mistakes come as one error, with all of them in it."""
    with pytest.raises(ParseError) as caught:
        format_pel("let a = \nlet b = 4\nchek a\n", "a.pel")

    assert [error.line for error in caught.value.errors] == [1, 3]


def test_the_mistakes_of_a_hopeless_file_are_counted():
    """There is an end to them."""
    with pytest.raises(ParseError) as caught:
        format_pel("let\n" * 1000)

    assert len(caught.value.errors) == MAX_ERRORS
