"""What an editor shows at a place, and the word that stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pelican import Expr
from pelican.errors import PelicanError, Source, Span
from pelican.integers import brief

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Hover:
    """What is said of a place.

    Attributes:
        lines: Paragraphs in Markdown.
        span: The characters that it is said of.
    """

    lines: tuple[str, ...]
    span: Span

    @property
    def markdown(self) -> str:
        """The paragraphs as one text."""
        return "\n\n".join(self.lines)


def word_at(source: Source, offset: int) -> Span | None:
    """Return the word around or right before a place, None in a comment.

    >>> word_at(Source("k", "let slot = i"), 6).text, word_at(Source("k", "# i"), 2)
    ('slot', None)
    """
    text = source.text
    line_start = text.rfind("\n", 0, offset) + 1
    if "#" in text[line_start:offset]:
        return None
    end = text.find("\n", line_start)
    for match in _WORD.finditer(text, line_start, len(text) if end < 0 else end):
        if match.start() <= offset <= match.end():
            return Span(source, *match.span())
    return None


def code(text: str, language: str = "") -> str:
    """Return a text as a block of code in Markdown."""
    return f"```{language}\n{text}\n```"


def facts(expr: Expr) -> Sequence[str]:
    """Return what is known of the values of an expression: range and congruence.

    >>> from pelican import index
    >>> list(facts(4*index("i", 0, 8)))
    ['range [0, 28]', 'always 0 modulo 4']
    """
    low, high = expr.range.lo, expr.range.hi
    start = "(-\N{INFINITY}" if low is None else f"[{brief(low)}"
    end = "\N{INFINITY})" if high is None else f"{brief(high)}]"
    said = [f"range {start}, {end}"]
    stride = expr.stride
    if stride.modulus > 1 and low != high:
        said.append(f"always {brief(stride.residue)} modulo {brief(stride.modulus)}")
    return said


def simplified(expr: Expr) -> str:
    """Return the text of an expression, or why it has none."""
    try:
        return str(expr)
    except PelicanError as error:
        return error.message
