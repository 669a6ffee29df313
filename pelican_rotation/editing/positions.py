"""Places of a text as editors count them: lines, and units of an encoding in a line."""

from __future__ import annotations

from typing import Final, Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""What an editor counts in a line; the standard of the protocol is UTF-16."""

_UNIT_BYTES: Final = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


def units(text: str, encoding: Encoding) -> int:
    r"""Return how many units a text has in an encoding.

    >>> units("x", "utf-16"), units("\N{SMILING FACE WITH SUNGLASSES}", "utf-16")
    (1, 2)
    """
    codec = "utf-8" if encoding == "utf-8" else f"{encoding}-le"
    return len(text.encode(codec, "surrogatepass")) // _UNIT_BYTES[encoding]


def position(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    r"""Return line and unit of a character of a text, both counted from 0.

    >>> position("let a = 1\nlet b", 14, "utf-16")
    (1, 4)
    """
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset), units(text[line_start:offset], encoding)


def offset_of(text: str, line: int, unit: int, encoding: Encoding) -> int:
    r"""Return the character at a place; a place behind its line is the line's end.

    >>> offset_of("let a = 1\nlet b", 1, 4, "utf-16")
    14
    """
    start = 0
    for _ in range(line):
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        start = end + 1
    end = text.find("\n", start)
    left = unit
    for offset in range(start, len(text) if end < 0 else end):
        if left <= 0:
            return offset
        left -= units(text[offset], encoding)
    return len(text) if end < 0 else end
