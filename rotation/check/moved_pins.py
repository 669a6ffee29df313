"""Part of check (a): what the user placed is where the user put it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pelican.tree.traverse import fold
from rotation.check.hazard import MOST_SHOWN, Hazard, not_shown
from rotation.check.names import location_name, location_trips, place_name, tensor_of
from rotation.loop_form.kernel import IndexExpr
from rotation.unrolled.program import Ints, Placement, Program


def moved_pins(
    program: Program, placement: Placement, position: Ints
) -> Iterator[Hazard]:
    """Yield the locations that are not at the place which their declaration gives.

    The expressions are evaluated as they were written, one instance after the other;
    ``@`` may select one for which the scope loop never has the value.
    """
    tensors = program.function.tensors
    pinned = [row for row, tensor in enumerate(tensors) if tensor.pin is not None]
    rows = np.flatnonzero(np.isin(program.location_tensor, pinned)).tolist()
    bad = [row for row in rows if _place(program, row) != _given(placement, row)]
    for location in bad[:MOST_SHOWN]:
        part, byte = _place(program, location)
        touching = program.access_instruction[program.access_location == location]
        first = int(touching[np.argmin(position[touching])])
        message = (
            f"{location_name(program, location)} is at "
            f"{place_name(program, placement, location)}; its declaration puts it at "
            f"partition {part} byte {byte}"
        )
        yield Hazard("pin", message, (first,))
    yield from not_shown("pin", len(bad))


def _given(placement: Placement, location: int) -> tuple[int, int]:
    return int(placement.partition[location]), int(placement.byte[location])


def _place(program: Program, location: int) -> tuple[int, int]:
    """Return the partition and byte that a declaration gives to a location."""
    tensor = tensor_of(program, location)
    loops = () if tensor.scope is None else program.function.nests[tensor.scope]
    trips = location_trips(program, location)
    at = {
        loop.index: (loop.index.lo or 0) + trip * loop.index.step
        for loop, trip in zip(loops, trips, strict=True)
    }

    def value(place: IndexExpr | None) -> int:
        return 0 if place is None else int(fold(place.raw, at.__getitem__))

    pin = tensor.pin
    if pin is None:
        return 0, 0
    bank = value(pin.bank) * program.machine.psum_bank_bytes
    return value(pin.part), bank + value(pin.byte)
