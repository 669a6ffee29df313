"""Files as statements: where each begins and ends, and the words in it.

A statement ends with its line, unless a bracket is open; the words that begin
statements are reserved, so a line that starts with one begins a statement even where
a bracket was left open, and one mistake does not swallow the rest of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from pelican.pel.words import STATEMENTS

Kind = Literal["word", "number", "symbol", "comment", "newline"]

_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<newline>\r?\n)
      | (?P<comment>\#[^\n]*)
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[0-9]+)
      | (?P<symbol>\.\.\.|//|->|[=<>]=|.)""",
    re.VERBOSE | re.DOTALL,
)
_OPEN: Final = frozenset("([")
_CLOSED: Final = frozenset(")]")


class Piece(NamedTuple):
    """A word, number, symbol, comment or line end of a file.

    Attributes:
        kind: Which of these.
        text: Its characters; a comment's without space at its end.
        start: Offset of its first character in the file.
        line: Its line, from 1.
    """

    kind: Kind
    text: str
    start: int
    line: int

    @property
    def end(self) -> int:
        """Offset behind its last character."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, or several that an open bracket joins.

    Attributes:
        pieces: What is on it, comments and inner line ends too, in order. Without
            any, the line is blank.
    """

    pieces: tuple[Piece, ...]

    @property
    def words(self) -> tuple[Piece, ...]:
        """The pieces that mean something: all but comments and line ends."""
        return tuple(p for p in self.pieces if p.kind not in {"comment", "newline"})


def scan(text: str) -> Iterator[Line]:
    r"""Yield the lines of a text, in order.

    >>> [len(line.words) for line in scan("let a = (1 +  # one\n 2)\n\n# end")]
    [8, 0, 0]
    """
    current: list[Piece] = []
    depth = 0
    for piece in _pieces(text):
        if depth and piece.text in STATEMENTS and _first_on_line(current):
            yield Line(_without_end(current))
            current, depth = [], 0
        if piece.kind == "newline" and not depth:
            yield Line(tuple(current))
            current = []
            continue
        current.append(piece)
        depth = max(0, depth + (piece.text in _OPEN) - (piece.text in _CLOSED))
    if current:
        yield Line(_without_end(current))


def _pieces(text: str) -> Iterator[Piece]:
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        shown = match[0].rstrip() if kind == "comment" else match[0]
        yield Piece(kind, shown, match.start(), line)  # type: ignore[arg-type]
        line += kind == "newline"


def _first_on_line(before: list[Piece]) -> bool:
    return bool(before) and before[-1].kind == "newline"


def _without_end(pieces: list[Piece]) -> tuple[Piece, ...]:
    while pieces and pieces[-1].kind == "newline":
        pieces.pop()
    return tuple(pieces)
