"""Messages: place, excerpt, caret, remedy."""

import pytest

from pelican.errors import DivisorError, OperandError, ParseError, Source, Span

SOURCE = Source("t.pel", "one\n\ttwo three\n")


def test_a_span_knows_its_place():
    """Lines and columns count from 1; the end column is exclusive."""
    span = Span(SOURCE, 9, 14)

    assert (span.file, span.line, span.column, span.end_column) == ("t.pel", 2, 6, 11)
    assert span.text == "three"


def test_the_caret_stands_under_the_span():
    """A tab counts as one column, so that the caret stays under its text."""
    assert Span(SOURCE, 9, 14).excerpt() == "     two three\n         ^^^^^"


def test_a_long_line_is_cut_around_the_caret():
    """An excerpt of a line of 10,000 characters stays short."""
    source = Source("t.pel", "x" * 10_000)
    line, caret = Span(source, 5000, 5001).excerpt().split("\n")

    assert len(line) < 200
    assert line[caret.index("^")] == "x"


def test_an_error_without_a_place_is_its_message():
    """Values that come from Python have no place."""
    error = DivisorError("needs a divisor", hint="write 1")

    assert str(error) == "needs a divisor\n    hint: write 1"
    assert (error.file, error.line, error.column, error.end_column) == (None,) * 4


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [(OperandError, TypeError), (DivisorError, ValueError), (ParseError, SyntaxError)],
)
def test_an_error_is_the_builtin_that_it_is_a_kind_of(kind, builtin):
    """Callers may catch the builtin class."""
    assert issubclass(kind, builtin)
