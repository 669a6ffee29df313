"""Congruences: what an expression is modulo a number, and their arithmetic by rules.

The least class that the rules of `pelican.lemmas.congruences` give, as functions of
`pelican.known.rules`, is taken. Of
``x = 3 modulo 8`` and ``x = 1 modulo 2`` the first is kept: it says more.
"""

from __future__ import annotations

from math import gcd

from pelican.errors import OperandError
from pelican.frozen import Frozen
from pelican.integers import (
    brief,
    brief_value,
    exact,
    exact_divisor,
    integer_of,
    literal,
)
from pelican.known.rules import (
    floordiv_class,
    index_class,
    mod_class,
    scale_class,
    sum_class,
    weaker_class,
    weighted_residue,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class Congruence(Frozen):
    """The integers that are `residue` modulo `modulus`.

    A modulus of 0 stands for a single integer, the residue; a modulus of 1 for all.

    Attributes:
        modulus: An integer >= 0.
        residue: In [0, modulus), or any integer where the modulus is 0.

    Raises:
        OperandError: If the modulus is negative, or a number no integer; as in every
            operation.

    >>> Congruence(8, 19)
    Congruence(8, 3)
    >>> 11 in Congruence(8, 3), 11 in Congruence(0, 3), 11 in Congruence(1, 0)
    (True, False, True)
    """

    __slots__ = ("modulus", "residue")

    modulus: int
    residue: int

    def __init__(self, modulus: int, residue: int) -> None:
        modulus = modulus if type(modulus) is int else exact(modulus, "a modulus")
        residue = residue if type(residue) is int else exact(residue, "a residue")
        if modulus < 0:
            raise OperandError(
                f"a congruence needs a modulus >= 0, got {brief(modulus)}",
                hint="0 is a single value, 1 is every integer",
            )
        self._set("modulus", modulus)
        self._set("residue", residue % modulus if modulus else residue)

    def __repr__(self) -> str:
        return f"Congruence({literal(self.modulus)}, {literal(self.residue)})"

    def __contains__(self, value: int) -> bool:
        if type(value) is not int and integer_of(value) is None:
            raise OperandError(f"a congruence holds integers, got {brief_value(value)}")
        difference = value - self.residue
        return not (difference % self.modulus if self.modulus else difference)

    def within(self, other: Congruence) -> bool:
        """Tell whether every integer of this class is in the other."""
        other = _congruence(other)
        if self.residue not in other:
            return False
        return not (self.modulus % other.modulus if other.modulus else self.modulus)

    def is_multiple_of(self, n: int) -> bool:
        """Tell whether an integer n >= 1 divides every integer of the class.

        Raises:
            DivisorError: If it is below 1.
        """
        n = exact_divisor(n, "divides")
        return not (self.modulus % n or self.residue % n)

    def weaker(self, modulus: int) -> Congruence:
        """Return the class modulo a divisor of the modulus that holds this class.

        It is that of all integers where `modulus` is an integer >= 1 that is none.

        Raises:
            DivisorError: If `modulus` is below 1.
        """
        modulus = exact_divisor(modulus, "weaker")
        if not self.modulus:
            return Congruence(modulus, self.residue)
        return _class(weaker_class(r=self.residue, s=self.modulus, g=modulus))

    def __add__(self, other: Congruence | int) -> Congruence:
        right = _congruence(other)
        g = gcd(self.modulus, right.modulus)
        if not g:
            return Congruence(0, self.residue + right.residue)
        one, two = self.weaker(g), right.weaker(g)
        return _class(sum_class(r_x=one.residue, r_y=two.residue, g=g))

    __radd__ = __add__

    def __sub__(self, other: Congruence | int) -> Congruence:
        return self + -1 * _congruence(other)

    def __rsub__(self, other: int) -> Congruence:
        return -1 * self + other

    def __mul__(self, factor: int) -> Congruence:
        factor = factor if type(factor) is int else exact(factor, "a factor")
        t = abs(factor) * self.modulus
        if not t:
            return Congruence(0, factor * self.residue)
        return _class(scale_class(c=factor, r=self.residue, s=self.modulus, t=t))

    __rmul__ = __mul__

    def __floordiv__(self, denom: int) -> Congruence:
        denom = exact_divisor(denom, "floordiv")
        if not self.modulus:
            return Congruence(0, self.residue // denom)
        if self.modulus % denom:
            return EVERY_INTEGER
        t = self.modulus // denom
        return _class(floordiv_class(r=self.residue, n=denom, t=t))

    def __mod__(self, denom: int) -> Congruence:
        denom = exact_divisor(denom, "mod")
        g = gcd(self.modulus, denom)
        if g == denom:
            # It is the one member of the class in [0, denom).
            return Congruence(0, self.residue % denom)
        return _class(mod_class(r=self.residue, g=g, n=denom))


EVERY_INTEGER = Congruence(1, 0)
"""The class of which nothing is known."""


def _congruence(value: Congruence | int) -> Congruence:
    if isinstance(value, Congruence):
        return value
    alone = integer_of(value)
    if alone is None:
        raise OperandError(
            f"a Congruence or an integer is needed, got {brief_value(value)}"
        )
    return Congruence(0, alone)


def _class(found: tuple[int, int] | None) -> Congruence:
    """Return what a rule gives, or the class of all integers where a fact fails."""
    return EVERY_INTEGER if found is None else Congruence(*found)


def weighted_class(terms: Iterable[tuple[Any, int]], offset: int) -> Congruence:
    """Return the class of a sum of ``c * x``, where each x has a `stride`."""
    return Congruence(*weighted_residue(terms, offset))


def class_of_index(lo: int | None, step: int) -> Congruence:
    """Return the class of the values ``lo, lo + step, ...``; None is unbounded."""
    if lo is None:
        return EVERY_INTEGER
    return _class(index_class(first=lo, step=step))


def class_of_values(values: Iterable[int]) -> Congruence:
    """Return the least class that holds some integers, at least one."""
    first, *others = values
    return Congruence(gcd(*(value - first for value in others)), first)


def finer(one: Congruence, other: Congruence) -> Congruence:
    """Return the one of two classes of a value that says more."""
    if not one.modulus or not other.modulus:
        return other if one.modulus else one
    return one if one.modulus >= other.modulus else other


def nearest_residue(number: int, modulus: int) -> int:
    """Return, of the integers that are equal to a number modulo n, the nearest to 0.

    Of two it is the positive one.

    >>> nearest_residue(7, 8), nearest_residue(-4, 8)
    (-1, 4)
    """
    residue = number % modulus
    return residue if 2 * residue <= modulus else residue - modulus
