"""Check each call: the rules of the verifier, and room in its window."""

from __future__ import annotations

from collections.abc import Iterator

from pelican.errors import LocatedError
from rotation.allocation import side_by_side
from rotation.errors import CapacityError, KernelError
from rotation.loop_form.kernel import Function, MemoryLocationSet, MemorySpace, Window
from rotation.machine.machine import Machine
from rotation.modelled.scope import broken_rules, kernel_instruction
from rotation.placement.binding import (
    UNITS,
    ring_room,
    slot_layout,
    unit_bytes,
    window_bytes,
)


def call_mistakes(function: Function, machine: Machine) -> Iterator[LocatedError]:
    """Yield what is wrong with the calls of a function."""
    for call in function.calls:
        for rule in broken_rules(kernel_instruction(call), machine):
            message = (
                f"call of {call.callee.name}, rule {rule.code.value}: {rule.message}"
            )
            yield KernelError(message, call.span, rule.hint)
    windows: dict[Window, list[MemoryLocationSet]] = {}
    for tensor in function.tensors:
        if tensor.window is not None:
            windows.setdefault(tensor.window, []).append(tensor)
    for window, tensors in windows.items():
        for tensor in tensors:
            if tensor.num_partitions > window.partitions:
                yield KernelError(
                    f"{tensor.name} has {tensor.num_partitions} partitions; the window "
                    f"of {window.callee} has {window.partitions}",
                    window.span,
                    f"write sb({tensor.num_partitions}, "
                    f"{window.sb_bytes_per_partition})",
                )
        for space in (MemorySpace.PSUM, MemorySpace.SB):
            mine = [tensor for tensor in tensors if tensor.space is space]
            yield from _too_small(window, mine, space, machine)


def _too_small(
    window: Window,
    tensors: list[MemoryLocationSet],
    space: MemorySpace,
    machine: Machine,
) -> Iterator[CapacityError]:
    layouts = [slot_layout(tensor, machine) for tensor in tensors]
    layouts.sort(key=lambda one: (-one.alignment_bytes, -one.size_bytes))
    rooms = [ring_room(one, slots=1) for one in layouts]
    need, have = side_by_side(rooms)[1], window_bytes(window, space, machine)
    if need > have:
        each, unit = unit_bytes(space, machine), UNITS[space]
        names = ", ".join(tensor.name for tensor in tensors)
        yield CapacityError(
            f"one slot each of {names} needs {-(-need // each)} {unit}; the window of "
            f"{window.callee} has {have // each}",
            need=-(-need // each),
            capacity=have // each,
            unit=unit,
            span=window.span,
            hint="make the window larger, or the tiles of the kernel smaller",
        )
