"""Scattered rows, as the checkers see them.

Which rows a scatter writes is not known. Of a scatter that the kernel calls
``unique`` it is known that no two executions write the same row, and if the passes
made use of that (`Program.distinct`), each execution is given a *layer* of its tensor.
What is not one of these executions touches every layer. Layers are counted from the
last execution down, so that the rows which no execution has named, layer 0, come next
to those of the last one: when there are as many distinct rows as the tensor has, no
row is left for layer 0, and the last execution takes it too.

An element of a row that execution k writes has its value in the layer of k, every
other one in layer 0. So reading all layers and all row numbers, a read has all that
its value can depend on.
"""

from __future__ import annotations

from math import prod

import numpy as np

from rotation.loop_form.kernel import Instruction, MemorySpace
from rotation.unrolled.program import Ints, Program


def access_layers(program: Program) -> tuple[Ints, Ints]:
    """Return the first layer and one past the last of each access, both (a, q)."""
    first, past = (
        column[program.access_location] for column in location_layers(program)
    )
    statement = program.statement[program.access_instruction]
    for position, dimension in _dimensions(program).items():
        own = np.flatnonzero(program.access_is_write & (statement == position))
        iteration = program.iteration[program.access_instruction[own]]
        layer = len(own) - iteration
        takes_rest = (layer == 1) & _fills(program, position, len(own))
        first[own, dimension] = np.where(takes_rest, 0, layer)
        past[own, dimension] = layer + 1
    return first, past


def location_layers(program: Program) -> tuple[Ints, Ints]:
    """Return the first layer and one past the last of each location, both (l, q)."""
    dimensions = _dimensions(program)
    shape = len(program.location_tensor), max(dimensions.values(), default=-1) + 1
    first, past = np.zeros(shape, np.int64), np.ones(shape, np.int64)
    for position, dimension in dimensions.items():
        tensor = program.function.instructions[position].writes[0].tensor
        row = program.function.tensors.index(tensor)
        executions = int(np.count_nonzero(program.statement == position))
        past[program.location_tensor == row, dimension] = executions + 1
    return first, past


def kept_writes(program: Program) -> Ints:
    """Return the writes that leave what is not named in place, and have no layer."""
    scatters = [
        position
        for position, instruction in enumerate(program.function.instructions)
        if instruction.is_scatter and position not in _dimensions(program)
    ]
    statement = program.statement[program.access_instruction]
    return np.flatnonzero(program.access_is_write & np.isin(statement, scatters))


def _dimensions(program: Program) -> dict[int, int]:
    """Return which dimension of layers each scatter of distinct rows has.

    What the passes take for distinct is believed only if the kernel says it.
    """
    instructions = program.function.instructions
    found: dict[int, int] = {}
    for position in program.distinct:
        if _promises(instructions[position]):
            tensor = instructions[position].writes[0].tensor
            found[position] = sum(
                instructions[other].writes[0].tensor is tensor for other in found
            )
    return found


def _promises(instruction: Instruction) -> bool:
    indexed = instruction.indexed
    if indexed is None or not indexed.unique or not instruction.is_scatter:
        return False
    tensor = instruction.writes[0].tensor
    return tensor.space is MemorySpace.DRAM and tensor.scope is None


def _fills(program: Program, position: int, executions: int) -> bool:
    """Tell whether so many executions name as many rows as the tensor has."""
    instruction = program.function.instructions[position]
    index, indexed, write = (
        instruction.index_region,
        instruction.indexed,
        instruction.writes[0],
    )
    if index is None or indexed is None or write.extents != write.tensor.shape:
        return False
    return executions * prod(index.extents) == write.tensor.shape[indexed.dimension]
