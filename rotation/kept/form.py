"""The tree of a function with run-time loops, and the operations of its bodies.

A `Straight` node runs its operations once, or once in each trip of its loop; a
`Sequential` node runs its nodes one after the other in each trip of its loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from pelican.expr import AffineIV
from pelican.kinds import constant
from pelican.node import Expr
from pelican.substitute import rebuild, smart
from rotation.kernel import (
    Function,
    Instruction,
    Loop,
    MemoryLocationSet,
    Region,
    Statement,
)
from rotation.unroll import count_instructions

MAX_BODY: Final = 96
"""Most operations of the body of a straight loop.

Its dependences are found and proved pair by pair.
"""


@dataclass(frozen=True, slots=True, eq=False)
class BodyAccess:
    """One operand of one operation of a straight node.

    At trip k of the node's loop it touches instance ``per_trip * (c + k) + offset`` of
    the buffer, where c counts the trips that the loop had before in its nest. A
    buffer of a scope outside the node has ``per_trip`` 0 and ``offset`` 0: it is the
    same instance in all trips.

    Attributes:
        region: As written.
        starts: First element of each dimension, with the indices of unrolled loops
            replaced by their numbers [elements].
        is_write: True for a destination. A destination that is added to has a read
            of its own.
        per_trip: Instances of the buffer that one trip of the loop makes, >= 0.
        offset: Number of this one among them.
        own: True if the buffer is new in each trip, or each run, of the node.
    """

    region: Region
    starts: tuple[Expr, ...]
    is_write: bool
    per_trip: int
    offset: int
    own: bool

    @property
    def tensor(self) -> MemoryLocationSet:
        """The buffer."""
        return self.region.tensor


@dataclass(frozen=True, slots=True, eq=False)
class BodyOp:
    """One operation of a straight node.

    Attributes:
        instruction: As written.
        trips: Trip number of each unrolled loop around it, from the outermost in.
        accesses: What it reads, then what it writes.
    """

    instruction: Instruction
    trips: tuple[int, ...]
    accesses: tuple[BodyAccess, ...]

    @property
    def name(self) -> str:
        """Its id, with the trips of unrolled loops: ``mm[0, 3]``."""
        at = f"[{', '.join(map(str, self.trips))}]" if self.trips else ""
        return self.instruction.name + at


@dataclass(frozen=True, slots=True, eq=False)
class Straight:
    """Operations in source order.

    Attributes:
        loop: The loop whose body they are; None if they run once.
        outer: The loops around the node, from the outermost in, without `loop`.
        ops: The operations.
    """

    loop: Loop | None
    outer: tuple[Loop, ...]
    ops: tuple[BodyOp, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sequential:
    """A loop over nodes, which run one after the other in each trip."""

    loop: Loop
    nodes: tuple[Node, ...]


Node = Straight | Sequential


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The nodes of a function, in order."""

    function: Function
    nodes: tuple[Node, ...]

    @property
    def straights(self) -> tuple[Straight, ...]:
        """The straight nodes, in order."""
        return tuple(_straights(self.nodes))


def _straights(nodes: tuple[Node, ...]) -> Iterator[Straight]:
    for node in nodes:
        if isinstance(node, Straight):
            yield node
        else:
            yield from _straights(node.nodes)


def tree_of(function: Function) -> Tree:
    """Return the tree of a function."""
    return Tree(function, _nodes(function, function.body, ()))


def _nodes(
    function: Function, body: tuple[Statement, ...], outer: tuple[Loop, ...]
) -> tuple[Node, ...]:
    nodes: list[Node] = []
    run: list[Statement] = []

    def flush() -> None:
        ops = tuple(_ops(function, tuple(run), outer, None))
        if ops:
            nodes.append(Straight(None, outer, ops))
        run.clear()

    for statement in body:
        if not isinstance(statement, Loop):
            run.append(statement)
        elif _static(statement) and count_instructions((statement,)) <= MAX_BODY:
            run.append(statement)
        else:
            flush()
            nodes.append(_loop_node(function, statement, outer))
    flush()
    return tuple(nodes)


def _loop_node(function: Function, loop: Loop, outer: tuple[Loop, ...]) -> Node:
    inner = (s for s in loop.body if isinstance(s, Loop))
    if all(map(_static, inner)) and count_instructions(loop.body) <= MAX_BODY:
        return Straight(loop, outer, tuple(_ops(function, loop.body, outer, loop)))
    return Sequential(loop, _nodes(function, loop.body, (*outer, loop)))


def _static(statement: Statement) -> bool:
    """Return whether nothing in a statement runs to a register."""
    if not isinstance(statement, Loop):
        return True
    return statement.bound is None and all(map(_static, statement.body))


def _ops(
    function: Function,
    body: tuple[Statement, ...],
    outer: tuple[Loop, ...],
    loop: Loop | None,
) -> Iterator[BodyOp]:
    """Yield the operations of a body with its static loops unrolled."""
    around = len(outer) + (loop is not None)
    yield from _unrolled(function, body, around, loop, ())


def _unrolled(
    function: Function,
    body: tuple[Statement, ...],
    around: int,
    loop: Loop | None,
    trips: tuple[int, ...],
) -> Iterator[BodyOp]:
    for statement in body:
        if isinstance(statement, Loop):
            for trip in range(statement.trip_count):
                inner = (*trips, trip)
                yield from _unrolled(function, statement.body, around, loop, inner)
        elif isinstance(statement, Instruction):
            yield _op(function, statement, around, loop, trips)


def _op(
    function: Function,
    instruction: Instruction,
    around: int,
    loop: Loop | None,
    trips: tuple[int, ...],
) -> BodyOp:
    unrolled = function.loops_of[instruction][around:]
    values: dict[Expr, Expr] = {
        n.index: constant((n.index.lo or 0) + trip * n.index.step)
        for n, trip in zip(unrolled, trips, strict=True)
    }
    own = {n.index: trip for n, trip in zip(unrolled, trips, strict=True)}

    def access(region: Region, *, is_write: bool) -> BodyAccess:
        starts = tuple(rebuild(s.expr, smart, values) for s in region.starts)
        place = _instance(function, region.tensor.scope, around, loop, own)
        return BodyAccess(region, starts, is_write, *place)

    added = instruction.writes if _adds(instruction, own) else ()
    reads = (access(r, is_write=False) for r in (*instruction.reads, *added))
    writes = (access(r, is_write=True) for r in instruction.writes)
    return BodyOp(instruction, trips, (*reads, *writes))


def _adds(instruction: Instruction, own: dict[AffineIV, int]) -> bool:
    """Return whether an operation may add to its destination at these trips."""
    return any(own.get(index, 1) > 0 for index in instruction.accumulates)


def _instance(
    function: Function,
    scope: AffineIV | None,
    around: int,
    loop: Loop | None,
    own: dict[AffineIV, int],
) -> tuple[int, int, bool]:
    """Return instances in a trip, the number of this one, and if it is new in it."""
    nest = () if scope is None else function.nests[scope]
    inside = nest[around:]
    if not inside and (loop is None or loop not in nest):
        return 0, 0, False
    offset = 0
    for each in inside:
        offset = offset * each.trip_count + own[each.index]
    return prod(each.trip_count for each in inside), offset, True


def static_trips(loops: tuple[Loop, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the trip numbers of a static nest, in source order."""
    yield from product(*(range(loop.trip_count) for loop in loops))
