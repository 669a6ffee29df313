"""Read ``hand_allocation`` of the JSON form: slots and places by the author's hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rotation.interchange.document import Value

_EXPRESSION: Final = re.compile(r"[A-Za-z0-9_ +*/%()-]+")
"""The characters of an index expression; what it means is the parser's to say."""

_PLACES: Final = ("bank", "byte", "part")


@dataclass(frozen=True, slots=True)
class Hand:
    """What the author gave to one buffer.

    Attributes:
        value: Where the document says so.
        ring: Number of slots, or None.
        place: The words of its place in kernel text; empty without one.
    """

    value: Value
    ring: int | None
    place: str


def read_hand(value: Value) -> dict[str, Hand]:
    """Return what a ``hand_allocation`` gives to each buffer that it names.

    Raises:
        InterchangeError: If an entry has a field that is not read, or a wrong value.
    """
    return {name: _entry(entry) for name, entry in value.members()}


def _entry(entry: Value) -> Hand:
    fields = entry.fields((), ("ring", *_PLACES, "why", "note"))
    ring = fields["ring"].integer(least=1) if "ring" in fields else None
    words = [
        f"{word} {_expression(fields[word])}" for word in _PLACES if word in fields
    ]
    if "part" in fields and len(words) == 1:
        fields["part"].refuse("part stands beside bank or byte")
    if "bank" in fields and "byte" in fields:
        fields["byte"].refuse("a buffer has a bank or a byte, not both")
    return Hand(entry, ring, " ".join(words))


def _expression(value: Value) -> str:
    """Return the text of an index expression; a number may stand as one."""
    if isinstance(value.data, int) and not isinstance(value.data, bool):
        return str(value.integer(least=0))
    text = value.text()
    if not _EXPRESSION.fullmatch(text):
        value.refuse(f"{text!r} is no index expression", 'write one, as "4 + g mod 4"')
    return text
