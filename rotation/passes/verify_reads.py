"""Check that a program reads nothing that it did not write before."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from rotation.errors import KernelError, raise_all
from rotation.kernel import Region, Role
from rotation.program import Ints, Program


def verify_reads(program: Program) -> None:
    """Raise unless every element that is read was written before, in source order.

    Each instance of a buffer counts on its own. What the outside world fills,
    ``input`` and ``const``, is written from the start.

    Raises:
        KernelError: For the first such read of each buffer.
    """
    raise_all(list(_undefined_reads(program)))


def _undefined_reads(program: Program) -> Iterator[KernelError]:
    tensor_of_access = program.location_tensor[program.access_location]
    for position, tensor in enumerate(program.function.tensors):
        accesses = np.flatnonzero(tensor_of_access == position)
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
    owner, cell = _cells(start[first], start[first] + extent[first])
    # `first` is in source order, so the first of a cell here is its first access.
    location = program.access_location[accesses[first[owner]]]
    _, opening = np.unique(
        _number(np.column_stack([location, cell])), return_index=True
    )
    opening_access = first[owner[opening]]
    undefined = opening_access[is_write[opening_access] == 0]
    return int(accesses[undefined.min()]) if len(undefined) else None


def _number(columns: Ints) -> Ints:
    """Return a number for each row of a table, equal where rows are, (n, c) -> (n,)."""
    number = np.zeros(len(columns), dtype=np.int64)
    for column in columns.T:
        values, rank = np.unique(column, return_inverse=True)
        _, number = np.unique(number * len(values) + rank, return_inverse=True)
    return number


def _cells(start: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return the cells of each of b boxes, between the borders of all boxes.

    Args:
        start: First corner, (b, d).
        end: Corner after the last, (b, d).

    Returns:
        For each of the c cells of all boxes its box, ascending, (c,), and its position
        in the grid of borders, (c, d).
    """
    lo, size = np.empty_like(start), np.empty_like(start)
    for dimension in range(start.shape[1]):
        ends = (start[:, dimension], end[:, dimension])
        borders = np.unique(np.concatenate(ends))
        lo[:, dimension] = np.searchsorted(borders, ends[0])
        size[:, dimension] = np.searchsorted(borders, ends[1]) - lo[:, dimension]
    count = size.prod(axis=1)
    owner = np.repeat(np.arange(len(start)), count)
    rest = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    cell = np.empty((len(owner), start.shape[1]), dtype=np.int64)
    for dimension in reversed(range(start.shape[1])):
        cell[:, dimension] = lo[owner, dimension] + rest % size[owner, dimension]
        rest //= size[owner, dimension]
    return owner, cell


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
    return KernelError(
        f"{instruction.name} reads elements of {tensor.name} that nothing wrote "
        f"before{_trips(program, row)}",
        region.span,
        remedy,
    )


def _trips(program: Program, row: int) -> str:
    """Return the values of the loops around a row, as in `` (i = 0, k = 3)``."""
    instruction = program.function.instructions[program.statement[row]]
    loops = program.function.loops_of[instruction]
    if not loops:
        return ""
    inside = prod(loop.trip_count for loop in loops)
    shown = []
    for loop in loops:
        inside //= loop.trip_count
        trip = int(program.iteration[row]) // inside % loop.trip_count
        value = (loop.index.lo or 0) + trip * loop.index.step
        shown.append(f"{loop.index.name} = {value}")
    return f" ({', '.join(shown)})"
