"""Are the buffers of each call in a window of their own?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rotation.check.footprint import location_boxes
from rotation.check.hazard import Hazard
from rotation.check.names import location_name, place_name
from rotation.loop_form.kernel import MemorySpace, RotationScope, Window
from rotation.unrolled.program import Placement, Program


def check_windows(program: Program, placement: Placement) -> list[Hazard]:
    """Return the calls whose buffers leave their window, or share it with others.

    A function that is not rotated has no windows.

    Returns:
        Hazards ``capacity``; empty if there are none.
    """
    function = program.function
    joined = any(choice.loaded for choice in function.choices)
    if joined or function.scope is RotationScope.NONE:
        return []
    windows = {t.window: None for t in function.tensors if t.window is not None}
    return [
        hazard
        for window in windows
        for space in (MemorySpace.SB, MemorySpace.PSUM)
        for hazard in _hazards(program, placement, window, space)
    ]


def _hazards(
    program: Program, placement: Placement, window: Window, space: MemorySpace
) -> Iterator[Hazard]:
    tensors = program.function.tensors
    here = np.array([t.space is space for t in tensors], np.bool_)
    own = np.array([t.window is window for t in tensors], np.bool_)
    inside = np.flatnonzero((here & own)[program.location_tensor])
    others = np.flatnonzero((here & ~own)[program.location_tensor])
    if not len(inside):
        return
    boxes = location_boxes(program, placement)
    lo, hi = boxes.lo[inside].min(axis=0), boxes.hi[inside].max(axis=0)
    room = window.sb_bytes_per_partition
    if space is MemorySpace.PSUM:
        room = window.psum_banks * program.machine.psum_bank_bytes
    partitions, num_bytes = (hi - lo).tolist()
    if partitions > window.partitions or num_bytes > room:
        message = (
            f"the buffers of the call of {window.callee} take {partitions} partitions "
            f"of {num_bytes} bytes in {space.value}; its window has "
            f"{window.partitions} of {room}"
        )
        yield Hazard("capacity", message, ())
    shared = (boxes.lo[others] < hi).all(axis=1) & (boxes.hi[others] > lo).all(axis=1)
    for location in others[shared][:1].tolist():
        name = location_name(program, location)
        message = (
            f"{name} at {place_name(program, placement, location)} lies in the window "
            f"of the call of {window.callee}"
        )
        yield Hazard("capacity", message, ())
