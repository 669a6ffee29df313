"""Which server of a machine does an operation: the one place that tells.

An engine is its own server, but for dma on a machine with two of them: one takes the
stores, the other all else. Each has the rate of dma and a queue of its own, so an
operation of one goes past those of the other unless an edge holds it back.
"""

from __future__ import annotations

from rotation.loop_form.kernel import Engine, Instruction, MemorySpace
from rotation.machine.machine import Machine


def server_of(instruction: Instruction, machine: Machine) -> Engine:
    """Return the engine in whose queue an operation stands on a machine.

    A store is a dma operation that writes DRAM, whatever it reads: a transfer from
    DRAM to DRAM is one, and so is a scatter to DRAM. Every other dma operation counts
    as a load.
    """
    if instruction.engine is not Engine.DMA or machine.dma_servers == 1:
        return instruction.engine
    spaces = {region.tensor.space for region in instruction.writes}
    return Engine.DMA_STORE if MemorySpace.DRAM in spaces else Engine.DMA_LOAD


def servers(machine: Machine) -> tuple[Engine, ...]:
    """Return the engines that have a queue on a machine.

    >>> from rotation.machine.machine import get_machine
    >>> [server.text for server in servers(get_machine("split-dma"))][3:5]
    ['dma_load', 'dma_store']
    """
    own = {Engine.DMA, Engine.DMA_LOAD, Engine.DMA_STORE}
    dma = {Engine.DMA} if machine.dma_servers == 1 else own - {Engine.DMA}
    return tuple(e for e in Engine if e not in own or e in dma)
