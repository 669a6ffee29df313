"""A machine with data: programs run on numbers, row numbers included.

Unlike the checkers it knows which rows a gather or scatter names. An operation reads
when it starts and writes when it is complete; when that is, the test draws, within
what queues and edges allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from zlib import crc32

import numpy as np

from rotation.loop_form.kernel import Engine, Instruction, Region
from rotation.loop_form.trips import values_at
from rotation.passes.base import State
from rotation.unrolled.program import Ints, Placement, Program

Contents = dict[str, Ints]
"""What each DRAM tensor holds, by name."""


def run_source(program: Program, inputs: Mapping[str, Ints]) -> Contents:
    """Return what is in DRAM after a run in source order, locations apart."""
    machine = _Machine(program, None, inputs, garbage=1)
    for row in range(len(program)):
        machine.complete(row, machine.start(row))
    return machine.dram()


def run_placed(state: State, inputs: Mapping[str, Ints], random: Random) -> Contents:
    """Return what is in DRAM after one of the runs that the machine may make."""
    program, edges, schedule = state.program, state.edges, state.schedule
    assert program is not None
    assert edges is not None
    assert schedule is not None
    machine = _Machine(program, state.placement, inputs, garbage=2)
    waits: list[set[int]] = [set() for _ in range(len(program))]
    for source, sink in zip(edges.source.tolist(), edges.sink.tolist(), strict=True):
        waits[sink].add(source)
    queues: dict[int, list[int]] = {}
    for row in schedule.order.tolist():
        queues.setdefault(int(program.engine[row]), []).append(row)
    flying: dict[int, list[Ints]] = {}
    done: set[int] = set()
    while len(done) < len(program):
        events = [(row, False) for row in flying]
        for engine, queue in queues.items():
            own = any(program.engine[row] == engine for row in flying)
            blocked = own and Engine(engine).completes_in_order
            if queue and not blocked and waits[queue[0]] <= done:
                events.append((queue[0], True))
        row, starts = random.choice(sorted(events))
        if starts:
            flying[row] = machine.start(row)
            queues[int(program.engine[row])].pop(0)
        else:
            machine.complete(row, flying.pop(row))
            done.add(row)
    return machine.dram()


class _Machine:
    """Memory of 4-byte elements: `cells` says where those of a location are."""

    def __init__(
        self,
        program: Program,
        placement: Placement | None,
        inputs: Mapping[str, Ints],
        garbage: int,
    ) -> None:
        self.program = program
        tensors = program.function.tensors
        chip, parts = (0, 0) if placement is None else _chip_size(program, placement)
        self.cells: list[Ints] = []
        size = 2 * chip * parts
        for location, row in enumerate(program.location_tensor.tolist()):
            tensor = tensors[row]
            assert tensor.elem_bytes == 4
            count = int(np.prod(tensor.shape))
            own = np.arange(count).reshape(tensor.shape)
            if placement is None or not tensor.on_chip:
                self.cells.append(own + size)
                size += count
                continue
            first = int(placement.byte[location]) // 4
            space = parts * (tensor.space.value == "psum")
            part = int(placement.partition[location]) + space
            free = own.reshape(tensor.shape[0], -1)
            free = free[0] + chip * (part + np.arange(len(free)))[:, None]
            self.cells.append((free + first).reshape(tensor.shape))
        self.memory = np.full(size, -garbage, np.int64)
        for location, row in enumerate(program.location_tensor.tolist()):
            tensor = tensors[row]
            if not tensor.on_chip:
                value = inputs.get(tensor.name, np.full(tensor.shape, -7))
                self.memory[self.cells[location]] = value

    def dram(self) -> Contents:
        """Return what the DRAM tensors hold."""
        owners = enumerate(self.program.location_tensor.tolist())
        tensors = self.program.function.tensors
        return {
            tensors[row].name: self.memory[self.cells[location]]
            for location, row in owners
            if not tensors[row].on_chip
        }

    def start(self, row: int) -> list[Ints]:
        """Return what the sources of an instruction hold."""
        instruction = self._instruction(row)
        return [
            self.memory[self._box(row, operand)]
            for operand in range(len(instruction.reads))
        ]

    def complete(self, row: int, values: list[Ints]) -> None:
        """Write the results that come of the values of the sources."""
        instruction = self._instruction(row)
        position = {id(region): k for k, region in enumerate(instruction.reads)}
        index = instruction.index_region
        numbers = None if index is None else values[position[id(index)]].reshape(-1)
        data = [values[position[id(region)]] for region in instruction.data_reads]
        for ordinal, _ in enumerate(instruction.writes):
            cells = self._box(row, len(instruction.reads) + ordinal)
            if numbers is None or instruction.indexed is None:
                self.memory[cells] = _result(instruction, data, cells.shape, ordinal)
                continue
            axis = instruction.indexed.dimension
            if instruction.is_scatter:
                target = np.moveaxis(cells, axis, 0)
                result = np.resize(data[0], (len(numbers), *target.shape[1:]))
                for number, values_of_row in zip(numbers, result, strict=True):
                    self.memory[target[number]] = values_of_row
            else:
                taken = np.take(data[0], numbers, axis)
                self.memory[cells] = np.resize(taken, cells.shape)

    def _instruction(self, row: int) -> Instruction:
        return self.program.function.instructions[int(self.program.statement[row])]

    def _box(self, row: int, operand: int) -> Ints:
        """Return the cells of an operand; of a reached one those of its region."""
        program, instruction = self.program, self._instruction(row)
        access = int(np.searchsorted(program.access_instruction, row)) + operand
        cells = self.cells[int(program.access_location[access])]
        region: Region = (*instruction.reads, *instruction.writes)[operand]
        loops = program.function.loops_of[instruction]
        at = values_at(loops, int(program.iteration[row]))
        starts = [int(start.raw.eval(at)) for start in region.starts]
        box = zip(starts, region.extents, strict=True)
        return cells[tuple(slice(first, first + size) for first, size in box)]


def _chip_size(program: Program, placement: Placement) -> tuple[int, int]:
    """Return elements of a partition, and partitions, that a placement uses."""
    tensors = program.function.tensors
    sizes = [(0, 1)]
    for location, row in enumerate(program.location_tensor.tolist()):
        if tensors[row].on_chip:
            end = int(placement.byte[location]) + tensors[row].bytes_per_partition
            last = int(placement.partition[location]) + tensors[row].num_partitions
            sizes.append((end // 4, last))
    return max(end for end, _ in sizes), max(last for _, last in sizes)


def _result(
    instruction: Instruction, data: list[Ints], shape: tuple[int, ...], ordinal: int
) -> Ints:
    """Return the data that is moved, or numbers that depend on all that was read."""
    if instruction.opcode in {"load", "store", "copy"}:
        return data[0].reshape(shape)
    seed = crc32(f"{instruction.opcode} {instruction.fn}".encode()), ordinal
    total = hash((seed, *(tuple(part.reshape(-1).tolist()) for part in data)))
    mixed = np.arange(int(np.prod(shape)), dtype=np.int64) * 7919 + total % (1 << 40)
    return mixed.reshape(shape)
