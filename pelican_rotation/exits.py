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
EXIT_CODES: Final = (EXIT_HOLDS, EXIT_UNDECIDED, EXIT_REFUTED, EXIT_BAD_INPUT)
"""What a command that answers may end with, from the best to the worst."""

EXIT_WRITE_FAILED: Final = 74
"""The output could not be written. Source: EX_IOERR of sysexits.h."""

EXIT_INTERRUPTED: Final = 130
"""Ended by Ctrl-C. Source: 128 + SIGINT, as shells report it."""

EXIT_TERMINATED: Final = 143
"""Ended by a supervisor. Source: 128 + SIGTERM, as shells report it."""

EXIT_PIPE_CLOSED: Final = 141
"""The reader of the output left early. Source: 128 + SIGPIPE, as shells report it."""


def worst(codes: Iterable[int]) -> int:
    """Return the gravest of the codes of answers; of none that of all that holds.

    >>> worst([EXIT_HOLDS, EXIT_REFUTED, EXIT_UNDECIDED]), worst([])
    (1, 0)
    """
    return max(codes, key=EXIT_CODES.index, default=EXIT_HOLDS)


def exit_code(verdicts: Iterable[str]) -> int:
    """Return the exit code of some verdicts: the gravest of them decides.

    >>> exit_code(["proved", "unknown", "refuted"]), exit_code(["proved", "unknown"])
    (1, 3)
    """
    codes = {"refuted": EXIT_REFUTED, "unknown": EXIT_UNDECIDED}
    return worst(codes.get(verdict, EXIT_HOLDS) for verdict in verdicts)


def run_exit_code(result: Result) -> int:
    """Return the exit code of a run: that of ``rotation run``."""
    if result.verdict == "refused":
        return EXIT_BAD_INPUT
    if result.hazards or (result.proofs is not None and result.proofs.refuted):
        return EXIT_REFUTED
    if result.proofs is not None and result.proofs.unknown:
        return EXIT_UNDECIDED
    return EXIT_HOLDS
