"""The meaning of the checks by brute force, byte by byte, for very small programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rotation.loop_form.kernel import Engine
from rotation.unrolled.program import Edges, Placement, Program

Byte = tuple[str, int, int]
"""One byte of memory: which memory, partition or row, byte."""


def touched(program: Program, access: int, placement: Placement | None) -> list[Byte]:
    """Return the bytes of an access, in the order of the region's elements.

    Without a placement each location has a memory of its own.
    """
    location = int(program.access_location[access])
    tensor = program.function.tensors[program.location_tensor[location]]
    rank = len(tensor.shape)
    start = program.access_start[access].tolist()[:rank]
    extent = program.access_extent[access].tolist()[:rank]
    found = []
    ranges = (range(lo, lo + n) for lo, n in zip(start, extent, strict=True))
    for row, *free in product(*ranges):
        linear = 0
        for value, size in zip(free, tensor.shape[1:], strict=True):
            linear = linear * size + value
        first = linear * tensor.elem_bytes
        memory, down = f"location {location}", 0
        if placement is not None and tensor.is_placed:
            memory, down = tensor.space.value, int(placement.partition[location])
            first += int(placement.byte[location])
        if not tensor.on_chip:  # rows follow one another
            first, down = first + row * tensor.bytes_per_partition, -row
        found += [(memory, row + down, first + b) for b in range(tensor.elem_bytes)]
    return found


def in_conflict(program: Program, placement: Placement) -> set[tuple[int, int]]:
    """Return the pairs of different rows that touch a byte which one of them writes."""
    accesses = range(len(program.access_location))
    byte_sets = [set(touched(program, a, placement)) for a in accesses]
    row, is_write = program.access_instruction.tolist(), program.access_is_write
    return {
        (row[a], row[b])
        for a, b in product(accesses, accesses)
        if row[a] != row[b]
        and (is_write[a] or is_write[b])
        and byte_sets[a] & byte_sets[b]
    }


def can_race(
    program: Program, placement: Placement, edges: Edges, order: Sequence[int]
) -> bool:
    """Tell if some run that the machine allows breaks the order of a conflict.

    Runs are walked through as states (started, complete); the machine may start or
    complete any instruction that queues and edges allow.
    """
    clashes = in_conflict(program, placement)
    position = {row: at for at, row in enumerate(order)}
    before_in_queue = _queues(program, order)
    waits_for: dict[int, list[int]] = {row: [] for row in order}
    for source, sink in zip(edges.source.tolist(), edges.sink.tolist(), strict=True):
        waits_for[sink].append(source)

    def may_start(row: int, started: frozenset[int], done: frozenset[int]) -> bool:
        before = before_in_queue[row]
        if before is not None:
            in_order = Engine(int(program.engine[row])).completes_in_order
            if before not in (done if in_order else started):
                return False
        return all(source in done for source in waits_for[row])

    seen = {(frozenset[int](), frozenset[int]())}
    todo = list(seen)
    while todo:
        started, done = todo.pop()
        starting = [
            row for row in order if row not in started and may_start(row, started, done)
        ]
        for row in starting:
            for first, second in clashes:
                early = second == row and position[first] < position[second]
                if early and first not in done:
                    return True
        after = [(started | {row}, done) for row in starting]
        after += [(started, done | {row}) for row in started - done]
        todo += [state for state in after if state not in seen]
        seen.update(after)
    return False


def _queues(program: Program, order: Sequence[int]) -> dict[int, int | None]:
    newest: dict[int, int] = {}
    before: dict[int, int | None] = {}
    for row in order:
        engine = int(program.engine[row])
        before[row] = newest.get(engine)
        newest[engine] = row
    return before


def final_dram(
    program: Program,
    placement: Placement | None,
    order: Sequence[int],
    numbers: dict[object, int],
) -> dict[Byte, object]:
    """Return what each written byte of DRAM holds in the end.

    A result is an operation with all bytes that it read; `numbers` numbers them, for
    several runs alike. A byte that was never written holds its own address, which on
    chip differs between a placed and an unplaced program.
    """
    memory: dict[Byte, object] = {}
    for row in order:
        accesses = [
            a for a, r in enumerate(program.access_instruction.tolist()) if r == row
        ]
        reads = [a for a in accesses if not program.access_is_write[a]]
        taken = tuple(
            (
                tuple(program.access_extent[a].tolist()),
                tuple(memory.get(b, b) for b in touched(program, a, placement)),
            )
            for a in reads
        )
        statement = program.function.instructions[program.statement[row]]
        for ordinal, access in enumerate(a for a in accesses if a not in reads):
            shape = tuple(program.access_extent[access].tolist())
            term = statement.opcode, len(statement.reads), taken, ordinal, shape
            number = numbers.setdefault(term, len(numbers))
            bytes_written = touched(program, access, placement)
            memory.update({b: (number, at) for at, b in enumerate(bytes_written)})
    return {byte: value for byte, value in memory.items() if _is_dram(program, byte)}


def _is_dram(program: Program, byte: Byte) -> bool:
    if not byte[0].startswith("location"):
        return False
    location = int(byte[0].removeprefix("location "))
    tensor = program.function.tensors[program.location_tensor[location]]
    return not tensor.is_placed
