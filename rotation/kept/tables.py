"""The unrolled program of given numbers, placed and ordered as the kept one is.

The tables are those of `rotation.unrolled.unroll`, so the three checkers run on them as
on any program: what is proved for all trip counts is seen at some of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from rotation.kept.data import KeptProgram, Node, Straight
from rotation.kept.registers import with_registers
from rotation.loop_form.kernel import EdgeKind, Engine, Function, Loop
from rotation.passes.perf_sim import simulate
from rotation.unrolled.program import Edges, Ints, Placement, Program, Schedule
from rotation.unrolled.unroll import unroll


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """An unrolled program with what the kept program says of it."""

    program: Program
    placement: Placement
    edges: Edges
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where each instruction of a program stands in the tree.

    Attributes:
        node: Ordinal of its straight node, (n,).
        op: Position of its operation in the node, (n,).
        run: Ordinal of the run of the node, in order of time, (n,).
        trip: Trip of the node's loop; 0 without one, (n,).
    """

    node: Ints
    op: Ints
    run: Ints
    trip: Ints


def tables_of(
    kept: KeptProgram, values: Mapping[str, int], program: Program | None = None
) -> Tables:
    """Return the tables for given numbers in the registers.

    Args:
        kept: The kept program.
        values: A number for each register.
        program: The unrolled program of these numbers, if it is there already.
    """
    if program is None:
        program = unroll(with_registers(kept.tree.function, values), kept.machine)
    columns = _columns(kept, program)
    order = _order(kept, columns)
    edges = _edges(kept, program, columns)
    nothing = np.zeros(len(program), np.int64)
    names = dict.fromkeys(rounds.priority for rounds in kept.rounds.values())
    queues = Schedule(order, nothing, 0, ", ".join(names))
    schedule = simulate(program, edges, queues)
    return Tables(program, placed(kept, program), edges, schedule)


def placed(kept: KeptProgram, program: Program) -> Placement:
    """Return where the locations of a program live."""
    by_name = {tensor.name: place for tensor, place in kept.locations.items()}
    places = [by_name.get(tensor.name) for tensor in program.function.tensors]
    table = np.array(
        [(p.base_bytes, p.stride_bytes, p.slots) if p else (-1, 0, 1) for p in places],
        np.int64,
    ).reshape(len(places), 3)
    base, stride, slots = table[program.location_tensor].T
    slot = program.location_instance % slots
    return Placement(np.zeros_like(slot), base + slot * stride, slot)


def _columns(kept: KeptProgram, program: Program) -> _Columns:
    """Return where each instruction stands, and number the runs of nodes."""
    n = len(program)
    node, op, trip = np.zeros((3, n), np.int64)
    depth = max(map(_depth, kept.tree.nodes), default=1)
    keys = np.zeros((n, 2 * depth), np.int64)
    paths = dict(_paths(kept.tree.nodes, ()))
    for ordinal, straight in enumerate(kept.tree.straights):
        position = {
            (o.instruction.name, o.trips): p for p, o in enumerate(straight.ops)
        }
        around = len(straight.outer)
        for statement, rows, trips in _executions(program, straight):
            inner = trips[around + (straight.loop is not None) :]
            name = program.function.instructions[statement].name
            numbers = zip(*(column.tolist() for column in inner), strict=True)
            unrolled = list(numbers) if inner else [()] * len(rows)
            node[rows] = ordinal
            op[rows] = [position[name, each] for each in unrolled]
            if straight.loop is not None:
                trip[rows] = trips[around]
            path = paths[straight]
            for level, place in enumerate(path):
                keys[rows, 2 * level] = place
                if level < around:
                    keys[rows, 2 * level + 1] = trips[level]
    _, run = np.unique(keys, axis=0, return_inverse=True)
    return _Columns(node, op, np.reshape(run, n), trip)


def _executions(
    program: Program, straight: Straight
) -> Iterator[tuple[int, Ints, list[Ints]]]:
    """Yield each statement of a node, its rows, and the trip of each loop of each."""
    names = {op.instruction.name for op in straight.ops}
    for statement, instruction in enumerate(program.function.instructions):
        if instruction.name not in names:
            continue
        rows = np.flatnonzero(program.statement == statement)
        loops = program.function.loops_of[instruction]
        yield statement, rows, _trips(program.function, loops, program.iteration[rows])


def _trips(function: Function, loops: tuple[Loop, ...], linear: Ints) -> list[Ints]:
    inside = prod(loop.trip_count for loop in loops)
    trips = []
    for loop in loops:
        inside //= loop.trip_count
        trips.append(linear // inside % loop.trip_count)
    return trips


def _depth(node: Node) -> int:
    if isinstance(node, Straight):
        return 1
    return 1 + max(map(_depth, node.nodes), default=0)


def _paths(
    nodes: tuple[Node, ...], path: tuple[int, ...]
) -> Iterator[tuple[Straight, tuple[int, ...]]]:
    """Yield each straight node with its place among its siblings, level by level."""
    for place, node in enumerate(nodes):
        if isinstance(node, Straight):
            yield node, (*path, place)
        else:
            yield from _paths(node.nodes, (*path, place))


def _order(kept: KeptProgram, columns: _Columns) -> Ints:
    """Return the instructions by run, then round, then place in the round."""
    number = np.zeros(len(columns.op), np.int64)
    place = np.zeros(len(columns.op), np.int64)
    for ordinal, straight in enumerate(kept.tree.straights):
        rounds = kept.rounds[straight]
        rows = np.flatnonzero(columns.node == ordinal)
        stage = np.array(rounds.stage, np.int64)
        number[rows] = columns.trip[rows] + stage[columns.op[rows]]
        place[rows] = np.array(rounds.place(), np.int64)[columns.op[rows]]
    return np.lexsort((place, number, columns.run))


def _edges(kept: KeptProgram, program: Program, columns: _Columns) -> Edges:
    """Return the edges inside runs, and those that make a run wait for all before."""
    sources, sinks, kinds = [], [], []
    for ordinal, straight in enumerate(kept.tree.straights):
        rows = np.flatnonzero(columns.node == ordinal)
        if not len(rows):
            continue
        trips = int(columns.trip[rows].max()) + 1
        runs, run = np.unique(columns.run[rows], return_inverse=True)
        table = np.full((len(runs), len(straight.ops), trips), -1, np.int64)
        table[run, columns.op[rows], columns.trip[rows]] = rows
        for edge in kept.edges[straight]:
            if edge.distance >= trips:
                continue
            source = table[:, edge.source, : trips - edge.distance].ravel()
            sink = table[:, edge.sink, edge.distance :].ravel()
            sources.append(source)
            sinks.append(sink)
            kinds.append(np.full(len(source), edge.kind, np.int64))
    none = np.zeros(0, np.int64)
    inside = Edges(*(np.concatenate([none, *c]) for c in (sources, sinks, kinds)))
    waits = _waits(kept, program, columns, inside)
    source = np.concatenate((inside.source, waits.source))
    sink = np.concatenate((inside.sink, waits.sink))
    kind = np.concatenate((inside.kind, waits.kind))
    by = np.lexsort((source, sink))
    return Edges(source[by], sink[by], kind[by])


def _waits(
    kept: KeptProgram, program: Program, columns: _Columns, inside: Edges
) -> Edges:
    """Return the ordered edges that keep one run of a node behind the one before.

    What nothing in its own run waits for is waited for by the first instruction of
    each engine of the next run; of an engine that completes in order the last one
    stands for all.
    """
    pending = np.ones(len(program), np.bool_)
    pending[inside.source] = False
    order = _order(kept, columns)
    cuts = np.flatnonzero(np.diff(columns.run[order])) + 1
    runs = np.split(order, cuts) if len(order) else []
    sources: list[int] = []
    sinks: list[int] = []
    before: list[int] = []
    for run in runs:
        firsts: dict[int, int] = {}
        lasts: dict[int, int] = {}
        for row, engine in zip(run.tolist(), program.engine[run].tolist(), strict=True):
            firsts.setdefault(engine, row)
            lasts[engine] = row
        for sink in firsts.values():
            sources += before
            sinks += [sink] * len(before)
        before = [r for e, r in lasts.items() if Engine(e).completes_in_order]
        transfers = [e for e in lasts if not Engine(e).completes_in_order]
        mine = run[np.isin(program.engine[run], transfers)]
        before += mine[pending[mine]].tolist()
    kind = np.full(len(sources), EdgeKind.ORDERED, np.int64)
    return Edges(np.array(sources, np.int64), np.array(sinks, np.int64), kind)
