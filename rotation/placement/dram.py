"""DRAM: where the compiler puts buffers that nobody outside sees.

What the outside world sees is bound first, one tensor after another. Above it begins
the rotation window, in which a cursor gives each buffer the room of its ring. It goes
on from where the last buffer ended; at the end of the window it wraps, and a buffer
then gets bytes only where nothing is that lives at the same time. Never does one
reach past the end of the window.

Source: the DRAM rotation of the modelled system (docs/trust.md). What its cursor does
at the end of the window is not told; this is the safe reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from rotation.allocation import allocate, buffers
from rotation.errors import ArgumentError
from rotation.loop_form.kernel import MemorySpace
from rotation.machine.machine import DRAM_WINDOW_BYTES, Machine
from rotation.rounding import round_up
from rotation.unrolled.liveness import LiveIntervals, live_intervals
from rotation.unrolled.program import Placement, Program

DRAM_ALIGNMENT_BYTES: Final = 4096
"""DRAM regions start on it.

Source: the DRAM allocator of the modelled system (docs/trust.md).
"""

GIB: Final = 2**30

MAX_WINDOW_GIB: Final = DRAM_WINDOW_BYTES // GIB
"""The largest rotation window, and the one that is taken unless another is asked for.

Source: the modelled system asserts it, since the runtime complains beyond it.
"""

SMALLEST: Final = -1
"""The window that asks for the smallest size: what is in use before rotation."""


class Request(NamedTuple):
    """Room that is asked for, and from where to where it is in use, both included."""

    size_bytes: int
    alignment_bytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CursorPacking:
    """An offset for each request.

    Attributes:
        offsets_bytes: One for each request, in their order. One that has no room
            inside the window stands behind it.
        fit: True if all have room.
    """

    offsets_bytes: tuple[int, ...]
    fit: bool


def window_bytes_of(size_gib: int) -> int | None:
    """Return the bytes of a rotation window; None for the smallest.

    Raises:
        ArgumentError: If it is neither 1 to 8 nor -1.

    >>> window_bytes_of(2)
    2147483648
    """
    if size_gib == SMALLEST:
        return None
    if size_gib not in range(1, MAX_WINDOW_GIB + 1):
        message = f"the dram rotation window is {size_gib!r} GiB"
        hint = (
            f"give 1 to {MAX_WINDOW_GIB}, since beyond {MAX_WINDOW_GIB}G the runtime "
            "complains, or -1 for what is in use before rotation"
        )
        raise ArgumentError(message, hint=hint)
    return size_gib * GIB


def packed_by_cursor(requests: Sequence[Request], window_bytes: int) -> CursorPacking:
    """Return the packing of a cursor that runs through a window and wraps.

    >>> life = [(0, 3), (1, 4), (5, 6)]
    >>> packed_by_cursor([Request(40, 8, *each) for each in life], window_bytes=100)
    CursorPacking(offsets_bytes=(0, 40, 0), fit=True)
    """
    taken: list[tuple[int, Request]] = []
    offsets: list[int] = []
    cursor, behind = 0, window_bytes
    for request in requests:
        offset = from_cursor(request, cursor, window_bytes, taken)
        if offset is None:
            offset = round_up(behind, request.alignment_bytes)
            behind = offset + request.size_bytes
        else:
            cursor = offset + request.size_bytes
            taken.append((offset, request))
        offsets.append(offset)
    return CursorPacking(tuple(offsets), behind == window_bytes)


def from_cursor(
    request: Request, cursor: int, window_bytes: int, taken: list[tuple[int, Request]]
) -> int | None:
    """Return the first free offset from the cursor on, then from the beginning.

    Args:
        request: What needs room.
        cursor: Offset in the window where the last one ended [bytes].
        window_bytes: Size of the window.
        taken: Others with their offsets; they count while they are in use with it.

    Returns:
        An offset inside the window; None if there is none.
    """
    together = [
        (offset, offset + other.size_bytes)
        for offset, other in taken
        if other.first <= request.last and request.first <= other.last
    ]
    ends = sorted(end for _, end in together)
    for start in (cursor, 0):
        for candidate in (start, *(end for end in ends if end > start)):
            offset = round_up(candidate, request.alignment_bytes)
            end = offset + request.size_bytes
            if end > window_bytes:
                break
            if all(end <= begin or offset >= stop for begin, stop in together):
                return offset
    return None


def visible_rows(program: Program) -> list[int]:
    """Return the rows of the DRAM tensors in use that the outside sees."""
    tensors = program.function.tensors
    touched = program.touched_tensors().tolist()
    return [row for row in touched if not tensors[row].is_placed]


def visible_end_bytes(program: Program) -> int:
    """Return where the rotation window begins: behind all that the outside sees."""
    tensors = program.function.tensors
    return sum(
        round_up(tensors[row].bytes_in_space, DRAM_ALIGNMENT_BYTES)
        for row in visible_rows(program)
    )


def rotation_window(program: Program, machine: Machine) -> tuple[int, int]:
    """Return the first byte of the rotation window of a program, and its end."""
    begin = visible_end_bytes(program)
    return begin, begin + rotation_window_bytes(program, machine)


def rotation_window_bytes(program: Program, machine: Machine) -> int:
    """Return the bytes of the rotation window of a program."""
    if machine.dram_window_bytes is None:
        return _unrotated_bytes(program)
    return machine.dram_window_bytes


@lru_cache(maxsize=1)
def _unrotated_bytes(program: Program) -> int:
    """Return what the buffers of the compiler take in DRAM when packed by life."""
    tensors = program.function.tensors
    lives = dram_lives(program)
    inner = [t.space is MemorySpace.DRAM and t.is_placed for t in tensors]
    rows = np.flatnonzero(np.array(inner, np.bool_)[program.location_tensor])
    sizes = np.array([tensor.bytes_in_space for tensor in tensors], np.int64)
    table = buffers(
        lives.first[rows],
        lives.last[rows] + 1,
        sizes[program.location_tensor[rows]],
        alignment=DRAM_ALIGNMENT_BYTES,
    )
    return round_up(allocate(table).peak, DRAM_ALIGNMENT_BYTES)


@lru_cache(maxsize=1)
def dram_lives(program: Program) -> LiveIntervals:
    """Return from where to where each location needs bytes of its own in DRAM.

    These are the first and the last use in source order. What distinct rows are
    scattered into, in any order, shares bytes with nothing.
    """
    intervals = live_intervals(program)
    instructions = program.function.instructions
    scattered = {instructions[each].writes[0].tensor for each in program.distinct}
    tensors = program.function.tensors
    rows = [row for row, tensor in enumerate(tensors) if tensor in scattered]
    always = np.isin(program.location_tensor, rows)
    return LiveIntervals(
        np.where(always, 0, intervals.first),
        np.where(always, len(program), intervals.last),
    )


@lru_cache(maxsize=1)
def tensor_lives(program: Program) -> dict[int, tuple[int, int]]:
    """Return from where to where any instance of each buffer lives, by its row."""
    found: dict[int, tuple[int, int]] = {}
    lives = dram_lives(program)
    columns = (program.location_tensor, lives.first, lives.last)
    for row, first, last in zip(*(c.tolist() for c in columns), strict=True):
        begin, end = found.get(row, (first, last))
        found[row] = (min(begin, first), max(end, last))
    return found


def dram_fault(program: Program, placement: Placement, machine: Machine) -> str | None:
    """Return why a placement in DRAM cannot be installed, or None if it can.

    Every buffer of the compiler must lie inside the window, and share bytes only with
    one that does not live at the same time.
    """
    tensors = program.function.tensors
    begin, stop = rotation_window(program, machine)
    slots = {
        (byte, tensor)
        for tensor, byte in zip(
            program.location_tensor.tolist(), placement.byte.tolist(), strict=True
        )
        if tensors[tensor].space is MemorySpace.DRAM and tensors[tensor].is_placed
    }
    open_slots: list[tuple[int, int]] = []
    for byte, tensor in sorted(slots):
        name, end = tensors[tensor].name, byte + tensors[tensor].bytes_in_space
        if byte < begin or end > stop:
            return f"{name} at byte {byte} is outside the window [{begin}, {stop})"
        open_slots = [each for each in open_slots if each[0] > byte]
        for _, other in open_slots:
            if other == tensor or _together(program, tensor, other):
                return f"{name} at byte {byte} overlaps {tensors[other].name}"
        open_slots.append((end, tensor))
    return None


def _together(program: Program, one: int, other: int) -> bool:
    """Return whether an instance of one buffer lives while one of another does."""
    lives = tensor_lives(program)
    (first, last), (begin, end) = lives[one], lives[other]
    return first <= end and begin <= last
