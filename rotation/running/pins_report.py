"""What the user placed, and the waits that these places cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rotation.loop_form.calls import edited
from rotation.loop_form.kernel import EdgeKind, Function, MemorySpace
from rotation.passes.base import State, built
from rotation.running.nanoseconds import ns
from rotation.running.result import PinnedPlaceReport, PinReport, PinsReport
from rotation.text.print import pin_text
from rotation.unrolled.pins import Pinned, pinned, reserved_bytes
from rotation.unrolled.program import Program


def without_pins(function: Function) -> Function:
    """Return the same kernel with all places left to the passes."""
    if all(tensor.pin is None for tensor in function.tensors):
        return function
    return edited(function, tensor=lambda tensor: replace(tensor, pin=None))


def pins_report(state: State, automatic_ps: int | None) -> PinsReport | None:
    """Return what the user placed in a finished state; None if nothing.

    Args:
        state: The state after all passes.
        automatic_ps: The makespan without these places, if it is known [ps].
    """
    program = built(state.program, "unrolled program")
    tensors = [t for t in state.function.tensors if t.pin is not None]
    if not tensors:
        return None
    slots = built(state.plan, "ring plan").slots()
    reports = tuple(
        PinReport(tensor.name, pin_text(tensor.pin), slots[tensor])
        for tensor in tensors
        if tensor.pin is not None
    )
    places = tuple(_places(state, program, pinned(program)))
    automatic = None if automatic_ps is None else ns(automatic_ps)
    return PinsReport(reports, places, automatic)


def _places(
    state: State, program: Program, places: Pinned
) -> Iterator[PinnedPlaceReport]:
    """Yield each bank of PSUM and each range of SB that is pinned."""
    for space, begin, end in _ranges(program):
        here = _locations(program, places, space, begin, end)
        name = f"sb bytes [{begin}, {end})"
        if space is MemorySpace.PSUM:
            name = f"psum bank {begin // program.machine.psum_bank_bytes}"
        rows = np.unique(program.location_tensor[here]).tolist()
        tensors = tuple(state.function.tensors[row].name for row in rows)
        yield PinnedPlaceReport(name, tensors, _anti_edges(state, program, here))


def _ranges(program: Program) -> Iterator[tuple[MemorySpace, int, int]]:
    bank_bytes = program.machine.psum_bank_bytes
    for begin, end in reserved_bytes(program, MemorySpace.PSUM):
        for bank in range(begin, end, bank_bytes):
            yield MemorySpace.PSUM, bank, bank + bank_bytes
    for begin, end in reserved_bytes(program, MemorySpace.SB):
        yield MemorySpace.SB, begin, end


def _locations(
    program: Program, places: Pinned, space: MemorySpace, begin: int, end: int
) -> list[int]:
    """Return the pinned locations that take bytes of a range."""
    tensors = program.function.tensors
    return [
        location
        for location in np.flatnonzero(places.here).tolist()
        for tensor in (tensors[program.location_tensor[location]],)
        if tensor.space is space
        and places.byte[location] < end
        and places.byte[location] + tensor.bytes_in_space > begin
    ]


def _anti_edges(state: State, program: Program, here: list[int]) -> int:
    """Return how many anti and output edges join accesses to some locations."""
    edges = built(state.edges, "dependences")
    touches = np.isin(program.access_location, here)
    writes = np.zeros(len(program), np.bool_)
    writes[program.access_instruction[touches & program.access_is_write]] = True
    any_access = np.zeros(len(program), np.bool_)
    any_access[program.access_instruction[touches]] = True
    reuse = (edges.kind == EdgeKind.ANTI) | (edges.kind == EdgeKind.OUTPUT)
    joined = reuse & any_access[edges.source] & writes[edges.sink]
    return int(np.count_nonzero(joined))
