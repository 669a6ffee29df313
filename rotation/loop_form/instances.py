"""Instances of a buffer: which one an operand means, and how it is named.

A buffer has an instance for each iteration of its scope loop and the loops outside
it. ``NAME@(EXPR)`` means that of another iteration: EXPR is a value of the index of
the scope loop, and may lie outside its range. All are numbered in source order,
``outer trip * width + trip of the scope loop``, from below 0 if one is selected before
the loop begins; slots are remainders of this number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pelican.expr import AffineExpr, AffineIdx
from pelican.expr.node import Expr
from pelican.tree.points import point_text
from rotation.columns import Ints
from rotation.loop_form.kernel import Function, Instruction, MemoryLocationSet, Region
from rotation.loop_form.loop_values import first_value, trip_at, value_at
from rotation.loop_form.trips import linear_trip, values_at


def instance_number(
    function: Function, tensor: MemoryLocationSet, at: Expr | None = None
) -> Expr:
    """Return the number of an instance of a buffer, an expression of the loops.

    Args:
        function: The function.
        tensor: One of its buffers.
        at: A value of the index of its scope loop; None for the current iteration.

    >>> from rotation import load
    >>> ring = load("examples/allreduce_ring_dram.kernel")
    >>> hop = next(t for t in ring.tensors if t.name == "hb")
    >>> print(instance_number(ring, hop))
    s
    >>> print(instance_number(ring, hop, at=hop.scope + 1))
    s + 1
    """
    if tensor.scope is None:
        return AffineExpr((), 0)
    span = function.instance_spans[tensor]
    *outside, loop = function.nests[tensor.scope]
    value = loop.index if at is None else at
    trip = trip_at(loop.index, value)
    return linear_trip(tuple(outside)) * span.width + trip


def region_number(function: Function, region: Region) -> Expr:
    """Return the number of the instance that an operand means."""
    at = None if region.instance is None else region.instance.expr
    return instance_number(function, region.tensor, at)


def instance_text(function: Function, tensor: MemoryLocationSet, number: int) -> str:
    """Return how the text selects an instance, and where it stands: ``hb@(3)``."""
    if tensor.scope is None:
        return tensor.name
    *outside, value = instance_values(function, tensor, number).items()
    return f"{tensor.name}@({value[1]}){_at(dict(outside))}"


def instance_place(function: Function, tensor: MemoryLocationSet, number: int) -> str:
    """Return where an instance stands: ``, at i = 3``; empty without loops."""
    return _at(instance_values(function, tensor, number))


def _at(values: Mapping[AffineIdx, int]) -> str:
    at = point_text(values)
    return f", at {at}" if at else ""


def instance_values(
    function: Function, tensor: MemoryLocationSet, number: int
) -> dict[AffineIdx, int]:
    """Return the values of the loops at an instance, from the outermost in.

    That of the scope loop may be one that it never has.
    """
    if tensor.scope is None:
        return {}
    *outside, loop = function.nests[tensor.scope]
    span = function.instance_spans[tensor]
    trip, own = divmod(number - span.first, span.width)
    value = value_at(loop.index, own + span.first)
    return {**values_at(tuple(outside), trip), loop.index: value}


def instance_columns(
    function: Function, tensor: MemoryLocationSet, numbers: Ints
) -> dict[AffineIdx, Ints]:
    """Return the values of the loops at some instances, (k,) each."""
    if tensor.scope is None:
        return {}
    *outside, loop = function.nests[tensor.scope]
    span = function.instance_spans[tensor]
    rest, own = np.divmod(numbers - span.first, span.width)
    index = loop.index
    values: dict[AffineIdx, Ints] = {}
    values[index] = value_at(index, own + span.first)
    for outer in reversed(outside):
        rest, trip = np.divmod(rest, outer.trip_count)
        values[outer.index] = value_at(outer.index, trip)
    return values


def instance_at(
    function: Function, tensor: MemoryLocationSet, values: Sequence[int]
) -> int | None:
    """Return the number of the instance at some values of the loops, outermost first.

    None if there is none.
    """
    if tensor.scope is None:
        return 0
    *outside, loop = function.nests[tensor.scope]
    span = function.instance_spans[tensor]
    spans = [*((each, 0, each.trip_count) for each in outside)]
    spans.append((loop, span.first, span.width))
    number = 0
    for (each, first, width), value in zip(spans, values, strict=True):
        trip, rest = divmod(value - first_value(each.index), each.index.step)
        if rest or not first <= trip < first + width:
            return None
        number = number * width + trip
    return number


def neighbours(function: Function) -> Iterator[tuple[Instruction, Region, Region]]:
    """Yield the operations with two operands that mean instances of one buffer.

    At least one of the two is selected by ``@``.
    """
    for instruction in function.instructions:
        regions = (*instruction.writes, *instruction.reads)
        for place, one in enumerate(regions):
            for other in regions[place + 1 :]:
                selects = one.instance is not None or other.instance is not None
                if one.tensor is other.tensor and selects:
                    yield instruction, one, other


def selected_tensors(function: Function) -> set[MemoryLocationSet]:
    """Return the buffers of which an operand selects an instance by ``@``."""
    return {
        region.tensor
        for instruction in function.instructions
        for region in (*instruction.writes, *instruction.reads)
        if region.instance is not None
    }
