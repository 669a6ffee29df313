"""Congruences: what an expression is modulo a number, and their arithmetic by rules.

The least class that the rules of `pelican.lemmas.congruences` give, as functions of
`pelican.known.rules`, is taken. Of ``x = 3 modulo 8`` and ``x = 1 modulo 2`` the first
is kept: it says more.
"""

from __future__ import annotations

from math import gcd

from pelican.core import makers
from pelican.core.record import Record
from pelican.errors import OperandError
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
    from typing import Any, NoReturn

    from pelican.core.given import Integer
    from pelican.expr.node import Expr


class Congruence(Record):
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

    def __init__(
        self, modulus: Integer, residue: Integer, *, _checked: bool = False
    ) -> None:
        if _checked:
            object.__setattr__(self, "modulus", modulus)
            object.__setattr__(self, "residue", residue)
            return
        s = modulus if type(modulus) is int else exact(modulus, "a modulus")
        r = residue if type(residue) is int else exact(residue, "a residue")
        if s < 0:
            raise OperandError(
                f"a congruence needs a modulus >= 0, got {brief(s)}",
                hint="0 is a single value, 1 is every integer",
            )
        object.__setattr__(self, "modulus", s)
        object.__setattr__(self, "residue", r % s if s else r)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise self.immutable("set", name)

    def __delattr__(self, name: str) -> NoReturn:
        raise self.immutable("delete", name)

    @property
    def fields(self) -> tuple[int, int]:
        """Modulus and residue."""
        return self.modulus, self.residue

    def __repr__(self) -> str:
        return f"Congruence({literal(self.modulus)}, {literal(self.residue)})"

    def __contains__(self, value: Integer) -> bool:
        number = value if type(value) is int else integer_of(value)
        if number is None:
            raise OperandError(f"a congruence holds integers, got {brief_value(value)}")
        difference = number - self.residue
        return not (difference % self.modulus if self.modulus else difference)

    def within(self, other: Congruence | Integer) -> bool:
        """Tell whether every integer of this class is in the other."""
        outer = _congruence(other)
        if self.residue not in outer:
            return False
        return not (self.modulus % outer.modulus if outer.modulus else self.modulus)

    def is_multiple_of(self, n: Integer) -> bool:
        """Tell whether an integer n >= 1 divides every integer of the class.

        Raises:
            DivisorError: If it is below 1.
        """
        divisor = exact_divisor(n, "divides")
        return not (self.modulus % divisor or self.residue % divisor)

    def weaker(self, modulus: Integer) -> Congruence:
        """Return the class modulo a divisor of the modulus that holds this class.

        It is that of all integers where `modulus` is an integer >= 1 that is none.

        Raises:
            DivisorError: If `modulus` is below 1.
        """
        g = exact_divisor(modulus, "weaker")
        if not self.modulus:
            return Congruence(g, self.residue)
        return _of_rule(weaker_class(r=self.residue, s=self.modulus, g=g))

    def __add__(self, other: Congruence | Integer) -> Congruence:
        right = _congruence(other)
        g = gcd(self.modulus, right.modulus)
        if not g:
            return Congruence(0, self.residue + right.residue)
        one, two = self.weaker(g), right.weaker(g)
        return _of_rule(sum_class(r_x=one.residue, r_y=two.residue, g=g))

    def __radd__(self, other: Integer) -> Congruence:
        return self.__add__(other)

    def __sub__(self, other: Congruence | Integer) -> Congruence:
        return self + -1 * _congruence(other)

    def __rsub__(self, other: Integer) -> Congruence:
        return -1 * self + other

    def __mul__(self, factor: Integer) -> Congruence:
        c = factor if type(factor) is int else exact(factor, "a factor")
        t = abs(c) * self.modulus
        if not t:
            return makers.new_congruence(0, c * self.residue)
        return _of_rule(scale_class(c=c, r=self.residue, s=self.modulus, t=t))

    def __rmul__(self, factor: Integer) -> Congruence:
        return self.__mul__(factor)

    def __floordiv__(self, denom: Integer) -> Congruence:
        n = denom if type(denom) is int else 0
        n = n if n > 0 else exact_divisor(denom, "floordiv")
        if not self.modulus:
            return makers.new_congruence(0, self.residue // n)
        if self.modulus % n:
            return EVERY_INTEGER
        t = self.modulus // n
        return _of_rule(floordiv_class(r=self.residue, n=n, t=t))

    # Without these two, compiled code asks itself for ever what to do.

    def __rfloordiv__(self, other: object) -> Any:  # noqa: ANN401 - always NotImplemented
        return NotImplemented

    def __rmod__(self, other: object) -> Any:  # noqa: ANN401 - always NotImplemented
        return NotImplemented

    def __mod__(self, denom: Integer) -> Congruence:
        n = denom if type(denom) is int else 0
        n = n if n > 0 else exact_divisor(denom, "mod")
        g = gcd(self.modulus, n)
        if g == n:
            # It is the one member of the class in [0, n).
            return makers.new_congruence(0, self.residue % n)
        return _of_rule(mod_class(r=self.residue, g=g, n=n))


EVERY_INTEGER = Congruence(1, 0)
"""The class of which nothing is known."""


def _congruence(value: Congruence | Integer) -> Congruence:
    if isinstance(value, Congruence):
        return value
    alone = integer_of(value)
    if alone is None:
        raise OperandError(
            f"a Congruence or an integer is needed, got {brief_value(value)}"
        )
    return Congruence(0, alone)


def _of_rule(found: tuple[int, int] | None) -> Congruence:
    """Return what a rule gives, or the class of all integers where a fact fails."""
    return EVERY_INTEGER if found is None else Congruence(*found)


def weighted_class(terms: Iterable[tuple[Expr, int]], offset: int) -> Congruence:
    """Return the class of a sum of ``c * x``, where each x has a `stride`."""
    return Congruence(*weighted_residue(terms, offset))


def class_of_index(lo: int | None, step: int) -> Congruence:
    """Return the class of the values ``lo, lo + step, ...``; None is unbounded."""
    if lo is None:
        return EVERY_INTEGER
    return _of_rule(index_class(first=lo, step=step))


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
