"""Known mistakes of people who write files of claims, each with its remedy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pelican.errors import nearest
from pelican.pel.words import KEYWORDS, STATEMENTS

FORMS: Final = {
    "index": "index i in [0, 64) step 4",
    "symbol": "symbol n in [4, 4096) step 4",
    "shard": "shard s of 4",
    "runtime": "runtime r in [0, 9)",
    "assume": "assume n >= 8",
    "let": "let slot = (2048*i + 512) mod 4096",
    "pattern": "pattern p = acc partition [0, 128) at 64*i free [1, 64]",
    "map": "map f (i, j) -> (64*i + j) onto [0, 1024)",
    "show": "show slot, show inverse f, or show f . g",
    "check": "check slot in [0, 4096), check a == b, check distinct e for i, i + 1, "
    "check disjoint p, q, check injective p, or check bijective f",
    "check distinct": "check distinct e for i, i + 1",
    "check disjoint": "check disjoint p, q[i -> i - 1]",
    "check injective": "check injective p",
    "check bijective": "check bijective f",
    "show inverse": "show inverse f",
}
"""How each statement is written, by its first word or its first two."""


class Place(NamedTuple):
    """Where the reading of a statement stopped.

    Attributes:
        word: The word that begins the statement.
        text: The statement.
        at: Offset in it.
        found: The word or character that stands there; empty at the end.
        expected: What may stand there, in words.
    """

    word: str
    text: str
    at: int
    found: str
    expected: str


class Mistake(NamedTuple):
    """A mistake: in which statements, what stands before the place and at it."""

    words: str
    before: str
    at: str
    remedy: str


_HALF_OPEN: Final = "a range is half-open: write [0, 8) for 0 to 7"
_FROM_ZERO: Final = "write a range from its least value to its exclusive end: [0, 64)"
_FREE: Final = "a free dim is a stride and a size: write free [1, 512]"
_ONE_NAME: Final = "each name has a statement of its own, on a line of its own"
_EQUALS: Final = f"a name is followed by =: {FORMS['pattern']}"

MISTAKES: Final = (
    Mistake("", "", r";", "one statement stands on a line, and nothing ends it"),
    Mistake("", r"\bin|\bonto|\bpartition|,", r"\((?=[^()]*,[^()]*[)\]])", _HALF_OPEN),
    Mistake("", r"\bin|\bonto|\bpartition", r"", _FROM_ZERO),
    Mistake("pattern", r"\bfree\b.*\[[^,\]]*", r"\]", _FREE),
    Mistake("pattern", r"\bfree", r"[^\[]", _FREE),
    Mistake("pattern", r"^pattern\s+\w+", r"[\w(]", _EQUALS),
    Mistake("", r"\[[^()]*", r"\]", _HALF_OPEN),
    Mistake("check", "", r"=(?!=)", "a claim compares with =="),
    Mistake("check", "", r"!=", "only distinct says that values differ"),
    Mistake("check", "", r"(?i:and|or)\b|&&|\|\|", "write one claim on a line"),
    Mistake("let|pattern", "=", "=", "a name is given with one ="),
    Mistake("index|symbol|runtime|shard", r"^\w+\s+\w+|\)", ",", _ONE_NAME),
    Mistake("map", "", r"=", "the inputs of a map are followed by ->"),
    Mistake("", "", r"\*\*?", "there are no powers"),
)
"""The first that fits is the one that was made."""

_MEANT: Final = {
    "assert": "check",
    "prove": "check",
    "claim": "check",
    "verify": "check",
    "print": "show",
    "given": "assume",
    "const": "let",
    "def": "let",
    "set": "let",
    "for": "index",
    "loop": "index",
    "param": "symbol",
    "access": "pattern",
}
"""Words of other languages, and the statement that is meant."""


def remedy(place: Place, known: str | None) -> str | None:
    """Return what to do about a statement that could not be read.

    Args:
        place: Where the reading stopped.
        known: The remedy of a mistake inside an expression, if it is one.
    """
    if place.found in KEYWORDS and "a name" in place.expected:
        return f"{place.found} is a word of the language: choose another name"
    if place.found[:1].isdigit() and place.expected == "a name":
        return "a name is letters, digits and _, no digit first"
    if not place.found and _brackets_open(place.text):
        return "a bracket is not closed"
    before = place.text[: place.at].rstrip()
    for mistake in MISTAKES:
        if not re.fullmatch(mistake.words or ".*", place.word):
            continue
        left = re.search(f"(?:{mistake.before})$", before[-200:])
        if left and place.found and re.match(mistake.at, place.text[place.at :]):
            return mistake.remedy
    if known is not None and place.found not in KEYWORDS:
        return known
    two = " ".join(place.text.split()[:2])
    return f"write it like this: {FORMS.get(two, FORMS[place.word])}"


def _brackets_open(text: str) -> bool:
    opened = text.count("(") + text.count("[")
    return opened > text.count(")") + text.count("]")


def unknown_statement(words: Sequence[str]) -> str:
    """Return what to do about a line that begins with no word of a statement."""
    first, second, *_ = (*words, "", "")
    if first in {"//", "/", "--", "%", ";"}:
        return "# starts a comment"
    if first.lower() in STATEMENTS:
        return f"write {first.lower()} in small letters"
    if first in _MEANT:
        return f"write it like this: {FORMS[_MEANT[first]]}"
    if second == "=":
        return f"write it like this: {FORMS['let']}"
    if second == "in":
        return f"write it like this: {FORMS['index']}"
    return nearest(first, STATEMENTS) or f"the statements are {', '.join(STATEMENTS)}"
