"""The kinds of expressions. Calling a class gives the plain node, unsimplified.

| kind | class | value |
|---|---|---|
| 6 | AffineIV | the value of one loop's induction variable |
| 12 | SymbolicIdx | an unknown that is fixed for the whole program |
| 17 | AffineExpr | constant + sum of coefficient*index |
| 18 | SumExpr | sum of its operands |
| 23 | MultExpr | scale * operand |
| 25 | FloorDivExpr | numer floordiv denom |
| 26 | ModuloExpr | numer mod denom, in [0, denom) |
"""

from __future__ import annotations

from itertools import count
from weakref import WeakValueDictionary

from pelican.build import as_expr, as_int
from pelican.engine import as_divisor
from pelican.errors import IndexRangeError, OperandError
from pelican.integers import brief, literal
from pelican.kinds import (
    AFFINE,
    AFFINE_IV,
    FLOORDIV,
    MODULO,
    MULT,
    SUM,
    SYMBOLIC_IDX,
    is_expr,
    is_index,
)
from pelican.node import Expr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import ClassVar, Final

_set = object.__setattr__
_serials = count(1)

_NO_INDEX: Final = (1 << 62, "", 0)
"""Rank of an expression without an index: after all others."""

_DEFAULTS: Final = (1, 0)
"""Default step, and default of the field that a kind adds after it."""

RESERVED: Final = frozenset({"mod", "floordiv"})
"""Names that the text language keeps for its operators."""


class AffineIdx(Expr):
    """An index: a leaf with a name and the values ``lo, lo + step, ... < hi``.

    Attributes:
        name: What it is called in text; several indices may share a name.
        lo: Least value; None is unbounded.
        hi: Exclusive end; None is unbounded.
        step: Distance of the values, >= 1.
        order_key: Place in the order of terms: (loop depth, name, creation).

    Raises:
        IndexRangeError: If the range is empty, the step is below 1, or a step above
            1 has no least value to start from.
    """

    __slots__ = ("hi", "lo", "name", "order_key", "step")

    name: str
    lo: int | None
    hi: int | None
    step: int
    order_key: tuple[int, str, int]

    def _init_index(self, name: str, lo: int | None, hi: int | None, step: int) -> None:
        if not (str(name).isascii() and str(name).isidentifier()) or name in RESERVED:
            raise OperandError(
                f"an index cannot be named {name!r}",
                hint="a name is ASCII letters, digits and _, no digit first, and "
                "neither mod nor floordiv",
            )
        low = None if lo is None else as_int(lo)
        high = None if hi is None else as_int(hi)
        pace = as_int(step)
        where = f"index {name} in [{_end(low)}, {_end(high)}) step {brief(pace)}"
        if pace < 1:
            hint = "values go up: give a step of at least 1"
            raise IndexRangeError(f"{where}: the step must be >= 1", hint=hint)
        if pace > 1 and low is None:
            hint = "give the value that the steps start from"
            raise IndexRangeError(
                f"{where}: a step above 1 needs a least value", hint=hint
            )
        if low is not None and high is not None and high <= low:
            hint = "the end is exclusive: give an end above the least value"
            raise IndexRangeError(f"{where}: the range is empty", hint=hint)
        _set(self, "name", name)
        _set(self, "lo", low)
        _set(self, "hi", high)
        _set(self, "step", pace)

    @property
    def depth(self) -> int:
        """Number of loops around it; -1 if it does not vary in any loop."""
        return self.order_key[0]

    @property
    def trip_count(self) -> int:
        """Number of its values.

        Raises:
            IndexRangeError: If the range is unbounded.
        """
        if self.lo is None or self.hi is None:
            raise IndexRangeError(
                f"{self.describe()} has no trip count",
                hint="only an index with both ends has: index(name, lo, hi)",
            )
        return -(-(self.hi - self.lo) // self.step)

    def describe(self) -> str:
        """Return the name with the range, as it is declared."""
        step = f" step {brief(self.step)}" if self.step > 1 else ""
        return f"{self.name} in [{_end(self.lo)}, {_end(self.hi)}){step}"

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


class AffineIV(AffineIdx):
    """The induction variable of one loop: an identity.

    Two loops named ``i`` with equal bounds are two indices and never cancel.
    """

    __slots__ = ()

    kind: ClassVar[int] = AFFINE_IV

    def __init__(
        self,
        name: str,
        lo: int | None = None,
        hi: int | None = None,
        step: int = 1,
        depth: int = 0,
    ) -> None:
        self._init_index(name, lo, hi, step)
        serial = next(_serials)
        _set(self, "order_key", (as_int(depth), name, serial))
        self._init(hash((self.kind, serial)), self.order_key)

    @property
    def fields(self) -> tuple[int | None, ...]:
        """The ends, the step and the depth."""
        return (self.lo, self.hi, self.step, self.depth)


class SymbolicIdx(AffineIdx):
    """An unknown of the whole program, such as a problem size.

    Symbols are equal by name, range, step and offset. `symbol` keeps one live symbol
    of a name, and gives the same one again.

    Attributes:
        offset: A field of the modelled system that is kept and not interpreted.
    """

    __slots__ = ("offset",)

    kind: ClassVar[int] = SYMBOLIC_IDX

    offset: int

    def __init__(
        self, name: str, lo: int | None, hi: int | None, step: int = 1, offset: int = 0
    ) -> None:
        self._init_index(name, lo, hi, step)
        _set(self, "offset", as_int(offset))
        _set(self, "order_key", (-1, name, 0))
        # No hash of the name: it would differ from one run to the next.
        fields = (self.kind, len(name), self.lo or 0, self.step, self.offset)
        self._init(hash(fields), self.order_key)

    @property
    def fields(self) -> tuple[int | None, ...]:
        """The ends, the step and the offset."""
        return (self.lo, self.hi, self.step, self.offset)


_symbols: WeakValueDictionary[str, SymbolicIdx] = WeakValueDictionary()


def index(
    name: str, lo: int | None = None, hi: int | None = None, step: int = 1
) -> AffineIV:
    """Return a new index over ``lo, lo + step, ... < hi``.

    Args:
        name: What it is called.
        lo: Least value; None is unbounded.
        hi: Exclusive end; None is unbounded.
        step: Distance of the values, >= 1.

    Raises:
        IndexRangeError: If the range is empty or malformed.

    >>> i = index("i", 0, 64)
    >>> i.range
    Interval(0, 63)
    """
    return AffineIV(name, lo, hi, step)


def symbol(
    name: str,
    lo: int | None = None,
    hi: int | None = None,
    step: int = 1,
    offset: int = 0,
) -> SymbolicIdx:
    """Return the symbol of that name; the same arguments give the same symbol.

    Raises:
        IndexRangeError: If a live symbol has that name and other bounds.

    >>> symbol("n", 4, 4096, 4) is symbol("n", 4, 4096, 4)
    True
    """
    made = SymbolicIdx(name, lo, hi, step, offset)
    live = _symbols.get(name)
    if live is None:
        _symbols[name] = made
        return made
    if live.fields != made.fields:
        raise IndexRangeError(
            f"symbol({made.arguments()}) differs from the live one, "
            f"symbol({live.arguments()})",
            hint="a symbol is one unknown: give it one range, or another name",
        )
    return live


class AffineExpr(Expr):
    """``constant + sum of coefficient*index``; without terms it is a constant.

    Attributes:
        terms: Pairs of a distinct index and its coefficient, in term order in a
            canonical node. Coefficients of 0 are dropped when the node is built.
        constant: The free term.
    """

    __slots__ = ("constant", "terms")

    kind: ClassVar[int] = AFFINE

    terms: tuple[tuple[AffineIdx, int], ...]
    constant: int

    def __init__(
        self, terms: Iterable[tuple[AffineIdx, int]], constant: int = 0
    ) -> None:
        kept = tuple((_index(idx), as_int(c)) for idx, c in terms)
        kept = tuple((idx, c) for idx, c in kept if c)
        free = as_int(constant)
        _set(self, "terms", kept)
        _set(self, "constant", free)
        # A constant hashes like its integer, since the two are equal.
        lead = kept[0][0].order_key if kept else _NO_INDEX
        self._init(hash((self.kind, kept, free)) if kept else hash(free), lead)


class SumExpr(Expr):
    """The sum of its operands, in their order.

    Attributes:
        operands: At least one expression.
    """

    __slots__ = ("operands",)

    kind: ClassVar[int] = SUM

    operands: tuple[Expr, ...]

    def __init__(self, operands: Iterable[Expr | int]) -> None:
        parts = tuple(as_expr(part) for part in operands)
        if not parts:
            hint = "the empty sum is the constant 0: AffineExpr((), 0)"
            raise OperandError("a sum needs at least one operand", hint=hint)
        _set(self, "operands", parts)
        self._init(hash((self.kind, parts)), parts[0].lead)


class MultExpr(Expr):
    """``scale * operand``.

    Attributes:
        operand: Any expression.
        scale: An integer.
    """

    __slots__ = ("operand", "scale")

    kind: ClassVar[int] = MULT

    operand: Expr
    scale: int

    def __init__(self, operand: Expr | int, scale: int) -> None:
        _set(self, "operand", as_expr(operand))
        _set(self, "scale", as_int(scale))
        self._init(hash((self.kind, self.operand, self.scale)), self.operand.lead)


class _DivLikeExpr(Expr):
    """A numerator and a constant divisor.

    Attributes:
        numer: Any expression.
        denom: The divisor, an integer >= 1.

    Raises:
        DivisorError: If the divisor is below 1.
    """

    __slots__ = ("denom", "numer")

    numer: Expr
    denom: int

    def __init__(self, numer: Expr | int, denom: int) -> None:
        divisor = as_divisor(denom, type(self).__name__)
        _set(self, "numer", as_expr(numer))
        _set(self, "denom", divisor)
        self._init(hash((self.kind, self.numer, divisor)), self.numer.lead)


class FloorDivExpr(_DivLikeExpr):
    """``numer floordiv denom``, rounded down for negative values too."""

    __slots__ = ()

    kind: ClassVar[int] = FLOORDIV


class ModuloExpr(_DivLikeExpr):
    """``numer mod denom``, in [0, denom) for negative numerators too."""

    __slots__ = ()

    kind: ClassVar[int] = MODULO


def _index(value: object) -> AffineIdx:
    if not is_expr(value) or not is_index(value):
        raise OperandError(
            f"a term of an AffineExpr needs an index, got {value!r}",
            hint="add other parts with sum_of or SumExpr",
        )
    return value


def _end(value: int | None) -> str:
    return "..." if value is None else brief(value)
