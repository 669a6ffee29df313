"""The one layout of a file: how its statements are spaced, and nothing else changed.

Line breaks inside brackets stay where they are; blank lines are kept, one for each
group of them. ``%`` is written ``mod`` and ``//`` is written ``floordiv``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pelican.pel.scan import Line, Piece
from pelican.pel.words import KEYWORDS

SPELLED: Final = {"%": "mod", "//": "floordiv"}
"""How operators with two spellings are written."""

_CALLS: Final = frozenset({"rank", "arg", "ap", "tile", "cc_div", "cc_mod"})
_OPEN: Final = frozenset({"(", "["})
_CLOSED: Final = frozenset({")", "]"})
_INDENT: Final = "  "


def laid_out(lines: Iterable[Line]) -> str:
    r"""Return the text of some lines in the one layout.

    >>> from pelican.pel.scan import scan
    >>> laid_out(scan("\n\nlet  a=( 2*i+512 )%4096 #ring\n\n\n"))
    'let a = (2*i + 512) mod 4096  #ring\n'
    """
    written: list[str] = []
    blank = False
    for line in lines:
        if not line.pieces:
            blank = bool(written)
            continue
        if blank:
            written.append("\n")
            blank = False
        written.append(f"{_line(line.pieces)}\n")
    return "".join(written)


def one_line(words: Sequence[Piece]) -> str:
    """Return some words of a statement on one line, without comments.

    >>> from pelican.pel.scan import scan
    >>> [line] = scan("check distinct e for i,i+4 # far")
    >>> one_line(line.words[1:])
    'distinct e for i, i + 4'
    """
    return _line(words)


def _line(pieces: Sequence[Piece]) -> str:
    written: list[str] = []
    depth = 0
    before: Piece | None = None  # the last word
    signed = False  # it is a unary minus
    broken = False  # a line has ended since
    for piece in pieces:
        if piece.kind == "newline":
            broken = True
            continue
        closing = piece.text in _CLOSED
        depth -= closing
        if broken:
            written.append("\n" + _INDENT * depth)
        elif piece.kind == "comment":
            written.append("  " if written else "")
        elif before is not None and not signed and _spaced(before, piece):
            written.append(" ")
        written.append(SPELLED.get(piece.text, piece.text))
        broken = False
        depth += piece.text in _OPEN
        if piece.kind != "comment":
            signed = piece.text == "-" and _ends_no_value(before)
            before = piece
    return "".join(written)


def _ends_no_value(before: Piece | None) -> bool:
    """Tell whether a minus behind a word is a sign, since no value ends there."""
    if before is None or before.text in KEYWORDS:
        return True
    return before.kind == "symbol" and before.text not in _CLOSED


def _spaced(left: Piece, right: Piece) -> bool:
    """Tell whether a space stands between two words."""
    if "*" in {left.text, right.text} or left.text in _OPEN:
        return False
    if right.text in _CLOSED or right.text == ",":
        return False
    if right.text == "(":
        return left.text not in _CALLS
    if right.text == "[":
        return left.kind != "word" or left.text in KEYWORDS
    return True
