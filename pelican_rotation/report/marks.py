"""How operations and buffers are told apart: a colour and a pattern for each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypedDict

COLOURS: Final = (
    *("#77aadd", "#ee8866", "#eedd88", "#44bb99", "#ffaabb"),
    *("#99ddff", "#bbcc33", "#aaaa00", "#dddddd"),
)
"""Colours that people who see colours differently tell apart, all under dark text.

Source: Paul Tol, Colour schemes (SRON/EPS/TN/09-002, 2021), the scheme "light".
"""

PATTERNS: Final = (" ", "/", "\\", ".", "-", "|", "x", "+")
"""Patterns of the plotting library, plain first."""


class Mark(TypedDict):
    """How one name is shown.

    Attributes:
        name: The name.
        colour: Its fill.
        pattern: Its hatch, one of `PATTERNS`.
        number: The number of the pattern, for the style sheet of the legend.
    """

    name: str
    colour: str
    pattern: str
    number: int


def marks_of(names: Iterable[str]) -> list[Mark]:
    """Return a mark for each name; of up to 72 names no two look alike.

    >>> [mark["colour"] for mark in marks_of(["load", "add"])]
    ['#77aadd', '#ee8866']
    """
    # 9 colours and 8 patterns have no common factor: pairs repeat after 72.
    return [
        Mark(
            name=name,
            colour=COLOURS[place % len(COLOURS)],
            pattern=PATTERNS[place % len(PATTERNS)],
            number=place % len(PATTERNS),
        )
        for place, name in enumerate(names)
    ]
