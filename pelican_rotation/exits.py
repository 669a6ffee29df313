"""The exit codes of the commands, and what decides them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rotation.running.result import Result

EXIT_HOLDS: Final = 0
EXIT_REFUTED: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_UNDECIDED: Final = 3
EXIT_CODES: Final = (EXIT_HOLDS, EXIT_REFUTED, EXIT_BAD_INPUT, EXIT_UNDECIDED)
"""What a command that answers may end with."""


def exit_code(verdicts: Iterable[str]) -> int:
    """Return the exit code of some verdicts: the gravest of them decides.

    >>> exit_code(["proved", "unknown", "refuted"]), exit_code(["proved", "unknown"])
    (1, 3)
    """
    words = set(verdicts)
    if "refuted" in words:
        return EXIT_REFUTED
    return EXIT_UNDECIDED if "unknown" in words else EXIT_HOLDS


def run_exit_code(result: Result) -> int:
    """Return the exit code of a run: that of ``rotation run``."""
    if result.verdict == "refused":
        return EXIT_BAD_INPUT
    if result.hazards or (result.proofs is not None and result.proofs.refuted):
        return EXIT_REFUTED
    if result.proofs is not None and result.proofs.unknown:
        return EXIT_UNDECIDED
    return EXIT_HOLDS
