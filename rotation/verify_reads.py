"""Check that a program reads nothing that it did not write before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rotation.errors import KernelError, raise_all
from rotation.footprint import split_boxes
from rotation.indirect import partial_writes
from rotation.kernel import Region, Role
from rotation.program import Ints, Program
from rotation.trips import place_of


def verify_reads(program: Program) -> None:
    """Raise unless every element that is read was written before, in source order.

    Each instance of a buffer counts on its own. What the outside world fills,
    ``input`` and ``const``, is written from the start. A scatter writes nobody knows
    which rows, so it counts only where all of them together are the whole tensor.

    Raises:
        KernelError: For the first such read of each buffer.
    """
    raise_all(list(_undefined_reads(program)))


def _undefined_reads(program: Program) -> Iterator[KernelError]:
    tensor_of_access = program.location_tensor[program.access_location]
    partial = partial_writes(program)
    for position, tensor in enumerate(program.function.tensors):
        accesses = np.flatnonzero((tensor_of_access == position) & ~partial)
        if tensor.role in {Role.INPUT, Role.CONST} or not len(accesses):
            continue
        access = _first_undefined(program, accesses)
        if access is not None:
            yield _error(program, access)


def _first_undefined(program: Program, accesses: Ints) -> int | None:
    """Return the first of one buffer's accesses that reads what nothing wrote.

    Of the accesses to one box of one instance, only the first read and the first
    write matter. They are compared cell by cell: no box has a border inside a cell.
    """
    start, extent = program.access_start[accesses], program.access_extent[accesses]
    is_write = program.access_is_write[accesses].astype(np.int64)
    place = np.column_stack([program.access_location[accesses], start, extent])
    _, first = np.unique(_number(np.column_stack([place, is_write])), return_index=True)
    first = np.sort(first)
    everywhere = np.zeros(len(first), dtype=np.int64)  # instances are all cut alike
    stop = start[first] + extent[first]
    cells = split_boxes(first, everywhere, start[first], stop)
    # `first` is in source order, so the first of a cell here is its first access.
    location = program.access_location[accesses[cells.access]]
    place = np.column_stack([location, cells.cell])
    _, opening = np.unique(_number(place), return_index=True)
    opening_access = cells.access[opening]
    undefined = opening_access[is_write[opening_access] == 0]
    return int(accesses[undefined.min()]) if len(undefined) else None


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
    region: Region = (*instruction.reads, *instruction.writes)[operand]
    tensor = region.tensor
    remedy = (
        f"write all of it first; vector.memset {tensor.name} <- clears it"
        if tensor.on_chip
        else f"store to all of it first, or declare {tensor.name} as input"
    )
    loops = program.function.loops_of[instruction]
    return KernelError(
        f"{instruction.name} reads elements of {tensor.name} that nothing wrote "
        f"before{place_of(loops, int(program.iteration[row]))}",
        region.span,
        remedy,
    )
