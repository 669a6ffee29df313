"""Formatting a text of kernels: the same words and comments in the one layout.

The layout is that of `rotation.text.print`: a statement a line, two spaces deeper in
each block. No word is added or left out, but ``%`` is written ``mod`` and ``//`` is
written ``floordiv``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lark import Token

from pelican.errors import Source
from pelican.pel.layout import SPELLED
from rotation.text.parse import words
from rotation.text.print import INDENT

_OPEN: Final = frozenset("([")
_CLOSED: Final = frozenset(")]")
_TIGHT: Final = frozenset({"*", ".", ":+"})
_VALUES: Final = frozenset({"NAME", "INT"})
_BEFORE_BRACKET: Final = frozenset({"over", "index", "loaded", "min", "sb", "@"})
_STARTS: Final = frozenset(
    {
        *("DECLARATION", "_FOR", "_IF", "_CALL", "OPERATION_ID"),
        *("KERNEL", "PLACED", "PLACE", "ORDER", "EDGE"),
    }
)


@dataclass(slots=True)
class _Line:
    """One line of the layout.

    Attributes:
        words: The words on it: a statement, the head of a block, or its end.
        above: The lines right above it: comments, and "" for a blank line.
        behind: The comment at its end, or "".
    """

    words: list[Token] = field(default_factory=list)
    above: list[str] = field(default_factory=list)
    behind: str = ""


def format_kernels(text: str, name: str = "<text>") -> str:
    r"""Return a text in the one layout; nothing is simplified, no comment is lost.

    Formatting twice is formatting once. A comment inside a statement comes to stand
    above it. Blank lines are kept, one for each group of them.

    Args:
        text: Blocks of kernels and placed programs; they need to be in the language
            only, not to make sense.
        name: What to call the text in messages.

    Raises:
        ParseError: If the text is not in the language.

    >>> print(format_kernels('''kernel k on trn2{# one load
    ... dram x[2,64]fp32 input for i in[0,2){ sb t[1,64]fp32
    ... dma.load t<-x[ i+0 :+1,0:+64] } }'''), end="")
    kernel k on trn2 {  # one load
      dram x [2, 64] fp32 input
      for i in [0, 2) {
        sb t [1, 64] fp32
        dma.load t <- x[i + 0:+1, 0:+64]
      }
    }
    """
    written: list[str] = []
    depth = 0
    for line in _lines(Source(name, text)):
        for above in line.above:
            if above:
                written.append(f"{INDENT * depth}{above}\n")
            elif written:
                written.append("\n")
        if line.words:
            depth -= line.words[0] == "}"
            behind = f"  {line.behind}" if line.behind else ""
            written.append(f"{INDENT * depth}{_spelled(line.words)}{behind}\n")
            depth += line.words[-1] == "{"
    return "".join(written)


def _lines(source: Source) -> Iterator[_Line]:
    """Yield the lines of a text; the last one has no words."""
    line = _Line()
    end = 0
    for word in words(source):
        gap = source.text[end : word.start_pos]
        end = word.end_pos or 0
        if line.words and not _starts(line.words[-1], word):
            line.above += _comments(gap)
        else:
            done, line = line, _Line()
            done.behind, line.above = _between(gap, first=not done.words)
            if done.words:
                yield done
        line.words.append(word)
    last = _Line()
    line.behind, above = _between(source.text[end:], first=False)
    while above and not above[-1]:
        above.pop()
    last.above = above
    yield line
    yield last


def _starts(before: Token, word: Token) -> bool:
    """Tell whether a line starts with a word, by the word before it."""
    if before == "{" or word == "}" or word.type in _STARTS:
        return True
    if before == "}":
        return word != "else"
    return word.type == "ENGINE" and before != ":"


def _comments(gap: str) -> list[str]:
    """Return the comments between two words."""
    return [part.strip() for part in gap.split("\n") if part.strip()]


def _between(gap: str, *, first: bool) -> tuple[str, list[str]]:
    """Return what stands between two lines: a comment behind, and lines above.

    Args:
        gap: White space and comments.
        first: Whether no line is before it.
    """
    behind, *rest = (part.strip() for part in gap.split("\n"))
    if first:
        behind, rest = "", [behind, *rest]
    above: list[str] = []
    for part in rest[:-1]:
        if part or (above and above[-1]) or not above:
            above.append(part)
    if rest and rest[-1]:  # a comment that the text ends with
        above.append(rest[-1])
    return behind, above


def _spelled(line: list[Token]) -> str:
    """Return the words of a line with the spaces between them."""
    written: list[str] = []
    before: Token | None = None
    signed = False  # the word before is a unary minus
    for word in line:
        declares = line[0].type == "DECLARATION"
        if before is not None and not signed and _spaced(before, word, declares):
            written.append(" ")
        written.append(SPELLED.get(word, str(word)))
        signed = word == "-" and not _ends_value(before)
        before = word
    return "".join(written)


def _ends_value(word: Token | None) -> bool:
    """Tell whether a value ends with a word, so that a minus behind it subtracts."""
    return word is not None and (word.type in _VALUES or word in _CLOSED)


def _spaced(left: Token, right: Token, declares: bool) -> bool:  # noqa: FBT001 - one caller
    """Tell whether a space stands between two words of a line."""
    if left in _TIGHT or right in _TIGHT or left in _OPEN or left == "@":
        return False
    if right in _CLOSED or right in {",", ":", "@"}:
        return False
    if right == "(":
        return left not in _BEFORE_BRACKET and left.type not in {"NAME", "CALL"}
    if right == "[":
        return declares or left.type != "NAME"
    return True
