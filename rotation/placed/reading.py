"""A placed and scheduled program that was read: from records to tables, and checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from pelican.errors import LocatedError, nearest
from rotation.check import Hazard, check_equivalence, check_overlap, check_races
from rotation.dependence.carried import Iterations
from rotation.errors import KernelError, raise_all
from rotation.loop_form.instances import instance_at, instance_place
from rotation.loop_form.kernel import (
    Engine,
    Function,
    Loop,
    MemoryLocationSet,
    MemorySpace,
)
from rotation.machine.machine import Machine, machine_among
from rotation.placed.layout import Layout, Place, Wait
from rotation.schedule.list_scheduler import timed
from rotation.unrolled.program import Edges, Placement, Program, Schedule
from rotation.unrolled.unroll import unroll
from rotation.verify.verify import verify


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A program with all that was decided of it, as it was read.

    Attributes:
        function: The kernel.
        program: Its unrolled form.
        placement: Where its locations live; -1 is the byte of those without a place.
        edges: What waits for what.
        schedule: The queues, each instruction as early as queues and edges allow;
            None if no order was given.

    >>> from rotation import load_placed
    >>> placed = load_placed("examples/two_slots.placed")
    >>> placed.function.name, placed.schedule.makespan_ps, placed.hazards()
    ('two_slots', 9428408, ())
    """

    function: Function
    program: Program
    placement: Placement
    edges: Edges
    schedule: Schedule | None

    def __repr__(self) -> str:
        return f"<Placed {self.function.name} on {self.function.machine}>"

    def hazards(self) -> tuple[Hazard, ...]:
        """Return what the three checkers find.

        Raises:
            KernelError: If a location has no place, or there is no order.
        """
        if (self.placement.byte < 0).any():
            first = int(np.flatnonzero(self.placement.byte < 0)[0])
            raise _without_place(self.program, first)
        if self.schedule is None:
            message = f"{self.function.name} is placed and has no order"
            servers = self.program.machine.servers
            dma = next(server.text for server in servers if server.issuer is Engine.DMA)
            hint = f"add a line for each engine, as in: order {dma}: 0 1 4 2"
            raise KernelError(message, hint=hint)
        return (
            *check_overlap(self.program, self.placement, self.schedule),
            *check_races(self.program, self.placement, self.edges, self.schedule),
            *check_equivalence(self.program, self.placement, self.schedule),
        )


def applied(function: Function, layout: Layout, own: Machine | None = None) -> Placed:
    """Return the program of a kernel with what a layout says of it.

    Args:
        function: The kernel.
        layout: What is said.
        own: A machine of the user, for which the kernel may be written.

    Raises:
        KernelError: If the kernel makes no sense, or the layout names what the kernel
            does not have, says something twice, or waits in a circle.
    """
    machine = machine_among(function.machine, own)
    verify(function, machine)
    program = unroll(function, machine)
    errors: list[LocatedError] = []
    placement = _placement(program, layout, errors)
    edges = _edges(program, layout.waits or (), errors)
    queues = _queues(program, layout, errors)
    raise_all(errors)
    schedule = None if queues is None else _schedule(program, queues, edges, layout)
    return Placed(function, program, placement, edges, schedule)


_FIRST_PLACE: Final = {
    MemorySpace.DRAM: "dram byte 0",
    MemorySpace.SB: "sb part 0 byte 0",
    MemorySpace.PSUM: "psum part 0 bank 0",
}
"""How the first place of each space is written."""


def _without_place(program: Program, location: int) -> KernelError:
    tensor = program.function.tensors[program.location_tensor[location]]
    number = int(program.location_instance[location])
    where = instance_place(program.function, tensor, number)
    return KernelError(
        f"{tensor.name}{where} has no place",
        tensor.span,
        f"add one, as in: place {tensor.name} = {_FIRST_PLACE[tensor.space]}",
    )


def _loops(program: Program, tensor: MemoryLocationSet) -> tuple[Loop, ...]:
    return () if tensor.scope is None else program.function.nests[tensor.scope]


def _placement(
    program: Program, layout: Layout, errors: list[LocatedError]
) -> Placement:
    count = len(program.location_tensor)
    part, slot = np.zeros((2, count), np.int64)
    byte = np.full(count, -1, np.int64)
    rows = {tensor.name: row for row, tensor in enumerate(program.function.tensors)}
    for place in layout.places:
        row = rows.get(place.tensor)
        if row is None:
            known = f"the buffers of the kernel: {', '.join(rows)}"
            hint = nearest(place.tensor, rows) or known
            errors.append(KernelError(f"no buffer {place.tensor}", place.span, hint))
            continue
        tensor = program.function.tensors[row]
        if place.space is MemorySpace.DRAM and place.part:
            message = f"{place.tensor} is at partition {place.part}, and dram has none"
            errors.append(KernelError(message, place.span, "leave the `part` out"))
            continue
        begin, end = np.searchsorted(program.location_tensor, [row, row + 1]).tolist()
        mine = np.arange(begin, end)
        mistake = _mistake(program, tensor, place)
        if mistake is None and place.instance is not None:
            number = instance_at(program.function, tensor, place.instance) or 0
            here = np.searchsorted(program.location_instance[begin:end], number)
            mine = mine[here : here + 1]
            mine = mine[program.location_instance[mine] == number]
            if not len(mine):
                mistake = f"no operation touches an instance of {tensor.name} there"
        if mistake is None and (byte[mine] >= 0).any():
            mistake = f"{tensor.name} is placed twice"
        if mistake is not None:
            hint = "give each instance of a buffer one place"
            errors.append(KernelError(mistake, place.span, hint))
            continue
        turn = program.location_instance[mine] % (place.slots or 1)
        part[mine], byte[mine] = place.part, place.byte + turn * place.step_bytes
        slot[mine] = turn if place.slots else place.slot
    return Placement(part, byte, slot)


def _mistake(program: Program, tensor: MemoryLocationSet, place: Place) -> str | None:
    if place.space is not tensor.space:
        return f"{tensor.name} lives in {tensor.space.value}, not {place.space.value}"
    if place.instance is None:
        return None
    loops = _loops(program, tensor)
    if len(place.instance) != len(loops):
        given = len(place.instance)
        return (
            f"an instance of {tensor.name} is named by {len(loops)} loops, not {given}"
        )
    if instance_at(program.function, tensor, place.instance) is None:
        return f"{tensor.name} has no instance at {list(place.instance)}"
    return None


def _edges(
    program: Program, waits: tuple[Wait, ...], errors: list[LocatedError]
) -> Edges:
    iterations = Iterations(program)
    seen: set[tuple[int, int]] = set()
    kept: list[Wait] = []
    for wait in waits:
        mistake = _wait_mistake(program, iterations, wait, seen)
        if mistake is not None:
            errors.append(mistake)
            continue
        seen.add((wait.sink, wait.source))
        kept.append(wait)
    kept.sort(key=lambda wait: (wait.sink, wait.source))
    columns = [(wait.source, wait.sink, int(wait.kind)) for wait in kept]
    source, sink, kind = np.array(columns, np.int64).reshape(-1, 3).T
    return Edges(source, sink, kind)


def _wait_mistake(
    program: Program, iterations: Iterations, wait: Wait, seen: set[tuple[int, int]]
) -> KernelError | None:
    """Return what is wrong with an edge, or None."""
    name = f"edge {wait.sink} -> {wait.source}"
    for row in (wait.sink, wait.source):
        if row >= len(program):
            message = f"{name}: there is no instruction {row}"
            return KernelError(message, wait.span, _rows(program))
    if wait.sink == wait.source:
        message = f"{name} waits for itself"
        hint = "an edge is written WAITING -> WAITED FOR: name two instructions"
        return KernelError(message, wait.span, hint)
    if (wait.sink, wait.source) in seen:
        hint = "keep one edge of the two instructions"
        return KernelError(f"{name} is given twice", wait.span, hint)
    if wait.distance is None:
        return None
    apart = iterations.step(wait.source, wait.sink).distance
    if wait.distance == apart:
        return None
    message = f"{name} has the distance {apart}, not {wait.distance}"
    kind = wait.kind.name.lower()
    written = f" distance {apart}" if apart > 0 else ""
    hint = (
        "a distance counts iterations of the loops around both: "
        f"write edge {wait.sink} -> {wait.source} {kind}{written}"
    )
    return KernelError(message, wait.span, hint)


def _rows(program: Program) -> str:
    return f"rows of the program are 0 to {len(program) - 1}, in source order"


def _queues(
    program: Program, layout: Layout, errors: list[LocatedError]
) -> dict[int, list[int]] | None:
    """Return the rows of each engine in order; None if the layout has no order.

    The order of a program without instructions says nothing, so it is always there.
    """
    if layout.queues is None and len(program):
        return None
    queues: dict[int, list[int]] = {}
    left = set(range(len(program)))
    before = len(errors)
    for piece in layout.queues or ():
        engine = Engine[piece.engine.upper()]
        for row in piece.rows:
            mistake = None
            if row >= len(program):
                mistake = f"there is no instruction {row}"
            elif row not in left:
                mistake = f"instruction {row} is in the order twice"
            elif program.engine[row] != engine:
                theirs = Engine(int(program.engine[row])).text
                mistake = f"instruction {row} is of {theirs}, not {piece.engine}"
            if mistake is not None:
                hint = "name each instruction once, in the order of its own engine"
                errors.append(KernelError(mistake, piece.span, hint))
                continue
            left.discard(row)
            queues.setdefault(int(engine), []).append(row)
    if left and len(errors) == before:
        row = min(left)
        engine_name = Engine(int(program.engine[row])).text
        message = f"instruction {row} of {engine_name} is in no order"
        hint = f"add it: order {engine_name}: {row}"
        errors.append(KernelError(message, layout.span, hint))
    return queues


def _schedule(
    program: Program, queues: dict[int, list[int]], edges: Edges, layout: Layout
) -> Schedule:
    """Return the schedule in which each instruction starts as early as it can.

    Raises:
        KernelError: If queues and edges wait for one another in a circle.
    """
    start = np.full(len(program), -1, np.int64)
    for row, begin in _starts(program, queues, edges):
        start[row] = begin
    stuck = np.flatnonzero(start < 0)
    if len(stuck):
        raise _circle(set(stuck.tolist()), queues, edges, layout)
    return timed(program, start, "as-read")


def _starts(
    program: Program, queues: dict[int, list[int]], edges: Edges
) -> Iterator[tuple[int, int]]:
    """Yield each row whose start follows from earlier ones, and the start [ps]."""
    waits = np.bincount(edges.sink, minlength=len(program)).tolist()
    sinks: list[list[int]] = [[] for _ in range(len(program))]
    for source, sink in zip(edges.source.tolist(), edges.sink.tolist(), strict=True):
        sinks[source].append(sink)
    after: dict[int, int] = {}
    heads = [queue[0] for queue in queues.values()]
    for queue in queues.values():
        for row, following in pairwise(queue):
            after[row] = following
            waits[following] += 1
    busy, latency = program.busy_ps.tolist(), program.latency_ps.tolist()
    earliest = [0] * len(program)
    ready = [row for row in heads if not waits[row]]
    while ready:
        row = ready.pop()
        yield row, earliest[row]
        free = earliest[row] + busy[row]
        successors = [(sink, free + latency[row]) for sink in sinks[row]]
        if row in after:
            successors.append((after[row], free))
        for sink, moment in successors:
            earliest[sink] = max(earliest[sink], moment)
            waits[sink] -= 1
            if not waits[sink]:
                ready.append(sink)


def _circle(
    stuck: set[int], queues: dict[int, list[int]], edges: Edges, layout: Layout
) -> KernelError:
    """Return the error of instructions that wait for one another.

    Args:
        stuck: Rows of which each waits for another of them.
        queues: The rows of each engine in order.
        edges: What waits for what.
        layout: Where the edges stand.
    """
    waits_for: dict[int, int] = {}
    for queue in queues.values():
        pairs = pairwise(queue)
        waits_for |= {sink: source for source, sink in pairs if source in stuck}
    # An edge is preferred to the queue: it is what can be told and left out.
    for source, sink in zip(edges.source.tolist(), edges.sink.tolist(), strict=True):
        if source in stuck:
            waits_for[sink] = source
    row, path = min(stuck), dict[int, int]()
    while row not in path:
        path[row] = len(path)
        row = waits_for[row]
    circle = [one for one, place in path.items() if place >= path[row]]
    around = {(one, waits_for[one]) for one in circle}
    spans = {(wait.sink, wait.source): wait.span for wait in layout.waits or ()}
    sink, source = min(around & spans.keys())
    return KernelError(
        f"instruction {sink} waits for {source}, and {source} waits for {sink}, "
        f"through the order or other edges",
        spans[sink, source],
        "change the order of an engine, or leave the edge out",
    )
