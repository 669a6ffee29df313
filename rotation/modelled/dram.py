"""DRAM rotation: one walk with a cursor that goes round the rotation window."""

from __future__ import annotations

from typing import Final

import numpy as np

from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.live_ids import LiveIds
from rotation.modelled.rotation import Rotation, moved_units, unit_name
from rotation.modelled.sb_schedule import ByteWindow
from rotation.modelled.units import Unit, guarded_locations, units_of
from rotation.placement.binding_check import high_water_bytes
from rotation.placement.dram import DRAM_ALIGNMENT_BYTES, Request, from_cursor
from rotation.unrolled.joins import guards, join_number
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Bools, Placement, Program

RUNTIME_PAGE_MB: Final = 512
"""The number of a log line; nothing depends on it.

Source: the default page size of the modelled system (docs/modelled.md).
"""


def rotated_dram(
    program: Program,
    placement: Placement,
    intervals: LiveIntervals,
    window: ByteWindow,
) -> Rotation:
    """Return DRAM with each location behind the one before, round the window.

    One that finds no room, that is accessed in several blocks, or that must stay, keeps
    its bytes; others keep off them.

    Args:
        program: The program.
        placement: Where its locations live.
        intervals: Their lives in source order.
        window: The bytes in which they rotate.
    """
    peak_bytes = high_water_bytes(program, placement, MemorySpace.DRAM)
    log = [
        f"Runtime page size at {RUNTIME_PAGE_MB} MB",
        f"DRAM hwm before rotation {peak_bytes}",
    ]
    units = units_of(program, placement, MemorySpace.DRAM, intervals)
    alone = single_block_locations(program)
    live = LiveIds([(unit.first, unit.last) for unit in units])
    cursor = 0
    for number, unit in enumerate(units):
        if not unit.movable:
            continue
        name = unit_name(program, unit)
        if not alone[list(unit.members)].all():
            log.append(f"Leaving {name}, which is accessed in several blocks")
            continue
        taken = [
            (units[other].byte - window.first_byte, _request(units[other]))
            for other in live.near(unit.first, unit.last)
            if other != number
        ]
        found = from_cursor(_request(unit), cursor, window.size_bytes, taken)
        if found is None:
            continue
        cursor = found + unit.size_bytes
        byte = window.first_byte + found
        units[number] = unit.moved(byte)
        if byte != unit.byte:
            log.append(f"{name} picked new range for {name} {byte} 0")
    new = moved_units(program, placement, MemorySpace.DRAM, units)
    return Rotation(new, tuple(log), guarded_locations(units))


def single_block_locations(program: Program) -> Bools:
    """Return whether all accesses to each location are in one straight block, (l,).

    A block ends where an `if` on loaded values begins, ends, or changes its arm.
    """
    join, (guard, _) = join_number(program), guards(program)
    begins = np.zeros(len(program), np.bool_)
    begins[1:] = (np.diff(join) != 0) | (np.diff(guard) != 0)
    block = np.cumsum(begins)[program.access_instruction]
    least = np.full(len(program.location_tensor), len(program))
    most = np.zeros(len(program.location_tensor), np.int64)
    np.minimum.at(least, program.access_location, block)
    np.maximum.at(most, program.access_location, block)
    single: Bools = least == most
    return single


def _request(unit: Unit) -> Request:
    return Request(unit.size_bytes, DRAM_ALIGNMENT_BYTES, unit.first, unit.last)
