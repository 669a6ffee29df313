"""The explanation of a kernel: the fields of its JSON, and the JSON itself.

Times are nanoseconds with at most three decimals, whole ones as integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pelican.schema import SCHEMA
from rotation.loop_form.notes import Note
from rotation.running.nanoseconds import Ns
from rotation.running.result import BoundReport, EngineReport, RefusalReport, plain


@dataclass(frozen=True, slots=True)
class OperationPlace:
    """An operation: its id, and ``file:line:column`` of it or None."""

    name: str
    where: str | None


@dataclass(frozen=True, slots=True)
class RecurrenceReport:
    """A chain that no schedule can break.

    Attributes:
        interval_ns: Least time from one iteration to the next [ns].
        tensors: Buffers that carry it from one iteration to another.
        operations: The operations of one turn, in order.
    """

    interval_ns: Ns
    tensors: tuple[str, ...]
    operations: tuple[OperationPlace, ...]


@dataclass(frozen=True, slots=True)
class LoopReport:
    """One loop: how fast it runs, and what keeps it from running faster.

    Attributes:
        loop: Its name.
        where: ``file:line:column`` of its header, or None.
        iterations: How often its body runs, over all loops outside it.
        interval_ns: Median time from the end of one iteration to the next; None if
            there is one only [ns].
        mean_ns: Mean of the same times; None likewise [ns].
        engine: The engine that works most in an iteration.
        engine_ns: Its work in an iteration, inner loops included [ns].
        recurrence: The recurrence of the loop, or None.
        binds: ``engine``, ``recurrence`` or ``wait``: what sets the pace. An engine
            or a recurrence does if the interval is at most 5 percent above it; of
            uneven gaps the mean counts.
        by: Name of the engine, names of the tensors of the recurrence, or the cause
            of most of the idle time and what it is about: buffers, or a barrier.
        idle_ns: Idle time of that engine between operations of the loop by cause;
            only causes that occur, the largest first [ns].
    """

    loop: str
    where: str | None
    iterations: int
    interval_ns: Ns | None
    mean_ns: Ns | None
    engine: str
    engine_ns: Ns
    recurrence: RecurrenceReport | None
    binds: str
    by: tuple[str, ...]
    idle_ns: dict[str, Ns]

    @property
    def is_uneven(self) -> bool:
        """True if the median is below the work of an iteration: it tells too little."""
        return self.interval_ns is not None and self.interval_ns < self.engine_ns


@dataclass(frozen=True, slots=True)
class SlotReport:
    """What one more slot would cost and bring, by a run with it.

    Attributes:
        tensors: The buffer; several where each of them gets another slot.
        loop: The loop that defines them, or None.
        where: ``file:line:column`` of the first declaration, or None.
        slots: How many slots each would have.
        cost_bytes: Bytes of each partition that the slots take, by space [bytes].
        makespan_ns: Makespan of the run; None if there was no room [ns].
        speedup: Present makespan over that one; None if there was no room.
    """

    tensors: tuple[str, ...]
    loop: str | None
    where: str | None
    slots: tuple[int, ...]
    cost_bytes: dict[str, int]
    makespan_ns: Ns | None
    speedup: float | None


@dataclass(frozen=True, slots=True)
class SharedReport:
    """A buffer that is one instance for all iterations of a loop, and need not be.

    Every iteration writes all that it reads of it before it reads it, so its waits
    for the iteration before are for bytes only.

    Attributes:
        tensor: The buffer.
        where: ``file:line:column`` of its declaration, or None.
        loop: The loop in which it could be declared.
        loop_where: ``file:line:column`` of that loop's header, or None.
    """

    tensor: str
    where: str | None
    loop: str
    loop_where: str | None


@dataclass(frozen=True, slots=True)
class RemedyReport:
    """A change of the kernel or of an option, and what a run with it gave.

    Attributes:
        kind: ``declaration`` inside its loop, ``ring`` or ``place`` left to the
            passes, ``unique`` rows promised, more PSUM ``banks``.
        advice: What to write.
        condition: What must be true for it, where nobody can see that; else None.
        tensors: The buffers that it is about.
        where: ``file:line:column`` of what is changed; None for an option.
        makespan_ns: Makespan of the run; None if the kernel cannot run so [ns].
        ratio: That over the bound of the changed kernel; None likewise.
        speedup: Present makespan over that one; None likewise.
        refusal: Why it cannot run so, or None.
    """

    kind: str
    advice: str
    condition: str | None
    tensors: tuple[str, ...]
    where: str | None
    makespan_ns: Ns | None
    ratio: float | None
    speedup: float | None
    refusal: str | None


@dataclass(frozen=True, slots=True)
class WaitReport:
    """Idle time of an engine, and the edge that stopped the overlap.

    Attributes:
        engine: The engine that is idle.
        cause: Why.
        idle_ns: How long, all together [ns].
        count: How often.
        loop: The innermost loop around the operation that could have run, or None.
        blocked: That operation; None when an engine fills or drains.
        source: The operation that is waited for; None without an edge.
        sink: The operation that waits for it: the blocked one, or one that the
            blocked one waits for in its turn.
        kind: ``value`` if the sink needs what the source made, ``storage`` if only
            the bytes are missing, ``barrier`` if the text keeps it behind the
            source; None without an edge.
        tensors: The buffer of the edge; two if different ones share bytes.
        distance: Iterations from source to sink, of the innermost loop around both.
        server: The engine that is the resource, or None.
        front: The operation that the blocked one stands behind in the queue, or None.
        barrier: What keeps it there in words: the join of an `if`, or the border of a
            loop that is kept for run time; or None.
    """

    engine: str
    cause: str
    idle_ns: Ns
    count: int
    loop: str | None
    blocked: OperationPlace | None
    source: OperationPlace | None
    sink: OperationPlace | None
    kind: str | None
    tensors: tuple[str, ...]
    distance: int
    server: str | None
    front: OperationPlace | None
    barrier: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """What binds a kernel, what it waits for, and what would help.

    Attributes:
        kernel: Name of the kernel.
        machine: Name of the machine.
        verdict: As in a `Result`.
        refusals: What was not done.
        notes: What has no effect, as its loop has no iterations.
        makespan_ns: Makespan of the result [ns].
        bound_ns: No legal schedule is shorter [ns].
        bound: What the bound is made of.
        engine: The engine that works most; None without operations.
        attributed: Share of its idle time that has a cause, 0 to 1; 1 without any.
        engines: Busy and idle time of each engine, by name.
        loops: One for each loop with operations, in the order of the text.
        slots: What one more slot would cost and bring: each buffer that can have
            one, and all buffers of a loop together; empty if nothing was tried.
        shared: Buffers that needlessly are one instance for all iterations.
        remedies: What other changes bring; empty if nothing was tried.
        waits: The idle time of all engines by the edge behind it: those of the
            busiest engine first, then by time.

    >>> from rotation import explain, load
    >>> found = explain(load("examples/stream_add.kernel"))
    >>> found.engine, found.attributed, found.loops[-1].binds, found.loops[-1].by
    ('dma', 1.0, 'engine', ('dma',))
    """

    kernel: str
    machine: str
    verdict: str
    refusals: tuple[RefusalReport, ...]
    notes: tuple[Note, ...]
    makespan_ns: Ns
    bound_ns: Ns
    bound: BoundReport
    engine: str | None
    attributed: float
    engines: dict[str, EngineReport]
    loops: tuple[LoopReport, ...]
    slots: tuple[SlotReport, ...]
    shared: tuple[SharedReport, ...]
    remedies: tuple[RemedyReport, ...]
    waits: tuple[WaitReport, ...]


def to_json(explanation: Explanation) -> dict[str, Any]:
    """Return the JSON object of an explanation."""
    return {"schema": SCHEMA, **plain(explanation)}
