"""Small programs, placements and schedules made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pelican.expr import AffineIV
from rotation.check import Hazard, check_overlap
from rotation.loop_form.kernel import (
    EdgeKind,
    Engine,
    Function,
    Instruction,
    Loop,
    MemoryLocationSet,
    MemorySpace,
    Region,
    Role,
)
from rotation.machine.machine import get_machine
from rotation.unrolled.program import Edges, Ints, Placement, Program, Schedule

LOOP = AffineIV("i", 0, 1_000_000)
"""The one loop of the programs made here; a tensor of this scope has instances."""


def dram(name: str, shape: Sequence[int], role: Role, dtype: str = "fp32"):
    """Return a DRAM tensor."""
    return MemoryLocationSet(name, MemorySpace.DRAM, tuple(shape), dtype, role)


def inner(name: str, shape: Sequence[int], dtype: str = "fp32"):
    """Return a DRAM buffer that nobody outside sees, new in each iteration."""
    tensor = dram(name, shape, Role.INTERNAL, dtype)
    return replace(tensor, scope=LOOP)


def sb(name: str, shape: Sequence[int], dtype: str = "fp32"):
    """Return an SB buffer with an instance in each iteration."""
    return MemoryLocationSet(name, MemorySpace.SB, tuple(shape), dtype, scope=LOOP)


def psum(name: str, shape: Sequence[int], dtype: str = "fp32"):
    """Return a PSUM buffer with an instance in each iteration."""
    return MemoryLocationSet(name, MemorySpace.PSUM, tuple(shape), dtype, scope=LOOP)


@dataclass(frozen=True)
class Touch:
    """A box of one instance of a tensor; the whole of it without `start`."""

    tensor: MemoryLocationSet
    instance: int = 0
    start: tuple[int, ...] | None = None
    extent: tuple[int, ...] | None = None

    @property
    def box(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Start and extent of each dimension."""
        shape = self.tensor.shape
        return self.start or (0,) * len(shape), self.extent or shape


@dataclass(frozen=True)
class Op:
    """One unrolled operation; operations of one name are one statement."""

    name: str
    engine: Engine
    writes: tuple[Touch, ...]
    reads: tuple[Touch, ...] = ()
    iteration: int = 0
    opcode: str | None = None
    accumulates: bool = False
    busy_ps: int = 10
    latency_ps: int = 0

    @property
    def touches(self) -> tuple[tuple[Touch, bool], ...]:
        """All accesses with whether they write, in the order of a program."""
        reads = (*self.reads, *(self.writes if self.accumulates else ()))
        return *((t, False) for t in reads), *((t, True) for t in self.writes)


def build(ops: Sequence[Op], machine: str = "planning") -> Program:
    """Return the program that runs some operations in this order."""
    touches = [(row, t, w) for row, op in enumerate(ops) for t, w in op.touches]
    tensors = list(dict.fromkeys(t.tensor for _, t, _ in touches))
    statements = {op.name: _statement(op) for op in reversed(ops)}
    names = list(dict.fromkeys(op.name for op in ops))
    loop = Loop(
        LOOP, (*(t for t in tensors if t.is_placed), *map(statements.get, names))
    )
    function = Function(
        "test", machine, (*(t for t in tensors if not t.is_placed), loop)
    )
    tensors = list(function.tensors)
    locations = sorted({(tensors.index(t.tensor), t.instance) for _, t, _ in touches})
    dims = max(len(t.shape) for t in tensors)
    boxes = [t.box for _, t, _ in touches]

    def padded(rows: Iterable[tuple[int, ...]], fill: int) -> Ints:
        return column((*row, *(fill,) * (dims - len(row))) for row in rows)

    return Program(
        function=function,
        machine=get_machine(machine),
        statement=column(names.index(op.name) for op in ops),
        iteration=column(op.iteration for op in ops),
        engine=column(op.engine for op in ops),
        busy_ps=column(op.busy_ps for op in ops),
        latency_ps=column(op.latency_ps for op in ops),
        access_instruction=column(row for row, _, _ in touches),
        access_location=column(
            locations.index((tensors.index(t.tensor), t.instance))
            for _, t, _ in touches
        ),
        access_is_write=np.array([w for _, _, w in touches], np.bool_),
        access_start=padded((start for start, _ in boxes), 0),
        access_extent=padded((extent for _, extent in boxes), 1),
        location_tensor=column(tensor for tensor, _ in locations),
        location_instance=column(instance for _, instance in locations),
    )


def private(program: Program) -> Placement:
    """Return a placement in which no two locations share a byte."""
    free = dict.fromkeys(MemorySpace, 0)
    byte = []
    for index in program.location_tensor.tolist():
        tensor = program.function.tensors[index]
        byte.append(free[tensor.space])
        rows = 1 if tensor.on_chip else tensor.shape[0]
        size_bytes = rows * tensor.bytes_per_partition
        if tensor.space is MemorySpace.PSUM:
            size_bytes = -(-size_bytes // 2048) * 2048
        free[tensor.space] += size_bytes
    zeros = np.zeros(len(byte), np.int64)
    return Placement(zeros, np.array(byte, np.int64), zeros)


def moved(
    program: Program,
    placement: Placement,
    to: Mapping[tuple[str, int], tuple[int, int]],
) -> Placement:
    """Return the placement with some instances moved.

    Args:
        program: The program.
        placement: Where the others stay.
        to: New (partition, byte) by (name of tensor, instance).
    """
    partition, byte = placement.partition.copy(), placement.byte.copy()
    for location, index in enumerate(program.location_tensor.tolist()):
        name = program.function.tensors[index].name
        key = name, int(program.location_instance[location])
        if key in to:
            partition[location], byte[location] = to[key]
    return Placement(partition, byte, placement.slot)


def in_rings(
    program: Program, slots: Mapping[str, int], size_bytes: int = 4096
) -> Placement:
    """Return the private placement, but with instances of some buffers in rings.

    Instance k of the b-th buffer is at byte ``(8*b + k mod slots) * size_bytes``.
    """
    names = [tensor.name for tensor in program.function.tensors]
    to = {
        (name, k): (0, (8 * names.index(name) + k % ring) * size_bytes)
        for name, ring in slots.items()
        for k in range(len(program.location_tensor))
    }
    return moved(program, private(program), to)


def stream(trips: int) -> Program:
    """Return a program that loads, doubles and stores a tile in each trip.

    Rows 3*i, 3*i + 1 and 3*i + 2 are the load, the operation and the store of trip i.
    Loads and stores have a queue each, so no store holds up a load.
    """
    x = dram("x", (128 * trips, 16), Role.INPUT)
    z = dram("z", (128 * trips, 16), Role.OUTPUT)
    xt, zt = sb("xt", (128, 16)), sb("zt", (128, 16))
    ops = []
    for i in range(trips):
        box = (128 * i, 0), (128, 16)
        load, double = (Touch(xt, i),), (Touch(zt, i),)
        ops += [
            Op("ld", Engine.DMA, load, (Touch(x, 0, *box),), i, latency_ps=30),
            Op("double", Engine.VECTOR, double, load, i),
            Op("st", Engine.CC, (Touch(z, 0, *box),), double, i, latency_ps=30),
        ]
    return build(ops)


def waits(pairs: Iterable[tuple[int, int]]) -> Edges:
    """Return edges in which the second of each pair waits for the first."""
    rows = sorted(set(pairs), key=lambda pair: pair[::-1])
    table = np.array(rows, np.int64).reshape(-1, 2)
    kind = np.full(len(table), EdgeKind.ORDERED, np.int64)
    return Edges(table[:, 0], table[:, 1], kind)


def in_turn(program: Program, order: Sequence[int] | None = None) -> Schedule:
    """Return the schedule that starts each instruction when the last is complete."""
    rows = np.arange(len(program)) if order is None else np.array(order, np.int64)
    spent = (program.busy_ps + program.latency_ps)[rows]
    start_ps = np.empty(len(program), np.int64)
    start_ps[rows] = np.cumsum(spent) - spent
    return Schedule(rows, start_ps, int(spent.sum()), "in-turn")


def at_once(program: Program, edges: Edges) -> Schedule:
    """Return the schedule in source order that only waits for edges and engines."""
    start_ps = [0] * len(program)
    free_ps: dict[int, int] = {}
    sources: dict[int, list[int]] = {}
    for source, sink in zip(edges.source.tolist(), edges.sink.tolist(), strict=True):
        sources.setdefault(sink, []).append(source)
    busy, latency = program.busy_ps.tolist(), program.latency_ps.tolist()
    for row, engine in enumerate(program.engine.tolist()):
        done = [start_ps[s] + busy[s] + latency[s] for s in sources.get(row, ())]
        start_ps[row] = max([0, free_ps.get(engine, 0), *done])
        free_ps[engine] = start_ps[row] + busy[row]
    starts = np.array(start_ps, np.int64)
    makespan_ps = int((starts + program.busy_ps + program.latency_ps).max())
    order = np.lexsort((np.arange(len(program)), program.engine, starts))
    return Schedule(order, starts, makespan_ps, "at-once")


def column(values: Iterable[object]) -> Ints:
    """Return a column of a table."""
    return np.array(list(values), np.int64)


def _statement(op: Op) -> Instruction:
    def region(touch: Touch) -> Region:
        return Region(touch.tensor, (), touch.box[1], touch.start is None)

    return Instruction(
        op.name,
        op.engine,
        op.opcode or op.name,
        tuple(map(region, op.writes)),
        tuple(map(region, op.reads)),
        (LOOP,) if op.accumulates else (),
    )


def kinds(hazards: Sequence[Hazard]) -> set[str]:
    """Return which checks found something."""
    return {hazard.check for hazard in hazards}


def found(program: Program, placement: Placement | None = None) -> list[Hazard]:
    """Return what check (a) finds when instructions run one after the other."""
    return check_overlap(program, placement or private(program), in_turn(program))
