"""The loop form of a kernel: what was written, with every name resolved.

A `Function` is one ``kernel`` block. Its body is a tree of loops whose leaves are
instructions and the declarations of their buffers, in the order of the text:

* `MemoryLocationSet`: a logical buffer. It is defined afresh in every iteration of
  its scope loop and of all loops outside it; one such instance is a memory location.
* `Loop`: a loop, static or with an upper bound that a register holds at run time. Its
  `index` is an identity: two loops named ``i`` differ.
* `Instruction`: one operation of one engine on regions of buffers.

Names of spaces: `MemorySpace.SB` is NKI's SBUF and `MemorySpace.DRAM` its HBM.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cached_property
from math import prod
from typing import Final

from pelican.errors import Span
from pelican.expr import AffineIV
from pelican.node import Expr
from rotation.errors import KernelError


class MemorySpace(Enum):
    """Where a buffer lives; the value is its spelling in text and JSON."""

    DRAM = "dram"
    SB = "sb"
    PSUM = "psum"


class Role(Enum):
    """What the world outside the kernel does with a buffer."""

    INPUT = "input"
    OUTPUT = "output"
    CONST = "const"
    INTERNAL = "internal"


class Engine(IntEnum):
    """The engines, by their ordinal in the modelled system."""

    GPSIMD = 1
    SCALAR = 2
    PE = 3
    DMA = 4
    VECTOR = 5
    SYNC = 6
    CC = 8

    @property
    def text(self) -> str:
        """The spelling in text and JSON."""
        return self.name.lower()

    @property
    def completes_in_order(self) -> bool:
        """True if an operation is done before the next of this engine starts.

        DMA and collective transfers issue in order and complete in any order.
        """
        return self not in {Engine.DMA, Engine.CC}


MAX_INTEGER: Final = 2**63 - 1
"""Largest number of a kernel: tables hold 64-bit integers with a sign."""

DTYPE_BYTES: Final[dict[str, int]] = {
    "fp32": 4,
    "int32": 4,
    "uint32": 4,
    "bf16": 2,
    "fp16": 2,
    "int16": 2,
    "uint16": 2,
    "fp8": 1,
    "int8": 1,
    "uint8": 1,
}
"""Bytes of one element, by the name of its type."""


class EdgeKind(IntEnum):
    """Why one instruction waits for another; the numbers are the modelled ones."""

    ORDERED = 1
    ANTI = 2
    OUTPUT = 3
    FLOW = 4


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
    """

    name: str
    space: MemorySpace
    shape: tuple[int, ...]
    dtype: str
    role: Role = Role.INTERNAL
    scope: AffineIV | None = None
    ring_slots: int | None = None
    span: Span | None = None

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
        extents: Number of elements of each dimension, >= 1.
        whole: True if the text named the buffer without brackets.
        span: Where it stands.
    """

    tensor: MemoryLocationSet
    starts: tuple[IndexExpr, ...]
    extents: tuple[int, ...]
    whole: bool
    span: Span | None = None

    @property
    def free_elems(self) -> int:
        """Elements in each partition."""
        return prod(self.extents[1:])

    @property
    def size_bytes(self) -> int:
        """Bytes of the whole box."""
        return prod(self.extents) * self.tensor.elem_bytes


GATHER: Final = "gather"
SCATTER: Final = "scatter"
REMOTE_COPY: Final = "remote_copy"


@dataclass(frozen=True, slots=True)
class Indexed:
    """How a buffer of row numbers says where an operation reads or writes.

    Attributes:
        tensor: The buffer that holds the row numbers, counted from the start of the
            region that they reach into.
        dimension: The dimension of that region whose elements they number.
        unique: True if the kernel promises that all executions together write each
            row at most once.
        span: Where it stands.
    """

    tensor: MemoryLocationSet
    dimension: int
    unique: bool = False
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """One operation of one engine; an identity.

    Attributes:
        name: The operation id, unique in its kernel.
        engine: Where it runs.
        opcode: A free name; to `verify`, ``load`` and ``store`` of dma, ``gather``,
            ``scatter`` and ``remote_copy`` mean something.
        writes: Destinations, at least one.
        reads: Sources; what holds the row numbers of `indexed` is one of them.
        accumulates: Indices of the loops over which the destination is added to.
            The first iteration of all of them overwrites, the others read and write.
        inplace: True if a destination is also a source, element by element.
        fn: What is computed, for people and for equality of results.
        transpose: True if a transfer transposes.
        indexed: For a gather or a scatter, where it reads or writes; else None.
        view: How sources are read, for people and for equality of results; each
            source is read as a whole region.
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
    indexed: Indexed | None = None
    view: str | None = None
    span: Span | None = None

    @property
    def is_scatter(self) -> bool:
        """True if only the rows that a buffer names are written."""
        return self.indexed is not None and self.opcode == SCATTER

    @property
    def index_region(self) -> Region | None:
        """The source that holds the row numbers."""
        if self.indexed is None:
            return None
        holder = self.indexed.tensor
        return next((r for r in self.reads if r.tensor is holder), None)

    @property
    def data_reads(self) -> tuple[Region, ...]:
        """The sources without the one that holds row numbers."""
        index = self.index_region
        return tuple(region for region in self.reads if region is not index)

    @property
    def reached_region(self) -> Region | None:
        """The region that the row numbers reach into: which rows, nobody knows."""
        if self.indexed is None:
            return None
        regions = self.writes if self.opcode == SCATTER else self.data_reads
        return next(iter(regions), None)


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A loop over ``lo, lo + step, ... < hi``; a static one has at least one trip.

    Attributes:
        index: The induction variable; it knows lo and step, and hi of a static loop.
        body: What one iteration does, in order.
        span: The header.
        bound: The register that holds hi at run time; None in a static loop. A loop
            whose register holds lo or less has no trip.
    """

    index: AffineIV
    body: tuple[Statement, ...]
    span: Span | None = None
    bound: str | None = None

    @property
    def trip_count(self) -> int:
        """Number of iterations.

        Raises:
            KernelError: If it is known at run time only.
        """
        if self.bound is not None:
            raise KernelError(
                f"loop {self.index.name} runs to %{self.bound}, known at run time only",
                self.span,
                f"give a number for it: assume={{{self.bound!r}: 64}}",
            )
        return self.index.trip_count


Statement = MemoryLocationSet | Instruction | Loop


@dataclass(frozen=True, eq=False)
class Function:
    """One kernel in loop form.

    Attributes:
        name: Name of the kernel.
        machine: Name of the machine it was written for.
        body: Declarations, loops and instructions in order.

    >>> from rotation import load
    >>> kernel = load("examples/stream_add.kernel")
    >>> kernel.name, kernel.machine
    ('stream_add', 'planning')
    """

    name: str
    machine: str
    body: tuple[Statement, ...]

    @cached_property
    def nests(self) -> dict[AffineIV, tuple[Loop, ...]]:
        """Each loop's index to the loops from the outermost to that loop."""
        return {loops[-1].index: loops for loops, _ in _walk(self.body) if loops}

    @cached_property
    def tensors(self) -> tuple[MemoryLocationSet, ...]:
        """Every buffer, in the order of the text."""
        return tuple(s for _, s in _walk(self.body) if isinstance(s, MemoryLocationSet))

    @cached_property
    def registers(self) -> tuple[str, ...]:
        """The registers that bound run-time loops, in the order of the text."""
        loops = (s for _, s in _walk(self.body) if isinstance(s, Loop))
        return tuple(dict.fromkeys(n.bound for n in loops if n.bound is not None))

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """Every instruction, in the order of the text."""
        return tuple(s for _, s in _walk(self.body) if isinstance(s, Instruction))

    @cached_property
    def loops_of(self) -> dict[Instruction, tuple[Loop, ...]]:
        """Each instruction's loops, from the outermost in."""
        return {s: loops for loops, s in _walk(self.body) if isinstance(s, Instruction)}

    def linear_trips(self, scope: AffineIV | None) -> int:
        """Number of instances of a buffer of that scope."""
        return 1 if scope is None else prod(n.trip_count for n in self.nests[scope])


def _walk(
    body: tuple[Statement, ...], loops: tuple[Loop, ...] = ()
) -> Iterator[tuple[tuple[Loop, ...], Statement]]:
    """Yield each statement with its loops; a loop has itself among them."""
    for statement in body:
        if isinstance(statement, Loop):
            inside = (*loops, statement)
            yield inside, statement
            yield from _walk(statement.body, inside)
        else:
            yield loops, statement
