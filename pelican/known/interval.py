"""Intervals, and their arithmetic by the range rules.

Every bound comes from a record of `pelican.lemmas.ranges`, as a function of
`pelican.known.rules`; the tightest applicable rule wins.
"""

from __future__ import annotations

from pelican.core import makers
from pelican.core.record import Record
from pelican.errors import IndexRangeError, OperandError
from pelican.integers import (
    brief,
    brief_value,
    exact,
    exact_divisor,
    half_open,
    integer_of,
    literal,
)
from pelican.known.congruence import Congruence
from pelican.known.rules import (
    class_lower,
    class_upper,
    floordiv_lower,
    floordiv_upper,
    index_lower,
    index_upper,
    joint_lower,
    mod_lower,
    mod_upper,
    scale_lower,
    scale_upper,
    sum_lower,
    sum_upper,
    weighted_ends,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final, NoReturn

    from pelican.core.given import Integer, KnownClass
    from pelican.expr.node import Expr


class Interval(Record):
    """The integers from `lo` to `hi`, both inclusive; None is unbounded.

    Raises:
        OperandError: If an end is no integer; as in every operation, where a number is
            none.
        IndexRangeError: If lo is above hi.

    >>> Interval(0, 7)
    Interval(0, 7)
    >>> 3 in Interval(0, 7), 8 in Interval(0, None)
    (True, True)
    """

    __slots__ = ("lo", "hi")  # noqa: RUF023 - the order of the arguments

    lo: int | None
    hi: int | None

    def __init__(
        self, lo: Integer | None, hi: Integer | None, *, _checked: bool = False
    ) -> None:
        if _checked:
            object.__setattr__(self, "lo", lo)
            object.__setattr__(self, "hi", hi)
            return
        low = lo if lo is None or type(lo) is int else exact(lo, _AN_END)
        high = hi if hi is None or type(hi) is int else exact(hi, _AN_END)
        if low is not None and high is not None and low > high:
            raise IndexRangeError(
                f"an interval needs lo <= hi, got [{brief(low)}, {brief(high)}]",
                hint="both ends are inclusive: Interval(3, 3) holds 3 alone",
            )
        object.__setattr__(self, "lo", low)
        object.__setattr__(self, "hi", high)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise self.immutable("set", name)

    def __delattr__(self, name: str) -> NoReturn:
        raise self.immutable("delete", name)

    @property
    def fields(self) -> tuple[int | None, int | None]:
        """The ends."""
        return self.lo, self.hi

    def __repr__(self) -> str:
        return f"Interval({literal(self.lo)}, {literal(self.hi)})"

    def __contains__(self, value: Integer) -> bool:
        number = value if type(value) is int else integer_of(value)
        if number is None:
            raise OperandError(
                f"an interval holds integers, got {brief_value(value)}",
                hint="ask proofs.prove_in(e, Interval(lo, hi)) about an expression",
            )
        above = self.lo is None or self.lo <= number
        return above and (self.hi is None or number <= self.hi)

    def within(self, other: Interval | Integer) -> bool:
        """Tell whether every integer of this interval is in the other."""
        outer = _interval(other)
        low = outer.lo is None or (self.lo is not None and outer.lo <= self.lo)
        return low and (
            outer.hi is None or (self.hi is not None and self.hi <= outer.hi)
        )

    def meet(self, other: Interval | Integer) -> Interval:
        """Return what is in both intervals.

        Raises:
            IndexRangeError: If they share no integer.
        """
        right = _interval(other)
        low, high = self.lo, self.hi
        if low is None or (right.lo is not None and right.lo > low):
            low = right.lo
        if high is None or (right.hi is not None and right.hi < high):
            high = right.hi
        return Interval(low, high)

    def shrunk(self, factor: Integer) -> Interval:
        """Return the integers k for which ``factor*k`` is in this interval.

        Raises:
            DivisorError: If the factor is below 1.
            IndexRangeError: If there is none.
        """
        by = exact_divisor(factor, "shrunk")
        low = None if self.lo is None else -(-self.lo // by)
        return Interval(low, None if self.hi is None else self.hi // by)

    def __add__(self, other: Interval | Integer) -> Interval:
        right = _interval(other)
        low = sum_lower(lo_x=self.lo, lo_y=right.lo)
        return makers.new_interval(low, sum_upper(hi_x=self.hi, hi_y=right.hi))

    def __radd__(self, other: Integer) -> Interval:
        return self.__add__(other)

    def __sub__(self, other: Interval | Integer) -> Interval:
        return self + -1 * _interval(other)

    def __rsub__(self, other: Integer) -> Interval:
        return -1 * self + other

    def __mul__(self, scale: Integer) -> Interval:
        factor = scale if type(scale) is int else exact(scale, _A_FACTOR)
        low = scale_lower(c=factor, lo_x=self.lo, hi_x=self.hi)
        high = scale_upper(c=factor, lo_x=self.lo, hi_x=self.hi)
        return makers.new_interval(low, high)

    def __rmul__(self, scale: Integer) -> Interval:
        return self.__mul__(scale)

    def __floordiv__(self, denom: Integer) -> Interval:
        n = denom if type(denom) is int else 0
        n = n if n > 0 else exact_divisor(denom, "floordiv")
        low = floordiv_lower(lo_x=self.lo, n=n)
        return makers.new_interval(low, floordiv_upper(hi_x=self.hi, n=n))

    # Without these two, compiled code asks itself for ever what to do.

    def __rfloordiv__(self, other: object) -> Any:  # noqa: ANN401 - always NotImplemented
        return NotImplemented

    def __rmod__(self, other: object) -> Any:  # noqa: ANN401 - always NotImplemented
        return NotImplemented

    def __mod__(self, denom: Integer) -> Interval:
        n = denom if type(denom) is int else 0
        n = n if n > 0 else exact_divisor(denom, "mod")
        low = mod_lower(lo_x=self.lo, hi_x=self.hi, n=n)
        return makers.new_interval(low, mod_upper(lo_x=self.lo, hi_x=self.hi, n=n))

    def mod(self, denom: Integer, known: KnownClass) -> Interval:
        """Return the range of ``x mod denom`` for the x of a class in the interval.

        >>> from pelican.known.congruence import Congruence
        >>> Interval(None, None).mod(256, Congruence(320, 255))
        Interval(63, 255)
        """
        return (self % denom).on(_congruence(known) % denom)

    def joint(self, p: Integer, t: Integer, denom: Integer) -> Interval:
        """Return the range of ``p*(x floordiv denom) + t*(x mod denom)`` for x in it.

        >>> Interval(1, None).joint(-5, -2, 5)
        Interval(None, -2)
        """
        n = exact_divisor(denom, "joint")
        u, v = exact(p, _A_FACTOR), exact(t, _A_FACTOR)
        apart = u * (self // n) + v * (self % n)
        low = joint_lower(lo_x=self.lo, hi_x=self.hi, n=n, p=u, t=v)
        high = joint_lower(lo_x=self.lo, hi_x=self.hi, n=n, p=-u, t=-v)
        return apart.meet(Interval(low, None)).meet(-1 * Interval(high, None))

    def on(self, known: KnownClass) -> Interval:
        """Return the least interval with the members of a class in this one.

        There is at least one.

        >>> from pelican.known.congruence import Congruence
        >>> Interval(1, 20).on(Congruence(8, 3))
        Interval(3, 19)
        """
        members = _congruence(known)
        if not members.modulus:
            return Interval(members.residue, members.residue)
        low, high = self.lo, self.hi
        below = None if low is None else (members - low).residue
        above = None if high is None else (high - members).residue
        first = class_lower(lo_x=low, r=below)
        return Interval(first, class_upper(hi_x=high, r=above))


_AN_END: Final = "an end of an interval"
_A_FACTOR: Final = "the factor of an interval"


def _interval(value: Interval | Integer) -> Interval:
    if isinstance(value, Interval):
        return value
    alone = integer_of(value)
    if alone is None:
        raise OperandError(
            f"an Interval or an integer is needed, got {brief_value(value)}"
        )
    return Interval(alone, alone)


def _congruence(value: object) -> Congruence:
    if not isinstance(value, Congruence):
        raise OperandError(
            f"a Congruence is needed, got {brief_value(value)}",
            hint="write Congruence(8, 3) for the integers that are 3 modulo 8",
        )
    return value


def half_open_text(interval: Interval) -> str:
    """Return an interval as messages show it: its end is exclusive.

    >>> half_open_text(Interval(0, 7)), half_open_text(Interval(None, 7))
    ('[0, 8)', '[..., 8)')
    """
    return half_open(interval.lo, None if interval.hi is None else interval.hi + 1)


def index_range(lo: int | None, hi: int | None, step: int) -> Interval:
    """Return the range of the values ``lo, lo + step, ... < hi``; None is unbounded."""
    if lo is None:
        return Interval(None, None if hi is None else hi - 1)
    trips = None if hi is None else -(-(hi - lo) // step)
    high = index_upper(first=lo, step=step, trips=trips)
    return makers.new_interval(index_lower(first=lo, step=step), high)


def weighted_interval(terms: Iterable[tuple[Expr, int]], offset: int) -> Interval:
    """Return the range of a sum of ``c * x``, where each x has a `range`."""
    low, high = weighted_ends(terms, offset)
    return makers.new_interval(low, high)
