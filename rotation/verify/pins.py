"""Check that the places which the user gives to buffers are places on the machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from pelican.expr import AffineIV
from pelican.expr.node import Expr
from pelican.questions.substitute import renamed, simplified
from pelican.tree.printing import brief_text
from rotation.errors import KernelError, raise_all
from rotation.loop_form.instances import instance_place
from rotation.loop_form.kernel import (
    Function,
    IndexExpr,
    MemoryLocationSet,
    MemorySpace,
    Pin,
)
from rotation.loop_form.loop_values import value_at
from rotation.loop_form.points import fits_64_bits
from rotation.machine.machine import Machine
from rotation.unrolled.liveness import live_intervals
from rotation.unrolled.pins import Pinned, pinned
from rotation.unrolled.program import Program
from rotation.verify.regions import find_outside

START_STEPS: Final = ((32, 32), (64, 64))
"""(rows, step): a tile of at most so many rows starts at a multiple of the step.

A larger one starts at partition 0.

Source: the partition start rule of the public kernel set, and the quadrants of the
modelled system (docs/trust.md).
"""

SB_STEP_BYTES: Final = 8
"""Placed tiles of SB start at multiples of it, as those of the allocator do."""


@dataclass(frozen=True, slots=True)
class PinCondition:
    """What must hold of one expression of a pin: ``0 <= expr <= last``.

    Attributes:
        what: What the expression is, such as ``bank of acc``.
        expr: The expression, or its remainder.
        last: Greatest value allowed.
        place: What was written.
        hint: What to write instead.
    """

    what: str
    expr: Expr
    last: int
    place: IndexExpr
    hint: str


def start_step(num_partitions: int) -> int | None:
    """Return of what the first partition of a tile is a multiple; None allows 0 only.

    >>> start_step(32), start_step(33), start_step(65)
    (32, 64, None)
    """
    return next((step for rows, step in START_STEPS if num_partitions <= rows), None)


def pin_conditions(
    function: Function, tensor: MemoryLocationSet, machine: Machine
) -> Iterator[PinCondition]:
    """Yield what must hold of the places of a buffer on a machine.

    They must for all instances, those that only ``@`` selects included.
    """
    pin = _for_all_instances(function, tensor)
    if pin is None:
        return
    if pin.bank is not None:
        width = -(-tensor.bytes_in_space // machine.psum_bank_bytes)
        last = machine.psum_banks - width
        hint = f"keep the bank in [0, {last}]: the tile takes {width}"
        yield PinCondition(
            f"bank of {tensor.name}", pin.bank.expr, last, pin.bank, hint
        )
    if pin.byte is not None:
        yield from _byte_conditions(tensor, machine, pin.byte)
    if pin.part is not None:
        yield from _part_conditions(tensor, machine, pin.part)


def _for_all_instances(function: Function, tensor: MemoryLocationSet) -> Pin | None:
    """Return the places of a buffer over a scope loop that has all its instances."""
    pin, scope = tensor.pin, tensor.scope
    if pin is None or scope is None:
        return pin
    span = function.instance_spans[tensor]
    if (span.first, span.width) == (0, scope.trip_count):
        return pin
    first = value_at(scope, span.first)
    past = first + (span.width - 1) * scope.step + 1
    wide = AffineIV(scope.name, first, past, scope.step, scope.depth)

    def over(place: IndexExpr | None) -> IndexExpr | None:
        if place is None:
            return None
        raw = renamed(place.raw, {scope: wide})
        return IndexExpr(raw, simplified(raw), place.span)

    return Pin(over(pin.bank), over(pin.byte), over(pin.part))


def _byte_conditions(
    tensor: MemoryLocationSet, machine: Machine, byte: IndexExpr
) -> Iterator[PinCondition]:
    what, size = f"byte of {tensor.name}", tensor.bytes_in_space
    in_psum = tensor.space is MemorySpace.PSUM
    room = (
        machine.psum_bytes_per_partition if in_psum else machine.sb_bytes_per_partition
    )
    last = room - size
    hint = f"keep the byte in [0, {last}]: the tile takes {size} of {room} bytes"
    yield PinCondition(what, byte.expr, last, byte, hint)
    step = tensor.elem_bytes if in_psum else SB_STEP_BYTES
    hint = f"start it at a multiple of {step} bytes"
    yield PinCondition(f"{what}, modulo {step}", byte.expr % step, 0, byte, hint)
    if in_psum:
        bank_bytes = machine.psum_bank_bytes
        hint = f"keep the tile inside a bank of {bank_bytes} bytes"
        if size > bank_bytes:
            hint = f"start it where a bank of {bank_bytes} bytes starts"
        offset = byte.expr % bank_bytes
        inside = max(0, bank_bytes - size)
        yield PinCondition(f"{what}, modulo {bank_bytes}", offset, inside, byte, hint)


def _part_conditions(
    tensor: MemoryLocationSet, machine: Machine, part: IndexExpr
) -> Iterator[PinCondition]:
    what, rows = f"first partition of {tensor.name}", tensor.num_partitions
    step = start_step(rows)
    last = 0 if step is None else machine.partitions_of(tensor.space) - rows
    starts = [0] if step is None else range(0, last + 1, step)
    named = ", ".join(map(str, starts))
    hint = f"a tile of {rows} partitions starts at {named}"
    yield PinCondition(what, part.expr, last, part, hint)
    if step is not None:
        yield PinCondition(f"{what}, modulo {step}", part.expr % step, 0, part, hint)


def pin_mistakes(
    function: Function, tensor: MemoryLocationSet, machine: Machine
) -> Iterator[KernelError]:
    """Yield what is provably wrong with the places of a buffer on a machine.

    The first condition of each expression that fails is told, and no other of it.
    """
    wrong: set[int] = set()
    for condition in pin_conditions(function, tensor, machine):
        span = condition.place.span
        if id(condition.place) in wrong:
            continue
        if not fits_64_bits(condition.place.expr):
            wrong.add(id(condition.place))
            message = f"the {condition.what} needs more than 64 bits"
            yield KernelError(message, span, "make the numbers in it smaller")
            continue
        outside = (
            (0, "")
            if condition.last < 0
            else find_outside(condition.expr, condition.last)
        )
        if outside is not None:
            wrong.add(id(condition.place))
            value, where = outside
            text = brief_text(condition.place.raw)
            yield KernelError(
                f"the {condition.what} is {value}{where}, from {text}",
                span,
                condition.hint,
            )


def verify_pins(program: Program) -> None:
    """Raise unless pinned locations that are alive together share no byte.

    Raises:
        KernelError: With the first such pair of each two buffers.
    """
    places = pinned(program)
    if places.here.any():
        raise_all(list(_clashes(program, places)))


def _clashes(program: Program, places: Pinned) -> Iterator[KernelError]:
    lives = live_intervals(program)
    tensors = program.function.tensors
    rows = np.flatnonzero(places.here)
    rows = rows[np.argsort(lives.first[rows], kind="stable")]
    told: set[tuple[int, int]] = set()
    alive: list[int] = []
    for row in rows.tolist():
        alive = [one for one in alive if lives.last[one] >= lives.first[row]]
        for one in alive:
            pair = int(program.location_tensor[one]), int(program.location_tensor[row])
            if pair in told or not _share(program, places, one, row):
                continue
            told.add(pair)
            tensor = tensors[pair[1]]
            yield KernelError(
                f"{_name(program, row)} is put on {_name(program, one)}, which is "
                "still in use",
                tensor.span,
                "give them different places, or more of them",
            )
        alive.append(row)


def _share(program: Program, places: Pinned, one: int, other: int) -> bool:
    """Return whether two pinned locations have a byte in common."""
    tensors = program.function.tensors
    mine = tensors[program.location_tensor[one]]
    theirs = tensors[program.location_tensor[other]]
    if mine.space is not theirs.space:
        return False
    apart = (
        (places.byte, mine.bytes_in_space, theirs.bytes_in_space),
        (places.partition, mine.num_partitions, theirs.num_partitions),
    )
    return all(
        start[one] < start[other] + their_size and start[other] < start[one] + my_size
        for start, my_size, their_size in apart
    )


def _name(program: Program, location: int) -> str:
    tensor = program.function.tensors[program.location_tensor[location]]
    number = int(program.location_instance[location])
    where = instance_place(program.function, tensor, number)
    return f"{tensor.name}{where.replace(', at', ' at', 1)}"
