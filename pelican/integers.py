"""Integers of any length as text: in the language, as Python code, and in messages.

Python itself refuses to write integers of more than some thousand digits, by default
4300. Here each reader gets what it needs: text that can be read again, or an error
that says why not; code that is exact; and a message that stays short.
"""

from __future__ import annotations

from operator import index

from pelican.errors import DivisorError, OperandError, TooLargeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

MAX_DIGITS: Final = 4000
"""Integers of more digits are not written in the text language, and not read."""

MAX_SHOWN_DIGITS: Final = 60
"""Integers of more digits are shortened in messages."""

_SHORT: Final = 1 << 64
"""Integers below it are written without being measured."""

SHOWN_ENDS: Final = 12
"""Digits that a shortened integer shows at either end."""

MAX_SHOWN: Final = 120
"""Longest text of a value that messages show in full [characters]."""


def integer_of(value: object) -> int | None:
    """Return the integer of anything with ``__index__`` but a bool, or None.

    >>> integer_of(3), integer_of(True), integer_of(3.0), integer_of("3")
    (3, None, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return int(index(value))  # an array has __index__, and refuses to be one
    except TypeError:
        return None


def exact(value: object, what: str) -> int:
    """Return the integer of an argument: anything with ``__index__`` except bool.

    Args:
        value: The argument.
        what: What it is, for the message.

    Raises:
        OperandError: If it is no integer.

    >>> exact(3, "an end")
    3
    """
    number = integer_of(value)
    if number is None:
        raise OperandError(f"{what} must be an integer, got {brief_value(value)}")
    return number


def exact_divisor(value: object, operation: str) -> int:
    """Return the integer of a divisor.

    Raises:
        OperandError: If it is no integer.
        DivisorError: If it is below 1.

    >>> exact_divisor(3, "mod")
    3
    """
    divisor = exact(value, f"the divisor of {operation}")
    if divisor < 1:
        raise DivisorError(
            f"{operation} needs a divisor >= 1, got {brief(divisor)}",
            hint="a divisor is an integer of at least 1",
        )
    return divisor


def digits_of(value: int) -> int:
    """Return the number of decimal digits, without the sign.

    >>> digits_of(-999), digits_of(10**5000)
    (3, 5001)
    """
    size = abs(int(value))  # numpy has its own integers
    # bits * log10(2), rounded down: at most one too small.
    digits = max(1, (size.bit_length() - 1) * 30_102 // 100_000)
    while size >= 10**digits:
        digits += 1
    return digits


def decimal(value: int) -> str:
    """Return the digits of an integer.

    Raises:
        TooLargeError: If it has more than `MAX_DIGITS`.
    """
    if digits_of(value) > MAX_DIGITS:
        raise TooLargeError(
            f"an integer of {digits_of(value)} digits is too long to write",
            hint=f"text holds integers of at most {MAX_DIGITS} digits",
        )
    return str(value)


def literal(value: int | None) -> str:
    """Return Python code of an integer, exact whatever its length.

    >>> literal(-12), literal(None), len(literal(10**5000))
    ('-12', 'None', 4155)
    """
    if value is None or -_SHORT < value < _SHORT or digits_of(value) <= MAX_DIGITS:
        return str(value)
    return hex(value)


def brief(value: int) -> str:
    """Return an integer as messages show it: a long one by its ends and its length.

    >>> brief(-1200), brief(2 * 10**4999 + 7)
    ('-1200', '200000000000...000000000007 (5000 digits)')
    """
    digits = digits_of(value)
    if digits <= MAX_SHOWN_DIGITS:
        return str(value)
    sign, size = "-" if value < 0 else "", abs(value)
    first = size // 10 ** (digits - SHOWN_ENDS)
    last = size % 10**SHOWN_ENDS
    return f"{sign}{first}...{last:0{SHOWN_ENDS}} ({digits} digits)"


def half_open(lo: int | None, end: int | None) -> str:
    """Return a range as messages show it, as it is declared: its end is exclusive.

    >>> half_open(0, 64), half_open(None, 8)
    ('[0, 64)', '[..., 8)')
    """
    low, high = ("..." if each is None else brief(each) for each in (lo, end))
    return f"[{low}, {high})"


def brief_value(value: object) -> str:
    """Return what messages show of a value that is no expression.

    >>> brief_value(10**60), brief_value("x" * 5000)[115:]
    ('100000000000...000000000000 (61 digits)', 'xxxxx... (5002 characters)')
    """
    if isinstance(value, int):
        return brief(value)
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # it holds what is too large to write
        text = f"a {type(value).__name__}"
    return cut(text, f"{len(text)} characters")


def cut(text: str, size: str) -> str:
    """Return a text, or the beginning of a long one and its size in words."""
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({size})"


def number(digits: str) -> int:
    """Return the integer of decimal digits, however many.

    >>> number("-12"), number("1" + 5000 * "0") == 10**5000
    (-12, True)
    """
    sign, size = (-1, digits[1:]) if digits.startswith("-") else (1, digits)
    value = 0
    for begin in range(0, len(size), MAX_DIGITS):
        part = size[begin : begin + MAX_DIGITS]
        value = value * 10 ** len(part) + int(part)
    return sign * value
