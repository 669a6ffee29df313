"""What stands in the place of an answer that never came."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lost:
    """There is no answer for an item, and why.

    >>> Lost("its process ended by SIGKILL").reason
    'its process ended by SIGKILL'
    """

    reason: str
