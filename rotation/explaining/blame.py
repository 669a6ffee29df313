"""Who is to blame for the waits of a placed program: buffers, operations, engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from rotation.carried import Accesses, Iterations
from rotation.explaining.critical import Constraint, Link, critical
from rotation.explaining.waits import Cause, Wait, all_waits
from rotation.kernel import Engine, Loop, MemoryLocationSet, MemorySpace
from rotation.passes.base import State, built
from rotation.plan import Limit
from rotation.program import Placement, Program

NO_BUFFER: Final = ()


@dataclass(frozen=True, slots=True)
class Blame:
    """What one kind of wait is about; equal waits are added up.

    Attributes:
        engine: The engine that is idle.
        cause: Why.
        loop: The innermost loop around the instruction that could have run.
        blocked: Position of that instruction in the function, or None.
        source: Position of the instruction that it waits for by the edge, or None.
        sink: Position of the instruction at the end of the edge, or None.
        loose: True if the edge is there because instances share bytes.
        tensors: The buffer of the edge; two if different ones share bytes.
        distance: Iterations from the source to the sink of the edge.
        server: The engine that is waited for, where it is the resource.
    """

    engine: Engine
    cause: Cause
    loop: Loop | None = None
    blocked: int | None = None
    source: int | None = None
    sink: int | None = None
    loose: bool = False
    tensors: tuple[MemoryLocationSet, ...] = NO_BUFFER
    distance: int = 0
    server: Engine | None = None


@dataclass(slots=True)
class Total:
    """How often a kind of wait happens, and how long it takes together."""

    count: int = 0
    idle_ps: int = 0


def blamed(state: State) -> dict[Blame, Total]:
    """Return the idle time of all engines of a finished state, by what is to blame.

    Each moment of the makespan at which an engine does not work is in one of them.
    """
    program = built(state.program, "unrolled program")
    placement = built(state.placement, "placement")
    schedule = built(state.schedule, "schedule")
    known = critical(program, built(state.cells, "cells"), placement, schedule)
    judge = _Judge(state, program, placement)
    totals: dict[Blame, Total] = {}
    for wait in all_waits(known, schedule):
        total = totals.setdefault(judge.blame(wait), Total())
        total.count += 1
        total.idle_ps += wait.end_ps - wait.begin_ps
    return totals


def idle_ps(blames: Iterable[tuple[Blame, Total]], engine: Engine) -> dict[Cause, int]:
    """Return the idle time of an engine by cause [ps]; causes without any have 0."""
    found: Counter[Cause] = Counter()
    for blame, total in blames:
        if blame.engine is engine:
            found[blame.cause] += total.idle_ps
    return {cause: found[cause] for cause in Cause}


class _Judge:
    """Says what a wait is about, in terms of the function."""

    def __init__(self, state: State, program: Program, placement: Placement) -> None:
        self.program, self.placement = program, placement
        self.iterations, self.accesses = Iterations(program), Accesses(program)
        plan = built(state.plan, "ring plan")
        self.limits = {ring.tensor: ring.limited_by for ring in plan.rings}

    def blame(self, wait: Wait) -> Blame:
        """Return what a wait is about."""
        blame = Blame(wait.engine, wait.cause, server=wait.server)
        if wait.blocked >= 0:
            statement = self.iterations.statement[wait.blocked]
            nest = self.iterations.nest[statement]
            loop = nest[-1] if nest else None
            blame = replace(blame, loop=loop, blocked=statement)
        if wait.edge is None or wait.edge.link is Link.ENGINE:
            return blame
        edge = wait.edge
        loose = edge.link is Link.LOOSE
        tensors = self._tensors(edge)
        return replace(
            blame,
            cause=self._cause(wait.cause, tensors),
            source=self.iterations.statement[edge.source],
            sink=self.iterations.statement[edge.sink],
            loose=loose,
            tensors=tensors,
            distance=self.iterations.step(edge.source, edge.sink).distance,
        )

    def _cause(self, cause: Cause, tensors: tuple[MemoryLocationSet, ...]) -> Cause:
        """Return a cause; what keeps the ring from another slot takes its place."""
        if cause is not Cause.RING or not tensors:
            return cause
        if len(tensors) > 1:
            in_bank = tensors[0].space is MemorySpace.PSUM
            return Cause.BANK if in_bank else Cause.CAPACITY
        full = self.limits.get(tensors[0]) is Limit.CAPACITY
        return Cause.CAPACITY if full else cause

    def _tensors(self, edge: Constraint) -> tuple[MemoryLocationSet, ...]:
        """Return the buffer of an edge, or the two that share the bytes of it."""
        shared = self.accesses.shared_tensors(edge.source, edge.sink)
        if edge.link is Link.FIRM:
            return tuple(shared[:1])
        for tensor in shared:
            if self._overlap(edge, tensor, tensor):
                return (tensor,)
        tensors = self.program.function.tensors
        for mine in self._owners(edge.source):
            for theirs in self._owners(edge.sink):
                both = (tensors[mine], tensors[theirs])
                if mine != theirs and self._overlap(edge, *both):
                    return both
        return NO_BUFFER

    def _owners(self, row: int) -> list[int]:
        accesses = self.accesses.of(row)
        location = self.program.access_location[accesses.start : accesses.stop]
        return sorted(set(self.program.location_tensor[location].tolist()))

    def _overlap(
        self, edge: Constraint, mine: MemoryLocationSet, theirs: MemoryLocationSet
    ) -> bool:
        """Return whether a write of one end meets bytes of the other end."""
        if mine.space is not theirs.space:
            return False
        program, is_write = self.program, self.program.access_is_write
        tensors, owner = program.function.tensors, program.location_tensor
        for a in self.accesses.of(edge.source):
            at = program.access_location[a]
            if tensors[owner[at]] is not mine:
                continue
            for b in self.accesses.of(edge.sink):
                to = program.access_location[b]
                if tensors[owner[to]] is not theirs or not (is_write[a] or is_write[b]):
                    continue
                if self._share_bytes(int(at), int(to), mine, theirs):
                    return True
        return False

    def _share_bytes(
        self, at: int, to: int, mine: MemoryLocationSet, theirs: MemoryLocationSet
    ) -> bool:
        byte, partition = self.placement.byte, self.placement.partition
        in_bytes = (
            byte[at] < byte[to] + theirs.bytes_in_space
            and byte[to] < byte[at] + mine.bytes_in_space
        )
        if not mine.on_chip:
            return bool(in_bytes)
        return bool(
            in_bytes
            and partition[at] < partition[to] + theirs.num_partitions
            and partition[to] < partition[at] + mine.num_partitions
        )
