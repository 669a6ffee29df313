"""Check (a): one schedule, one placement, by plain geometry and times.

Everything stays inside its space, no two live locations share a byte, each engine
does one thing at a time, and what depends on something starts after it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from rotation.check.branches import waiting_pairs
from rotation.check.footprint import (
    location_boxes,
    locations_in,
    placed_boxes,
    source_boxes,
)
from rotation.check.hazard import MOST_SHOWN, Check, Hazard, not_shown
from rotation.check.moved_pins import moved_pins
from rotation.check.names import (
    access_clause,
    access_name,
    instruction_name,
    location_name,
    place_name,
    tensor_of,
    time_name,
)
from rotation.check.order import completions_ps, positions
from rotation.check.sweep import conflicts, elementary_cells
from rotation.loop_form.kernel import Engine, MemorySpace, Role
from rotation.unrolled.program import Bools, Ints, Placement, Program, Schedule

DRAM_PAGE_BYTES: Final = 4096
"""The window of DRAM begins at a multiple of it.

Source: the DRAM allocator of the modelled system (docs/trust.md).
"""


def check_overlap(
    program: Program, placement: Placement, schedule: Schedule
) -> list[Hazard]:
    """Return every way in which this one placement and schedule break the machine.

    Args:
        program: The source program; its rows are in source order.
        placement: Where each of its memory locations lives.
        schedule: One total order and its times.

    Returns:
        Hazards ``capacity``, ``pin``, ``overlap``, ``engine`` and ``dependence``, in
        this order; empty if there are none.

    Raises:
        InternalError: If the order does not name each instruction exactly once.
    """
    position = positions(program, schedule.order)
    return [
        *_outside(program, placement, position),
        *_outside_window(program, placement),
        *_across_banks(program, placement),
        *moved_pins(program, placement, position),
        *_alive_together(program, placement, position),
        *_touched_together(program, placement, schedule, position),
        *_wrong_times(program, schedule),
        *_busy_engines(program, schedule),
        *_broken_dependences(program, schedule),
        *_past_ifs(program, schedule),
    ]


def _outside(
    program: Program, placement: Placement, position: Ints
) -> Iterator[Hazard]:
    """Yield the locations that leave their space."""
    machine = program.machine
    partitions = dict.fromkeys(MemorySpace, machine.partitions)
    partitions[MemorySpace.PSUM] = machine.psum_partitions
    size_bytes = {
        MemorySpace.SB: machine.sb_bytes_per_partition,
        MemorySpace.PSUM: machine.psum_bytes_per_partition,
    }
    boxes = location_boxes(program, placement)
    spaces = [t.space for t in program.function.tensors]
    no_limit = np.iinfo(np.int64).max
    limits = [(partitions[s], size_bytes.get(s, no_limit)) for s in spaces]
    limit = np.array(limits, np.int64).reshape(-1, 2)[program.location_tensor]
    out = (boxes.lo < 0).any(axis=1) | (boxes.hi > limit).any(axis=1)
    bad = np.flatnonzero(out).tolist()
    for location in bad[:MOST_SHOWN]:
        rows = _rows_of(program, position, location)
        message = (
            f"{_placed_name(program, placement, location)} is not inside "
            f"{tensor_of(program, location).space.value}, which has "
            f"{limit[location, 0]} partitions of {limit[location, 1]} bytes; "
            f"{instruction_name(program, rows[0])} touches it first"
        )
        yield Hazard("capacity", message, rows[:1])
    yield from not_shown("capacity", len(bad))


def _outside_window(program: Program, placement: Placement) -> Iterator[Hazard]:
    """Yield the inner DRAM locations that leave the window behind what is seen.

    A window that is as large as what was in use has no size of its own.
    """
    window_bytes = program.machine.dram_window_bytes
    inner = locations_in(program, MemorySpace.DRAM) & _inner(program)
    if window_bytes is None or not inner.any():
        return
    boxes = location_boxes(program, placement)
    seen = locations_in(program, MemorySpace.DRAM) & ~inner
    begin = int(boxes.hi[seen, 1].max(initial=0))
    end = -(-begin // DRAM_PAGE_BYTES) * DRAM_PAGE_BYTES + window_bytes
    out = inner & ((boxes.lo[:, 1] < begin) | (boxes.hi[:, 1] > end))
    bad = np.flatnonzero(out).tolist()
    for location in bad[:MOST_SHOWN]:
        message = (
            f"{_placed_name(program, placement, location)} is not inside the dram "
            f"window [{begin}, {end})"
        )
        yield Hazard("capacity", message, ())
    yield from not_shown("capacity", len(bad))


def _inner(program: Program) -> Bools:
    """Return the locations of buffers that nobody outside sees, (l,)."""
    inner = [tensor.role is Role.INTERNAL for tensor in program.function.tensors]
    return np.array(inner, np.bool_)[program.location_tensor]


def _across_banks(program: Program, placement: Placement) -> Iterator[Hazard]:
    """Yield the accesses that touch more than one PSUM bank."""
    in_psum = locations_in(program, MemorySpace.PSUM)[program.access_location]
    boxes = placed_boxes(program, placement)
    first = np.full(len(in_psum), np.iinfo(np.int64).max)
    past = np.zeros(len(in_psum), np.int64)
    np.minimum.at(first, boxes.owner, boxes.lo[:, 1])
    np.maximum.at(past, boxes.owner, boxes.hi[:, 1])
    bank_bytes = program.machine.psum_bank_bytes
    crosses = first // bank_bytes != (past - 1) // bank_bytes
    bad = np.flatnonzero(in_psum & crosses).tolist()
    for access in bad[:MOST_SHOWN]:
        message = (
            f"{access_name(program, access)} from byte {first[access]} to "
            f"{past[access]} of psum, across a border of its banks of "
            f"{bank_bytes} bytes"
        )
        yield Hazard("capacity", message, (int(program.access_instruction[access]),))
    yield from not_shown("capacity", len(bad))


def _alive_together(
    program: Program, placement: Placement, position: Ints
) -> Iterator[Hazard]:
    """Yield the pairs of locations that share a byte while it is alive in both."""
    clashes = _clashes(_inner_lives(program, placement, position), len(program))
    for one in clashes[:MOST_SHOWN]:
        rows = tuple(np.argsort(position)[[one.until, one.begin]].tolist())
        message = (
            f"{instruction_name(program, rows[1])} touches "
            f"{_placed_name(program, placement, one.newer)}, but "
            f"{_placed_name(program, placement, one.older)} is alive there until after "
            f"{instruction_name(program, rows[0])}"
        )
        yield Hazard("overlap", message, rows)
    yield from not_shown("overlap", len(clashes))
    inner = _inner(program)
    always = [
        one
        for one in _clashes(_lives_in_dram(program, placement), len(program))
        if not (inner[one.newer] and inner[one.older])
    ]
    for one in always[:MOST_SHOWN]:
        message = (
            f"{_placed_name(program, placement, one.newer)} shares bytes with "
            f"{_placed_name(program, placement, one.older)}"
        )
        yield Hazard("overlap", message, ())
    yield from not_shown("overlap", len(always))


@dataclass(frozen=True, slots=True, eq=False)
class _Lives:
    """From when to when each location uses each of its cells, both ends included.

    Attributes:
        cell: The cell, (k,).
        location: The location, (k,); each pair of both stands once.
        first: Position of the first access, (k,), >= -1.
        last: Position of the last, (k,), at most the number of instructions.
    """

    cell: Ints
    location: Ints
    first: Ints
    last: Ints


@dataclass(frozen=True, slots=True)
class _Clash:
    """Two locations in one cell: `newer` begins before `older` is over."""

    newer: int
    older: int
    begin: int
    until: int


def _inner_lives(program: Program, placement: Placement, position: Ints) -> _Lives:
    """Return the lives by byte: what is no longer read may be overwritten.

    Of what the outside world sees nothing may.
    """
    boxes = placed_boxes(program, placement)
    cells = elementary_cells(boxes)
    on_chip = locations_in(program, MemorySpace.SB, MemorySpace.PSUM)
    location = program.access_location[boxes.owner[cells.box]]
    pairs = np.flatnonzero((on_chip | _inner(program))[location])
    access = boxes.owner[cells.box[pairs]]
    moment = position[program.access_instruction[access]]
    cell, location = cells.cell[pairs], location[pairs]
    order = np.lexsort((moment, location, cell))
    cell, location, moment = cell[order], location[order], moment[order]
    changes = (np.diff(cell) != 0) | (np.diff(location) != 0)
    bounds = np.concatenate(([0], np.flatnonzero(changes) + 1, [len(cell)]))
    begin, end = bounds[:-1][: len(cell)], bounds[1:][: len(cell)] - 1
    return _Lives(cell[begin], location[begin], moment[begin], moment[end])


def _lives_in_dram(program: Program, placement: Placement) -> _Lives:
    """Return the lives of whole tensors: the world outside sees them all the time.

    An inner one is taken to live as long, for its clashes with these.
    """
    cells = elementary_cells(location_boxes(program, placement))
    pairs = np.flatnonzero(locations_in(program, MemorySpace.DRAM)[cells.box])
    first, last = np.full(len(pairs), -1), np.full(len(pairs), len(program))
    return _Lives(cells.cell[pairs], cells.box[pairs], first, last)


def _clashes(lives: _Lives, num_rows: int) -> list[_Clash]:
    """Return one clash for each pair of locations that have one.

    A location whose life begins where another ends has a clash with it: what the
    last reader of a location writes may not stand on it.
    """
    order = np.lexsort((lives.location, lives.first, lives.cell))
    location, first, last = (
        column[order] for column in (lives.location, lives.first, lives.last)
    )
    # Moments of different cells never meet: those of one cell are a range of keys.
    cell_start = lives.cell[order] * (num_rows + 2) + 1
    end = cell_start + last
    until = np.maximum.accumulate(end)
    longest = np.maximum.accumulate(np.where(end == until, np.arange(len(end)), 0))
    newer = np.flatnonzero((cell_start + first)[1:] <= until[:-1]) + 1
    older = longest[newer - 1]
    pairs = np.stack([location[newer], location[older]], axis=1)
    _, once = np.unique(pairs, axis=0, return_index=True)
    newer, older = newer[once], older[once]
    columns = (location[newer], location[older], first[newer], last[older])
    return [_Clash(*row) for row in zip(*(c.tolist() for c in columns), strict=True)]


def _placed_name(program: Program, placement: Placement, location: int) -> str:
    name = location_name(program, location)
    return f"{name} at {place_name(program, placement, location)}"


def _rows_of(program: Program, position: Ints, location: int) -> tuple[int, ...]:
    """Return the instructions that touch a location, by position."""
    rows = np.unique(program.access_instruction[program.access_location == location])
    return tuple(rows[np.argsort(position[rows])].tolist())


def _touched_together(
    program: Program, placement: Placement, schedule: Schedule, position: Ints
) -> Iterator[Hazard]:
    """Yield accesses to the same bytes that this schedule does not keep apart."""
    boxes = placed_boxes(program, placement)
    earlier, later = conflicts(program, boxes, position)
    yield from _too_early(program, schedule, "overlap", earlier, later)


def _broken_dependences(program: Program, schedule: Schedule) -> Iterator[Hazard]:
    """Yield dependences of the source, by location, that the schedule does not keep."""
    in_source_order = np.arange(len(program))
    earlier, later = conflicts(program, source_boxes(program), in_source_order)
    yield from _too_early(program, schedule, "dependence", earlier, later)


def _past_ifs(program: Program, schedule: Schedule) -> Iterator[Hazard]:
    """Yield the rows that this schedule starts before an if on loaded values lets."""
    first, second = waiting_pairs(program)
    done_ps = completions_ps(program, schedule.start_ps)
    bad = np.flatnonzero(schedule.start_ps[second] < done_ps[first]).tolist()
    for pair in bad[:MOST_SHOWN]:
        rows = int(first[pair]), int(second[pair])
        message = (
            f"{instruction_name(program, rows[1])} starts before "
            f"{instruction_name(program, rows[0])} is complete, and an if on loaded "
            "values parts them"
        )
        yield Hazard("dependence", message, rows)
    yield from not_shown("dependence", len(bad))


def _too_early(
    program: Program, schedule: Schedule, check: Check, earlier: Ints, later: Ints
) -> Iterator[Hazard]:
    """Yield the pairs of accesses whose later one starts before the earlier is done."""
    done_ps = completions_ps(program, schedule.start_ps)
    source, sink = (
        program.access_instruction[earlier],
        program.access_instruction[later],
    )
    bad = np.flatnonzero(schedule.start_ps[sink] < done_ps[source]).tolist()
    for pair in bad[:MOST_SHOWN]:
        rows = int(source[pair]), int(sink[pair])
        message = (
            f"{access_name(program, int(later[pair]))} at "
            f"{time_name(int(schedule.start_ps[rows[1]]))}, but "
            f"{access_clause(program, int(earlier[pair]))} is only complete at "
            f"{time_name(int(done_ps[rows[0]]))}"
        )
        yield Hazard(check, message, rows)
    yield from not_shown(check, len(bad))


def _wrong_times(program: Program, schedule: Schedule) -> Iterator[Hazard]:
    """Yield starts that go back in the order, and a makespan that is not the last."""
    start_ps = schedule.start_ps[schedule.order]
    back = np.flatnonzero(start_ps[1:] < start_ps[:-1]).tolist()
    for place in back[:MOST_SHOWN]:
        rows = int(schedule.order[place]), int(schedule.order[place + 1])
        message = (
            f"{instruction_name(program, rows[1])} starts at "
            f"{time_name(int(start_ps[place + 1]))}, but "
            f"{instruction_name(program, rows[0])} before it in the order starts at "
            f"{time_name(int(start_ps[place]))}"
        )
        yield Hazard("engine", message, rows)
    yield from not_shown("engine", len(back))
    last_ps = int(completions_ps(program, schedule.start_ps).max(initial=0))
    if last_ps != schedule.makespan_ps:
        message = (
            f"the makespan is {time_name(schedule.makespan_ps)}, but the last "
            f"instruction is complete at {time_name(last_ps)}"
        )
        yield Hazard("engine", message, ())


def _busy_engines(program: Program, schedule: Schedule) -> Iterator[Hazard]:
    """Yield the instructions that start while their engine is busy with another."""
    order = np.lexsort((schedule.start_ps, program.engine))
    engine, start_ps = program.engine[order], schedule.start_ps[order]
    free_ps = start_ps + program.busy_ps[order]
    same = engine[1:] == engine[:-1]
    bad = np.flatnonzero(same & (start_ps[1:] < free_ps[:-1])).tolist()
    for place in bad[:MOST_SHOWN]:
        rows = int(order[place]), int(order[place + 1])
        message = (
            f"{instruction_name(program, rows[1])} starts at "
            f"{time_name(int(start_ps[place + 1]))} while "
            f"{Engine(int(engine[place])).text} is busy with "
            f"{instruction_name(program, rows[0])} until "
            f"{time_name(int(free_ps[place]))}"
        )
        yield Hazard("engine", message, rows)
    yield from not_shown("engine", len(bad))
