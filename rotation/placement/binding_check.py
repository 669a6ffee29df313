"""What a placement takes of a space, and whether it can be installed."""

from __future__ import annotations

import numpy as np

from rotation.loop_form.kernel import MemorySpace
from rotation.machine.machine import Machine
from rotation.placement.binding import capacity_bytes
from rotation.placement.dram import dram_fault
from rotation.unrolled.program import Placement, Program


def high_water_bytes(program: Program, placement: Placement, space: MemorySpace) -> int:
    """Return the end of the highest byte that a space has in use."""
    tensors = program.function.tensors
    size = np.array([t.bytes_in_space for t in tensors], np.int64)
    inside = np.array([tensor.space is space for tensor in tensors], np.bool_)
    mine = inside[program.location_tensor]
    ends = placement.byte[mine] + size[program.location_tensor[mine]]
    return int(ends.max(initial=0))


def binding_fault(
    program: Program, placement: Placement, machine: Machine, space: MemorySpace
) -> str | None:
    """Return why the placement of a space cannot be installed, or None if it can.

    Every location must be bound inside the space, and slots of different buffers
    must not share a byte, unless both were put there by the user. In DRAM they may, if
    they never live at the same time.
    """
    if space is MemorySpace.DRAM:
        return dram_fault(program, placement, machine)
    tensors = program.function.tensors
    slots = set()
    for tensor, byte in zip(
        program.location_tensor.tolist(), placement.byte.tolist(), strict=True
    ):
        if tensors[tensor].space is space:
            slots.add((byte, tensor))
    limit, owner = 0, -1
    for byte, tensor in sorted(slots):
        name = tensors[tensor].name
        end = byte + tensors[tensor].bytes_in_space
        if byte < 0 or end > capacity_bytes(space, machine):
            return f"{name} at byte {byte} is outside {space.value}"
        by_hand = tensors[tensor].pin is not None and tensors[owner].pin is not None
        if byte < limit and not by_hand:
            return f"{name} at byte {byte} overlaps {tensors[owner].name}"
        if end > limit:
            limit, owner = end, tensor
    return None
