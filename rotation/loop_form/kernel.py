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

from dataclasses import dataclass
from functools import cached_property
from math import prod

from pelican.errors import Span
from pelican.expr import AffineIV
from rotation.loop_form.buffers import IndexExpr, MemoryLocationSet, Pin, Region
from rotation.loop_form.instance_span import InstanceSpan
from rotation.loop_form.loop_values import trip_at
from rotation.loop_form.statements import (
    Arm,
    Call,
    Comparison,
    If,
    Indexed,
    Instruction,
    Loop,
    Statement,
    skipped,
    walk,
)
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
        return {loops[-1].index: loops for loops, _, _ in walk(self.body) if loops}

    @cached_property
    def tensors(self) -> tuple[MemoryLocationSet, ...]:
        """Every buffer, in the order of the text."""
        found = (statement for _, _, statement in walk(self.body))
        return tuple(s for s in found if isinstance(s, MemoryLocationSet))

    @cached_property
    def statements(self) -> tuple[tuple[Statement, tuple[Loop, ...]], ...]:
        """Every statement in the order of the text, with the loops around it.

        A loop is among its own.
        """
        return tuple((statement, loops) for loops, _, statement in walk(self.body))

    @cached_property
    def registers(self) -> tuple[str, ...]:
        """The registers that bound run-time loops, in the order of the text."""
        loops = (s for _, _, s in walk(self.body) if isinstance(s, Loop))
        return tuple(dict.fromkeys(n.bound for n in loops if n.bound is not None))

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """Every instruction, in the order of the text."""
        found = (statement for _, _, statement in walk(self.body))
        return tuple(s for s in found if isinstance(s, Instruction))

    @cached_property
    def skipped(self) -> tuple[Instruction, ...]:
        """Every instruction that a loop without trips leaves out."""
        return tuple(skipped(self.body))

    @cached_property
    def loops_of(self) -> dict[Instruction, tuple[Loop, ...]]:
        """Each instruction's loops, from the outermost in."""
        walked = walk(self.body)
        return {s: loops for loops, _, s in walked if isinstance(s, Instruction)}

    @cached_property
    def arms_of(self) -> dict[Instruction, tuple[Arm, ...]]:
        """Each instruction's arms, from the outermost in."""
        walked = walk(self.body)
        return {s: arms for _, arms, s in walked if isinstance(s, Instruction)}

    @cached_property
    def choices(self) -> dict[If, tuple[Loop, ...]]:
        """Each `If`, in the order of the text, and the loops around it."""
        return {s: loops for loops, _, s in walk(self.body) if isinstance(s, If)}

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every call, in the order of the text."""
        return tuple(s for _, _, s in walk(self.body) if isinstance(s, Call))

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
                    trip = trip_at(scope, at.expr)
                    selected = selected_trips(trip, self.arms_of[instruction])
                    if selected is not None:
                        span = spans[region.tensor]
                        spans[region.tensor] = span.with_trips(selected)
        return spans

    def linear_trips(self, scope: AffineIV | None) -> int:
        """Number of iterations of a scope loop and all loops outside it."""
        return 1 if scope is None else prod(n.trip_count for n in self.nests[scope])
