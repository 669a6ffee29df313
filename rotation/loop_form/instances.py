"""Instances of a buffer: which one an operand means, and how long each is needed.

A buffer has an instance for each iteration of its scope loop and the loops outside
it. ``NAME@(EXPR)`` means that of another iteration: EXPR is a value of the index of
the scope loop, and may lie outside its range. All are numbered in source order,
``outer trip * width + trip of the scope loop``, from below 0 if one is selected before
the loop begins; slots are remainders of this number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush

import numpy as np

from pelican.expr import AffineExpr, AffineIdx
from pelican.node import Expr
from pelican.points import point_text
from rotation.loop_form.kernel import Function, Instruction, MemoryLocationSet, Region
from rotation.loop_form.trips import linear_trip, values_at
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Ints, Program


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
    trip = (value - (loop.index.lo or 0)) // loop.index.step
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
    value = (loop.index.lo or 0) + (own + span.first) * loop.index.step
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
    values[index] = (index.lo or 0) + (own + span.first) * index.step
    for outer in reversed(outside):
        rest, trip = np.divmod(rest, outer.trip_count)
        values[outer.index] = (outer.index.lo or 0) + trip * outer.index.step
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
        trip, rest = divmod(value - (each.index.lo or 0), each.index.step)
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


def least_slots(
    program: Program, intervals: LiveIntervals
) -> dict[MemoryLocationSet, int]:
    """Return the fewest slots that each ring must have, whatever it costs.

    It is one more than the largest distance of two instances that are needed at the
    same time in source order, so that every ring of at least as many slots is legal:
    1, unless ``@`` selects an instance of another iteration.

    Args:
        program: The program.
        intervals: Its live intervals.
    """
    least = dict.fromkeys(program.function.tensors, 1)
    selected = selected_tensors(program.function)
    for row, tensor in enumerate(program.function.tensors):
        if tensor in selected:
            mine = np.flatnonzero(program.location_tensor == row)
            columns = (intervals.first, intervals.last, program.location_instance)
            lives = sorted(zip(*(c[mine].tolist() for c in columns), strict=True))
            least[tensor] = 1 + _farthest_overlap(lives)
    return least


def slot_clash(
    program: Program, intervals: LiveIntervals, tensor: MemoryLocationSet, slots: int
) -> tuple[int, int] | None:
    """Return two locations of a ring that need one slot at the same time, or None.

    Args:
        program: The program.
        intervals: Its live intervals.
        tensor: The buffer.
        slots: Slots of its ring.
    """
    row = program.function.tensors.index(tensor)
    mine = np.flatnonzero(program.location_tensor == row)
    slot = program.location_instance[mine] % slots
    by = mine[np.lexsort((intervals.first[mine], slot))]
    same = np.diff(program.location_instance[by] % slots) == 0
    clash = np.flatnonzero(same & (intervals.first[by[1:]] <= intervals.last[by[:-1]]))
    if not len(clash):
        return None
    return int(by[clash[0]]), int(by[clash[0] + 1])


def _farthest_overlap(lives: list[tuple[int, int, int]]) -> int:
    """Return the largest distance of two instances whose lives overlap.

    Args:
        lives: (first, last, number) of each instance, by first.
    """
    lowest: list[tuple[int, int]] = []
    highest: list[tuple[int, int]] = []
    farthest = 0
    for first, last, number in lives:
        heappush(lowest, (number, last))
        heappush(highest, (-number, last))
        for heap in (lowest, highest):
            while heap[0][1] < first:
                heappop(heap)
        farthest = max(farthest, number - lowest[0][0], -highest[0][0] - number)
    return farthest
