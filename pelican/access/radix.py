"""Numbers of mixed radix: the maps between digits and their number.

>>> print(linearise([4, 8]).after(delinearise([4, 8])))
(y) -> (y) onto [0, 32)
"""

from __future__ import annotations

from math import prod

from pelican.access.maps import RingMap
from pelican.engine.simplify import floordiv, modulo, sum_of
from pelican.errors import OperandError
from pelican.expr import index
from pelican.tree.arguments import as_expr, as_half_open, as_int, as_tuple
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pelican.expr.node import Expr


def linearise(
    sizes: Iterable[int | tuple[int, int]],
    *,
    names: Iterable[str] | None = None,
    offset: int = 0,
) -> RingMap:
    """Return the map from digits to their number, the last digit running fastest.

    Args:
        sizes: Size of each digit, >= 1, or its half-open range.
        names: Names of the digits; d0, d1, ... where they are left out.
        offset: What the number starts from.

    Raises:
        OperandError: If a size or the offset is no integer, there is no size, or the
            names are not one for each digit.
        IndexRangeError: If a size is below 1.

    >>> print(linearise([4, 8]))
    (d0, d1) -> (8*d0 + d1) onto [0, 32)
    """
    ranges = _digit_ranges(sizes)
    labels = tuple(f"d{k}" for k in range(len(ranges)))
    if names is not None:
        labels = as_tuple(names, "the names of the digits are a list")
    if len(labels) != len(ranges):
        raise OperandError(
            f"{len(ranges)} digits need as many names, got {brief_text(labels)}"
        )
    digits = [index(n, lo, hi) for n, (lo, hi) in zip(labels, ranges, strict=True)]
    number: Expr = as_expr(0)
    for digit, (low, high) in zip(digits, ranges, strict=True):
        number = sum_of([(high - low) * number, digit, -low])
    total = prod(high - low for low, high in ranges)
    start = as_int(offset)
    return RingMap(digits, [number + start], [(start, start + total)])


def delinearise(
    sizes: Iterable[int | tuple[int, int]],
    *,
    name: str = "y",
    offset: int = 0,
) -> RingMap:
    """Return the map from a number to its digits, the last digit running fastest.

    Args:
        sizes: Size of each digit, >= 1, or its half-open range.
        name: Name of the number.
        offset: What the number starts from.

    Raises:
        OperandError: If a size or the offset is no integer, or there is no size.
        IndexRangeError: If a size is below 1.

    >>> print(delinearise([4, 8]))
    (y) -> (y floordiv 8, y mod 8) onto [0, 4), [0, 8)
    """
    ranges = _digit_ranges(sizes)
    start = as_int(offset)
    number = index(name, start, start + prod(high - low for low, high in ranges))
    rest: Expr = number - start
    digits: list[Expr] = []
    for low, high in reversed(ranges[1:]):
        digits.append(modulo(rest, high - low) + low)
        rest = floordiv(rest, high - low)
    digits.append(rest + ranges[0][0])
    return RingMap([number], reversed(digits), ranges)


def _digit_ranges(
    sizes: Iterable[int | tuple[int, int]],
) -> list[tuple[int, int]]:
    ranges = [
        as_half_open(size if isinstance(size, (tuple, list)) else (0, size), "a digit")
        for size in as_tuple(sizes, "the sizes of a mixed radix are a list")
    ]
    if not ranges:
        raise OperandError("a mixed radix needs at least one size", hint="write [4, 8]")
    return ranges
