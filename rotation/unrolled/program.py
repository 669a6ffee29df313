"""The unrolled form of a kernel: tables of numpy columns, in source order.

`unroll` makes a `Program` once. What later passes decide stands beside it, in
tables of the same row numbers: a `Placement` gives each memory location its
address, `Edges` say which instruction waits for which, and a `Schedule` is one
total order with its times. Time is integer picoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.columns import Bools, Ints
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine

__all__ = ["Bools", "Edges", "Ints", "Placement", "Program", "Schedule", "positions"]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """An unrolled function: n instructions, a accesses, l memory locations.

    Attributes:
        function: The loop form.
        machine: The machine whose costs the columns hold.
        statement: Position in ``function.instructions`` of each instruction, (n,).
        iteration: Linear trip number over all loops around it, (n,); 0 without.
        engine: `Engine` ordinal of its server on the machine, (n,).
        busy_ps: Time for which the engine is taken, (n,), >= 1 [ps].
        latency_ps: Time from the end of busy to completion, (n,), >= 0 [ps].
        access_instruction: The instruction of each access, (a,), ascending; the
            reads of one instruction come before its writes.
        access_location: The location it touches, (a,).
        access_is_write: True for a write, (a,). A matmul that accumulates has, but
            for its first iteration, a read of its destination too. A gather reads,
            and a scatter writes, the whole location that its row numbers reach into.
        access_start: First element of each dimension, (a, d) [elements].
        access_extent: Elements of each dimension, (a, d), >= 1; dimensions that a
            buffer does not have have start 0 and extent 1.
        location_tensor: Position in ``function.tensors``, (l,).
        location_instance: Number k of the instance (`rotation.loop_form.instances`),
            (l,): the linear trip over the scope loop of the tensor and the loops
            outside it, unless ``@`` selects others, some below 0; 0 without a scope.
            Locations are sorted by tensor and instance; one that nothing touches has
            none.
        distinct: Positions in ``function.instructions`` of the scatters whose
            executions are ordered with all but each other: they write distinct rows
            of a DRAM tensor, as the kernel promises.
    """

    function: Function
    machine: Machine
    statement: Ints
    iteration: Ints
    engine: Ints
    busy_ps: Ints
    latency_ps: Ints
    access_instruction: Ints
    access_location: Ints
    access_is_write: Bools
    access_start: Ints
    access_extent: Ints
    location_tensor: Ints
    location_instance: Ints
    distinct: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.statement)

    def first_accesses(self) -> Ints:
        """Return the first access of each row, and last the count of all, (n + 1,)."""
        return np.searchsorted(self.access_instruction, np.arange(len(self) + 1))

    def engines(self) -> Ints:
        """Return the ordinals of the engines that it uses, ascending."""
        return np.flatnonzero(np.bincount(self.engine))

    def touched_tensors(self) -> Ints:
        """Return the positions of the tensors that it touches, ascending."""
        return np.flatnonzero(np.bincount(self.location_tensor))


def positions(order: Ints) -> Ints:
    """Return the place of each instruction in a total order of all, (n,) -> (n,)."""
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    return position


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """Where each memory location of a program lives.

    Attributes:
        partition: First partition, (l,); 0 in DRAM.
        byte: First byte in each partition of the location's space, (l,). In PSUM it
            is ``bank * psum_bank_bytes`` plus the offset in the bank. In DRAM the
            first byte of the tensor in the kernel's own DRAM region.
        slot: Ring slot of the instance, (l,), >= 0.
    """

    partition: Ints
    byte: Ints
    slot: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Dependences: `sink` starts only after `source` is complete.

    Sorted by sink, then source; one edge for each pair, of the greatest kind.

    Attributes:
        source: Instruction that is waited for, (e,).
        sink: Instruction that waits, (e,).
        kind: `EdgeKind`, (e,).
    """

    source: Ints
    sink: Ints
    kind: Ints

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """One total order of a program's instructions, and when each starts.

    Attributes:
        order: Instructions by (start, engine ordinal, row), (n,). The order of one
            engine's instructions in it is that engine's queue.
        start_ps: Start of each instruction, (n,) [ps].
        makespan_ps: When the last instruction is complete [ps].
        priority: Name of the list-scheduling priority that gave the order.
    """

    order: Ints
    start_ps: Ints
    makespan_ps: int
    priority: str
