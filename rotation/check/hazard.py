"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Check = Literal[
    "overlap",
    "engine",
    "dependence",
    "race",
    "equivalence",
    "capacity",
    "pin",
    "measurement",
]

MOST_SHOWN: Final = 20
"""Findings of one kind that are spelled out; the others are counted."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """One way in which a placed and scheduled program may go wrong.

    Attributes:
        check: The check that found it; ``measurement`` for a run that was asked to
            break the program.
        message: What is wrong: operations with their iteration and source line, and
            the buffers.
        instructions: Rows of the program that take part, the earlier first.
    """

    check: Check
    message: str
    instructions: tuple[int, ...]


def not_shown(check: Check, num_found: int) -> list[Hazard]:
    """Return one hazard that counts the findings beyond `MOST_SHOWN`, or none."""
    if num_found <= MOST_SHOWN:
        return []
    return [Hazard(check, f"and {num_found - MOST_SHOWN} more of this kind", ())]
