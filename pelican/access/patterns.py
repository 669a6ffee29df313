"""Access patterns: which addresses a tile touches in each iteration."""

from __future__ import annotations

from functools import partial
from math import prod

from pelican.access.counting import MAX_POINTS, count_addresses, ring_period
from pelican.access.delinearise import is_sound_address
from pelican.core.frozen import Frozen
from pelican.engine.simplify import simplify
from pelican.errors import IndexRangeError, NonAffineError, OperandError, TooLargeError
from pelican.integers import brief, half_open, literal
from pelican.known.interval import Interval
from pelican.questions.substitute import rebuild, smart
from pelican.tree.arguments import (
    as_expr,
    as_half_open,
    as_index,
    as_int,
    as_mapping,
    as_text,
    as_tuple,
)
from pelican.tree.kinds import is_comparison
from pelican.tree.printing import brief_text
from pelican.tree.traverse import indices, postorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Final

    from pelican.expr import AffineIdx, SimpleExpr
    from pelican.expr.node import Expr

    Inside = tuple[tuple[Expr, AffineIdx], ...]

ALL_PARTITIONS: Final = (0, 128)
"""The partitions of a pattern that names none: those of the on-chip memories."""


class AccessPattern(Frozen):
    """The elements that one tile touches, as a function of the loop indices.

    It is the set of all ``(q, address + stride_1*t_1 + ... )`` for a partition q with
    ``partitions[0] <= q < partitions[1]`` and ``0 <= t_k < size_k``.

    Attributes:
        address: Where the tile starts in its partition, an expression [elements].
        free: Pairs of a stride, any integer [elements], and a size >= 1.
        partitions: First partition and the one after the last.
        tensor: Name of what is addressed, or None.
        inside: Pairs of a value and an index: the pattern exists only in the
            iterations where each value is one that its index takes; see `shifted`.
        name: What text calls the pattern, or None; no part of equality.

    Raises:
        OperandError: If the address is no expression, a number no integer, or a name
            no text.
        IndexRangeError: If a size is below 1, or there is no partition.

    >>> from pelican import index
    >>> i = index("i", 0, 8)
    >>> acc = AccessPattern((2048 * i + 512) % 4096, [(1, 512)], tensor="acc")
    >>> print(acc)
    acc partition [0, 128) at 2048*(i mod 2) + 512 free [1, 512]
    >>> acc.elements, acc.offsets
    (512, Interval(0, 511))
    """

    __slots__ = ("address", "free", "inside", "name", "partitions", "tensor")

    address: Expr
    free: tuple[tuple[int, int], ...]
    partitions: tuple[int, int]
    tensor: str | None
    inside: Inside
    name: str | None

    def __init__(
        self,
        address: Expr | int,
        free: Iterable[tuple[int, int]] = (),
        *,
        partitions: tuple[int, int] = ALL_PARTITIONS,
        tensor: str | None = None,
        inside: Iterable[tuple[Expr, AffineIdx]] = (),
        name: str | None = None,
    ) -> None:
        where = as_expr(address)
        if any(is_comparison(node) for node in postorder(where)):
            raise OperandError(
                f"a comparison is no address: {brief_text(where)}",
                hint="give an expression of sums, multiples, mods and floordivs",
            )
        self._set("address", where)
        dims = as_tuple(free, "free dims are a list of pairs (stride, size)")
        conditions = as_tuple(inside, "inside is a list of pairs (value, index)")
        self._set("free", tuple(_free_dim(dim) for dim in dims))
        self._set("partitions", _partitions(partitions))
        self._set("tensor", None if tensor is None else as_text(tensor, "tensor"))
        self._set("inside", tuple(map(_condition, conditions)))
        self._set("name", None if name is None else as_text(name, "name"))

    @property
    def fields(self) -> tuple[Any, ...]:
        """What decides equality: all but the name."""
        return self.address, self.free, self.partitions, self.tensor, self.inside

    def __reduce__(self) -> tuple[Any, ...]:
        named = partial(
            AccessPattern,
            partitions=self.partitions,
            tensor=self.tensor,
            inside=self.inside,
            name=self.name,
        )
        return (named, (self.address, self.free))

    @property
    def indices(self) -> tuple[SimpleExpr, ...]:
        """The leaves that decide the address, in term order: indices, opaque values."""
        return indices(self.address)

    @property
    def elements(self) -> int:
        """How many elements of a partition one iteration names, repeats counted."""
        return prod(size for _, size in self.free)

    @property
    def offsets(self) -> Interval:
        """The interval of what the free dims add to the address [elements]."""
        reach = [stride * (size - 1) for stride, size in self.free]
        return Interval(sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach))

    @property
    def footprint(self) -> Interval:
        """The interval of the addresses of all iterations [elements].

        Never narrower than the truth; an end may be None, unbounded.
        """
        return self.address.range + self.offsets

    def distinct_addresses(self) -> int | None:
        """Return how many addresses all iterations touch in a partition.

        Symbols and values that the program reads are the same in all iterations.
        None where neither structure nor counting up to
        `pelican.access.counting.MAX_POINTS` elements tells.

        >>> from pelican import index
        >>> i = index("i", 0, 64)
        >>> AccessPattern((2048 * i + 512) % 16384, [(1, 512)]).distinct_addresses()
        4096
        """
        return count_addresses(self.address, self.free, self.inside)

    def distinct_slots(self) -> int | None:
        """Return how many addresses the tile starts at.

        For a ring ``(a*i + r) mod n`` of one index it is the smaller of the trip
        count and ``n / gcd(a*step, n)``.

        >>> from pelican import index
        >>> AccessPattern(2048 * index("i", 0, 64) % 16384, [(1, 512)]).distinct_slots()
        8
        """
        return count_addresses(self.address, (), self.inside)

    def ring_period(self, idx: AffineIdx) -> int | None:
        """Return the least number of trips after which the address comes again.

        For ``(a*i + r) mod n`` it is ``n / gcd(a*step, n)``; None where the index is
        in no ring, or the form of the rings does not tell.

        Raises:
            OperandError: If `idx` is no index.

        >>> from pelican import index
        >>> i = index("i", 0, 64)
        >>> AccessPattern(2048 * i % 16384).ring_period(i)
        8
        """
        moving = as_index(idx, "what moves", "give an index of the address")
        return ring_period(self.address, moving)

    def is_legal_delinearized_address(
        self, factor: int, *, is_partition_dim: bool, require_predicate: bool
    ) -> bool:
        """Tell whether the modelled system delinearises the address.

        See `pelican.Expr.is_legal_delinearized_address`; the answer is not always
        right: `is_sound_address` is.
        """
        return self.address.is_legal_delinearized_address(
            factor,
            is_partition_dim=is_partition_dim,
            require_predicate=require_predicate,
        )

    def is_sound_address(self, *, is_partition_dim: bool = False) -> bool:
        """Tell whether the address is affine once its indices are split.

        See `pelican.access.delinearise.is_sound_address`.
        """
        return is_sound_address(self.address, is_partition_dim=is_partition_dim)

    def addresses(self, at: Mapping[SimpleExpr, int]) -> tuple[int, ...]:
        """Return the addresses that one iteration touches, the last free dim fastest.

        Args:
            at: Value of each index of the address.

        Raises:
            IndexRangeError: If a value is outside its index's range or off its step.
            TooLargeError: If there are more than `pelican.access.counting.MAX_POINTS`.
            UnboundIndexError: If an index has no value.

        >>> from pelican import index
        >>> i = index("i", 0, 8)
        >>> AccessPattern(64 * i, [(8, 2), (1, 3)]).addresses({i: 1})
        (64, 65, 66, 72, 73, 74)
        """
        if self.elements > MAX_POINTS:
            raise TooLargeError(
                f"one iteration touches {brief(self.elements)} elements, more than "
                f"{MAX_POINTS}",
                hint="ask for its footprint",
            )
        reached = [int(self.address.eval(at))]
        for stride, size in self.free:
            reached = [base + stride * t for base in reached for t in range(size)]
        return tuple(reached)

    def shifted(self, shift: Mapping[AffineIdx, Expr | int]) -> AccessPattern:
        """Return the pattern of another iteration, as a function of this one's indices.

        It exists only where the values that replace the indices are some that the
        indices take: `inside` says so.

        Args:
            shift: The value of each index in the other iteration, such as
                ``{i: i - 1}``.

        Raises:
            OperandError: If a key is no index, or a value no expression.

        >>> from pelican import index
        >>> i = index("i", 0, 8)
        >>> print(AccessPattern(64 * i, [(1, 64)]).shifted({i: i - 1}))
        partition [0, 128) at 64*i - 64 free [1, 64] inside i - 1 of i
        """
        new = checked_shift(shift)
        to: dict[Expr, Expr] = dict(new.items())
        moved = [
            (simplify(rebuild(value, smart, to)), idx) for value, idx in self.inside
        ]
        inside = [*moved, *((value, idx) for idx, value in new.items() if value != idx)]
        return AccessPattern(
            rebuild(self.address, smart, to),
            self.free,
            partitions=self.partitions,
            tensor=self.tensor,
            inside=dict.fromkeys(inside),
            name=self.name,
        )

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows; None where there is none."""
        try:
            from pelican.access.picture import picture  # noqa: PLC0415 - loads the drawing
        except ImportError:  # the extra `notebook` is not installed
            return None
        try:
            return picture(self)
        except NonAffineError:
            return None

    def __str__(self) -> str:
        words = [] if self.tensor is None else [self.tensor]
        words.append(f"partition {half_open(*self.partitions)} at {self.address}")
        if self.free:
            dims = (f"[{brief(stride)}, {brief(size)}]" for stride, size in self.free)
            words.append(f"free {', '.join(dims)}")
        if self.inside:
            shown = (f"{value} of {idx}" for value, idx in self.inside)
            words.append(f"inside {', '.join(shown)}")
        return " ".join(words)

    def __repr__(self) -> str:
        low, high = self.partitions
        dims = "".join(f"({literal(s)}, {literal(n)}), " for s, n in self.free)
        parts = [repr(self.address), f"({dims})"]
        parts.append(f"partitions=({literal(low)}, {literal(high)})")
        if self.tensor is not None:
            parts.append(f"tensor={self.tensor!r}")
        if self.inside:
            parts.append(f"inside={self.inside!r}")
        if self.name is not None:
            parts.append(f"name={self.name!r}")
        return f"AccessPattern({', '.join(parts)})"


def checked_shift(
    shift: Mapping[AffineIdx, Expr | int],
) -> dict[AffineIdx, Expr]:
    """Return a shift whose keys are indices and whose values are expressions.

    Raises:
        OperandError: If a key or a value is none.
    """
    return {
        as_index(idx, "what a shift replaces", "write {i: i - 1}"): as_expr(value)
        for idx, value in as_mapping(shift, "a shift").items()
    }


def _free_dim(dim: object) -> tuple[int, int]:
    """Return the stride and the size of a free dim.

    Raises:
        OperandError: If it is no pair of integers.
        IndexRangeError: If the size is below 1.
    """
    if not isinstance(dim, (tuple, list)) or len(dim) != 2:
        raise OperandError(
            f"a free dim is a pair (stride, size), got {brief_text(dim)}",
            hint="write [(1, 512)] for 512 neighbouring elements",
        )
    stride = as_int(dim[0], "the stride of a free dim")
    size = as_int(dim[1], "the size of a free dim")
    if size < 1:
        raise IndexRangeError(
            f"the size of a free dim must be >= 1, got {brief(size)}",
            hint="write the stride first: (stride, size)",
        )
    return stride, size


def _condition(pair: object) -> tuple[Expr, AffineIdx]:
    """Return a value and the index that must be able to take it.

    Raises:
        OperandError: If it is no such pair.
    """
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise OperandError(
            f"a condition is a pair (value, index), got {brief_text(pair)}",
            hint="shifted() makes the conditions of a shifted pattern",
        )
    hint = "shifted() makes the conditions of a shifted pattern"
    return as_expr(pair[0]), as_index(pair[1], "what a condition is about", hint)


def _partitions(pair: object) -> tuple[int, int]:
    """Return the half-open range of partitions.

    Raises:
        OperandError: If it is no pair of integers.
        IndexRangeError: If it starts below 0 or is empty.
    """
    first, end = as_half_open(pair, "a range of partitions")
    if first < 0:
        raise IndexRangeError(
            f"partitions are counted from 0, got {half_open(first, end)}",
            hint="[0, 128) is all 128 partitions",
        )
    return first, end
