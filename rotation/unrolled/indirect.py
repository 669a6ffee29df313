"""Gathers and scatters: what a buffer of row numbers reaches into.

Nobody knows which rows, so the whole location is touched, and a scatter leaves what it
does not name as it was. A scatter that is ``unique`` writes each row at most once in
the whole kernel: its executions may then come in any order among themselves.

That order is told by *layers*, one more dimension of a tensor. Layer 0 stands for the
rows that no execution names, layer ``k + 1`` for those of execution k. Execution k of
the scatter touches layer ``k + 1``, everything else touches all of them; so two
accesses share a cell exactly if they may share a row.
"""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from rotation.loop_form.kernel import Instruction, MemorySpace
from rotation.unrolled.program import Bools, Ints, Program

MAX_LAYERED: Final = 100_000
"""Pairs of a layer and an access up to which layers are made.

Above it, and above four times the number of instructions, a scatter is ordered with
itself: more order is always right, and the tables stay linear in the program.
"""


def distinct_statements(program: Program) -> tuple[int, ...]:
    """Return the scatters whose executions need no order among themselves.

    They are ``unique`` and write a DRAM tensor that has one instance: only its rows
    are the same rows in the whole kernel.
    """
    found: list[int] = []
    for position, instruction in enumerate(program.function.instructions):
        if _is_unique(instruction) and _few_layers(program, [*found, position]):
            found.append(position)
    return tuple(found)


def _is_unique(instruction: Instruction) -> bool:
    if instruction.indexed is None or not instruction.is_scatter:
        return False
    tensor = instruction.writes[0].tensor
    has_one_instance = tensor.space is MemorySpace.DRAM and tensor.scope is None
    return instruction.indexed.unique and has_one_instance


def _few_layers(program: Program, statements: list[int]) -> bool:
    """Tell whether the layers of the last statement's tensor stay few enough."""
    instructions = program.function.instructions
    tensor = instructions[statements[-1]].writes[0].tensor
    mine = [s for s in statements if instructions[s].writes[0].tensor is tensor]
    layered = prod(int(np.count_nonzero(program.statement == s)) + 1 for s in mine)
    owner = program.location_tensor[program.access_location]
    touching = owner == program.function.tensors.index(tensor)
    others = ~np.isin(program.statement[program.access_instruction], mine)
    pairs = layered * (2 + int(np.count_nonzero(touching & others)))
    return pairs <= max(MAX_LAYERED, 4 * len(program))


def layers(program: Program) -> tuple[Ints, Ints]:
    """Return first layer and number of layers of each access, both (a, q).

    Each of the ``program.distinct`` scatters into one tensor has a dimension of its
    own, of which there are q; a tensor without such a scatter has one layer.
    """
    owner = program.location_tensor[program.access_location]
    instructions, tensors = program.function.instructions, program.function.tensors
    of_tensor: dict[int, list[int]] = {}
    for position in program.distinct:
        tensor = tensors.index(instructions[position].writes[0].tensor)
        of_tensor.setdefault(tensor, []).append(position)
    shape = len(owner), max(map(len, of_tensor.values()), default=0)
    first, count = np.zeros(shape, np.int64), np.ones(shape, np.int64)
    for tensor, positions in of_tensor.items():
        for dimension, position in enumerate(positions):
            # A window of a program lacks some executions; the others keep their layer.
            executions = program.iteration[program.statement == position]
            last = int(executions.max(initial=-1))
            count[owner == tensor, dimension] = last + 2
            own = (owner == tensor) & _writes_of(program, position)
            row = program.access_instruction[own]
            first[own, dimension] = program.iteration[row] + 1
            count[own, dimension] = 1
    return first, count


def partial_writes(program: Program) -> Bools:
    """Return which writes may leave elements of their box as they were, (a,).

    Those are the writes of scatters. But when distinct rows are as many as there are,
    the last execution leaves none.
    """
    partial = np.zeros(len(program.access_location), np.bool_)
    for position, instruction in enumerate(program.function.instructions):
        if not instruction.is_scatter:
            continue
        own = np.flatnonzero(_writes_of(program, position))
        partial[own] = True
        if _is_unique(instruction) and _writes_all_rows(instruction, len(own)):
            partial[own[-1:]] = False
    return partial


def _writes_all_rows(instruction: Instruction, executions: int) -> bool:
    """Tell whether distinct rows of so many executions are all rows of the tensor."""
    region, index, indexed = (
        instruction.writes[0],
        instruction.index_region,
        instruction.indexed,
    )
    if index is None or indexed is None:
        return False
    rows = executions * prod(index.extents)
    whole = region.extents == region.tensor.shape
    return whole and rows == region.tensor.shape[indexed.dimension]


def _writes_of(program: Program, position: int) -> Bools:
    """Return which accesses are writes of a statement, (a,)."""
    own: Bools = program.statement[program.access_instruction] == position
    return own & program.access_is_write
