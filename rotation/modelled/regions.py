"""The part of a space that each call with a window has for itself."""

from __future__ import annotations

from collections.abc import Mapping

from rotation.loop_form.kernel import MemoryLocationSet, MemorySpace, Window
from rotation.machine.machine import Machine
from rotation.modelled.sb_schedule import ByteWindow
from rotation.placement.binding import Arena, window_bytes

Regions = Mapping[Window, ByteWindow]


def call_regions(
    arenas: Mapping[MemoryLocationSet, Arena], space: MemorySpace, machine: Machine
) -> dict[Window, ByteWindow]:
    """Return the bytes of each window, which begins where its first arena does."""
    first: dict[Window, int] = {}
    for tensor, arena in arenas.items():
        window = tensor.window
        if window is not None:
            first[window] = min(arena.base_bytes, first.get(window, arena.base_bytes))
    return {
        window: ByteWindow(base, base + window_bytes(window, space, machine))
        for window, base in first.items()
    }


def in_region(
    window: Window | None, first_byte: int, end_byte: int, regions: Regions
) -> bool:
    """Return whether bytes lie where a buffer may.

    Args:
        window: The window of the call that the buffer belongs to, if there is one.
        first_byte: First of the bytes, in each partition.
        end_byte: End of them, exclusive.
        regions: The bytes of every window: its own buffers lie in it, others do not.
    """
    if window is not None:
        first, end = regions[window]
        return first <= first_byte and end_byte <= end
    return all(
        end_byte <= region.first_byte or region.end_byte <= first_byte
        for region in regions.values()
    )
