"""Claims about expressions, access patterns and maps, as records.

`proofs.answer` answers them. The text of a claim is what a ``.pel`` file says after
the word ``check``.

>>> from pelican import index
>>> i = index("i", 0, 8)
>>> print(Distinct(2048 * i % 16384, i, 4))
distinct 2048*i for i, i+4
"""

from __future__ import annotations

from pelican.access.maps import RingMap
from pelican.access.patterns import AccessPattern, checked_shift
from pelican.core.frozen import Frozen
from pelican.errors import IndexRangeError, OperandError
from pelican.integers import brief, half_open
from pelican.tree.arguments import as_expr, as_half_open, as_index, as_int
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import ClassVar

    from pelican.expr import AffineIdx
    from pelican.expr.node import Expr


class Claim(Frozen):
    """Something that holds for all values, or not.

    Attributes:
        name: The word for its kind.
    """

    __slots__ = ()

    name: ClassVar[str] = ""

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """All expressions in it, in the order of its text."""
        raise NotImplementedError(type(self).__name__)


class InRange(Claim):
    """Every value of an expression is in [lo, hi).

    Raises:
        OperandError: If `e` is no expression, or an end no integer.
        IndexRangeError: If the range is empty.

    >>> from pelican import index
    >>> print(InRange(index("i", 0, 8) + 1, 0, 9))
    i + 1 in [0, 9)
    """

    __slots__ = ("e", "lo", "hi")  # noqa: RUF023 - the order of the arguments

    name: ClassVar[str] = "in"

    e: Expr
    lo: int
    hi: int

    def __init__(self, e: Expr | int, lo: int, hi: int) -> None:
        self._set("e", as_expr(e))
        low, high = as_half_open((lo, hi), "a claim")
        self._set("lo", low)
        self._set("hi", high)

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The expression."""
        return (self.e,)

    def __str__(self) -> str:
        return f"{self.e} in {half_open(self.lo, self.hi)}"


class Equal(Claim):
    """Two expressions have equal values everywhere.

    Raises:
        OperandError: If a side is no expression.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> print(Equal(i % 8, i))
    i == i
    """

    __slots__ = ("a", "b")

    name: ClassVar[str] = "equal"

    a: Expr
    b: Expr

    def __init__(self, a: Expr | int, b: Expr | int) -> None:
        self._set("a", as_expr(a))
        self._set("b", as_expr(b))

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The two sides."""
        return (self.a, self.b)

    def __str__(self) -> str:
        return f"{self.a} == {self.b}"


class Distinct(Claim):
    """An expression differs at i and at i + distance, whenever both are in range.

    All other indices have the same values at both.

    Attributes:
        e: The expression.
        index: The index that moves.
        distance: By how much its value moves, a positive multiple of its step.

    Raises:
        OperandError: If `index` is no index.
        IndexRangeError: If the distance is no positive multiple of the step.
    """

    __slots__ = ("e", "index", "distance")  # noqa: RUF023 - the order of the arguments

    name: ClassVar[str] = "distinct"

    e: Expr
    index: AffineIdx
    distance: int

    def __init__(self, e: Expr | int, index: AffineIdx, distance: int) -> None:
        moving = as_index(index, "what moves", "write distinct e for i, i+1")
        away = as_int(distance, "a distance")
        if away < 1 or away % moving.step:
            raise IndexRangeError(
                f"the distance must be a positive multiple of the step of "
                f"{moving.describe()}, got {brief(away)}",
                hint=f"the nearest iterations are {brief(moving.step)} apart",
            )
        self._set("e", as_expr(e))
        self._set("index", moving)
        self._set("distance", away)

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The expression."""
        return (self.e,)

    def __str__(self) -> str:
        name = self.index.name
        return f"distinct {self.e} for {name}, {name}+{brief(self.distance)}"


class Disjoint(Claim):
    """Two access patterns touch no common element, indices they share being equal.

    Attributes:
        p: One pattern.
        q: The other.
        shift: Pairs of an index and its value in the iteration of `q`; only the
            iterations count in which that is a value of the index.

    Raises:
        OperandError: If one is no access pattern, or a shift replaces no index.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> p = AccessPattern(64 * i, [(1, 64)], name="p")
    >>> print(Disjoint(p, p, {i: i - 1}))
    disjoint p, p[i -> i - 1]
    """

    __slots__ = ("p", "q", "shift")

    name: ClassVar[str] = "disjoint"

    p: AccessPattern
    q: AccessPattern
    shift: tuple[tuple[AffineIdx, Expr], ...]

    def __init__(
        self,
        p: AccessPattern,
        q: AccessPattern,
        shift: Mapping[AffineIdx, Expr | int]
        | tuple[tuple[AffineIdx, Expr | int], ...]
        | None = None,
    ) -> None:
        # A pickle gives the pairs.
        moves = dict(shift) if isinstance(shift, tuple) else shift
        to = checked_shift({} if moves is None else moves)
        self._set("p", _pattern(p))
        self._set("q", _pattern(q))
        self._set("shift", tuple(to.items()))

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The two addresses, and the values of the shifted indices."""
        return (self.p.address, self.q.address, *(value for _, value in self.shift))

    def __str__(self) -> str:
        moves = ", ".join(f"{idx.name} -> {value}" for idx, value in self.shift)
        moved = f"[{moves}]" if moves else ""
        return f"disjoint {_called(self.p)}, {_called(self.q)}{moved}"


class Injective(Claim):
    """No two points give the same result.

    A point of an access pattern is an iteration with a position in the tile; of a
    map, the values of its inputs.

    Raises:
        OperandError: If `p` is neither.
    """

    __slots__ = ("p",)

    name: ClassVar[str] = "injective"

    p: AccessPattern | RingMap

    def __init__(self, p: AccessPattern | RingMap) -> None:
        if not isinstance(p, (AccessPattern, RingMap)):
            raise OperandError(
                f"injective needs an access pattern or a map, got {brief_text(p)}",
                hint="declare it by pattern or map, and give its name",
            )
        self._set("p", p)

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The address, or the outputs of the map."""
        return self.p.outputs if isinstance(self.p, RingMap) else (self.p.address,)

    def __str__(self) -> str:
        return f"injective {_called(self.p)}"


class Bijective(Claim):
    """A map reaches every point of the space that it goes to, each exactly once.

    Raises:
        OperandError: If `f` is no map.
    """

    __slots__ = ("f",)

    name: ClassVar[str] = "bijective"

    f: RingMap

    def __init__(self, f: RingMap) -> None:
        if not isinstance(f, RingMap):
            raise OperandError(
                f"bijective needs a map, got {brief_text(f)}",
                hint="declare it by map, and give its name",
            )
        self._set("f", f)

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The outputs of the map."""
        return self.f.outputs

    def __str__(self) -> str:
        return f"bijective {_called(self.f)}"


class InBounds(Claim):
    """Every address that a pattern touches is in [lo, hi).

    Raises:
        OperandError: If `p` is no access pattern, or an end no integer.
        IndexRangeError: If the range is empty.

    >>> from pelican import index
    >>> p = AccessPattern(64 * index("i", 0, 8), [(1, 64)], name="p")
    >>> print(InBounds(p, 0, 512))
    p in [0, 512)
    """

    __slots__ = ("p", "lo", "hi")  # noqa: RUF023 - the order of the arguments

    name: ClassVar[str] = "in-bounds"

    p: AccessPattern
    lo: int
    hi: int

    def __init__(self, p: AccessPattern, lo: int, hi: int) -> None:
        self._set("p", _pattern(p))
        low, high = as_half_open((lo, hi), "a claim")
        self._set("lo", low)
        self._set("hi", high)

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The address."""
        return (self.p.address,)

    def __str__(self) -> str:
        return f"{_called(self.p)} in {half_open(self.lo, self.hi)}"


def _pattern(value: object) -> AccessPattern:
    if not isinstance(value, AccessPattern):
        raise OperandError(
            f"the claim needs an access pattern, got {brief_text(value)}",
            hint="declare it by pattern, and give its name",
        )
    return value


def _called(thing: AccessPattern | RingMap) -> str:
    """Return the name of a pattern or map, else its whole text in parentheses."""
    return f"({thing})" if thing.name is None else thing.name
