"""The check of a whole map, before it is installed."""

from __future__ import annotations

import numpy as np

from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.regions import Regions, in_region
from rotation.modelled.rotation import unit_name
from rotation.modelled.units import Unit, units_of
from rotation.placement.binding import capacity_bytes, resident_tensors
from rotation.placement.dram import rotation_window
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Placement, Program


def map_fault(
    program: Program,
    old: Placement,
    new: Placement,
    space: MemorySpace,
    intervals: LiveIntervals,
    regions: Regions,
) -> str | None:
    """Return why a map cannot be installed, or None if it can.

    Every location is bound inside the space, in the window of its call if it has one,
    and keeps its offset in a PSUM bank; what may not move has not; locations that live
    together share bytes only where they did before, at the distance that they had.

    Args:
        program: The program.
        old: The placement in force.
        new: The placement with the map.
        space: What the map moves.
        intervals: The lives of locations, as the map was made for.
        regions: The bytes of each call with a window.
    """
    mine = np.isin(program.location_tensor, resident_tensors(program, space))
    if not np.array_equal(old.byte[~mine], new.byte[~mine]):
        return f"a location outside {space.value} was moved"
    before = units_of(program, old, space, intervals)
    after = units_of(program, new, space, intervals)
    return (
        _moved_apart(program, before, old, new)
        or _misplaced(program, after, old, space, regions)
        or _sharing(program, before, after)
    )


def _moved_apart(
    program: Program, before: list[Unit], old: Placement, new: Placement
) -> str | None:
    """Return what moved though it must stay, or not together with its partner."""
    for unit in before:
        rows = list(unit.members)
        steps = set((new.byte[rows] - old.byte[rows]).tolist())
        if len(steps) > 1:
            return f"{unit_name(program, unit)} were not moved together"
        if unit.stays and steps != {0}:
            return f"{unit_name(program, unit)} must stay, and was moved"
    return None


def _misplaced(
    program: Program,
    after: list[Unit],
    old: Placement,
    space: MemorySpace,
    regions: Regions,
) -> str | None:
    """Return what is outside its space or window, or elsewhere in a PSUM bank."""
    machine = program.machine
    begin, limit = 0, capacity_bytes(space, machine)
    period = machine.psum_bank_bytes if space is MemorySpace.PSUM else 1
    if space is MemorySpace.DRAM:
        begin, limit = rotation_window(program, machine)
    for unit in after:
        name = unit_name(program, unit)
        if unit.byte < begin or unit.extent.end_byte > limit:
            return f"{name} at byte {unit.byte} is outside {space.value}"
        placed = unit.stays or in_region(unit.window, *unit.extent[2:], regions)
        if not placed:
            return f"{name} at byte {unit.byte} is not in its window"
        if (unit.byte + unit.offsets_bytes[0] - old.byte[unit.members[0]]) % period:
            return f"{name} at byte {unit.byte} is elsewhere in its bank"
    return None


def _sharing(program: Program, before: list[Unit], after: list[Unit]) -> str | None:
    """Return what shares bytes while it lives, and did not before."""
    known = {unit.members for unit in before}
    for unit in after:
        if unit.members not in known:
            return f"{unit_name(program, unit)} live together and share bytes"
    return None
