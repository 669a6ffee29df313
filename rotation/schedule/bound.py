"""A makespan that no schedule of a program can beat.

It counts true dependences, and the reuse of buffers that may not get more slots;
the reuse that a ring plan could avoid is not in it, and capacity is not either.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rotation.dependence.carried import Accesses, Iterations
from rotation.dependence.dependences import flow_edges, frame_edges, merged
from rotation.loop_form.kernel import Engine, Loop, MemoryLocationSet
from rotation.schedule.paths import earliest_start_ps, remaining_ps
from rotation.schedule.recurrence import carriers, longest_path, turn_of
from rotation.unrolled.footprint import Cells
from rotation.unrolled.pins import pinned
from rotation.unrolled.program import Edges, Ints, Program


@dataclass(frozen=True, slots=True)
class Bound:
    """The greatest of several lower bounds of the makespan.

    Attributes:
        kind: ``engine``, ``recurrence`` or ``critical-path``. A path is a recurrence
            if more than half of it are turns through the iterations of a loop.
        name: The engine; the loop of the recurrence; or the id of the operation that
            ends the path, which is None in a program without instructions.
        engine: The engine that binds, or would if no path did; None without one.
        head_ps: Least time before the first instruction of that engine, or before
            the first turn of the recurrence [ps].
        busy_ps: Its busy time, the time of all turns, or the length of the path [ps].
        tail_ps: Least time after its last instruction, or after the last turn [ps].
        loop: The loop of the recurrence, or None.
        tensors: Buffers that carry the recurrence from one iteration to another.
    """

    kind: str
    name: str | None
    engine: Engine | None
    head_ps: int
    busy_ps: int
    tail_ps: int
    loop: Loop | None = None
    tensors: tuple[MemoryLocationSet, ...] = ()

    @property
    def total_ps(self) -> int:
        """The bound itself [ps]."""
        return self.head_ps + self.busy_ps + self.tail_ps


def constraint_edges(program: Program, cells: Cells) -> Edges:
    """Return the edges that every plan must keep, whatever slots it gives.

    They are flow, and anti and output through tensors that the outside sees, buffers
    with a single instance, rings whose size the user fixed, and pinned buffers. The
    order of two buffers that are pinned to the same bytes is not among them.
    """
    tensors = program.function.tensors
    places = pinned(program)
    fixed = np.zeros(len(tensors), np.int64)
    for row, tensor in enumerate(tensors):
        fixed[row] = 1 if tensor.scope is None else tensor.ring_slots or 0
    slots = fixed[program.location_tensor]
    slot = program.location_instance % np.maximum(slots, 1)
    slot = np.where(places.here, places.slot, slot)
    width = 1 + int(max(fixed.max(initial=0), slot.max(initial=0)))
    held = (slots > 0) | places.here
    frame = np.where(held, program.location_tensor * width + slot, -1)
    return merged(flow_edges(program, cells), frame_edges(program, cells, frame))


def lower_bound(program: Program, edges: Edges) -> Bound:
    """Return the greatest bound of the engines and of the critical path.

    An engine bounds the makespan by the earliest start of any of its instructions,
    its busy time, and the least time after any of them.

    Args:
        program: The program.
        edges: The constraints of `constraint_edges`.
    """
    if not len(program):
        return Bound("critical-path", None, None, 0, 0, 0)
    start = earliest_start_ps(program, edges)
    rest = remaining_ps(program, edges)
    used = program.engines().tolist()
    engines = [_engine_bound(program, start, rest, e) for e in used]
    binding = max(engines, key=lambda bound: bound.total_ps)
    paths = start + program.busy_ps + rest
    path_ps = int(paths.max())
    if path_ps <= binding.total_ps:
        return binding
    # The last row on the path: nothing follows it.
    end = int(np.flatnonzero(paths == path_ps)[-1])
    path = longest_path(program, edges, start, end)
    turning = _recurrence_bound(program, path, start, path_ps, binding.engine)
    if turning is not None:
        return turning
    name = program.function.instructions[program.statement[end]].name
    return Bound("critical-path", name, binding.engine, 0, path_ps, 0)


def _recurrence_bound(
    program: Program, path: list[int], start: Ints, path_ps: int, engine: Engine | None
) -> Bound | None:
    """Return the bound of a critical path that mostly turns; None for another one."""
    iterations = Iterations(program)
    turn = turn_of(iterations, path)
    if turn is None:
        return None
    begin, stop = turn
    first, last = path[begin], path[stop]
    head_ps, turns_ps = int(start[first]), int(start[last] - start[first])
    tensors = carriers(Accesses(program), iterations, path[begin : stop + 1])
    loop = iterations.step(first, last).loop
    if loop is None or not tensors or 2 * turns_ps <= path_ps:
        return None
    tail_ps = path_ps - head_ps - turns_ps
    name = loop.index.name
    return Bound("recurrence", name, engine, head_ps, turns_ps, tail_ps, loop, tensors)


def _engine_bound(program: Program, start: Ints, rest: Ints, ordinal: int) -> Bound:
    rows = program.engine == ordinal
    return Bound(
        "engine",
        Engine(ordinal).text,
        Engine(ordinal),
        int(start[rows].min()),
        int(program.busy_ps[rows].sum()),
        int(rest[rows].min()),
    )
