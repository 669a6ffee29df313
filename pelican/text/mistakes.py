"""Known mistakes of people who write expressions, each with its remedy.

A mistake is known by the text on both sides of the place where reading stopped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from pelican.expr.remedies import COMPLEMENT, NO_MATRICES, NO_POWERS, on_bits
from pelican.text.calls import CALLS

FORMS: Final = {
    "declaration": "i in [0, 64) step 4",
    "shard_declaration": "s of 4",
}
"""How each rule is written that is short enough to be shown whole."""


ONLY_INTEGERS: Final = "numbers are integers"


class Mistake(NamedTuple):
    """A mistake: what stands before the place, what stands at it, and the remedy.

    Attributes:
        before: Pattern of the end of the text before the place, without space.
        at: Pattern of the text from the place on.
        remedy: What to write instead.
    """

    before: str
    at: str
    remedy: str


_VALUE: Final = r"[\w)]"  # a name, a number or a bracket has just ended
_ON_BITS: Final = re.compile(r"(<<|>>|&(?!&)|\|(?!\|))(?: *(\d{1,9})\b)?")
_NO_CEILDIV: Final = "there is no ceildiv: x ceildiv 4 is (x + 3) floordiv 4"

MISTAKES: Final = (
    Mistake(_VALUE, r"(?i:mod)\b", "write mod in small letters, as in x mod 4"),
    Mistake(_VALUE, r"(?i:div|floordiv|idiv)\b", "write floordiv, as in x floordiv 4"),
    Mistake(_VALUE, r"(?i:ceildiv)\b", _NO_CEILDIV),
    Mistake(r"\b(?i:ceildiv)", r"\(", _NO_CEILDIV),
    Mistake(rf"{_VALUE} *\*", r"\*", NO_POWERS),
    Mistake(
        r"\b(?i:min|max|abs)",
        r"\(",
        "there is no min, max or abs here: use + - * mod floordiv",
    ),
    Mistake("", "~", COMPLEMENT),
    Mistake(_VALUE, "@", NO_MATRICES),
    Mistake("", "/", "division rounds down and is written // or floordiv"),
    Mistake("", r"\^", f"{NO_POWERS} and no bit operators"),
    Mistake("", r"[\u00d7\u00b7\u2217]", "write * for a product"),
    Mistake("", r"[\u2013\u2014\u2212]", "write - for a minus"),
    Mistake("", r"\u00f7", "division rounds down and is written // or floordiv"),
    Mistake("", "#", "an expression holds no comment, and i#2 is display only"),
)
"""The first that fits is the one that was made."""

_NO_AND: Final = "comparisons are joined by a product: (i < 3)*(j < 4)"
_NO_CHOICE: Final = "a choice is a sum: 3*(i < 4) + 5*(i >= 4)"

WHERE_CALLS_ARE: Final = (
    Mistake(_VALUE, r"&&|\|\||(?i:and|or)\b", _NO_AND),
    Mistake(_VALUE, r"\?|(?:if|else)\b", _NO_CHOICE),
    Mistake(_VALUE, r"=(?!=)", "two values are compared with =="),
    Mistake(r"[<>=][^<>=]*", r"[<>=]", "each comparison but one stands in brackets"),
    Mistake("", r"\[", "brackets are round, and nothing is indexed: write (i + 1)"),
    Mistake("", r"[$@\"'`\\]", "a name is letters, digits and _, no digit first"),
    Mistake(r"(?:\A|[-+*(])", r"%\w", "a name begins with a letter, and % is mod"),
)
"""More of them, in expressions that stand alone or in a file of claims."""


MODULO_CALL: Final = r"(?i:f?mod|modulo|remainder|rem)"
ROUNDING_CALL: Final = r"(?i:floor(d|_?div)?|ceil(d|ing|_?div)?|i?div|int)"
"""How other languages call these operations."""


def remedy(
    found: str,
    text: str,
    at: int,
    expected: str,
    *,
    start: str,
    calls: Sequence[str] = CALLS,
) -> str | None:
    """Return what to do about a text that could not be read, if that is known.

    Args:
        found: The word or character at the place; empty at the end of the text.
        text: The whole text.
        at: Where reading stopped.
        expected: What may stand there, in words.
        start: The rule that was read, such as ``start`` or ``declaration``.
        calls: The functions that an expression may call there.
    """
    if start == "declaration" and found == "]":
        return "a range is half-open: write i in [0, 8) for 0 to 7"
    if (
        start == "declaration"
        and found == ","
        and re.search(r"(^[^\[]*|\))$", text[:at])
    ):
        return "each name has a declaration of its own"
    inside = _in_expression(found, text, at, expected, calls)
    if start in FORMS and (inside is None or "an operator" not in expected):
        return f'write it like "{FORMS[start]}"'
    wants_value = "a name" in expected and "a number" in expected
    if start == "start" and inside is None and wants_value:
        return "write a value here, as in 4*i + 1"
    return inside


def _in_expression(
    found: str, text: str, at: int, expected: str, calls: Sequence[str]
) -> str | None:
    before = text[:at].rstrip()
    if found and (bits := _on_bits(text, at)):
        return bits
    # A word of another place, such as a missing `in`, is none of an expression.
    more = calls and ("an operator" in expected or "a number" in expected)
    mistakes = (*MISTAKES, *WHERE_CALLS_ARE) if more else MISTAKES
    for mistake in mistakes if found else ():
        left = re.search(f"(?:{mistake.before})$", before[-10:])
        if left and re.match(mistake.at, text[at:]):
            return mistake.remedy
    call = call_before(found, text, at)
    return _call(call, calls) if call else in_any_language(found, text, at, expected)


def _on_bits(text: str, at: int) -> str:
    """Return the remedy for an operator on bits at a place, or an empty text.

    Of a shift the first character may have been read as a comparison.
    """
    for begin in (at, at - 1):
        operator = _ON_BITS.match(text, begin) if begin > 0 else None
        if operator and re.search(f"{_VALUE}$", text[:begin].rstrip()):
            return on_bits(operator[1], int(operator[2]) if operator[2] else None, "x")
    return ""


def call_before(found: str, text: str, at: int) -> str:
    """Return the name that a text calls where reading stopped, empty if it does not.

    >>> call_before("(", "4*foo(i)", 5)
    'foo'
    """
    name = re.search(r"[A-Za-z_]\w*$", text[:at].rstrip()) if found == "(" else None
    return name[0] if name else ""


def _call(name: str, calls: Sequence[str]) -> str:
    """Return what to write instead of a call of a function that is not there."""
    if re.fullmatch(MODULO_CALL, name):
        return "a remainder is written x mod 4"
    if re.fullmatch(ROUNDING_CALL, name):
        return "division rounds down and is written x floordiv 4"
    known = f"the calls are {', '.join(calls)}" if calls else "an expression calls none"
    return f"there is no function {name}: {known}; a product is {name}*(...)"


def in_number(text: str, at: int) -> str | None:
    """Return what to do about a number that is written as in other languages, or None.

    >>> in_number("1_000", 1)
    'the digits of a number stand together: 1000 and not 1_000'
    """
    rest = text[at:]
    if not re.search(r"\d$", text[:at]):
        return ONLY_INTEGERS if re.match(r"\.\d", rest) else None
    if re.match(r"[eE][+-]?\d*\b", rest):
        return f"{ONLY_INTEGERS}, written out: 1000 and not 1e3"
    if re.match(r"_\d", rest):
        return "the digits of a number stand together: 1000 and not 1_000"
    if re.search(r"\b0$", text[:at]) and re.match(r"[xXbBoO][0-9a-fA-F]", rest):
        return "write numbers in decimal, as in 64"
    fraction = rest.startswith(".") and not rest.startswith("..")
    return ONLY_INTEGERS if fraction else None


def in_any_language(found: str, text: str, at: int, expected: str) -> str | None:
    """Return what to do about a mistake that is one in every language of expressions.

    Args:
        found: The word or character at the place; empty at the end of the text.
        text: The whole text.
        at: Where reading stopped.
        expected: What may stand there, in words.
    """
    if not found:
        return "a bracket is not closed" if text.count("(") > text.count(")") else None
    number = in_number(text, at)
    if number is not None:
        return number
    after_value = re.search(f"{_VALUE}$", text[:at].rstrip()[-1:])
    # Without a word on what may stand there, an operator may.
    may_go_on = "an operator" in expected or not expected
    if may_go_on and after_value and (found[0].isalnum() or found in "_("):
        return f"an operator is missing before {found!r}: write 5*i, not 5i or 5 i"
    if found == ")" and "an operator" in expected:
        return "this bracket closes nothing"
    return None
