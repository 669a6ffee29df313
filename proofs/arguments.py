"""What is refused of the arguments that all questions have."""

from __future__ import annotations

import math
import sys
from typing import Any, Final

from pelican.errors import OperandError
from pelican.tree.printing import brief_text

SOLVERS: Final = ("z3",)
"""The solvers that a question can be put to."""


def seconds_of(timeout_s: object) -> float:
    """Return a time limit; infinity is none [s].

    Raises:
        OperandError: If it is no number, not > 0, or an integer that no clock holds.

    >>> seconds_of(10)
    10.0
    """
    real = isinstance(timeout_s, (int, float)) and not isinstance(timeout_s, bool)
    if not real or math.isnan(_clamped(timeout_s)):
        raise OperandError(
            f"timeout_s must be a number of seconds, got {brief_text(timeout_s)}",
            hint="give the seconds that the solver may take, as in timeout_s=10",
        )
    limit_s = _clamped(timeout_s)
    if limit_s <= 0:
        raise OperandError(
            f"timeout_s must be > 0, got {brief_text(timeout_s)}",
            hint="give the seconds that the solver may take",
        )
    if isinstance(timeout_s, int) and timeout_s > sys.float_info.max:
        raise OperandError(
            f"timeout_s is longer than any clock runs, got {brief_text(timeout_s)}",
            hint="for no limit give float('inf')",
        )
    return limit_s


def _clamped(timeout_s: Any) -> float:  # noqa: ANN401 - an integer or a float
    """Return the nearest float; the greatest one for an integer beyond it."""
    if isinstance(timeout_s, int) and abs(timeout_s) > sys.float_info.max:
        return math.copysign(sys.float_info.max, timeout_s > 0 or -1)
    return float(timeout_s)


def check_solver(solver: object) -> None:
    """Raise OperandError if there is no such solver."""
    if solver not in SOLVERS:
        known = ", ".join(map(repr, SOLVERS))
        raise OperandError(
            f"there is no solver {brief_text(solver)} for claims",
            hint=f"choose among {known}",
        )
