"""The values of ``show`` statements, and their texts."""

from __future__ import annotations

from lark import Token, Tree

from pelican.access.maps import Inverse, RingMap
from pelican.access.patterns import AccessPattern
from pelican.expr.node import Expr
from pelican.integers import decimal
from pelican.known.interval import Interval
from pelican.pel.document import Value
from pelican.pel.values import Values, as_token


def read_shown(part: Tree[Token], values: Values) -> Value | Inverse | None:
    """Return the value of a tree behind the word ``show``.

    Returns:
        An expression, a pattern, a map or an inverse; None for a map without an
        inverse that its structure tells.

    Raises:
        ParseError: If a name stands for nothing, or for something of another kind.
        PelicanError: If two maps do not compose.
    """
    if part.data == "composition":
        *others, last = [values.names.map(as_token(name)) for name in part.children]
        return _composed(others, last)
    if part.data == "inverse":
        return values.names.map(as_token(part.children[0])).inverse()
    if part.data == "name":
        known = values.names.values.get(str(part.children[0]))
        if isinstance(known, (AccessPattern, RingMap)):
            return known
    return values.expression(part)


def _composed(others: list[RingMap], last: RingMap) -> RingMap:
    """Return ``f . g . h``, which applies h first."""
    made = last
    for f in reversed(others):
        made = f.after(made)
    return made


def shown_text(value: Value | Inverse | None) -> str:
    """Return what a reader sees of a value, on one line.

    Raises:
        TooLargeError: If an expression or an integer in it is too large to write.

    >>> from pelican import index
    >>> shown_text(index("i", 0, 64) + 1)
    'i + 1, in [1, 65)'
    """
    if value is None:
        return "no inverse is known"
    if isinstance(value, AccessPattern):
        return f"{value}, addresses {_half_open(value.footprint)}"
    if isinstance(value, RingMap):
        return str(value)
    if isinstance(value, Expr):
        return f"{value}, in {_half_open(value.range)}"
    return str(value)


def _half_open(interval: Interval) -> str:
    # Not as messages show it: these are results, so each digit is written.
    low = "..." if interval.lo is None else decimal(interval.lo)
    high = "..." if interval.hi is None else decimal(interval.hi + 1)
    return f"[{low}, {high})"
