"""Polynomials over the integers in normal form: equal values have equal forms.

A certificate is checked by arithmetic alone, without a search: each ``x mod m`` is
replaced by ``x - m*(x floordiv m)``, each quotient counts as one more variable, and
what is left is a polynomial. Two sides are the same law if their difference is zero.

>>> x, n = Polynomial.variable("x"), Polynomial.variable("n")
>>> print(n * (x // n) + x % n - x)
0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Monomial = tuple[str, ...]
"""Factors by name, sorted, repeated for powers; empty for the constant."""

MAX_REPLACEMENTS: Final = 64
"""Bound on rewriting by facts: ``n divides n*n`` could go on for ever."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of monomials.

    Attributes:
        terms: Monomial and coefficient, sorted by monomial, no coefficient zero.
    """

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def variable(name: str) -> Polynomial:
        """Return the polynomial of one variable."""
        return Polynomial((((name,), 1),))

    @staticmethod
    def of(value: Polynomial | int) -> Polynomial:
        """Return the polynomial of an integer, or the polynomial itself."""
        if isinstance(value, Polynomial):
            return value
        return _collect({(): value})

    def __add__(self, other: Polynomial | int) -> Polynomial:
        total = dict(self.terms)
        for monomial, coefficient in Polynomial.of(other).terms:
            total[monomial] = total.get(monomial, 0) + coefficient
        return _collect(total)

    def __radd__(self, other: int) -> Polynomial:
        return self + other

    def __sub__(self, other: Polynomial | int) -> Polynomial:
        return self + Polynomial.of(other) * -1

    def __rsub__(self, other: int) -> Polynomial:
        return Polynomial.of(other) - self

    def __mul__(self, other: Polynomial | int) -> Polynomial:
        total: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in Polynomial.of(other).terms:
                product = tuple(sorted(left + right))
                total[product] = total.get(product, 0) + a * b
        return _collect(total)

    def __rmul__(self, other: int) -> Polynomial:
        return self * other

    def __floordiv__(self, other: Polynomial | int) -> Polynomial:
        return Polynomial.variable(f"[({self}) floordiv ({other})]")

    def __rfloordiv__(self, other: int) -> Polynomial:
        return Polynomial.of(other) // self

    def __mod__(self, other: Polynomial | int) -> Polynomial:
        return self - Polynomial.of(other) * (self // other)

    def __rmod__(self, other: int) -> Polynomial:
        return Polynomial.of(other) % self

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        return " + ".join("*".join((str(c), *m)) for m, c in self.terms)

    def replaced(self, monomial: Monomial, by: Polynomial) -> Polynomial:
        """Return this polynomial with a product of variables replaced.

        Every monomial that the product divides is rewritten until none is left.

        Args:
            monomial: The product to replace; not the constant.
            by: A polynomial of the same value.
        """
        result = self
        for _ in range(MAX_REPLACEMENTS):
            total = Polynomial(())
            for factors, coefficient in result.terms:
                rest = _quotient(factors, monomial)
                term = Polynomial(((factors, coefficient),))
                if rest is not None:
                    term = Polynomial(((rest, coefficient),)) * by
                total += term
            if total == result:
                return result
            result = total
        return result


def _collect(total: Mapping[Monomial, int]) -> Polynomial:
    kept = ((m, c) for m, c in total.items() if c != 0)
    return Polynomial(tuple(sorted(kept)))


def _quotient(factors: Monomial, divisor: Monomial) -> Monomial | None:
    """Return the factors without those of the divisor, or None if one is missing."""
    rest = list(factors)
    for name in divisor:
        if name not in rest:
            return None
        rest.remove(name)
    return tuple(rest)
