"""What an operation costs: the rules of the planning cost model.

Source: the planning model; ``machines.toml`` says where its figures are from.
"""

from __future__ import annotations

from rotation.errors import InternalError
from rotation.loop_form.kernel import Engine, Instruction, Region
from rotation.machine.machine import Cost, Machine


def instruction_cost(instruction: Instruction, machine: Machine) -> Cost:
    """Return how long one execution of an instruction takes.

    * dma and cc: the bytes of `transfer_region` at the rate of the engine; the two
      servers of dma on a machine that has two have the rate of dma each.
    * pe: one column for each free element of the written region.
    * vector, scalar and gpsimd: the largest free size over all operands, at the rate
      for the element type of the first written operand.
    """
    target = instruction.writes[0]
    match instruction.engine:
        case Engine.DMA | Engine.CC:
            num_bytes = transfer_region(instruction).size_bytes
            return machine.transfer_ps(instruction.engine, num_bytes=num_bytes)
        case Engine.PE:
            return machine.matmul_ps(free_elems=target.free_elems)
        case Engine.VECTOR | Engine.SCALAR | Engine.GPSIMD:
            operands = (*instruction.writes, *instruction.reads)
            return machine.lane_ps(
                instruction.engine,
                free_elems=max(region.free_elems for region in operands),
                elem_bytes=target.tensor.elem_bytes,
            )
        case Engine.SYNC | Engine.DMA_LOAD | Engine.DMA_STORE:
            name = instruction.engine.text
            raise InternalError(f"an operation of {name} passed the verifier")


def transfer_region(instruction: Instruction) -> Region:
    """Return the region whose bytes a dma or cc operation moves.

    It is the first operand on chip, destinations before sources; the destination
    when all operands are in DRAM. Of a gather it is the destination, of a scatter the
    first source that does not hold row numbers: what else they touch is not moved.
    """
    if instruction.is_scatter:
        return next(iter(instruction.data_reads), instruction.writes[0])
    if instruction.indexed is not None:
        return instruction.writes[0]
    operands = (*instruction.writes, *instruction.reads)
    on_chip = (region for region in operands if region.tensor.on_chip)
    return next(on_chip, instruction.writes[0])
