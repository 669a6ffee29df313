"""Rational combinations of expressions: what stands inside a floor before it is one."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pelican.expr.node import Expr


class Combination:
    """A sum of rational multiples of integer expressions, plus a rational number.

    Multiples of one expression are added up: ``x/2 + x/2`` is an integer, though
    neither part is.

    Attributes:
        terms: Distinct expressions, each with its coefficient, which is not 0.
        offset: The free term.

    >>> from pelican import index
    >>> x, half = index("x"), Fraction(1, 2)
    >>> Combination([(x, half), (x, half)], half).denominator
    2
    """

    __slots__ = ("offset", "terms")

    def __init__(
        self, terms: Iterable[tuple[Expr, Fraction]], offset: Fraction
    ) -> None:
        total: dict[Expr, Fraction] = {}
        for term, coefficient in terms:
            total[term] = total.get(term, Fraction(0)) + coefficient
        self.terms = [(term, c) for term, c in total.items() if c]
        self.offset = offset

    def times(self, factor: Fraction) -> Combination:
        """Return the combination with all its numbers multiplied by one."""
        return Combination(
            ((term, c * factor) for term, c in self.terms), self.offset * factor
        )

    @property
    def denominator(self) -> int:
        """The least number >= 1 that makes it an integer combination."""
        return lcm(self.offset.denominator, *(c.denominator for _, c in self.terms))
