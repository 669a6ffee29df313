"""Carried values: buffers whose contents cross the iterations of a loop."""

from __future__ import annotations

from collections.abc import Iterator

from rotation.loop_form.kernel import (
    Call,
    Function,
    If,
    Instruction,
    Loop,
    MemoryLocationSet,
    Statement,
)


def carried_tensors(function: Function) -> set[MemoryLocationSet]:
    """Return the buffers that carry a value from iteration to iteration in one slot.

    Such a buffer is defined outside some loop, whose body touches it first by a read
    and writes it: each iteration needs what the one before has left. No ring can give
    it another slot. What `@` selects is another instance, and is not counted.

    >>> from rotation import load
    >>> ring = load("examples/allreduce_ring_dram.kernel")
    >>> sorted(tensor.name for tensor in carried_tensors(ring))
    ['ac']
    """
    carried: set[MemoryLocationSet] = set()
    for index, nest in function.nests.items():
        loop = nest[-1]
        first_is_read: dict[MemoryLocationSet, bool] = {}
        written: set[MemoryLocationSet] = set()
        for instruction in _instructions(loop.body):
            adds = index in instruction.accumulates
            reads = [r for r in instruction.reads if r.instance is None]
            writes = [w for w in instruction.writes if w.instance is None]
            for region in (*reads, *(writes if adds else ())):
                first_is_read.setdefault(region.tensor, True)
            for region in writes:
                first_is_read.setdefault(region.tensor, False)
                written.add(region.tensor)
        carried |= {
            tensor
            for tensor in written
            if first_is_read[tensor] and loop in _loops_inside(function, tensor)
        }
    return carried


def _instructions(body: tuple[Statement, ...]) -> Iterator[Instruction]:
    """Yield the instructions of a body, in order."""
    for statement in body:
        if isinstance(statement, Loop | Call):
            yield from _instructions(statement.body)
        elif isinstance(statement, If):
            yield from _instructions(statement.then)
            yield from _instructions(statement.otherwise)
        elif isinstance(statement, Instruction):
            yield statement


def _loops_inside(function: Function, tensor: MemoryLocationSet) -> set[Loop]:
    """Return the loops through whose iterations an instance of a buffer lives."""
    outside = () if tensor.scope is None else function.nests[tensor.scope]
    return {nest[-1] for nest in function.nests.values() if nest[-1] not in outside}
