"""Files of claims in an editor: what their names mean, and where they are defined."""

from __future__ import annotations

from pelican.access.maps import RingMap
from pelican.access.patterns import AccessPattern
from pelican.errors import LocatedError, Source, Span
from pelican.pel.document import Value
from pelican.pel.format import format_pel
from pelican.pel.layout import one_line
from pelican.pel.read import defined_name, read_pel
from pelican.pel.scan import Line, Piece, scan
from pelican.tree.kinds import is_index
from pelican_rotation.editing.words import Hover, code, facts, simplified, word_at

LANGUAGE = "pel"
"""The name of the language in editors."""


def mistakes(source: Source) -> tuple[LocatedError, ...]:
    r"""Return every mistake of a file, without deciding a claim.

    >>> [error.message for error in mistakes(Source("f.pel", "index i\nlet a = j"))]
    ["unknown name 'j'"]
    """
    return read_pel(source.text, source.name).errors


def formatted(source: Source) -> str:
    """Return a file in its one layout.

    Raises:
        ParseError: If it has a mistake.
    """
    return format_pel(source.text, source.name)


def hover(source: Source, offset: int) -> Hover | None:
    r"""Return what a name stands for: its simplest form, range and congruence.

    >>> source = Source("f.pel", "index i in [0, 8)\nlet a = (8 + i) mod 8")
    >>> print(hover(source, 22).markdown)
    ```pel
    let a = (8 + i) mod 8
    ```
    <BLANKLINE>
    `a` is `i`: range [0, 7]
    """
    word = word_at(source, offset)
    if word is None:
        return None
    value = read_pel(source.text, source.name).names.get(word.text)
    defining = _defining(source, word.text)
    if value is None or defining is None:
        return None
    line, _ = defining
    return Hover((code(one_line(line.words), LANGUAGE), _said(word.text, value)), word)


def _said(name: str, value: Value) -> str:
    """Return what a name stands for, in one line."""
    if isinstance(value, AccessPattern):
        return f"`{name}`: access pattern, `{value}`"
    if isinstance(value, RingMap):
        return f"`{name}`: map, `{value}`"
    known = ", ".join(facts(value))
    if is_index(value) and value.name == name:
        return f"`{name}`: index, {known}"
    return f"`{name}` is `{simplified(value)}`: {known}"


def definition(source: Source, offset: int) -> Span | None:
    r"""Return the name where it is defined that is used at a place, or None.

    >>> definition(Source("f.pel", "index i\nlet a = i"), 16)
    Span(f.pel:1:7)
    """
    word = word_at(source, offset)
    defining = None if word is None else _defining(source, word.text)
    if defining is None:
        return None
    _, name = defining
    return Span(source, name.start, name.end)


def _defining(source: Source, name: str) -> tuple[Line, Piece] | None:
    """Return the first statement that defines a name, and the name in it."""
    for line in scan(source.text):
        defined = defined_name(line)
        if defined is not None and defined.text == name:
            return line, defined
    return None
