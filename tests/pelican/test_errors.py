"""Messages: place, excerpt, caret, remedy."""

import pytest

from pelican.errors import (
    DivisorError,
    OperandError,
    ParseError,
    PelicanError,
    Source,
    Span,
    UnknownNameError,
    nearest,
)

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


def test_an_error_that_stands_alone_is_all_there_is():
    """Whoever shows errors asks every one for all that its run found."""
    error = DivisorError("needs a divisor")

    assert error.errors == (error,)


def test_an_error_holds_those_of_its_run():
    """One exception carries several mistakes."""
    first, second = UnknownNameError("a"), UnknownNameError("b")
    error = ParseError(first.message, errors=(first, second))

    assert error.errors == (first, second)


def test_a_name_that_is_not_known_is_kept_apart_from_the_message():
    """Programs read the name, people the message."""
    error = UnknownNameError("jj", hint="did you mean j?")

    assert (error.name, error.message) == ("jj", "unknown name 'jj'")


@pytest.mark.parametrize(
    ("name", "known", "question"),
    [
        ("unrol", ["verify", "unroll"], "did you mean unroll?"),
        ("xyz", ["verify", "unroll"], None),
        ("x", [], None),
    ],
)
def test_the_nearest_name_is_asked_for(name, known, question):
    """None when no name is near, so that the caller can say something better."""
    assert nearest(name, known) == question


def test_a_long_message_shows_its_beginning_and_its_end():
    """A hint too; both keep their last words."""
    error = PelicanError("a" + 5_000 * " long" + " message", hint=9_999 * "hint")

    assert error.message.startswith("a long long")
    assert error.message.endswith("long message")
    assert error.args == (error.message,)
    assert len(str(error)) < 900
