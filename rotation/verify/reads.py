"""Check that a program reads nothing that it did not write before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np

from rotation.errors import KernelError, raise_all
from rotation.loop_form.instances import selected_tensors
from rotation.loop_form.joins import deciding_regions, joins
from rotation.loop_form.kernel import Region, Role
from rotation.loop_form.trips import place_of
from rotation.unrolled.footprint import split_boxes
from rotation.unrolled.indirect import partial_writes
from rotation.unrolled.joins import Guard, covered, guards
from rotation.unrolled.program import Ints, Program


def verify_reads(program: Program) -> None:
    """Raise unless every element that is read was written before, in source order.

    Each instance of a buffer counts on its own. What the outside world fills,
    ``input`` and ``const``, is written from the start. What one arm of a join writes
    is written after the join only if the other arm writes it too.
    A scatter writes nobody knows which rows, so it counts only where all of them
    together are the whole tensor.

    Raises:
        KernelError: For the first such read of each buffer.
    """
    raise_all(list(_undefined_reads(program)))


def _undefined_reads(program: Program) -> Iterator[KernelError]:
    guard, of_number = guards(program)
    tensor_of_access = program.location_tensor[program.access_location]
    partial = partial_writes(program)
    for position, tensor in enumerate(program.function.tensors):
        accesses = np.flatnonzero((tensor_of_access == position) & ~partial)
        if tensor.role in {Role.INPUT, Role.CONST} or not len(accesses):
            continue
        access = _first_undefined(program, accesses, guard, of_number)
        if access is not None:
            yield _error(program, access)


def _first_undefined(
    program: Program, accesses: Ints, guard: Ints, of_number: tuple[Guard, ...]
) -> int | None:
    """Return the first of one buffer's accesses that reads what nothing wrote.

    Of the accesses to one box of one instance, only the first read and the first
    write under each guard matter. They are compared cell by cell: no box has a border
    inside a cell.
    """
    start, extent = program.access_start[accesses], program.access_extent[accesses]
    is_write = program.access_is_write[accesses].astype(np.int64)
    place = np.column_stack([program.access_location[accesses], start, extent])
    held = guard[program.access_instruction[accesses]]
    kinds = _number(np.column_stack([place, is_write, held]))
    _, first = np.unique(kinds, return_index=True)
    first = np.sort(first)
    everywhere = np.zeros(len(first), dtype=np.int64)  # instances are all cut alike
    stop = start[first] + extent[first]
    cells = split_boxes(first, everywhere, start[first], stop)
    # `first` is in source order, so the first of a cell here is its first access.
    location = program.access_location[accesses[cells.access]]
    place = _number(np.column_stack([location, cells.cell]))
    _, opening = np.unique(place, return_index=True)
    opening_access = cells.access[opening]
    undefined = opening_access[is_write[opening_access] == 0].tolist()
    if held.any():
        entries = np.argsort(place, kind="stable")
        access = cells.access[entries]
        rows = (place[entries], access, is_write[access], held[access])
        columns = (column.tolist() for column in rows)
        undefined += _undefined_in_joins(zip(*columns, strict=True), of_number)
    return int(accesses[min(undefined)]) if undefined else None


def _undefined_in_joins(
    entries: Iterable[tuple[int, int, int, int]], of_number: tuple[Guard, ...]
) -> Iterator[int]:
    """Yield the reads that some choice of arms leaves without a write before.

    Args:
        entries: Place, access, whether it writes, and its guard; the accesses to one
            place one after the other.
        of_number: The guards by number.
    """
    for _, group in groupby(entries, key=itemgetter(0)):
        written: list[Guard] = []
        for _, access, is_write, number in group:
            guard = of_number[number]
            known = any(earlier <= guard for earlier in written)
            if is_write and not known:
                written.append(guard)
            elif not is_write and not known and not covered(written, guard):
                yield access


def _number(columns: Ints) -> Ints:
    """Return a number for each row of a table, equal where rows are, (n, c) -> (n,)."""
    number = np.zeros(len(columns), dtype=np.int64)
    for column in columns.T:
        values, rank = np.unique(column, return_inverse=True)
        _, number = np.unique(number * len(values) + rank, return_inverse=True)
    return number


def _error(program: Program, access: int) -> KernelError:
    row = int(program.access_instruction[access])
    instruction = program.function.instructions[program.statement[row]]
    operand = access - int(np.searchsorted(program.access_instruction, row))
    # Additions come after the reads, where there are some, and then what decides.
    deciding = deciding_regions(program.function.arms_of[instruction])
    later = int(np.searchsorted(program.access_instruction, row, side="right"))
    after = later - len(instruction.writes) - len(deciding)
    region: Region = (
        deciding[access - after]
        if access >= after
        else (*instruction.reads, *instruction.writes)[operand]
    )
    tensor = region.tensor
    remedy = (
        f"write all of it first; vector.memset {tensor.name} <- clears it"
        if tensor.on_chip
        else f"store to all of it first, or declare {tensor.name} as input"
    )
    if tensor in selected_tensors(program.function):
        remedy = f"write its first instance before the loop: {tensor.name}@(VALUE)"
    loops = program.function.loops_of[instruction]
    reader = "what decides the if" if access >= after else instruction.name
    every = " in every arm" if joins(program.function) else ""
    return KernelError(
        f"{reader} reads elements of {tensor.name} that nothing wrote "
        f"before{every}{place_of(loops, int(program.iteration[row]))}",
        region.span,
        remedy,
    )
