"""The result of a run: the fields of its JSON, and the JSON itself.

Times are nanoseconds with at most three decimals, whole ones as integers.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from pelican.schema import SCHEMA
from rotation.check import Hazard
from rotation.errors import RotationError
from rotation.loop_form.kernel import Function
from rotation.loop_form.notes import Note, notes_of
from rotation.passes.base import State
from rotation.running.nanoseconds import Ns
from rotation.running.timeline import timeline_of


@dataclass(frozen=True, slots=True)
class RefusalReport:
    """What was not done: in which function, why, and ``file:line:column``."""

    function: str
    reason: str
    where: str | None


@dataclass(frozen=True, slots=True)
class PassReport:
    """One pass that ran."""

    name: str
    seconds: float
    statistics: dict[str, int]


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """High-water mark of one space before and after, in `unit`."""

    before: int
    after: int
    capacity: int | None
    unit: str


@dataclass(frozen=True, slots=True)
class EdgeCounts:
    """Dependences after reduction, by kind."""

    flow: int
    anti: int
    output: int
    ordered: int


@dataclass(frozen=True, slots=True)
class EdgeReport:
    """Dependences of the `before` program and of the result."""

    before: EdgeCounts
    after: EdgeCounts


@dataclass(frozen=True, slots=True)
class RingReport:
    """The ring of one buffer, as it is in use.

    Attributes:
        tensor: The buffer.
        space: Where it lives.
        loop: Name of its scope loop, or None.
        slots: Slots in use.
        wanted: The least number that reaches the target, the others as they are;
            None if none does, or without `plan_rings`.
        limited_by: Why it has no more; without `plan_rings` only ``user`` or ``none``.
        slot_bytes: What a slot takes of each partition [bytes].
    """

    tensor: str
    space: str
    loop: str | None
    slots: int
    wanted: int | None
    limited_by: str
    slot_bytes: int


@dataclass(frozen=True, slots=True)
class PinReport:
    """A buffer that the user placed.

    Attributes:
        tensor: The buffer.
        place: Its place as it was written, such as ``bank k mod 4``.
        slots: Number of different places.
    """

    tensor: str
    place: str
    slots: int


@dataclass(frozen=True, slots=True)
class PinnedPlaceReport:
    """Bytes that the user gave away: a PSUM bank, or a range of SB.

    Attributes:
        place: ``psum bank 3``, or ``sb bytes [0, 4096)``.
        tensors: The buffers that live there.
        anti: Anti and output edges through these bytes, after reduction.
    """

    place: str
    tensors: tuple[str, ...]
    anti: int


@dataclass(frozen=True, slots=True)
class PinsReport:
    """What the user placed, and what it costs.

    Attributes:
        tensors: The pinned buffers.
        places: The bytes that they take.
        automatic_ns: Makespan of the same kernel with these places left to the
            passes; None if no rings were planned, or if it does not fit so [ns].
    """

    tensors: tuple[PinReport, ...]
    places: tuple[PinnedPlaceReport, ...]
    automatic_ns: Ns | None


@dataclass(frozen=True, slots=True)
class BoundReport:
    """The bound: ``head + busy + tail`` of what binds.

    Attributes:
        kind: ``engine``, ``recurrence`` or ``critical-path``.
        name: Name of the engine, of the loop of the recurrence, or id of the
            operation that ends the critical path; None in a program without
            operations.
        head_ns: Earliest start of any operation on the engine, or of the first turn
            of the recurrence; 0 for the path [ns].
        busy_ns: Busy time of the engine, of all turns, or length of the path [ns].
        tail_ns: Least time after any operation on the engine, or after the last
            turn; 0 for the path [ns].
        tensors: Buffers that carry the recurrence; empty for another bound.
    """

    kind: str
    name: str | None
    head_ns: Ns
    busy_ns: Ns
    tail_ns: Ns
    tensors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScheduleReport:
    """Makespans of the kernel, and of what they are made.

    Attributes:
        serial_ns: One operation after the other: all busy times and latencies [ns].
        before_ns: Makespan of the `before` state [ns].
        after_ns: Makespan of the result [ns].
        bound_ns: No legal schedule of the program is shorter [ns].
        bound: What the bound is made of.
        steady_interval_ns: Median time between the ends of consecutive iterations of
            the innermost loop that uses the engine of the bound, or of the loop of
            its recurrence; None without a loop [ns].
        fill_ns: First start on the engine of the bound; None without one [ns].
        priority: Name of the list-scheduling priority that gave the order.
    """

    serial_ns: Ns
    before_ns: Ns
    after_ns: Ns
    bound_ns: Ns
    bound: BoundReport
    steady_interval_ns: Ns | None
    fill_ns: Ns | None
    priority: str

    @property
    def ratio(self) -> float:
        """The makespan over its bound; 1 when the bound is 0."""
        return self.after_ns / self.bound_ns if self.bound_ns else 1.0


@dataclass(frozen=True, slots=True)
class EngineReport:
    """One engine: how long it works, and how long it is idle.

    Attributes:
        busy_ns: Time for which it is taken [ns].
        idle_ns: The rest of the makespan by cause [ns]; all causes are keys.
    """

    busy_ns: Ns
    idle_ns: dict[str, Ns]


@dataclass(frozen=True, slots=True)
class ProofReport:
    """Counts of the proofs of a run."""

    total: int
    proved: int
    refuted: int
    unknown: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RegisterReport:
    """A register that a run-time loop runs to.

    Attributes:
        name: Its name.
        assumed: The number that times, memory and edges are those of.
        most: The greatest number that keeps every region inside its tensor, the other
            loops at one trip; None if any number does.
        limit: The same in words.
    """

    name: str
    assumed: int
    most: int | None
    limit: str


@dataclass(frozen=True, slots=True)
class KeptLoopReport:
    """A loop whose body is kept, and how its trips overlap.

    Attributes:
        loop: Name of its index.
        register: The register that it runs to; None for a loop that is kept because
            its body is large.
        operations: Operations of the body, static loops unrolled.
        stages: Trips that are under way at a time.
        edges: Dependences of the body, after reduction.
        order: The operations in the order of a round.
        stage: The stage of each of them: it runs so many rounds after its trip began.
        priority: How order and stages were found.
    """

    loop: str
    register: str | None
    operations: int
    stages: int
    edges: int
    order: tuple[str, ...]
    stage: tuple[int, ...]
    priority: str


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What a run found; the fields of the JSON, in its order.

    Attributes:
        kernel: Name of the kernel.
        machine: Name of the machine.
        verdict: ``accepted``; ``left`` if something was not rotated; ``refused`` if
            the kernel does not fit or is wrong: then the rest is None.
        refusals: What was not done.
        notes: What has no effect, as its loop has no iterations.
        passes: The passes that ran, in order.
        memory: By space.
        edges: Dependences after reduction.
        rings: One for each on-chip buffer.
        pins: What the user placed; None if nothing.
        schedule: Makespans and the bound.
        engines: By name of the engine.
        hazards: What the checkers found; None if they were left out.
        proofs: Counts of the proofs; None if they were left out.
        equivalent: True if the placed program is the source program; None if nobody
            has checked.
        functions: The results of the kernels of a file; None for one kernel.
        registers: The registers of run-time loops; None if there are none.
        kept_loops: The loops that are kept; None without run-time loops.
        after: The final state, for programs that look closer; not in the JSON.
        before: The state without rotation; not in the JSON.
        failures: The proofs that failed, in words; not in the JSON.

    >>> from rotation import load, run
    >>> result = run(load("examples/stream_add.kernel"))
    >>> result.verdict, result.machine, result.equivalent
    ('accepted', 'planning', True)
    """

    kernel: str
    machine: str
    verdict: str
    refusals: tuple[RefusalReport, ...]
    notes: tuple[Note, ...] = ()
    passes: tuple[PassReport, ...] | None = None
    memory: dict[str, MemoryReport] | None = None
    edges: EdgeReport | None = None
    rings: tuple[RingReport, ...] | None = None
    pins: PinsReport | None = None
    schedule: ScheduleReport | None = None
    engines: dict[str, EngineReport] | None = None
    hazards: tuple[Hazard, ...] | None = None
    proofs: ProofReport | None = None
    equivalent: bool | None = None
    functions: tuple[Result, ...] | None = None
    registers: tuple[RegisterReport, ...] | None = None
    kept_loops: tuple[KeptLoopReport, ...] | None = None
    after: State | None = None
    before: State | None = None
    failures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Result of {self.kernel} on {self.machine}: {self.verdict}>"


_NOT_IN_JSON: Final = frozenset({"after", "before", "failures", "functions"})


def refused(function: Function, machine: str, error: RotationError) -> Result:
    """Return the result of a kernel that was read but cannot run."""
    reports = (
        RefusalReport(
            function.name, each.message, None if each.span is None else each.span.place
        )
        for each in error.errors
    )
    notes = notes_of(function)
    return Result(function.name, machine, "refused", tuple(reports), notes)


def to_json(result: Result, *, timeline: bool = False) -> dict[str, Any]:
    """Return the JSON object of a result; nothing in it but seconds varies.

    Args:
        result: What a run found.
        timeline: Whether it lists every instruction.
    """
    document: dict[str, Any] = {"schema": SCHEMA}
    for entry in fields(result):
        if entry.name not in _NOT_IN_JSON:
            document[entry.name] = plain(getattr(result, entry.name))
    after = result.after if timeline else None
    document["timeline"] = None if after is None else plain(timeline_of(after))
    each = result.functions
    document["functions"] = (
        None if each is None else [to_json(one, timeline=timeline) for one in each]
    )
    return document


def plain(value: Any) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Return a record as JSON values: objects by field, and lists."""
    if hasattr(value, "__dataclass_fields__"):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value
