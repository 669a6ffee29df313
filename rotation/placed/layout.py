"""A placed and scheduled program as plain records: the lines of its text.

`layout_of` makes them of the tables of a program, `rotation.placed.reading` makes
tables of them again. Text (`rotation.text.placed`) and JSON lines
(`rotation.placed.lines`) are two ways to write the same records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pelican.errors import Span
from rotation.dependence.carried import Iterations
from rotation.loop_form.instances import instance_values
from rotation.loop_form.kernel import EdgeKind, Engine, MemorySpace
from rotation.unrolled.program import Edges, Ints, Placement, Program, Schedule

ROWS_IN_LINE: Final = 20
"""Instructions in one line of an order; a queue is written in several lines."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where some instances of a buffer live.

    Attributes:
        tensor: Name of the buffer.
        space: Its space.
        part: First partition.
        byte: First byte in each partition; in PSUM bank times bank size and offset.
        slots: Instance k is in slot ``k mod slots``; None for one instance or all.
        step_bytes: Distance of neighbouring slots; 0 without `slots`.
        instance: Values of the loops of the one instance that is meant; None for all.
        slot: Ring slot of the one instance.
        span: Where it stands in a text.
    """

    tensor: str
    space: MemorySpace
    part: int
    byte: int
    slots: int | None = None
    step_bytes: int = 0
    instance: tuple[int, ...] | None = None
    slot: int = 0
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Queue:
    """A piece of the queue of one engine: rows of the program, in order."""

    engine: str
    rows: tuple[int, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """One dependence: `sink` starts after `source` is complete.

    Attributes:
        sink: Row that waits.
        source: Row that is waited for.
        kind: Why.
        distance: Iterations between the two in the innermost loop around both, where
            there are any.
        span: Where it stands in a text.
    """

    sink: int
    source: int
    kind: EdgeKind
    distance: int | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """All that was decided of one kernel, in the order in which it is written.

    Attributes:
        kernel: Name of the kernel.
        places: Where instances live.
        queues: Pieces of queues; None if there is no schedule.
        waits: Dependences; None if none were made.
        span: The block in a text.
    """

    kernel: str
    places: tuple[Place, ...] = ()
    queues: tuple[Queue, ...] | None = None
    waits: tuple[Wait, ...] | None = None
    span: Span | None = None


def layout_of(
    program: Program,
    placement: Placement | None,
    schedule: Schedule | None = None,
    edges: Edges | None = None,
) -> Layout:
    """Return the records of what was decided of a program so far."""
    return Layout(
        program.function.name,
        () if placement is None else tuple(_places(program, placement)),
        None if schedule is None else tuple(_queues(program, schedule)),
        None if edges is None else tuple(_waits(program, edges)),
    )


def _places(program: Program, placement: Placement) -> Iterator[Place]:
    """Yield the places of the locations that are bound, by buffer."""
    for row, tensor in enumerate(program.function.tensors):
        mine = np.flatnonzero(program.location_tensor == row)
        mine = mine[placement.byte[mine] >= 0]
        if not len(mine):
            continue
        ring = _ring(program, placement, mine)
        if ring is not None:
            slots, part, byte, step_bytes = ring
            some = None if slots == 1 else slots
            yield Place(tensor.name, tensor.space, part, byte, some, step_bytes)
            continue
        for location in mine.tolist():
            number = int(program.location_instance[location])
            values = instance_values(program.function, tensor, number)
            yield Place(
                tensor.name,
                tensor.space,
                int(placement.partition[location]),
                int(placement.byte[location]),
                instance=tuple(values.values()),
                slot=int(placement.slot[location]),
            )


def _ring(
    program: Program, placement: Placement, mine: Ints
) -> tuple[int, int, int, int] | None:
    """Return (slots, partition, byte, step) if some locations are a ring, or None."""
    slot, byte = placement.slot[mine], placement.byte[mine]
    slots = int(slot.max()) + 1
    parts = np.unique(placement.partition[mine])
    if len(parts) > 1 or (slot != program.location_instance[mine] % slots).any():
        return None
    low, high = int(slot.argmin()), int(slot.argmax())
    turns = int(slot[high] - slot[low])
    step = int(byte[high] - byte[low]) // turns if turns else 0
    base = int(byte[low]) - int(slot[low]) * step
    alone = slots > 1 and not turns
    if alone or step < 0 or base < 0 or (byte != base + slot * step).any():
        return None
    return slots, int(parts[0]), base, step


def _queues(program: Program, schedule: Schedule) -> Iterator[Queue]:
    for ordinal in program.engines().tolist():
        rows = schedule.order[program.engine[schedule.order] == ordinal].tolist()
        for first in range(0, len(rows), ROWS_IN_LINE):
            piece = tuple(rows[first : first + ROWS_IN_LINE])
            yield Queue(Engine(ordinal).text, piece)


def _waits(program: Program, edges: Edges) -> Iterator[Wait]:
    iterations = Iterations(program)
    columns = (edges.sink.tolist(), edges.source.tolist(), edges.kind.tolist())
    for sink, source, kind in zip(*columns, strict=True):
        distance = iterations.step(source, sink).distance
        yield Wait(sink, source, EdgeKind(kind), distance if distance > 0 else None)
