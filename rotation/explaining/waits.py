"""Why each engine is idle, moment by moment: every gap in its queue has a cause.

Before its first instruction an engine fills, after its last one it drains. In a gap
between two instructions something is asked of all that is left in the queue:

1. From when on is one of them free to go, but stands behind another? That is
   ``queue order``.
2. From when on has one of them its values, and only bytes are missing? Its loose
   dependence is to blame, unless what it waits for is itself held up.
3. Until then they wait for values, and what these wait for is followed back.

A chain is followed back through engines and dependences until the same statement
comes back in another iteration: the links between the two repeat, and set the pace.
With a loose dependence among them another slot would help; else a value that goes
from iteration to iteration is a recurrence, and an engine that works all the time is
the resource. A chain without any of them is a plain sequence of latencies and work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from rotation.dependence.carried import Iterations
from rotation.explaining.critical import Constraint, Critical, Link
from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Schedule


class Cause(Enum):
    """Why an engine is idle; the value is its JSON spelling."""

    RESOURCE = "resource"
    RING = "ring"
    RECURRENCE = "recurrence"
    LATENCY = "latency"
    BANK = "bank"
    CAPACITY = "capacity"
    QUEUE_ORDER = "queue order"
    FILL = "fill"
    DRAIN = "drain"


MAX_LINKS: Final = 64
"""Links that are followed back before a chain is taken as it is."""

MAX_RUN: Final = 256
"""Instructions of one engine in which a statement is looked for a second time."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A stretch of time in which an engine is idle for one reason.

    Attributes:
        engine: The engine.
        begin_ps: First moment [ps].
        end_ps: End [ps].
        cause: The reason. A loose dependence is ``ring`` here, whatever limits it.
        blocked: The instruction that could have run; -1 when filling and draining.
        edge: The dependence that is to blame; None if no single one is.
        server: The other engine that is waited for, where it is the resource.
        front: The instruction that `blocked` stands behind in the queue; -1 if none.
    """

    engine: Engine
    begin_ps: int
    end_ps: int
    cause: Cause
    blocked: int = -1
    edge: Constraint | None = None
    server: Engine | None = None
    front: int = -1


def all_waits(critical: Critical, schedule: Schedule) -> Iterator[Wait]:
    """Yield the waits of all engines; with its work they fill each one's time."""
    program = critical.program
    iterations = Iterations(program)
    for ordinal in program.engines().tolist():
        queue = schedule.order[program.engine[schedule.order] == ordinal].tolist()
        engine = Engine(ordinal)
        first, last = critical.start_ps[queue[0]], critical.end_ps[queue[-1]]
        if first:
            yield Wait(engine, 0, first, Cause.FILL)
        yield from _Gaps(critical, iterations, engine, queue).waits()
        if last < schedule.makespan_ps:
            yield Wait(engine, last, schedule.makespan_ps, Cause.DRAIN)


class _Gaps:
    """The gaps in the queue of one engine."""

    def __init__(
        self,
        critical: Critical,
        iterations: Iterations,
        engine: Engine,
        queue: list[int],
    ) -> None:
        self.critical, self.iterations = critical, iterations
        self.engine, self.queue = engine, queue

    def waits(self) -> Iterator[Wait]:
        """Yield the waits between the instructions, the last ones first."""
        firm, loose = self.critical.firm.ready_ps, self.critical.loose.ready_ps
        valued = free = self.queue[-1]
        # From the end on, so that the earliest of all that is left is known.
        for place in range(len(self.queue) - 1, 0, -1):
            row, before = self.queue[place], self.queue[place - 1]
            if firm[row] <= firm[valued]:
                valued = row
            if max(firm[row], loose[row]) <= max(firm[free], loose[free]):
                free = row
            begin = self.critical.end_ps[before]
            if begin < self.critical.start_ps[row]:
                yield from self._gap(row, begin, valued, free)

    def _gap(self, row: int, begin: int, valued: int, free: int) -> Iterator[Wait]:
        """Yield the waits of one gap.

        Args:
            row: What comes after it in the queue.
            begin: Its first moment [ps].
            valued: What has its values first, of all that is left.
            free: What is free to go first.
        """
        firm, loose = self.critical.firm, self.critical.loose
        end = self.critical.start_ps[row]
        has_values = min(max(firm.ready_ps[valued], begin), end)
        is_free = max(firm.ready_ps[free], loose.ready_ps[free])
        is_free = min(max(is_free, has_values), end)
        if begin < has_values:
            link = Constraint(Link.FIRM, firm.source[valued], valued)
            yield from self._chained(begin, has_values, link)
        if has_values < is_free:
            link = Constraint(Link.LOOSE, loose.source[valued], valued)
            yield from self._chained(has_values, is_free, link)
        if is_free < end:
            front = -1 if row == free else row
            cause = Cause.QUEUE_ORDER
            yield Wait(self.engine, is_free, end, cause, free, front=front)

    def _chained(self, begin: int, end: int, link: Constraint) -> Iterator[Wait]:
        chain = _Chain(self.critical, self.iterations, self.engine, link)
        verdict = chain.verdict()
        if verdict is not None:
            cause, edge = verdict
            server = None
            if cause is Cause.RESOURCE:
                server = self.critical.engine[edge.sink]
                edge = link
            yield Wait(self.engine, begin, end, cause, link.sink, edge, server)
            return
        yield from self._in_sequence(begin, end, chain)

    def _in_sequence(self, begin: int, end: int, chain: _Chain) -> Iterator[Wait]:
        """Yield what happened in a stretch, from its end back along the chain."""
        critical, blocked = self.critical, chain.links[0].sink
        edge = chain.links[0]
        for link in chain.links:
            row = link.source
            server = critical.engine[row]
            working = max(begin, min(end, critical.end_ps[row]))
            if working < end and link.link is not Link.ENGINE:
                yield Wait(self.engine, working, end, Cause.LATENCY, blocked, link)
                end = working
            started = max(begin, min(end, critical.start_ps[row]))
            if started < end:
                cause = Cause.RESOURCE
                yield Wait(self.engine, started, end, cause, blocked, edge, server)
                end = started
            if begin == end:
                return
        yield Wait(self.engine, begin, end, Cause.RESOURCE, blocked, edge)


class _Chain:
    """What an instruction waited for, and what that waited for, and so on back."""

    def __init__(
        self,
        critical: Critical,
        iterations: Iterations,
        engine: Engine,
        first: Constraint,
    ) -> None:
        self.critical, self.iterations, self.engine = critical, iterations, engine
        self.depth = iterations.common_depth(first.source, first.sink)
        self.links = [first]
        self.saturated: Constraint | None = None
        self.turn = self._followed()

    def verdict(self) -> tuple[Cause, Constraint] | None:
        """Return what sets the pace, and the link that does; None for a sequence."""
        if self.saturated is not None:
            return Cause.RESOURCE, self.saturated
        return self._cause(self.turn) or self._cause(self.links)

    def _cause(self, links: list[Constraint]) -> tuple[Cause, Constraint] | None:
        for link in links:
            if link.link is Link.LOOSE:
                return Cause.RING, link
        for link in links:
            if link.link is Link.FIRM and self._is_carried(link):
                return Cause.RECURRENCE, link
        for link in links:
            if link.link is Link.ENGINE and not self._is_own(link.sink):
                return Cause.RESOURCE, link
        return None

    def _is_carried(self, link: Constraint) -> bool:
        return self.iterations.step(link.source, link.sink).loop is not None

    def _is_own(self, row: int) -> bool:
        return self.critical.engine[row] is self.engine

    def _followed(self) -> list[Constraint]:
        """Follow the chain back, and return the part that repeats, if one does."""
        first = self.links[0]
        seen = {self._statement(first.sink): (0, first.sink)}
        while len(self.links) < MAX_LINKS:
            row = self.links[-1].source
            known = seen.setdefault(self._statement(row), (len(self.links), row))
            if self._turns(Constraint(Link.FIRM, row, known[1])):
                return self.links[known[0] :]
            link = self.critical.constraint(row)
            if link is None:
                break
            if link.link is Link.ENGINE:
                if self._is_own(row):
                    break  # the engine itself had work up to here
                link = Constraint(Link.ENGINE, self.critical.run[row], row)
                if self._is_saturated(link):
                    self.saturated = link
                    break
            self.links.append(link)
        return []

    def _is_saturated(self, link: Constraint) -> bool:
        """Return whether a run of an engine holds a statement in two iterations."""
        row = link.sink
        for _ in range(MAX_RUN):
            if row == link.source:
                return False
            row = self.critical.before[row]
            if self._statement(row) == self._statement(link.sink):
                return bool(self._turns(Constraint(Link.ENGINE, row, link.sink)))
        return False

    def _statement(self, row: int) -> int:
        return self.iterations.statement[row]

    def _turns(self, link: Constraint) -> int:
        """Return over how many iterations of the first link's loops a link goes."""
        shared = self.iterations.common_depth(link.source, link.sink)
        depth = min(self.depth, shared)
        number = self.iterations.number
        return number(link.sink, depth) - number(link.source, depth)
