"""What a rotation of one space comes to: a map, counts and log lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.units import Unit
from rotation.placement.binding import resident_tensors
from rotation.unrolled.program import Placement, Program


@dataclass(frozen=True, slots=True, eq=False)
class Rotation:
    """A map of one space, not yet checked nor installed.

    Attributes:
        placement: The whole placement, of all spaces.
        log: What was done, in the words of the modelled system.
        guarded: Locations that stay since they are operands of one operation.
    """

    placement: Placement
    log: tuple[str, ...]
    guarded: int = 0


def moved_units(
    program: Program, placement: Placement, space: MemorySpace, units: Iterable[Unit]
) -> Placement:
    """Return the placement with each unit where it says that it is.

    The slot of a location is the ordinal of its place among those of its buffer, in
    the order in which its instances come to them.
    """
    byte, slot = placement.byte.copy(), placement.slot.copy()
    for unit in units:
        for member, offset in zip(unit.members, unit.offsets_bytes, strict=True):
            byte[member] = unit.byte + offset
    for row in resident_tensors(program, space):
        places: dict[tuple[int, int], int] = {}
        for location in np.flatnonzero(program.location_tensor == row).tolist():
            place = (int(placement.partition[location]), int(byte[location]))
            slot[location] = places.setdefault(place, len(places))
    return Placement(placement.partition, byte, slot)


def unit_name(program: Program, unit: Unit) -> str:
    """Return the buffer and the instance of what is in a unit, such as ``xt[3]``."""
    tensors = program.function.tensors
    return " and ".join(
        f"{tensors[program.location_tensor[member]].name}"
        f"[{program.location_instance[member]}]"
        for member in unit.members
    )
