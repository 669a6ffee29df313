"""The kept form of a function: what passes make, and what checkers read.

A `Straight` node runs its operations once, or once in each trip of its loop; a
`Sequential` node runs its nodes one after the other in each trip of its loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pelican.expr.node import Expr
from rotation.loop_form.kernel import (
    EdgeKind,
    Function,
    Instruction,
    Loop,
    MemoryLocationSet,
    Region,
)
from rotation.machine.machine import Machine


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

    @property
    def loops(self) -> tuple[Loop, ...]:
        """All loops around its operations that are kept, from the outermost in."""
        return self.outer if self.loop is None else (*self.outer, self.loop)


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


@dataclass(frozen=True, slots=True, order=True)
class LoopEdge:
    """One dependence of a straight node.

    Attributes:
        sink: Position of the operation that waits.
        source: Position of the operation that is waited for.
        distance: Trips from the source to the sink, >= 0; 0 without a loop.
        kind: Why it waits.
    """

    sink: int
    source: int
    distance: int
    kind: EdgeKind


@dataclass(frozen=True, slots=True)
class Rounds:
    """How the trips of a loop overlap.

    Attributes:
        stage: Stage of each operation, >= 0.
        order: Operations in the order of a round.
        priority: How it was found.
    """

    stage: tuple[int, ...]
    order: tuple[int, ...]
    priority: str

    @property
    def num_stages(self) -> int:
        """Number of stages; there are ``trips + num_stages - 1`` rounds."""
        return max(self.stage, default=0) + 1

    def place(self) -> tuple[int, ...]:
        """Return the place of each operation in a round."""
        place = [0] * len(self.order)
        for position, op in enumerate(self.order):
            place[op] = position
        return tuple(place)


@dataclass(frozen=True, slots=True, eq=False)
class WidenedLocation:
    """A buffer as equally spaced slots.

    Attributes:
        tensor: The buffer.
        base_bytes: First byte of slot 0, in each partition of its space.
        stride_bytes: Distance of two slots.
        slots: Number of slots, >= 1.
        slot: The slot of the current instance: ``k mod slots``, a ``ModuloExpr``
            whose denominator is `slots`; 0 for one slot.
        address: ``base_bytes + stride_bytes * slot``.
    """

    tensor: MemoryLocationSet
    base_bytes: int
    stride_bytes: int
    slots: int
    slot: Expr
    address: Expr


@dataclass(frozen=True, slots=True, eq=False)
class KeptProgram:
    """A function with its loops kept: placed, ordered, with its dependences.

    Attributes:
        tree: The nodes of the function.
        machine: Where it runs.
        locations: Where each buffer that is used lives.
        rounds: How the trips of each straight node overlap.
        edges: The dependences of each straight node.
    """

    tree: Tree
    machine: Machine
    locations: Mapping[MemoryLocationSet, WidenedLocation]
    rounds: Mapping[Straight, Rounds]
    edges: Mapping[Straight, tuple[LoopEdge, ...]]


def counter_name(function: Function, loop: Loop) -> str:
    """Return the name of the register that counts the trips of a loop in its nest.

    It runs on over the nest, and has the name of no induction variable.
    """
    taken = {index.name for index in function.nests}
    name = f"{loop.index.name}_count"
    while name in taken:
        name += "_"
    return name
