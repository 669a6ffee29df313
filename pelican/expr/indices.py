"""The index family: its base, loop indices, and runtime values."""

from __future__ import annotations

import os
from itertools import count

from pelican.core.live import live_table
from pelican.engine.simplify import as_divisor
from pelican.errors import IndexRangeError, OperandError
from pelican.expr.opaque import as_id
from pelican.expr.spine import SimpleExpr
from pelican.integers import brief, half_open, literal
from pelican.tree.arguments import as_int
from pelican.tree.kinds import AFFINE_IV, INT_RUNTIME_VALUE
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final
    from weakref import WeakValueDictionary

    from pelican.core.given import Integer, Text
    from pelican.expr.node import Expr

    Values = tuple[int | None, int | None, int]
    Given = tuple[Integer | None, Integer | None, Integer]


RESERVED: Final[frozenset[str]] = frozenset({"mod", "floordiv"})
"""Names that the text language keeps for its operators."""

_DEFAULTS: Final = (1, 0)
"""Default step, and default of the field that a kind adds after it."""

_LABEL_BITS: Final = 64


class _Serials:
    """Numbers that no two indices share, in this process or another.

    The high part counts, so that the order of creation is the order of serials; the
    low part is the label of the process.
    """

    __slots__ = ("_count", "_label")

    def __init__(self) -> None:
        self._count = count(1)
        self.relabel()

    def relabel(self) -> None:
        """Take a new label: a forked process counts on from its parent's number."""
        self._label = int.from_bytes(os.urandom(_LABEL_BITS // 8), "big")

    def take(self) -> int:
        return next(self._count) << _LABEL_BITS | self._label


_serials: Final = _Serials()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_serials.relabel)


class AffineIdx(SimpleExpr):
    """An index: a leaf that an affine node may scale and add.

    Raises:
        IndexRangeError: If the range is empty, the step is below 1, or a step above
            1 has no least value to start from.

    >>> from pelican import index
    >>> isinstance(index("i", 0, 64), AffineIdx)
    True
    """

    __slots__ = ()

    @property
    def fields(self) -> tuple[int | None, ...]:
        """What it is built of beside its name: lo, hi, step, and what a kind adds."""
        return (self.lo, self.hi, self.step)

    def arguments(self) -> str:
        """Return the arguments that build such an index again."""
        lo, hi, *others = self.fields
        while others and others[-1] == _DEFAULTS[len(others) - 1]:
            others.pop()
        ends = (lo, hi) if others or (lo, hi) != (None, None) else ()
        return ", ".join([repr(self.name), *map(literal, (*ends, *others))])

    def takes(self, value: Integer) -> bool:
        """Tell whether a value is one of the index: in its range and on its step.

        >>> from pelican import index
        >>> i = index("i", 4, 12, 4)
        >>> [value for value in range(16) if i.takes(value)]
        [4, 8]
        """
        number = as_int(value, "a value of an index")
        return number in self.range and (number - (self.lo or 0)) % self.step == 0

    def requires_predicate(self, factor: Integer) -> bool:
        """Tell whether splitting its trips by a factor leaves a partial tile.

        True also when the number of trips is not known.

        Raises:
            DivisorError: If the factor is below 1.
        """
        trips = as_divisor(factor, "a split")
        if self.lo is None or self.hi is None:
            return True
        return self.trip_count % trips != 0


class AffineIV(AffineIdx):
    """The induction variable of one loop: an identity.

    Two loops named ``i`` with equal bounds are two indices and never cancel. A pickle
    keeps the identity: read twice in one process, it gives one index.

    >>> i = AffineIV("i", 0, 64)
    >>> i == AffineIV("i", 0, 64), i.depth, i.trip_count
    (False, 0, 64)
    """

    __slots__ = ()

    kind: int = AFFINE_IV

    def __init__(
        self,
        name: Text,
        lo: Integer | None = None,
        hi: Integer | None = None,
        step: Integer = 1,
        depth: Integer = 0,
        _serial: int = 0,
    ) -> None:
        loops = as_id(depth, "a loop depth")
        self._fill(name, (lo, hi, step), loops, _serial or _serials.take())

    def _fill(self, name: Text, values: Given, depth: int, serial: int) -> None:
        self._init_leaf(checked_values(name, *values))
        self._init_place(depth, str(name), serial)
        # The label is left out, so that a hash is the same in every run.
        self.keep_hash(hash((self.kind, serial >> _LABEL_BITS)))
        _loops[serial] = self

    @property
    def fields(self) -> tuple[int | None, ...]:
        """The ends, the step and the depth."""
        return (self.lo, self.hi, self.step, self.depth)

    @property
    def own(self) -> tuple[Any, ...]:
        """Name, values, depth and serial."""
        depth, _, serial = self.order_key
        return self.name, self.lo, self.hi, self.step, depth, serial

    @classmethod
    def built(cls, own: tuple[Any, ...], parts: tuple[Expr, ...]) -> AffineIV:
        """Return the live index with that serial, or make it; it has no parts."""
        del parts
        name, lo, hi, step, depth, serial = own
        live = _loops.get(serial)
        if live is None:
            live = cls(name, lo, hi, step, depth, serial)
        return live


_loops: Final[WeakValueDictionary[int, AffineIV]] = live_table()
"""The live loop indices by serial; a pickle finds the one that it came from."""


class IntRuntimeValue(AffineIdx):
    """A value that a register holds when the program runs; in no loop.

    Equal by register and range. Without a declared range it is unbounded.

    >>> r = IntRuntimeValue("r", 0, 9)
    >>> r.range, r == IntRuntimeValue("r", 0, 9)
    (Interval(0, 8), True)
    """

    __slots__ = ()

    kind: int = INT_RUNTIME_VALUE

    def __init__(
        self,
        name: Text,
        lo: Integer | None = None,
        hi: Integer | None = None,
        step: Integer = 1,
    ) -> None:
        values = checked_values(name, lo, hi, step)
        self._init_leaf(values)
        # Two ranges of one register differ in their place, so neither is lost.
        tie = int.from_bytes(", ".join(map(literal, values)).encode(), "big")
        self._init_place(-1, str(name), tie)

    @property
    def own(self) -> tuple[Any, ...]:
        """Name and values."""
        return self.name, self.lo, self.hi, self.step


def checked_values(
    name: object, lo: Integer | None, hi: Integer | None, step: Integer
) -> Values:
    """Return the integers of a declaration.

    Raises:
        OperandError: If the name is none that text can hold, or an end no integer.
        IndexRangeError: If the range is empty or malformed.
    """
    named = isinstance(name, str) and name.isascii() and name.isidentifier()
    if not named or name in RESERVED:
        raise OperandError(
            f"an index cannot be named {brief_text(name)}",
            hint="a name is ASCII letters, digits and _, no digit first, and "
            "neither mod nor floordiv",
        )
    low = None if lo is None else as_int(lo, "the first value of an index")
    high = None if hi is None else as_int(hi, "the end of an index")
    pace = as_int(step, "the step of an index")
    where = f"index {name} in {half_open(low, high)} step {brief(pace)}"
    if pace < 1:
        hint = "values go up: give a step of at least 1"
        raise IndexRangeError(f"{where}: the step must be >= 1", hint=hint)
    if pace > 1 and low is None:
        hint = "give the value that the steps start from"
        raise IndexRangeError(f"{where}: a step above 1 needs a least value", hint=hint)
    if low is not None and high is not None and high <= low:
        hint = "the end is exclusive: give an end above the least value"
        raise IndexRangeError(f"{where}: the range is empty", hint=hint)
    return low, high, pace


def index(
    name: Text,
    lo: Integer | None = None,
    hi: Integer | None = None,
    step: Integer = 1,
) -> AffineIV:
    """Return a new index over ``lo, lo + step, ... < hi``.

    Args:
        name: What it is called.
        lo: Least value; None is unbounded.
        hi: Exclusive end; None is unbounded.
        step: Distance of the values, >= 1.

    Raises:
        OperandError: If the name is none that text can hold, or an end no integer.
        IndexRangeError: If the range is empty or malformed.

    >>> i = index("i", 0, 64)
    >>> i.range
    Interval(0, 63)
    """
    return AffineIV(name, lo, hi, step)


def runtime(
    name: Text,
    lo: Integer | None = None,
    hi: Integer | None = None,
    step: Integer = 1,
) -> IntRuntimeValue:
    """Return the value of a register, unbounded unless declared.

    Args:
        name: The register.
        lo: Least value; None is unbounded.
        hi: Exclusive end; None is unbounded.
        step: Distance of the values, >= 1.

    Raises:
        OperandError: If the name is none that text can hold.
        IndexRangeError: If the range is empty or malformed.

    >>> runtime("r", 0, 9).range, runtime("r").range
    (Interval(0, 8), Interval(None, None))
    """
    return IntRuntimeValue(name, lo, hi, step)
