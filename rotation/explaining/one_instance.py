"""Buffers that are one instance for all iterations of a loop, and need not be.

A buffer that is declared outside a loop is the same bytes in each of its iterations,
so an iteration waits until the one before has done with them. That wait is false if
each iteration writes all that it reads before it reads it: then every iteration may
have an instance of its own, which is what a declaration inside the loop says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rotation.errors import RotationError
from rotation.loop_form.calls import edited
from rotation.loop_form.kernel import (
    Function,
    Loop,
    MemoryLocationSet,
    Region,
)
from rotation.loop_form.trips import common_loops
from rotation.unrolled.footprint import Cells, logical_cells
from rotation.unrolled.program import Program
from rotation.unrolled.unroll import unroll


class Parted(NamedTuple):
    """A program in which each such buffer has an instance for each iteration.

    Attributes:
        program: The same rows; only its locations differ.
        cells: Its logical cells.
        loops: The loop into which each buffer was moved, by the name of the buffer.
    """

    program: Program
    cells: Cells
    loops: dict[str, Loop]


def parted(program: Program) -> Parted | None:
    """Return a program with its needlessly shared buffers parted; None without any.

    >>> from rotation import load
    >>> from rotation.machine.machine import get_machine
    >>> kernel = load("examples/stream_add.kernel")
    >>> parted(unroll(kernel, get_machine("planning"))) is None
    True
    """
    loops = needless(program)
    if not loops:
        return None
    moved = unroll(declared_inside(program.function, loops), program.machine)
    if not _has_same_rows(program, moved):
        return None
    cells = logical_cells(moved)
    return Parted(moved, cells, {t.name: loop for t, loop in loops.items()})


def needless(program: Program) -> dict[MemoryLocationSet, Loop]:
    """Return each buffer that could be declared in an inner loop, with that loop.

    It is the innermost loop around all uses in whose iterations everything that is
    read was written before. Buffers with a place of the user's, and those of which an
    operation selects an instance, stay where they are.
    """
    found = {}
    for tensor, loops in _inner_loops(program.function).items():
        for loop in reversed(loops):
            moved = declared_inside(program.function, {tensor: loop})
            if _makes_sense(moved, program):
                found[tensor] = loop
                break
    return found


def declared_inside(
    function: Function, loops: Mapping[MemoryLocationSet, Loop]
) -> Function:
    """Return a kernel in which some buffers are declared inside other loops.

    A ``ring`` of theirs was for the instances that they had, and is left out.
    """

    def moved(tensor: MemoryLocationSet) -> MemoryLocationSet:
        if tensor not in loops:
            return tensor
        return replace(tensor, scope=loops[tensor].index, ring_slots=None)

    return edited(function, tensor=moved)


def _makes_sense(function: Function, program: Program) -> bool:
    """Return whether all that is read was written before, in each instance."""
    try:
        unroll(function, program.machine)
    except RotationError:
        return False
    return True


def _has_same_rows(program: Program, other: Program) -> bool:
    return np.array_equal(program.statement, other.statement) and np.array_equal(
        program.iteration, other.iteration
    )


def _inner_loops(function: Function) -> dict[MemoryLocationSet, tuple[Loop, ...]]:
    """Return the loops around all uses of a buffer but not around its declaration."""
    shared: dict[MemoryLocationSet, tuple[Loop, ...]] = {}
    fixed: set[MemoryLocationSet] = set()
    for region, loops in _uses(function):
        tensor = region.tensor
        if region.instance is not None:
            fixed.add(tensor)
        shared[tensor] = common_loops(shared.get(tensor, loops), loops)
    # What a call declares, or hands on, stands in another kernel's text.
    bodies = (Function("", "", call.body) for call in function.calls)
    called = {tensor for body in bodies for tensor in body.tensors}
    handed = {tensor for call in function.calls for tensor in call.arguments}
    fixed |= called | handed
    inner = {}
    for tensor, loops in shared.items():
        outside = () if tensor.scope is None else function.nests[tensor.scope]
        deeper = loops[len(outside) :]
        if tensor.is_placed and tensor.pin is None and deeper and tensor not in fixed:
            inner[tensor] = deeper
    return inner


def _uses(function: Function) -> Iterator[tuple[Region, tuple[Loop, ...]]]:
    """Yield every region that is touched, and the loops around."""
    for instruction in function.instructions:
        for region in (*instruction.reads, *instruction.writes):
            yield region, function.loops_of[instruction]
    for choice, loops in function.choices.items():
        for region in choice.loaded:
            yield region, loops
