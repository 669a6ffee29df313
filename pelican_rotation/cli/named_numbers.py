"""Numbers by name on the command line: ``--assume n=64``, ``--hi i=4``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MAX_DIGITS: Final = 18
"""Digits of a number: 64 bits hold them all."""


def named_numbers(
    words: Sequence[str], option: str, what: str, example: str
) -> dict[str, int]:
    """Return numbers by their name, each given as ``NAME=NUMBER``.

    Args:
        words: What stands after the option, each time.
        option: The option.
        what: What it gives, in words.
        example: How it is written.

    Raises:
        ArgumentError: If a word has another form, or a name is given twice.

    >>> named_numbers(["i=4", " %k = -1"], "--hi", "a loop its upper bound", "i=4")
    {'i': 4, 'k': -1}
    """
    from rotation.errors import ArgumentError  # noqa: PLC0415 - help stays light

    found: dict[str, int] = {}
    for word in words:
        name, _, number = (part.strip() for part in word.partition("="))
        name, digits = name.removeprefix("%"), number.removeprefix("-")
        if not name.isidentifier() or not digits.isdecimal() or not digits.isascii():
            message = f"{option} gives {what}, got {word!r}"
            raise ArgumentError(message, hint=f"write {option} {example}")
        if len(digits) > MAX_DIGITS:
            message = f"the number of {name} after {option} is too large"
            raise ArgumentError(message, hint=f"give at most {MAX_DIGITS} digits")
        if name in found:
            message = f"{option} gives {name} two numbers"
            raise ArgumentError(message, hint="keep one of them")
        found[name] = int(number)
    return found
