"""Intervals, and their arithmetic by the range rules.

Every bound comes from a record of `pelican.lemmas.ranges`, as a function of
`pelican.known.rules`; the tightest applicable rule wins.
"""

from __future__ import annotations

from pelican.errors import IndexRangeError, OperandError
from pelican.frozen import Frozen
from pelican.integers import (
    brief,
    brief_value,
    exact,
    exact_divisor,
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
    from typing import Any, Final


class Interval(Frozen):
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

    def __init__(self, lo: int | None, hi: int | None) -> None:
        lo = lo if lo is None or type(lo) is int else exact(lo, _AN_END)
        hi = hi if hi is None or type(hi) is int else exact(hi, _AN_END)
        if lo is not None and hi is not None and lo > hi:
            raise IndexRangeError(
                f"an interval needs lo <= hi, got [{brief(lo)}, {brief(hi)}]",
                hint="both ends are inclusive: Interval(3, 3) holds 3 alone",
            )
        self._set("lo", lo)
        self._set("hi", hi)

    def __repr__(self) -> str:
        return f"Interval({literal(self.lo)}, {literal(self.hi)})"

    def __contains__(self, value: int) -> bool:
        if type(value) is not int and integer_of(value) is None:
            raise OperandError(
                f"an interval holds integers, got {brief_value(value)}",
                hint="ask proofs.prove_in(e, Interval(lo, hi)) about an expression",
            )
        above = self.lo is None or self.lo <= value
        return above and (self.hi is None or value <= self.hi)

    def within(self, other: Interval) -> bool:
        """Tell whether every integer of this interval is in the other."""
        other = _interval(other)
        low = other.lo is None or (self.lo is not None and other.lo <= self.lo)
        return low and (
            other.hi is None or (self.hi is not None and self.hi <= other.hi)
        )

    def meet(self, other: Interval) -> Interval:
        """Return what is in both intervals.

        Raises:
            IndexRangeError: If they share no integer.
        """
        other = _interval(other)
        lows = [end for end in (self.lo, other.lo) if end is not None]
        highs = [end for end in (self.hi, other.hi) if end is not None]
        return Interval(max(lows, default=None), min(highs, default=None))

    def shrunk(self, factor: int) -> Interval:
        """Return the integers k for which ``factor*k`` is in this interval.

        Raises:
            DivisorError: If the factor is below 1.
            IndexRangeError: If there is none.
        """
        factor = exact_divisor(factor, "shrunk")
        low = None if self.lo is None else -(-self.lo // factor)
        return Interval(low, None if self.hi is None else self.hi // factor)

    def __add__(self, other: Interval | int) -> Interval:
        right = _interval(other)
        low = sum_lower(lo_x=self.lo, lo_y=right.lo)
        return _known(low, sum_upper(hi_x=self.hi, hi_y=right.hi))

    __radd__ = __add__

    def __sub__(self, other: Interval | int) -> Interval:
        return self + -1 * _interval(other)

    def __rsub__(self, other: int) -> Interval:
        return -1 * self + other

    def __mul__(self, scale: int) -> Interval:
        factor = scale if type(scale) is int else exact(scale, _A_FACTOR)
        low = scale_lower(c=factor, lo_x=self.lo, hi_x=self.hi)
        return _known(low, scale_upper(c=factor, lo_x=self.lo, hi_x=self.hi))

    __rmul__ = __mul__

    def __floordiv__(self, denom: int) -> Interval:
        n = exact_divisor(denom, "floordiv")
        low = floordiv_lower(lo_x=self.lo, n=n)
        return _known(low, floordiv_upper(hi_x=self.hi, n=n))

    def __mod__(self, denom: int) -> Interval:
        n = exact_divisor(denom, "mod")
        low = mod_lower(lo_x=self.lo, hi_x=self.hi, n=n)
        return _known(low, mod_upper(lo_x=self.lo, hi_x=self.hi, n=n))

    def mod(self, denom: int, known: Congruence) -> Interval:
        """Return the range of ``x mod denom`` for the x of a class in the interval.

        >>> from pelican.known.congruence import Congruence
        >>> Interval(None, None).mod(256, Congruence(320, 255))
        Interval(63, 255)
        """
        return (self % denom).on(_class(known) % denom)

    def joint(self, p: int, t: int, denom: int) -> Interval:
        """Return the range of ``p*(x floordiv denom) + t*(x mod denom)`` for x in it.

        >>> Interval(1, None).joint(-5, -2, 5)
        Interval(None, -2)
        """
        p, t = exact(p, _A_FACTOR), exact(t, _A_FACTOR)
        apart = p * (self // denom) + t * (self % denom)
        low = joint_lower(lo_x=self.lo, hi_x=self.hi, n=denom, p=p, t=t)
        high = joint_lower(lo_x=self.lo, hi_x=self.hi, n=denom, p=-p, t=-t)
        return apart.meet(Interval(low, None)).meet(-1 * Interval(high, None))

    def on(self, known: Congruence) -> Interval:
        """Return the least interval with the members of a class in this one.

        There is at least one.

        >>> from pelican.known.congruence import Congruence
        >>> Interval(1, 20).on(Congruence(8, 3))
        Interval(3, 19)
        """
        if not _class(known).modulus:
            return Interval(known.residue, known.residue)
        low, high = self.lo, self.hi
        below = None if low is None else (known - low).residue
        above = None if high is None else (high - known).residue
        first = class_lower(lo_x=self.lo, r=below)
        return Interval(first, class_upper(hi_x=self.hi, r=above))


_AN_END: Final = "an end of an interval"
_A_FACTOR: Final = "the factor of an interval"


def _interval(value: Interval | int) -> Interval:
    if isinstance(value, Interval):
        return value
    alone = integer_of(value)
    if alone is None:
        raise OperandError(
            f"an Interval or an integer is needed, got {brief_value(value)}"
        )
    return Interval(alone, alone)


def _class(value: object) -> Congruence:
    if not isinstance(value, Congruence):
        raise OperandError(
            f"a Congruence is needed, got {brief_value(value)}",
            hint="write Congruence(8, 3) for the integers that are 3 modulo 8",
        )
    return value


def index_range(lo: int | None, hi: int | None, step: int) -> Interval:
    """Return the range of the values ``lo, lo + step, ... < hi``; None is unbounded."""
    if lo is None:
        return Interval(None, None if hi is None else hi - 1)
    trips = None if hi is None else -(-(hi - lo) // step)
    high = index_upper(first=lo, step=step, trips=trips)
    return _known(index_lower(first=lo, step=step), high)


def weighted_interval(terms: Iterable[tuple[Any, int]], offset: int) -> Interval:
    """Return the range of a sum of ``c * x``, where each x has a `range`."""
    return _known(*weighted_ends(terms, offset))


def _known(lo: int | None, hi: int | None) -> Interval:
    """Return the interval of ends that the rules gave: they need no check."""
    made = Interval.__new__(Interval)
    _set(made, "lo", lo)
    _set(made, "hi", hi)
    return made


_set = object.__setattr__
