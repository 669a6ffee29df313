"""Check (c): translation validation, by running both programs with symbols.

A result is a term: the operation and the values that it read. Equal terms have one
number (hash-consing), so equality of whole computations is equality of numbers. The
source runs in source order with a memory for each location; the placed program runs
in its total order in the memory that the locations share. Then what the
world outside sees of DRAM is compared, byte for byte. Where every read takes the same
bytes of the same results in both, all terms are equal, and none needs to be built.

One order of the placed program stands for all that the machine may choose, because
`check_races` has shown that every two accesses in conflict are ordered alike in all.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rotation.check.branches import Guard, row_guards
from rotation.check.footprint import (
    Boxes,
    Memories,
    access_boxes,
    joined,
    locations_in,
    placed_memories,
    source_memories,
    whole_boxes,
)
from rotation.check.hazard import MOST_SHOWN, Hazard, not_shown
from rotation.check.layers import kept_writes
from rotation.check.names import access_name, instruction_name, location_name
from rotation.check.order import positions
from rotation.check.values import Readings, Taken, taken_results
from rotation.loop_form.kernel import Instruction, MemorySpace, Role
from rotation.unrolled.program import Ints, Placement, Program, Schedule


class Terms:
    """Numbers of terms: equal terms have equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def number(self, term: Hashable) -> int:
        """Return the number of a term, a new one if it was not seen before."""
        return self._numbers.setdefault(term, len(self._numbers))


@dataclass(frozen=True, slots=True)
class Run:
    """A program run with symbols.

    Accesses are those of the program, then for each location a write of its initial
    contents, then for each location a read of its final contents, then for each write
    of `kept_writes` a read of the old contents. Initial and final contents only happen
    in DRAM, to what the world outside sees.

    Attributes:
        readings: Who wrote what each access read.
        values: Number of the value that each reading access got.
    """

    readings: Readings
    values: dict[int, int]


def check_equivalence(
    program: Program, placement: Placement, schedule: Schedule
) -> list[Hazard]:
    """Return every way in which the placed program leaves other data in DRAM.

    Args:
        program: The source program; its rows are in source order.
        placement: Where each of its memory locations lives.
        schedule: The total order in which the placed program runs.

    Returns:
        Hazards ``equivalence``: reads of the source that take what nothing wrote, and
        DRAM tensors, inner ones aside, that end differently; empty if there are none.

    Raises:
        InternalError: If the order does not name each instruction exactly once.
    """
    position = positions(program, schedule.order)
    in_source_order = np.arange(len(program))
    shared = placed_memories(program, placement)
    own = source_memories(program, shared.in_bytes)  # a value has the same form in both
    in_source = _taken(program, own, in_source_order)
    in_placed = _taken(program, shared, position)
    if in_placed.all_as_in(in_source):
        return []  # equal terms, made of equal ones: there is no need to build them
    terms = Terms()
    source = _run(program, in_source, in_source_order, terms, "source")
    placed = _run(program, in_placed, position, terms, "placed")
    return [
        *_undefined(program, source),
        *_different(program, source, placed, schedule.order),
    ]


def seen_locations(program: Program) -> Ints:
    """Return the locations that the world outside fills or looks at: not INTERNAL."""
    seen = [tensor.role is not Role.INTERNAL for tensor in program.function.tensors]
    in_dram = locations_in(program, MemorySpace.DRAM)
    return np.flatnonzero(in_dram & np.array(seen, np.bool_)[program.location_tensor])


def _run(
    program: Program, columns: Taken, position: Ints, terms: Terms, name: str
) -> Run:
    """Return the values of all reads when instructions run by `position`."""
    old = _old_contents(program)
    taken = columns.readings()
    num_accesses = len(program.access_location)
    num_locations = len(program.location_tensor)
    # The term of each access that writes; the last entry is for what nothing wrote.
    term = [0] * (taken.unwritten + 1)
    term[taken.unwritten] = terms.number(("unwritten", name))
    for location in range(num_locations):
        term[num_accesses + location] = terms.number(("initial", location))
    values: dict[int, int] = {}
    operation = [_operation(one) for one in program.function.instructions]
    iteration = program.iteration.tolist()
    placed_by_row = [_depends_on_place(i) for i in program.function.instructions]
    shape = [tuple(extent) for extent in program.access_extent.tolist()]
    first, statement = program.first_accesses().tolist(), program.statement.tolist()
    writes = program.access_is_write.tolist()
    for row in np.argsort(position).tolist():
        accesses = range(first[row], first[row + 1])
        reads = [a for a in accesses if not writes[a]]
        for access in reads:
            value = shape[access], taken.value(access, term)
            values[access] = terms.number(value)
        one = statement[row]
        where = (one, iteration[row]) if placed_by_row[one] else None
        key = operation[one], where, tuple(values[a] for a in reads)
        for ordinal, access in enumerate(a for a in accesses if writes[a]):
            below = taken.value(old[access], term) if access in old else None
            term[access] = terms.number((key, ordinal, shape[access], below))
    for location in seen_locations(program).tolist():
        access = num_accesses + num_locations + location
        values[access] = terms.number(taken.value(access, term))
    return Run(taken, values)


def _old_contents(program: Program) -> dict[int, int]:
    """Return for each write of `kept_writes` the access that reads the old contents."""
    first = len(program.access_location) + 2 * len(program.location_tensor)
    kept = kept_writes(program).tolist()
    return {write: first + ordinal for ordinal, write in enumerate(kept)}


def _taken(program: Program, memories: Memories, position: Ints) -> Taken:
    """Return who wrote what each access of a `Run` reads."""
    old = _old_contents(program)
    boxes = access_boxes(program, memories)
    everything = joined(_with_outside(program, boxes, memories), _renamed(boxes, old))
    kept = np.array(list(old), np.int64)
    num_locations = len(program.location_tensor)
    before, after = np.full(num_locations, -1), np.full(num_locations, len(program))
    when = position[program.access_instruction]
    moment = np.concatenate([when, before, after, when[kept]])
    outside = np.arange(2 * num_locations + len(kept)) < num_locations
    is_write = np.concatenate([program.access_is_write, outside])
    guards = _access_guards(program, kept)
    return taken_results(everything, moment, is_write, len(moment), guards)


def _access_guards(program: Program, kept: Ints) -> list[Guard]:
    """Return what must hold for each access of a `Run`; empty if nothing is asked.

    Args:
        program: The program.
        kept: Its accesses that keep a part of what they write to, (k,).
    """
    of_row = row_guards(program)
    if not of_row:
        return []
    accesses = [of_row[row] for row in program.access_instruction.tolist()]
    always: Guard = frozenset()
    outside = [always] * (2 * len(program.location_tensor))
    return [*accesses, *outside, *(accesses[access] for access in kept.tolist())]


def _operation(instruction: Instruction) -> Hashable:
    """Return all that decides a result besides the values that are read.

    Number and order of the explicit reads tell an accumulating iteration, which reads
    its destination too, from the first one.
    """
    return (
        instruction.opcode,
        instruction.fn,
        instruction.transpose,
        instruction.view,
        _reach(instruction),
        tuple(region.tensor.dtype for region in instruction.reads),
        tuple(region.tensor.dtype for region in instruction.writes),
    )


def _reach(instruction: Instruction) -> Hashable:
    """Return how row numbers are used: of which source, and in which dimension."""
    if instruction.indexed is None:
        return None
    tensors = [region.tensor for region in instruction.reads]
    return tensors.index(instruction.indexed.tensor), instruction.indexed.dimension


def _depends_on_place(instruction: Instruction) -> bool:
    """Tell whether a result depends on where an operand begins, which no value says.

    Row numbers count from the start of their region, and the whole buffer is read.
    """
    reached = instruction.reached_region
    return reached is not None and not reached.whole


def _renamed(boxes: Boxes, names: Mapping[int, int]) -> Boxes:
    """Return the boxes of some owners, under other names."""
    mine = np.isin(boxes.owner, list(names))
    owner = np.array([names[a] for a in boxes.owner[mine].tolist()], np.int64)
    rest = (boxes.memory, boxes.lo, boxes.hi, boxes.offset)
    return Boxes(owner, *(column[mine] for column in rest))


def _with_outside(program: Program, boxes: Boxes, memories: Memories) -> Boxes:
    """Return the boxes, with a first write and a last read of what is seen outside."""
    num_accesses = len(program.access_location)
    num_locations = len(program.location_tensor)
    seen = seen_locations(program)
    first = whole_boxes(program, seen, num_accesses + seen, memories)
    last = whole_boxes(program, seen, num_accesses + num_locations + seen, memories)
    return joined(boxes, first, last)


def _undefined(program: Program, source: Run) -> Iterator[Hazard]:
    """Yield the reads of the source that take what nothing has written."""
    unknown = {source.readings.unwritten}
    reads = np.flatnonzero(~program.access_is_write).tolist()
    bad = [a for a in reads if source.readings.writers(a) & unknown]
    for access in bad[:MOST_SHOWN]:
        message = (
            f"in the source, {access_name(program, access)}, of which nothing has "
            "written all bytes"
        )
        row = int(program.access_instruction[access])
        yield Hazard("equivalence", message, (row,))
    yield from not_shown("equivalence", len(bad))


def _different(
    program: Program, source: Run, placed: Run, order: Ints
) -> Iterator[Hazard]:
    """Yield the DRAM locations whose final contents differ."""
    final = len(program.access_location) + len(program.location_tensor)
    bad = [
        location
        for location in seen_locations(program).tolist()
        if source.values[final + location] != placed.values[final + location]
    ]
    if not bad:
        return
    access = _first_difference(program, source, placed, order)
    for location in bad[:MOST_SHOWN]:
        message = f"{location_name(program, location)} ends with other data: "
        if access is None:
            yield _difference(program, source, placed, final + location, f"{message}it")
        else:
            who = f"{message}{access_name(program, access)} and"
            yield _difference(program, source, placed, access, who)
    yield from not_shown("equivalence", len(bad))


def _first_difference(
    program: Program, source: Run, placed: Run, order: Ints
) -> int | None:
    """Return the first access in the order that reads another value, if any."""
    bounds = program.first_accesses()
    for row in order.tolist():
        for access in range(bounds[row], bounds[row + 1]):
            if source.values.get(access) != placed.values.get(access):
                return access
    return None


def _difference(
    program: Program, source: Run, placed: Run, access: int, who: str
) -> Hazard:
    """Return the hazard of an access that reads another value than in the source."""
    theirs, ours = source.readings.writers(access), placed.readings.writers(access)
    wrong, right = sorted(ours - theirs), sorted(theirs - ours)
    unwritten = placed.readings.unwritten
    if not wrong and unwritten in ours:
        wrong = [unwritten]  # not the same: each run has garbage of its own
    message = f"{who} takes its pieces in other places than in the source"
    if wrong:
        message = f"{who} takes {_result_name(program, wrong[0])}"
    if wrong and right:
        message += f" where the source takes {_result_name(program, right[0])}"
    named = (access, *wrong[:1], *right[:1])
    rows = [a for a in named if a < len(program.access_location)]
    return Hazard(
        "equivalence", message, tuple(program.access_instruction[rows].tolist())
    )


def _result_name(program: Program, access: int) -> str:
    num_accesses = len(program.access_location)
    if access < num_accesses:
        row = int(program.access_instruction[access])
        return f"the result of {instruction_name(program, row)}"
    location = access - num_accesses
    if location < len(program.location_tensor):
        return f"the initial contents of {location_name(program, location)}"
    return "bytes that nothing has written"
