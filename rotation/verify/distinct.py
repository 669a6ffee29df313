"""Check that a scatter which is ``unique`` does not contradict itself.

That rows are distinct is a promise about data that nobody has seen. Where the kernel
alone shows that it is broken, the kernel is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from rotation.errors import KernelError, raise_all
from rotation.loop_form.kernel import Instruction, Region, Role
from rotation.loop_form.trips import place_of
from rotation.unrolled.footprint import split_boxes
from rotation.unrolled.program import Ints, Program


def verify_distinct_rows(program: Program) -> None:
    """Raise unless ``unique`` can be true of every scatter that has it.

    Raises:
        KernelError: If a scatter writes more rows than there are, or takes the same
            row numbers in two executions; with the first such.
    """
    raise_all(list(_impossible(program)))


def _impossible(program: Program) -> Iterator[KernelError]:
    for position, instruction in enumerate(program.function.instructions):
        indexed, index = instruction.indexed, instruction.index_region
        if indexed is None or index is None or not indexed.unique:
            continue
        rows = np.flatnonzero(program.statement == position)
        region = instruction.writes[0]
        written = len(rows) * prod(index.extents)
        size = region.extents[indexed.dimension]
        if written > size:
            yield KernelError(
                f"{instruction.name} is unique, writes {written} rows, and "
                f"{region.tensor.name} has {size}",
                indexed.span,
                "leave `unique` out: rows are written more than once",
            )
        else:
            yield from _used_twice(program, instruction, index, rows)


def _used_twice(
    program: Program, instruction: Instruction, index: Region, rows: Ints
) -> Iterator[KernelError]:
    """Yield an error if two executions take row numbers from the same elements."""
    access = _origins(program, instruction, index, rows)
    if access is None:
        return
    start = program.access_start[access]
    everywhere = np.zeros(len(rows), np.int64)
    boxes = np.arange(len(rows))
    stop = start + program.access_extent[access]
    cells = split_boxes(boxes, everywhere, start, stop)
    order = np.argsort(cells.cell, kind="stable")
    cell, execution = cells.cell[order], cells.access[order]
    again = np.flatnonzero(cell[1:] == cell[:-1]) + 1
    if not len(again):
        return
    entry = again[np.argmin(execution[again])]
    earlier, later = int(execution[entry - 1]), int(execution[entry])
    loops = program.function.loops_of[instruction]
    places = [
        place_of(loops, int(program.iteration[rows[k]])) for k in (earlier, later)
    ]
    source = program.location_tensor[program.access_location[access[later]]]
    yield KernelError(
        f"{instruction.name} is unique, and takes the same elements of "
        f"{program.function.tensors[source].name} twice{places[0]} and{places[1][1:]}",
        index.span,
        "leave `unique` out, or load other row numbers in each iteration",
    )


def _origins(
    program: Program, instruction: Instruction, index: Region, rows: Ints
) -> Ints | None:
    """Return the access that fetched the row numbers of each execution, (x,).

    It is that of the scatter itself if the numbers lie in an input, else that of the
    last load before it. None if they are only a part of what was loaded.
    """
    operand = instruction.reads.index(index)
    own = np.searchsorted(program.access_instruction, rows) + operand
    if index.tensor.role in {Role.INPUT, Role.CONST}:
        return own
    if index.extents != index.tensor.shape:
        return None
    writes = np.flatnonzero(program.access_is_write)
    location, row = program.access_location[writes], program.access_instruction[writes]
    size = len(program)
    key = location * size + row
    order = np.argsort(key, kind="stable")
    at = np.searchsorted(key[order], program.access_location[own] * size + rows) - 1
    if (at < 0).any() or (location[order[at]] != program.access_location[own]).any():
        return None  # nothing was loaded before: reported as an undefined read
    loads = row[order[at]]
    return np.searchsorted(program.access_instruction, loads)
