"""Indices of access patterns: each is a function of another index."""

from __future__ import annotations

from pelican.core.live import live_table
from pelican.engine.simplify import as_divisor
from pelican.errors import IndexRangeError, OperandError
from pelican.expr.indices import AffineIdx
from pelican.expr.invariants import FoldingIdx
from pelican.expr.opaque import as_id
from pelican.expr.spine import text_hash
from pelican.integers import brief, literal
from pelican.tree.arguments import as_int
from pelican.tree.kinds import AP_INDEX, TILED_AP_INDEX, is_expr, is_index
from pelican.tree.printing import brief_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final
    from weakref import WeakValueDictionary

    from pelican.core.given import Index, Integer
    from pelican.expr.indices import Values
    from pelican.expr.node import Expr


class APIndexLike(FoldingIdx):
    """An index of an access pattern, interned by its fields and its child.

    Attributes:
        child: The index that it follows from.
    """

    __slots__ = ("child",)

    child: AffineIdx

    def _init_ap(self, name: str, child: AffineIdx, values: Values) -> None:
        depth, _, tie = child.order_key
        object.__setattr__(self, "child", child)
        self._init_leaf(values)
        self._init_place(depth, name, tie)
        # The tie breaker of a loop index differs from run to run, its hash does not.
        self.keep_hash(hash((self.kind, child, text_hash(name))))

    def _label(self) -> str:
        return brief_text(self)

    @property
    def parts(self) -> tuple[AffineIdx]:
        """The child."""
        return (self.child,)


class APIndex(APIndexLike):
    """``coefficient * child``: a step through memory for each trip of an index.

    Attributes:
        coefficient: The step, an integer; the modelled system says stride.

    >>> from pelican import index
    >>> x = index("x", 0, 8)
    >>> APIndex(x, 4).range, APIndex(x, 4) is APIndex(x, 4)
    (Interval(0, 28), True)
    """

    __slots__ = ("coefficient",)

    kind: int = AP_INDEX

    coefficient: int

    def __new__(cls, child: Index, coefficient: Integer) -> APIndex:
        """Return the live index of these fields, or a new one."""
        of = _index(child)
        pace = as_int(coefficient)
        made = object.__new__(cls)
        made._init_ap(f"ap({of.order_key[1]}, {literal(pace)})", of, _scaled(of, pace))
        object.__setattr__(made, "coefficient", pace)
        live = _live.setdefault((AP_INDEX, of, pace), made)
        return live if isinstance(live, cls) else made

    def value_of(self, child: Any) -> Any:  # noqa: ANN401 - a number, an array, ...
        """Return the value where the child has the given one."""
        return self.coefficient * child

    def shown_fields(self) -> tuple[int]:
        """Return the fields that text shows."""
        return (self.coefficient,)

    @property
    def own(self) -> tuple[int]:
        """The coefficient."""
        return (self.coefficient,)

    @classmethod
    def built(cls, own: tuple[Any, ...], parts: tuple[Expr, ...]) -> APIndex:
        """Return the index with the given fields over the child in `parts`."""
        return cls(_index(parts[0]), *own)


class TiledAPIndex(APIndexLike):
    """The number of the tile that an index is in: trip number floordiv tile size.

    A tile of a tile of one side is one tile: the sizes multiply.

    Attributes:
        tile_size: Trips of the child in one tile, >= 1; it divides their number.
        is_partition: True if the tiles are spread over partitions.
        tile_pos_flags: A field of the modelled system that is kept and not
            interpreted, >= 0.

    Raises:
        DivisorError: If the tile size is below 1.
        IndexRangeError: If the number of trips is not known, or no multiple of it.

    >>> from pelican import index
    >>> x = index("x", 0, 64)
    >>> print(TiledAPIndex(TiledAPIndex(x, 4), 2))
    tile(x, 8)
    """

    __slots__ = ("is_partition", "tile_pos_flags", "tile_size")

    kind: int = TILED_AP_INDEX

    tile_size: int
    is_partition: bool
    tile_pos_flags: int

    def __new__(
        cls,
        child: Index,
        tile_size: Integer,
        is_partition: object = False,  # noqa: FBT002 - a field, as in its text
        tile_pos_flags: Integer = 0,
    ) -> TiledAPIndex:
        """Return the live index of these fields, or a new one."""
        size = as_divisor(tile_size, "tile")
        flags = as_id(tile_pos_flags, "tile_pos_flags")
        of, side = _index(child), bool(is_partition)
        if of.trip_count % size:
            raise IndexRangeError(
                f"a tile must hold whole trips: {brief(of.trip_count)} trips of "
                f"{of.describe()} are no multiple of {brief(size)}"
            )
        if isinstance(of, TiledAPIndex) and of.is_partition == side:
            size *= of.tile_size  # its own child is fused already
            of = of.child
        made = object.__new__(cls)
        object.__setattr__(made, "tile_size", size)
        object.__setattr__(made, "is_partition", side)
        object.__setattr__(made, "tile_pos_flags", flags)
        shown = ", ".join([of.order_key[1], *map(literal, made.shown_fields())])
        made._init_ap(f"tile({shown})", of, (0, of.trip_count // size, 1))
        live = _live.setdefault((TILED_AP_INDEX, of, *made.own), made)
        return live if isinstance(live, cls) else made

    def value_of(self, child: Any) -> Any:  # noqa: ANN401 - a number, an array, ...
        """Return the value where the child has the given one."""
        return (child - (self.child.lo or 0)) // (self.child.step * self.tile_size)

    def shown_fields(self) -> tuple[int, ...]:
        """Return the fields that text shows: after the size only those that matter."""
        if self.tile_pos_flags:
            return self.tile_size, int(self.is_partition), self.tile_pos_flags
        return (self.tile_size, 1) if self.is_partition else (self.tile_size,)

    @property
    def own(self) -> tuple[int, bool, int]:
        """Size, side and flags."""
        return self.tile_size, self.is_partition, self.tile_pos_flags

    @classmethod
    def built(cls, own: tuple[Any, ...], parts: tuple[Expr, ...]) -> TiledAPIndex:
        """Return the index with the given fields over the child in `parts`."""
        return cls(_index(parts[0]), *own)


_live: Final[WeakValueDictionary[tuple[Any, ...], APIndexLike]] = live_table()


def _index(value: object) -> AffineIdx:
    if not is_expr(value) or not is_index(value):
        raise OperandError(
            f"an access pattern's index needs an index, got {brief_text(value)}"
        )
    return value


def _scaled(of: AffineIdx, stride: int) -> Values:
    """Return the values of ``stride * of``."""
    if stride == 0:
        return 0, 1, 1
    least, most = of.range.lo, of.range.hi
    ends = (least, most) if stride > 0 else (most, least)
    low, high = (None if end is None else stride * end for end in ends)
    step = 1 if low is None else abs(stride) * of.step
    return low, None if high is None else high + 1, step


def ap(child: Index, stride: Integer) -> APIndex:
    """Return ``stride * child`` as an index of an access pattern; see `APIndex`.

    Args:
        child: An index.
        stride: An integer.

    Raises:
        OperandError: If the child is no index.

    >>> from pelican import index
    >>> print(ap(index("x", 0, 8), 4))
    ap(x, 4)
    """
    return APIndex(child, stride)


def tile(
    child: Index,
    tile_size: Integer,
    *,
    is_partition: object = False,
    tile_pos_flags: Integer = 0,
) -> TiledAPIndex:
    """Return the number of the tile that an index is in; see `TiledAPIndex`.

    Args:
        child: An index.
        tile_size: Trips of the child in one tile, >= 1; it divides their number.
        is_partition: True if the tiles are spread over partitions.
        tile_pos_flags: A field that is kept and not interpreted, >= 0.

    Raises:
        OperandError: If the child is no index.
        DivisorError: If the tile size is below 1.
        IndexRangeError: If the number of trips is not known, or no multiple of it.

    >>> from pelican import index
    >>> t = tile(index("x", 0, 64), 8)
    >>> print(t)
    tile(x, 8)
    >>> t.range
    Interval(0, 7)
    """
    return TiledAPIndex(child, tile_size, is_partition, tile_pos_flags)
