"""Statements as trees, and the located error of a line that is no statement."""

from __future__ import annotations

from lark import TextSlice, Token, Tree, UnexpectedInput

from pelican.errors import ParseError, Source, Span
from pelican.pel.mistakes import Place, remedy, unknown_statement
from pelican.pel.scan import Line, Piece
from pelican.pel.words import STATEMENTS
from pelican.text.expressions import syntax_error
from pelican.text.parsers import parser_of


def statement_tree(line: Line, source: Source) -> Tree[Token]:
    """Return the tree of a line that holds a statement, with positions in the file.

    Raises:
        ParseError: If it is no statement.
    """
    _refuse_tight_comments(line, source)
    first, last = line.words[0], line.words[-1]
    if first.text not in STATEMENTS:
        hint = unknown_statement([piece.text for piece in line.words[:3]])
        message = f"no statement begins with {first.text!r}"
        raise ParseError(message, _span(first, source), hint)
    part = TextSlice(source.text, first.start, last.end)
    try:
        return parser_of("pattern").parse(part, start=f"{first.text}_statement")
    except UnexpectedInput:
        raise _error(first, last, source) from None


def _refuse_tight_comments(line: Line, source: Source) -> None:
    """Refuse ``i#2``: as a comment it would be read as something else, silently."""
    for before, piece in zip(line.pieces, line.pieces[1:], strict=False):
        tight = piece.kind == "comment" and before.end == piece.start
        if tight and before.kind in {"word", "number"}:
            hint = "write a space before a comment; i#2 is display only"
            message = f"a # stands right behind {before.text!r}"
            raise ParseError(message, _span(piece, source), hint)


def _span(piece: Piece, source: Source) -> Span:
    return Span(source, piece.start, piece.end)


def _error(first: Piece, last: Piece, source: Source) -> ParseError:
    """Return the error of a statement that the parser refuses."""
    text = source.text[first.start : last.end]
    start = f"{first.text}_statement"
    own = Source(source.name, text)
    try:
        parser_of("pattern").parse(text, start=start)
    except UnexpectedInput as error:
        plain = syntax_error(
            error, own, parser_of("pattern"), start=start, whole="statement"
        )
    at = plain.span.start if plain.span else 0
    end = plain.span.end if plain.span else 0
    expected = plain.message.partition(", expected ")[2]
    place = Place(first.text, text, at, text[at:end], expected)
    span = Span(source, first.start + at, first.start + end)
    return ParseError(plain.message, span, remedy(place, plain.hint))
