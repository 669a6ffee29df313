"""Memory over time: from when to when each instance of a buffer is in its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.passes.base import State, built
from rotation.placement.binding import PLACED, resident_tensors, slot_layout
from rotation.running.nanoseconds import Ns, ns
from rotation.unrolled.program import Program


@dataclass(frozen=True, slots=True)
class Residence:
    """One instance of a buffer in its place.

    Attributes:
        tensor: Its buffer.
        space: Where it lives: ``psum``, ``sb`` or ``dram``.
        instance: The number of the instance.
        slot: Its slot, >= 0.
        byte: First byte in each partition of its space, or in DRAM [bytes].
        size_bytes: What it takes there: in PSUM the whole of its banks [bytes].
        start_ns: Start of the first instruction that touches it [ns].
        end_ns: When the last instruction that touches it is complete [ns].
    """

    tensor: str
    space: str
    instance: int
    slot: int
    byte: int
    size_bytes: int
    start_ns: Ns
    end_ns: Ns


def residences_of(state: State) -> tuple[Residence, ...]:
    """Return every instance that the compiler places, in the order of their starts.

    What the outside world sees is not among them: it is in its place all the time.

    >>> from rotation import load, run
    >>> first, *_ = residences_of(run(load("examples/stream_add.kernel")).after)
    >>> first.tensor, first.slot, first.byte, first.size_bytes, first.start_ns
    ('xt', 0, 0, 8192, 0)
    """
    program = built(state.program, "unrolled program")
    placement = built(state.placement, "placement")
    schedule = built(state.schedule, "schedule")
    done_ps = schedule.start_ps + program.busy_ps + program.latency_ps
    count = len(program.location_tensor)
    start_ps = np.full(count, np.iinfo(np.int64).max)
    end_ps = np.zeros(count, np.int64)
    touched, by = program.access_location, program.access_instruction
    np.minimum.at(start_ps, touched, schedule.start_ps[by])
    np.maximum.at(end_ps, touched, done_ps[by])
    tensors = program.function.tensors
    size_bytes = {
        row: slot_layout(tensors[row], state.machine).size_bytes
        for row in _placed_tensors(program)
    }
    return tuple(
        Residence(
            tensors[row].name,
            tensors[row].space.value,
            int(program.location_instance[location]),
            int(placement.slot[location]),
            int(placement.byte[location]),
            size_bytes[row],
            ns(int(start_ps[location])),
            ns(int(end_ps[location])),
        )
        for location in np.argsort(start_ps, kind="stable").tolist()
        if (row := int(program.location_tensor[location])) in size_bytes
    )


def _placed_tensors(program: Program) -> list[int]:
    return [row for space in PLACED for row in resident_tensors(program, space)]


def live_bytes(residences: tuple[Residence, ...], space: str) -> list[tuple[Ns, int]]:
    """Return how much of a space is in use from each moment on.

    Args:
        residences: What lives where.
        space: The space that is asked about.

    Returns:
        Pairs of a moment [ns] and what is in use from it on [bytes per partition; in
        DRAM bytes], ascending; the last use is 0.

    >>> from rotation import load, run
    >>> state = run(load("examples/stream_add.kernel")).after
    >>> live_bytes(residences_of(state), "sb")[0]
    (0, 8192)
    """
    changes: dict[Ns, int] = {}
    for each in residences:
        if each.space == space:
            sizes = ((each.start_ns, each.size_bytes), (each.end_ns, -each.size_bytes))
            for moment, change in sizes:
                changes[moment] = changes.get(moment, 0) + change
    found, total = [], 0
    for moment in sorted(changes):
        if changes[moment]:
            total += changes[moment]
            found.append((moment, total))
    return found
