"""The kept form of a function: what passes make, and what checkers read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pelican.build import plain
from pelican.expr import AffineExpr, IntRuntimeValue
from pelican.kinds import constant
from pelican.node import Expr
from pelican.substitute import rebuild, smart
from rotation.binding import Arena
from rotation.kept.edges import LoopEdge
from rotation.kept.form import Straight, Tree
from rotation.kept.layout import Layout
from rotation.kept.rounds import Rounds
from rotation.kernel import Function, Loop, MemoryLocationSet
from rotation.machine import Machine


@dataclass(frozen=True, slots=True)
class RuntimeIndex:
    """The induction variable of a run-time loop, as a value of a register.

    Attributes:
        value: ``lo, lo + step, ...`` while the loop runs, without an upper end.
        upper: The register that holds the exclusive end.
    """

    value: IntRuntimeValue
    upper: IntRuntimeValue


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


def runtime_indices(function: Function) -> dict[Loop, RuntimeIndex]:
    """Return the run-time loops with the values that stand for their indices."""
    return {
        loop: RuntimeIndex(_value(loop), IntRuntimeValue(loop.bound))
        for nest in function.nests.values()
        for loop in nest
        if loop.bound is not None
    }


def _value(loop: Loop) -> IntRuntimeValue:
    index = loop.index
    return IntRuntimeValue(index.name, index.lo, None, index.step)


def widened(
    function: Function, layout: Layout
) -> dict[MemoryLocationSet, WidenedLocation]:
    """Return each buffer of a layout as equally spaced slots."""
    return {
        tensor: _widened(function, tensor, arena, layout.slots[tensor])
        for tensor, arena in layout.arenas.items()
    }


def _widened(
    function: Function, tensor: MemoryLocationSet, arena: Arena, slots: int
) -> WidenedLocation:
    slot: Expr = constant(0)
    if slots > 1:
        # A plain node: laws would drop the mod where the trips are few.
        slot = plain("%", instance_number(function, tensor), slots)
    base, stride = arena.base_bytes, arena.stride_bytes
    return WidenedLocation(tensor, base, stride, slots, slot, slot * stride + base)


def instance_number(function: Function, tensor: MemoryLocationSet) -> Expr:
    """Return the number of the current instance of a buffer: 0, 1, 2, ...

    Induction variables of run-time loops are read from registers. When one of them is
    not the outermost, its nest is counted by a register of its own, which runs on.
    """
    nest = () if tensor.scope is None else function.nests[tensor.scope]
    counted = max((d for d, n in enumerate(nest) if n.bound is not None), default=0)
    number: Expr = AffineExpr((), 0)
    if counted:
        number = IntRuntimeValue(counter_name(nest[counted]), 0)
    lowered: dict[Expr, Expr] = {n.index: _value(n) for n in nest if n.bound is not None}
    for depth, loop in enumerate(nest):
        if counted and depth <= counted:
            continue
        index = loop.index
        own = rebuild((index - (index.lo or 0)) // index.step, smart, lowered)
        number = number * loop.trip_count + own if depth else own
    return number


def counter_name(loop: Loop) -> str:
    """Return the name of the register that counts the trips of a loop in its nest."""
    return f"{loop.index.name}_count"
