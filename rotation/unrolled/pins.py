"""Pins: places that the user gives to the instances of a buffer.

A pinned location is bound where its declaration says and never moves. The bytes that
pins cover are kept free of every other buffer for the whole kernel; pinned buffers may
share bytes with one another, as long as they are not alive together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pelican.tree.traverse import fold
from rotation.loop_form.instances import instance_columns
from rotation.loop_form.kernel import IndexExpr, MemoryLocationSet, MemorySpace
from rotation.rounding import round_up
from rotation.unrolled.program import Bools, Ints, Program


@dataclass(frozen=True, slots=True, eq=False)
class Pinned:
    """The places of the pinned locations of a program; l locations in all.

    Attributes:
        here: True for a location that is pinned, (l,).
        partition: First partition, (l,); 0 where not pinned.
        byte: First byte in each partition, (l,); -1 where not pinned.
        slot: Ordinal of the place among those of its buffer, (l,), >= 0.
    """

    here: Bools
    partition: Ints
    byte: Ints
    slot: Ints


def pinned(program: Program) -> Pinned:
    """Return where the user put the locations of a program."""
    count = len(program.location_tensor)
    found = Pinned(
        np.zeros(count, np.bool_),
        np.zeros(count, np.int64),
        np.full(count, -1, np.int64),
        np.zeros(count, np.int64),
    )
    for tensor, rows in _pinned_rows(program):
        instances = _instances(program, tensor, rows)
        part, byte = _places(program, tensor, instances)
        at = np.searchsorted(instances, program.location_instance[rows])
        found.here[rows] = True
        found.partition[rows], found.byte[rows] = part[at], byte[at]
        found.slot[rows] = _ordinals(part, byte)[at]
    return found


def _pinned_rows(program: Program) -> Iterator[tuple[MemoryLocationSet, Ints]]:
    """Yield the pinned buffers that the program touches, with their locations."""
    for row, tensor in enumerate(program.function.tensors):
        rows = np.flatnonzero(program.location_tensor == row)
        if tensor.pin is not None and len(rows):
            yield tensor, rows


def place_count(program: Program, tensor: MemoryLocationSet) -> int:
    """Return how many places the user gives to the instances of a pinned buffer.

    A buffer that the program does not touch has one.
    """
    for other, rows in _pinned_rows(program):
        if other is tensor:
            instances = _instances(program, tensor, rows)
            return int(_ordinals(*_places(program, tensor, instances)).max()) + 1
    return 1


def reserved_bytes(program: Program, space: MemorySpace) -> list[tuple[int, int]]:
    """Return the byte ranges of a space that pins cover: (first, one past the last).

    They are apart from one another and ascending. In PSUM whole banks are reserved,
    since no bank holds buffers of the user's and of the allocator's.
    """
    unit = program.machine.psum_bank_bytes if space is MemorySpace.PSUM else 1
    found: set[tuple[int, int]] = set()
    for tensor, rows in _pinned_rows(program):
        if tensor.space is not space:
            continue
        size = tensor.bytes_in_space
        instances = _instances(program, tensor, rows)
        for byte in np.unique(_places(program, tensor, instances)[1]).tolist():
            found.add((byte // unit * unit, round_up(byte + size, unit)))
    return list(_merged(sorted(found)))


def _merged(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield sorted ranges, those that touch or overlap as one."""
    current: tuple[int, int] | None = None
    for begin, end in ranges:
        if current is not None and begin <= current[1]:
            current = (current[0], max(current[1], end))
            continue
        if current is not None:
            yield current
        current = (begin, end)
    if current is not None:
        yield current


def _instances(program: Program, tensor: MemoryLocationSet, rows: Ints) -> Ints:
    """Return all instances of a buffer, ascending, those of other programs included.

    A program may be a part of another; places are counted alike in both.
    """
    span = program.function.instance_spans[tensor]
    every = span.first + np.arange(span.count)
    return np.union1d(every, program.location_instance[rows])


def _places(
    program: Program, tensor: MemoryLocationSet, instances: Ints
) -> tuple[Ints, Ints]:
    """Return first partition and byte of some instances of a pinned buffer, (k,).

    The expressions are taken as they were written: what was simplified holds only for
    the values of the scope loop, and ``@`` may select others.
    """
    machine = program.machine
    values = instance_columns(program.function, tensor, instances)

    def column(place: IndexExpr) -> Ints:
        folded = np.asarray(fold(place.raw, values.__getitem__), np.int64)
        return np.broadcast_to(folded, instances.shape)

    pin = tensor.pin
    if pin is None:
        raise ValueError(f"{tensor.name} is not pinned")
    byte = np.zeros_like(instances)
    if pin.bank is not None:
        byte = column(pin.bank) * machine.psum_bank_bytes
    if pin.byte is not None:
        byte = column(pin.byte)
    part = np.zeros_like(instances) if pin.part is None else column(pin.part)
    return part, byte


def _ordinals(part: Ints, byte: Ints) -> Ints:
    """Return the ordinal of each place among the different ones, by byte, then part."""
    both = np.stack([byte, part], axis=1)
    return np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
