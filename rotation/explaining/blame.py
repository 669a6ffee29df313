"""Who is to blame for the waits of a placed program: buffers, operations, engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from rotation.dependence.carried import Accesses, Iterations
from rotation.dependence.dependences import merged
from rotation.explaining.critical import Constraint, Link, behind_barriers, critical
from rotation.explaining.one_instance import parted
from rotation.explaining.waits import Cause, Wait, all_waits
from rotation.loop_form.joins import joins
from rotation.loop_form.kernel import (
    EdgeKind,
    Engine,
    If,
    Loop,
    MemoryLocationSet,
    MemorySpace,
)
from rotation.passes.base import State, built
from rotation.rings.plan import Limit
from rotation.unrolled.joins import barrier_edges, join_number
from rotation.unrolled.program import Edges, Placement, Program

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
        value: True if the sink reads what the source wrote; else only bytes are
            missing, or a barrier keeps the sink behind the source.
        tensors: The buffer of the edge; two if different ones share bytes.
        distance: Iterations from the source to the sink of the edge.
        server: The engine that is waited for, where it is the resource.
        front: Position of the instruction in front in the queue, or None.
        barrier: The `if` whose join makes the edge, or the loop whose border does; or
            None.
    """

    engine: Engine
    cause: Cause
    loop: Loop | None = None
    blocked: int | None = None
    source: int | None = None
    sink: int | None = None
    value: bool = False
    tensors: tuple[MemoryLocationSet, ...] = NO_BUFFER
    distance: int = 0
    server: Engine | None = None
    front: int | None = None
    barrier: If | Loop | None = None


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
    cells = built(state.cells, "cells")
    edges = built(state.edges, "dependences")
    ordered = edges.kind == EdgeKind.ORDERED
    barriers = merged(
        barrier_edges(program),
        Edges(edges.source[ordered], edges.sink[ordered], edges.kind[ordered]),
    )
    barriers = behind_barriers(program, schedule, barriers)
    known = critical(program, cells, placement, schedule, parted(program), barriers)
    judge = _Judge(state, program, placement, barriers)
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


class _Place(NamedTuple):
    """Where a location lives: its buffer, first partition and first byte."""

    tensor: int
    partition: int
    byte: int


class _Judge:
    """Says what a wait is about, in terms of the function.

    Waits of the same operations at the same places are about the same, so one answer
    serves them all.
    """

    def __init__(
        self, state: State, program: Program, placement: Placement, barriers: Edges
    ) -> None:
        self.tensors = program.function.tensors
        self.iterations, self.accesses = Iterations(program), Accesses(program)
        plan = built(state.plan, "ring plan")
        self.limits = {ring.tensor: ring.limited_by for ring in plan.rings}
        places = zip(
            program.location_tensor.tolist(),
            placement.partition.tolist(),
            placement.byte.tolist(),
            strict=True,
        )
        self.places = [_Place(*each) for each in places]
        self.location = program.access_location.tolist()
        self.is_write = program.access_is_write.tolist()
        self.choices, self.join = joins(program.function), join_number(program)
        self.barriers = set(
            zip(barriers.source.tolist(), barriers.sink.tolist(), strict=True)
        )
        self._answers: dict[object, Blame] = {}

    def blame(self, wait: Wait) -> Blame:
        """Return what a wait is about."""
        statement = self.iterations.statement
        blocked = statement[wait.blocked] if wait.blocked >= 0 else None
        front = statement[wait.front] if wait.front >= 0 else None
        key: tuple[object, ...] = (wait.engine, wait.cause, wait.server, blocked, front)
        edge = wait.edge
        if edge is None or edge.link is Link.ENGINE:
            plain = replace(self._plain(wait, blocked), front=front)
            return self._answers.setdefault(key, plain)
        distance = self.iterations.step(edge.source, edge.sink).distance
        ends = (statement[edge.source], statement[edge.sink], edge.link, distance)
        key = (*key, *ends, *self._touched(edge.source), *self._touched(edge.sink))
        if key not in self._answers:
            barrier = self._barrier(edge)
            tensors = self._tensors(edge) if barrier is None else NO_BUFFER
            self._answers[key] = replace(
                self._plain(wait, blocked),
                cause=self._cause(wait.cause, tensors, barrier),
                source=statement[edge.source],
                sink=statement[edge.sink],
                value=self.accesses.reads_from(edge.source, edge.sink),
                tensors=tensors,
                distance=distance,
                barrier=barrier,
            )
        return self._answers[key]

    def _plain(self, wait: Wait, blocked: int | None) -> Blame:
        """Return what a wait without an edge is about."""
        nest = () if blocked is None else self.iterations.nest[blocked]
        loop = nest[-1] if nest else None
        return Blame(wait.engine, wait.cause, loop, blocked, server=wait.server)

    def _barrier(self, edge: Constraint) -> If | Loop | None:
        """Return the `if` or the loop that makes an edge; None if buffers do."""
        if edge.link is not Link.LOOSE:
            return None
        if (edge.source, edge.sink) not in self.barriers:
            return None
        number = int(self.join[edge.source] or self.join[edge.sink])
        if number:
            return self.choices[(number - 1) % len(self.choices)]
        depth = self.iterations.common_depth(edge.source, edge.sink)
        statements = (self.iterations.statement[row] for row in edge[1:])
        nests = [self.iterations.nest[statement] for statement in statements]
        # The border is of the loop that holds one end only, or of that around both.
        return next(
            (nest[depth] for nest in nests if len(nest) > depth),
            nests[0][-1] if nests[0] else None,
        )

    def _touched(self, row: int) -> list[_Place]:
        return [self.places[self.location[access]] for access in self.accesses.of(row)]

    def _cause(
        self,
        cause: Cause,
        tensors: tuple[MemoryLocationSet, ...],
        barrier: If | Loop | None,
    ) -> Cause:
        """Return a cause; what keeps the ring from another slot takes its place."""
        if cause is Cause.RING and barrier is not None:
            return Cause.RECURRENCE
        if cause is not Cause.RING or not tensors:
            return cause
        in_bank = tensors[0].space is MemorySpace.PSUM
        if in_bank and tensors[0].pin is not None:
            return Cause.BANK
        if len(tensors) > 1:
            return Cause.BANK if in_bank else Cause.CAPACITY
        limit = self.limits.get(tensors[0])
        if limit is Limit.CARRIED:
            return Cause.RECURRENCE
        return Cause.CAPACITY if limit is Limit.CAPACITY else cause

    def _tensors(self, edge: Constraint) -> tuple[MemoryLocationSet, ...]:
        """Return the buffer of an edge, or the two that share the bytes of it."""
        if edge.link is Link.FIRM:
            return tuple(self.accesses.shared_tensors(edge.source, edge.sink)[:1])
        found = sorted(
            {
                (mine.tensor != theirs.tensor, mine.tensor, theirs.tensor)
                for mine, theirs in self._conflicts(edge)
            }
        )
        if not found:
            return NO_BUFFER
        _, first, second = found[0]
        return tuple(self.tensors[row] for row in dict.fromkeys((first, second)))

    def _conflicts(self, edge: Constraint) -> Iterator[tuple[_Place, _Place]]:
        """Yield the places of both ends that share a byte which one of them writes."""
        for a in self.accesses.of(edge.source):
            for b in self.accesses.of(edge.sink):
                mine = self.places[self.location[a]]
                theirs = self.places[self.location[b]]
                written = self.is_write[a] or self.is_write[b]
                if written and self._share_bytes(mine, theirs):
                    yield mine, theirs

    def _share_bytes(self, mine: _Place, theirs: _Place) -> bool:
        first, second = self.tensors[mine.tensor], self.tensors[theirs.tensor]
        if first.space is not second.space:
            return False
        in_bytes = (
            mine.byte < theirs.byte + second.bytes_in_space
            and theirs.byte < mine.byte + first.bytes_in_space
        )
        in_partitions = (
            mine.partition < theirs.partition + second.num_partitions
            and theirs.partition < mine.partition + first.num_partitions
        )
        return in_bytes and (in_partitions or not first.on_chip)
