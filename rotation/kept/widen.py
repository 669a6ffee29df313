"""LowerDynamicExprs: registers for induction variables, slots for buffers."""

from __future__ import annotations

from pelican.expr import AffineExpr, IntRuntimeValue
from pelican.expr.node import Expr
from pelican.questions.substitute import rebuild, smart
from pelican.tree.build import plain
from pelican.tree.kinds import constant
from rotation.kept.data import WidenedLocation, counter_name
from rotation.kept.layout import Layout
from rotation.loop_form.kernel import Function, MemoryLocationSet
from rotation.loop_form.loop_values import trip_at
from rotation.placement.binding import Arena


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
        number = IntRuntimeValue(counter_name(function, nest[counted]), 0)
    lowered: dict[Expr, Expr] = {
        n.index: IntRuntimeValue(n.index.name, n.index.lo, None, n.index.step)
        for n in nest
        if n.bound is not None
    }
    for depth, loop in enumerate(nest):
        if counted and depth <= counted:
            continue
        index = loop.index
        own = rebuild(trip_at(index, index), smart, lowered)
        number = number * loop.trip_count + own if depth else own
    return number
