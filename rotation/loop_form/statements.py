"""The statements of a kernel in loop form: operations, loops, ifs and calls.

`rotation.loop_form.kernel` says what they are together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pelican.errors import Span
from pelican.expr import AffineIV
from rotation.errors import KernelError
from rotation.loop_form.buffers import IndexExpr, MemoryLocationSet, Region
from rotation.loop_form.words import SCATTER, Compare, Engine, RotationScope

if TYPE_CHECKING:
    from rotation.loop_form.kernel import Function


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
    """A loop over ``lo, lo + step, ... < hi``; the index has at least one value.

    A static loop without trips does what a loop of one trip with an empty body does.

    Attributes:
        index: The induction variable; it knows lo and step, and hi of a static loop.
        body: What one iteration does, in order.
        span: The header.
        bound: The register that holds hi at run time; None in a static loop. A loop
            whose register holds lo or less has no trip.
        skipped: What a static loop without trips would do, in order, and no pass ever
            sees; None if it has trips.
    """

    index: AffineIV
    body: tuple[Statement, ...]
    span: Span | None = None
    bound: str | None = None
    skipped: tuple[Statement, ...] | None = None

    @property
    def written(self) -> tuple[Statement, ...]:
        """What stands in the loop, whether it has trips or not."""
        return self.body if self.skipped is None else self.skipped

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


def walk(
    body: tuple[Statement, ...],
    loops: tuple[Loop, ...] = (),
    arms: tuple[Arm, ...] = (),
) -> Iterator[tuple[tuple[Loop, ...], tuple[Arm, ...], Statement]]:
    """Yield each statement with its loops and arms; a loop has itself among them."""
    for statement in body:
        if isinstance(statement, Loop):
            inside = (*loops, statement)
            yield inside, arms, statement
            yield from walk(statement.body, inside, arms)
        else:
            yield loops, arms, statement
        if isinstance(statement, Call):
            yield from walk(statement.body, loops, arms)
        if isinstance(statement, If):
            yield from walk(statement.then, loops, (*arms, Arm(statement, taken=True)))
            other = (*arms, Arm(statement, taken=False))
            yield from walk(statement.otherwise, loops, other)


def skipped(body: tuple[Statement, ...]) -> Iterator[Instruction]:
    """Yield each instruction that a loop without trips leaves out."""
    for _, _, statement in walk(body):
        if isinstance(statement, Loop) and statement.skipped is not None:
            inside = statement.skipped
            yield from (s for _, _, s in walk(inside) if isinstance(s, Instruction))
            yield from skipped(inside)


def written(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Yield each statement in the order of the text, loops without trips included."""
    for statement in body:
        yield statement
        if isinstance(statement, Loop):
            yield from written(statement.written)
        elif isinstance(statement, Call):
            yield from written(statement.body)
        elif isinstance(statement, If):
            yield from written((*statement.then, *statement.otherwise))
