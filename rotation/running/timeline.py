"""The timeline of a schedule: when each instruction runs, and where it writes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.loop_form.kernel import Engine
from rotation.loop_form.trips import values_at
from rotation.passes.base import State, built
from rotation.running.nanoseconds import Ns, ns
from rotation.unrolled.program import Placement, Program


@dataclass(frozen=True, slots=True)
class WriteReport:
    """A memory location that an instruction writes.

    Attributes:
        tensor: Its buffer.
        slot: Its slot, >= 0.
        byte: First byte in each partition of its space, or in DRAM [bytes].
    """

    tensor: str
    slot: int
    byte: int


@dataclass(frozen=True, slots=True)
class InstructionReport:
    """One execution of an operation.

    Attributes:
        row: Its number in source order, from 0.
        engine: Where it runs.
        operation: The operation id.
        iteration: Value of each loop around it, by name, outermost first.
        start_ns: When it starts [ns].
        busy_end_ns: When its engine is free again [ns].
        complete_ns: When its results are there [ns].
        line: Its line in the text; None if it has none.
        writes: What it writes.
    """

    row: int
    engine: str
    operation: str
    iteration: dict[str, int]
    start_ns: Ns
    busy_end_ns: Ns
    complete_ns: Ns
    line: int | None
    writes: tuple[WriteReport, ...]


def timeline_of(state: State) -> tuple[InstructionReport, ...]:
    """Return every instruction of a scheduled program, in the order of its starts.

    >>> from rotation import load, run
    >>> first, *_ = timeline_of(run(load("examples/stream_add.kernel")).after)
    >>> first.operation, first.start_ns, first.writes[0].tensor
    ('ld_x', 0, 'xt')
    """
    program = built(state.program, "unrolled program")
    placement = built(state.placement, "placement")
    schedule = built(state.schedule, "schedule")
    writes = _writes(program, placement)
    busy_end_ps = schedule.start_ps + program.busy_ps
    complete_ps = busy_end_ps + program.latency_ps
    found = []
    for row in schedule.order.tolist():
        statement = program.function.instructions[int(program.statement[row])]
        loops = program.function.loops_of[statement]
        values = values_at(loops, int(program.iteration[row]))
        found.append(
            InstructionReport(
                row,
                Engine(int(program.engine[row])).text,
                statement.name,
                {index.name: value for index, value in values.items()},
                ns(int(schedule.start_ps[row])),
                ns(int(busy_end_ps[row])),
                ns(int(complete_ps[row])),
                None if statement.span is None else statement.span.line,
                tuple(writes[row]),
            )
        )
    return tuple(found)


def _writes(program: Program, placement: Placement) -> list[list[WriteReport]]:
    """Return what each instruction writes, by row."""
    writes: list[list[WriteReport]] = [[] for _ in range(len(program))]
    for access in np.flatnonzero(program.access_is_write).tolist():
        location = int(program.access_location[access])
        tensor = program.function.tensors[int(program.location_tensor[location])]
        slot, byte = int(placement.slot[location]), int(placement.byte[location])
        row = int(program.access_instruction[access])
        writes[row].append(WriteReport(tensor.name, slot, byte))
    return writes
