"""Buffers, and the boxes of them that operations touch.

`rotation.loop_form.kernel` passes them on; that is where the rest of the code takes
them from.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from pelican.errors import Span
from pelican.expr import AffineIV
from pelican.expr.node import Expr
from rotation.loop_form.words import DTYPE_BYTES, MemorySpace, Role, Window


@dataclass(frozen=True, slots=True)
class IndexExpr:
    """One index expression as read and as simplified.

    Attributes:
        raw: The tree of the text, unsimplified but for constant factors and divisors.
        expr: The same value in canonical form.
        span: Where it stands.
    """

    raw: Expr
    expr: Expr
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Pin:
    """Where the user puts the instances of a buffer: places that no pass changes.

    Expressions range over the scope loop of the buffer and the loops outside it, so
    that each instance has one place. Exactly one of `bank` and `byte` is given.

    Attributes:
        bank: The PSUM bank that an instance starts at.
        byte: First byte of an instance in each of its partitions.
        part: First partition; None for partition 0.
    """

    bank: IndexExpr | None = None
    byte: IndexExpr | None = None
    part: IndexExpr | None = None

    @property
    def place(self) -> IndexExpr | None:
        """The one that is given of `bank` and `byte`."""
        return self.byte if self.bank is None else self.bank


@dataclass(frozen=True, slots=True, eq=False)
class MemoryLocationSet:
    """A logical buffer; an identity, so two of equal fields differ.

    Attributes:
        name: Unique among the tensors of a kernel.
        space: Where it lives.
        shape: ``(partitions, free, ...)`` on chip, any shape in DRAM [elements].
        dtype: A key of `DTYPE_BYTES`.
        role: What the world outside does with it.
        scope: Index of the loop whose every iteration defines the buffer afresh;
            None for one instance in the whole kernel, as what the outside world sees.
        ring_slots: Number of slots that the user asked for; None for ``auto``.
        span: The declaration.
        window: What its slots must lie in, if it is of a call of scope ``kernel``.
        pin: Where the user puts its instances; None leaves that to the passes.
        rotates: False if it has as few slots as are legal.
    """

    name: str
    space: MemorySpace
    shape: tuple[int, ...]
    dtype: str
    role: Role = Role.INTERNAL
    scope: AffineIV | None = None
    ring_slots: int | None = None
    span: Span | None = None
    window: Window | None = None
    pin: Pin | None = None
    rotates: bool = True

    @property
    def elem_bytes(self) -> int:
        """Bytes of one element."""
        return DTYPE_BYTES[self.dtype]

    @property
    def num_partitions(self) -> int:
        """Partitions of one instance (on chip); rows in DRAM."""
        return self.shape[0]

    @property
    def bytes_per_partition(self) -> int:
        """Bytes of one instance in each of its partitions."""
        return prod(self.shape[1:]) * self.elem_bytes

    @property
    def bytes_in_space(self) -> int:
        """Bytes of one instance in its space: in each partition, or in DRAM the whole.

        It is the distance between a first byte and the next that is free.
        """
        return self.bytes_per_partition * (1 if self.on_chip else self.num_partitions)

    @property
    def on_chip(self) -> bool:
        """True in SB and PSUM."""
        return self.space is not MemorySpace.DRAM

    @property
    def is_placed(self) -> bool:
        """True if the compiler chooses where it lives: nobody outside sees it."""
        return self.on_chip or self.role is Role.INTERNAL


@dataclass(frozen=True, slots=True)
class Region:
    """A box of one buffer: per dimension a start and an extent [elements].

    Attributes:
        tensor: The buffer.
        starts: First element of each dimension; constants 0 when whole.
        extents: Number of elements of each dimension, >= 1; the most that there may
            be where `least` says more.
        whole: True if the text named the buffer without brackets.
        span: Where it stands.
        least: Empty, or for each dimension the terms of ``min(a, b)``, of which the
            extent is the least; no terms where the extent is a number.
        instance: Which instance of the scope loop is meant, as a value of its index;
            None for that of the current iteration.
    """

    tensor: MemoryLocationSet
    starts: tuple[IndexExpr, ...]
    extents: tuple[int, ...]
    whole: bool
    span: Span | None = None
    least: tuple[tuple[IndexExpr, ...], ...] = ()
    instance: IndexExpr | None = None

    @property
    def partial(self) -> bool:
        """True if an extent depends on the iteration."""
        return any(self.least)

    def terms(self, dimension: int) -> tuple[IndexExpr, ...]:
        """Return what the extent of a dimension is the least of; () for a number."""
        return self.least[dimension] if self.least else ()

    @property
    def free_elems(self) -> int:
        """Elements in each partition."""
        return prod(self.extents[1:])

    @property
    def size_bytes(self) -> int:
        """Bytes of the whole box."""
        return prod(self.extents) * self.tensor.elem_bytes
