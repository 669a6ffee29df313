"""Time limits of what is done in many small steps, such as walks over expressions."""

from __future__ import annotations

import time
from typing import Final

STEPS_PER_LOOK: Final = 256
"""Steps between two looks at the clock."""


class TimeIsUpError(Exception):
    """The time limit of a task is over; it never leaves `proofs`."""


class Deadline:
    """The moment when a task must be over.

    Args:
        timeout_s: Time from now [s].

    >>> Deadline(60).check()
    >>> late = Deadline(-1)
    >>> late.look()
    Traceback (most recent call last):
        ...
    proofs.deadline.TimeIsUpError
    """

    __slots__ = ("_end", "_steps")

    def __init__(self, timeout_s: float) -> None:
        self._end = time.perf_counter() + timeout_s
        self._steps = 0

    @property
    def left_s(self) -> float:
        """The time that is left; below 0 if none is [s]."""
        return self._end - time.perf_counter()

    def check(self) -> None:
        """Count a step, and look at the clock now and then.

        Raises:
            TimeIsUpError: If it is too late.
        """
        self._steps += 1
        if self._steps % STEPS_PER_LOOK == 0:
            self.look()

    def look(self) -> None:
        """Look at the clock.

        Raises:
            TimeIsUpError: If it is too late.
        """
        if self.left_s < 0:
            raise TimeIsUpError
