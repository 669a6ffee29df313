"""The loop form of a kernel: what was written, with every name resolved.

A `Function` is one ``kernel`` block. Its body is a tree of loops whose leaves are
instructions and the declarations of their buffers, in the order of the text:

* `MemoryLocationSet`: a logical buffer. It is defined afresh in every iteration of
  its scope loop and of all loops outside it; one such instance is a memory location.
* `Loop`: a static loop. Its `index` is an identity: two loops named ``i`` differ.
* `If`: one of two arms, chosen in each iteration: by the loops, or by loaded values.
* `Instruction`: one operation of one engine on regions of buffers.

Names of spaces: `MemorySpace.SB` is NKI's SBUF and `MemorySpace.DRAM` its HBM.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

from pelican.errors import Span
from pelican.expr import AffineIV
from pelican.node import Expr
from rotation.words import (
    DTYPE_BYTES,
    MAX_INTEGER,
    Compare,
    EdgeKind,
    Engine,
    MemorySpace,
    Role,
    RotationScope,
    Window,
)

__all__ = [
    "DTYPE_BYTES",
    "MAX_INTEGER",
    "Arm",
    "Call",
    "Compare",
    "Comparison",
    "EdgeKind",
    "Engine",
    "Function",
    "If",
    "IndexExpr",
    "Instruction",
    "Loop",
    "MemoryLocationSet",
    "MemorySpace",
    "Region",
    "Role",
    "RotationScope",
    "Statement",
    "Window",
]


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
            None for one instance in the whole kernel (DRAM always).
        ring_slots: Number of slots that the user asked for; None for ``auto``.
        span: The declaration.
        window: What its slots must lie in, if it is of a call of scope ``kernel``.
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
    """

    tensor: MemoryLocationSet
    starts: tuple[IndexExpr, ...]
    extents: tuple[int, ...]
    whole: bool
    span: Span | None = None
    least: tuple[tuple[IndexExpr, ...], ...] = ()

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


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """One operation of one engine; an identity.

    Attributes:
        name: The operation id, unique in its kernel.
        engine: Where it runs.
        opcode: A free name; only ``load`` and ``store`` of dma mean something, to
            `verify`.
        writes: Destinations, at least one.
        reads: Sources.
        accumulates: Indices of the loops over which the destination is added to.
            The first iteration of all of them overwrites, the others read and write.
        inplace: True if a destination is also a source, element by element.
        fn: What is computed, for people and for equality of results.
        transpose: True if a transfer transposes.
        span: The statement.
    """

    name: str
    engine: Engine
    opcode: str
    writes: tuple[Region, ...]
    reads: tuple[Region, ...]
    accumulates: tuple[AffineIV, ...] = ()
    inplace: bool = False
    fn: str | None = None
    transpose: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A static loop over ``lo, lo + step, ... < hi``, with at least one trip.

    Attributes:
        index: The induction variable; it knows lo, hi and step.
        body: What one iteration does, in order.
        span: The header.
    """

    index: AffineIV
    body: tuple[Statement, ...]
    span: Span | None = None

    @property
    def trip_count(self) -> int:
        """Number of iterations."""
        return self.index.trip_count


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two index expressions, decided in each iteration by itself.

    Attributes:
        left: What stands before the sign.
        compare: The sign.
        right: What stands after it.
        span: Where it stands.
    """

    left: IndexExpr
    compare: Compare
    right: IndexExpr
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """Two arms, of which each iteration does one; an identity.

    Either the loops decide (`comparisons`, all of which must hold) or values that are
    only known when the kernel runs (`loaded`). The second kind is a join in the flow
    of control: what comes after it is reached from both arms.

    Attributes:
        comparisons: What must hold; empty if loaded values decide.
        loaded: The whole buffers whose values decide; empty if the loops do.
        text: What is asked of the loaded values, for people.
        then: What is done if it holds, in order.
        otherwise: What is done if not.
        span: The header.
        join: The brace after which both arms meet.
    """

    comparisons: tuple[Comparison, ...]
    loaded: tuple[Region, ...]
    text: str | None
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    span: Span | None = None
    join: Span | None = None


class Arm(NamedTuple):
    """One arm of an `If`: the one that is done if it holds, or the other."""

    choice: If
    taken: bool


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A kernel that another one does in its place, with buffers of its own.

    Attributes:
        callee: Its name.
        arguments: What stands for its ``input``, ``output`` and ``const`` buffers.
        scope: What of it may be rotated.
        window: Sizes as written: partitions, bytes of SB, banks; None if not given.
        body: What it does here, with loops, buffers and operations of this call.
        span: The statement.
    """

    callee: str
    arguments: tuple[MemoryLocationSet, ...]
    scope: RotationScope
    window: tuple[int, int, int] | None
    body: tuple[Statement, ...]
    span: Span | None = None


Statement = MemoryLocationSet | Instruction | Loop | If | Call


@dataclass(frozen=True, eq=False)
class Function:
    """One kernel in loop form.

    Attributes:
        name: Name of the kernel.
        machine: Name of the machine it was written for.
        body: Declarations, loops and instructions in order.
        scope: What of it may be rotated.
        span: Its header.

    >>> from rotation import load
    >>> kernel = load("examples/stream_add.kernel")
    >>> kernel.name, kernel.machine
    ('stream_add', 'planning')
    """

    name: str
    machine: str
    body: tuple[Statement, ...]
    scope: RotationScope = RotationScope.GLOBAL
    span: Span | None = None

    @cached_property
    def nests(self) -> dict[AffineIV, tuple[Loop, ...]]:
        """Each loop's index to the loops from the outermost to that loop."""
        return {loops[-1].index: loops for loops, _, _ in _walk(self.body) if loops}

    @cached_property
    def tensors(self) -> tuple[MemoryLocationSet, ...]:
        """Every buffer, in the order of the text."""
        found = (statement for _, _, statement in _walk(self.body))
        return tuple(s for s in found if isinstance(s, MemoryLocationSet))

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """Every instruction, in the order of the text."""
        found = (statement for _, _, statement in _walk(self.body))
        return tuple(s for s in found if isinstance(s, Instruction))

    @cached_property
    def loops_of(self) -> dict[Instruction, tuple[Loop, ...]]:
        """Each instruction's loops, from the outermost in."""
        walked = _walk(self.body)
        return {s: loops for loops, _, s in walked if isinstance(s, Instruction)}

    @cached_property
    def arms_of(self) -> dict[Instruction, tuple[Arm, ...]]:
        """Each instruction's arms, from the outermost in."""
        walked = _walk(self.body)
        return {s: arms for _, arms, s in walked if isinstance(s, Instruction)}

    @cached_property
    def choices(self) -> dict[If, tuple[Loop, ...]]:
        """Each `If`, in the order of the text, and the loops around it."""
        return {s: loops for loops, _, s in _walk(self.body) if isinstance(s, If)}

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call, in the order of the text."""
        return tuple(s for _, _, s in _walk(self.body) if isinstance(s, Call))

    def linear_trips(self, scope: AffineIV | None) -> int:
        """Number of instances of a buffer of that scope."""
        return 1 if scope is None else prod(n.trip_count for n in self.nests[scope])


def _walk(
    body: tuple[Statement, ...],
    loops: tuple[Loop, ...] = (),
    arms: tuple[Arm, ...] = (),
) -> Iterator[tuple[tuple[Loop, ...], tuple[Arm, ...], Statement]]:
    """Yield each statement with its loops and arms; a loop has itself among them."""
    for statement in body:
        if isinstance(statement, Loop):
            inside = (*loops, statement)
            yield inside, arms, statement
            yield from _walk(statement.body, inside, arms)
        else:
            yield loops, arms, statement
        if isinstance(statement, Call):
            yield from _walk(statement.body, loops, arms)
        if isinstance(statement, If):
            yield from _walk(statement.then, loops, (*arms, Arm(statement, taken=True)))
            other = (*arms, Arm(statement, taken=False))
            yield from _walk(statement.otherwise, loops, other)
