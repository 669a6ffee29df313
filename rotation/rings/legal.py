"""Rings that are legal: how many slots instances need that live at the same time."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from rotation.loop_form.instances import selected_tensors
from rotation.loop_form.kernel import MemoryLocationSet
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Program


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
