"""The loop form of a kernel: what was written, with every name resolved.

A `Function` is one ``kernel`` block. Its body is a tree of loops whose leaves are
instructions and the declarations of their buffers, in the order of the text:

* `MemoryLocationSet`: a logical buffer. It is defined afresh in every iteration of
  its scope loop and of all loops outside it; one such instance is a memory location.
* `Loop`: a loop, static or with an upper bound that a register holds at run time. Its
  `index` is an identity: two loops named ``i`` differ.
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
from rotation.errors import KernelError
from rotation.loop_form.buffers import IndexExpr, MemoryLocationSet, Pin, Region
from rotation.loop_form.instance_span import InstanceSpan
from rotation.loop_form.words import (
    DTYPE_BYTES,
    GATHER,
    MAX_INTEGER,
    REMOTE_COPY,
    SCATTER,
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
    "GATHER",
    "MAX_INTEGER",
    "REMOTE_COPY",
    "SCATTER",
    "Arm",
    "Call",
    "Compare",
    "Comparison",
    "EdgeKind",
    "Engine",
    "Function",
    "If",
    "IndexExpr",
    "Indexed",
    "Instruction",
    "Loop",
    "MemoryLocationSet",
    "MemorySpace",
    "Pin",
    "Region",
    "Role",
    "RotationScope",
    "Statement",
    "Window",
]


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
        callee: That kernel, as it was written.
        arguments: What stands for its ``input``, ``output`` and ``const`` buffers.
        scope: What of it may be rotated.
        window: Sizes as written: partitions, bytes of SB, banks; None if not given.
        body: What it does here, with loops, buffers and operations of this call.
        span: The statement.
    """

    callee: Function
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

    def __repr__(self) -> str:
        return f"<Function {self.name} on {self.machine}>"

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
    def statements(self) -> tuple[tuple[Statement, tuple[Loop, ...]], ...]:
        """Every statement in the order of the text, with the loops around it.

        A loop is among its own.
        """
        return tuple((statement, loops) for loops, _, statement in _walk(self.body))

    @cached_property
    def registers(self) -> tuple[str, ...]:
        """The registers that bound run-time loops, in the order of the text."""
        loops = (s for _, _, s in _walk(self.body) if isinstance(s, Loop))
        return tuple(dict.fromkeys(n.bound for n in loops if n.bound is not None))

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

    @cached_property
    def instance_spans(self) -> dict[MemoryLocationSet, InstanceSpan]:
        """Which instances each buffer has, those that only ``@`` selects included."""
        from rotation.loop_form.selected_trips import (  # noqa: PLC0415 - it reads this module
            selected_trips,
        )

        spans = {}
        for tensor in self.tensors:
            trips = 1 if tensor.scope is None else tensor.scope.trip_count
            outer = self.linear_trips(tensor.scope) // trips
            spans[tensor] = InstanceSpan(0, trips, outer)
        for instruction in self.instructions:
            for region in (*instruction.reads, *instruction.writes):
                scope, at = region.tensor.scope, region.instance
                if scope is not None and at is not None:
                    trip = (at.expr - (scope.lo or 0)) // scope.step
                    selected = selected_trips(trip, self.arms_of[instruction])
                    if selected is not None:
                        span = spans[region.tensor]
                        spans[region.tensor] = span.with_trips(selected)
        return spans

    def linear_trips(self, scope: AffineIV | None) -> int:
        """Number of iterations of a scope loop and all loops outside it."""
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
