"""The sweeps of PSUM rotation, and which start banks they try."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple


class PsumTarget(IntEnum):
    """Which locations a sweep moves. The members of the modelled system are unknown."""

    ALL = 0


class PsumSweep(NamedTuple):
    """One forward walk.

    Attributes:
        target: What it moves.
        distance: How many of the latest holders of a bank still count as being there,
            where there is room for that.
    """

    target: PsumTarget
    distance: int


PSUM_SWEEPS: Final = (PsumSweep(PsumTarget.ALL, 8),) * 3
"""Exactly three sweeps.

Three calls with a target and an integer are what is known; that the integer is a
distance is our choice, and 8 that of the banks: without one, the first free bank is
the one that the instance before has just left, and nothing rotates.

Source: the PSUM rotation of the modelled system (docs/modelled.md).
"""


def prefer_bank_alignment(start: int, alignment: int) -> bool:
    """Return whether a start bank is a multiple of an alignment.

    It is described for 2, 3 and 4, and so for the alignments that leave a choice.
    """
    return start % alignment == 0


@cache
def start_banks(width: int, banks: int) -> tuple[int, ...]:
    """Return the start banks of a location, ascending.

    The location ends inside PSUM, ``start + width <= banks``, and starts at a multiple
    of its width. (Taken literally, the description lets it end one bank later.)

    Args:
        width: Banks that the location takes, >= 1.
        banks: Banks of the machine.

    >>> start_banks(3, 8)
    (0, 3)
    """
    return tuple(
        start
        for start in range(banks - width + 1)
        if prefer_bank_alignment(start, width)
    )
