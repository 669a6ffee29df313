"""The indices that are fixed for the whole program, interned: symbols and shard ids."""

from __future__ import annotations

from pelican.core.live import forget_dead, live_table
from pelican.errors import IndexRangeError
from pelican.expr.indices import AffineIdx, checked_values
from pelican.integers import brief, decimal, literal
from pelican.tree.arguments import as_int
from pelican.tree.kinds import SHARD_ID, SYMBOLIC_IDX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final
    from weakref import WeakValueDictionary

    from pelican.core.given import Integer, Text


class FoldingIdx(AffineIdx):
    """An index that is interned: equal fields give the same live object."""

    __slots__ = ()


class InvariantId(FoldingIdx):
    """An index that is fixed for the whole program."""

    __slots__ = ()


class SymbolicIdx(InvariantId):
    """An unknown of the whole program, such as a problem size.

    Attributes:
        offset: A field of the modelled system that is kept and not interpreted.

    Raises:
        IndexRangeError: If a live symbol has that name and other fields.

    >>> n = SymbolicIdx("tiles", 4, 64, 4)
    >>> n is SymbolicIdx("tiles", 4, 64, 4), n.range
    (True, Interval(4, 60))
    """

    __slots__ = ("offset",)

    kind: int = SYMBOLIC_IDX

    offset: int

    def __new__(
        cls,
        name: Text,
        lo: Integer | None = None,
        hi: Integer | None = None,
        step: Integer = 1,
        offset: Integer = 0,
    ) -> SymbolicIdx:
        """Return the live symbol of these fields, or a new one."""
        made = object.__new__(cls)
        made._init_leaf(checked_values(name, lo, hi, step))
        made._init_place(-1, str(name), 0)
        object.__setattr__(made, "offset", as_int(offset))
        live = _symbols.setdefault(made.name, made)
        if live.own != made.own:
            forget_dead()
            live = _symbols.setdefault(made.name, made)
        if live.own != made.own:
            raise IndexRangeError(
                f"symbol({made.arguments()}) differs from the live one, "
                f"symbol({live.arguments()})",
                hint="a symbol is one unknown: give it one range, or another name",
            )
        return live

    @property
    def fields(self) -> tuple[int | None, ...]:
        """The ends, the step and the offset."""
        return (self.lo, self.hi, self.step, self.offset)

    @property
    def own(self) -> tuple[Any, ...]:
        """Name, values and offset."""
        return self.name, self.lo, self.hi, self.step, self.offset


_symbols: Final[WeakValueDictionary[str, SymbolicIdx]] = live_table()


class ShardId(InvariantId):
    """The number of the core that runs the program, in [0, shard count).

    Equal by the count: a program runs on one core, whatever the number is called.
    The name is for display.

    Attributes:
        hi: The shard count, >= 1.

    Raises:
        IndexRangeError: If the count is below 1.

    >>> ShardId(4) is ShardId(4), ShardId(4, "s") == ShardId(4, "t")
    (True, True)
    """

    __slots__ = ()

    kind: int = SHARD_ID

    def __new__(cls, shard_count: Integer, name: Text | None = None) -> ShardId:
        """Return the live shard id of that count and name, or a new one."""
        number = as_int(shard_count, "a shard count")
        if number < 1:
            raise IndexRangeError(
                f"a shard is one of at least 1 core, got {brief(number)}",
                hint="give the number of cores that run the program, such as 4",
            )
        own = f"shard_{decimal(number)}"
        label = own if name is None else str(name)
        made = object.__new__(cls)
        made._init_leaf(checked_values(own if name is None else name, 0, number, 1))
        made._init_place(-1, own, 1)
        made._rename(label)
        return _shards.setdefault((number, label), made)

    def describe(self) -> str:
        """Return what it is, without the name."""
        return f"shard of {brief(self.hi or 0)}"

    @property
    def own(self) -> tuple[Any, ...]:
        """The count, and the name."""
        return self.hi, self.name

    def arguments(self) -> str:
        """Return the arguments that build the shard id again."""
        return f"{literal(self.hi)}, {self.name!r}"


_shards: Final[WeakValueDictionary[tuple[int, str], ShardId]] = live_table()


def symbol(
    name: Text,
    lo: Integer | None = None,
    hi: Integer | None = None,
    step: Integer = 1,
    offset: Integer = 0,
) -> SymbolicIdx:
    """Return the symbol of that name; the same arguments give the same symbol.

    Args:
        name: What it is called.
        lo: Least value; None is unbounded.
        hi: Exclusive end; None is unbounded.
        step: Distance of the values, >= 1.
        offset: A field of the modelled system that is kept and not interpreted.

    Raises:
        OperandError: If the name is none that text can hold.
        IndexRangeError: If the range is empty or malformed, or a live symbol has that
            name and other bounds.

    >>> symbol("n", 4, 4096, 4) is symbol("n", 4, 4096, 4)
    True
    """
    return SymbolicIdx(name, lo, hi, step, offset)


def shard(shard_count: Integer, name: Text | None = None) -> ShardId:
    """Return the number of the running core among some; see `ShardId`.

    Args:
        shard_count: How many cores run the program, >= 1.
        name: What it is called in text; None is ``shard_N``.

    Raises:
        IndexRangeError: If the count is below 1.

    >>> print(shard(4), shard(4) % 4, shard(4) // 4)
    shard_4 shard_4 0
    """
    return ShardId(shard_count, name)
