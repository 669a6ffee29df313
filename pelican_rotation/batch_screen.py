"""What `rotation batch` prints for people: one line for each kernel, and the sum."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rich.console import Console

from pelican_rotation.batch.run import Batch
from pelican_rotation.batch.task import Outcome
from pelican_rotation.exits import (
    EXIT_BAD_INPUT,
    EXIT_HOLDS,
    EXIT_REFUTED,
    EXIT_UNDECIDED,
)
from pelican_rotation.tables import listing_of, print_block

WORDS: Final = {
    EXIT_HOLDS: "holds",
    EXIT_REFUTED: "hazard or refuted",
    EXIT_BAD_INPUT: "wrong or refused",
    EXIT_UNDECIDED: "not decided",
}
"""What the exit code of a kernel says."""

_HEADER: Final = ("kernel", "answer", "before ns", "after ns", "of bound", "remark")


def show_batch(batch: Batch, console: Console) -> None:
    """Print a line for each outcome, and how many there are of each kind."""
    outcomes = batch.outcomes
    if outcomes:
        uses = Counter(outcome.kernel for outcome in outcomes)
        rows = [_row(each, alone=uses[each.kernel] == 1) for each in outcomes]
        print_block(listing_of(_HEADER, rows, console.width), console)
        print_block("", console)
    counts = Counter(outcome.exit_code for outcome in outcomes)
    parts = [f"{WORDS[code]}: {counts[code]}" for code in WORDS if counts[code]]
    if len(outcomes) < batch.total:
        parts.append(f"not run: {batch.total - len(outcomes)}")
    print_block(f"{kernels_text(batch.total)}; {', '.join(parts)}", console)


def kernels_text(count: int) -> str:
    """Return how many kernels there are, in words.

    >>> kernels_text(1), kernels_text(2_000)
    ('1 kernel', '2,000 kernels')
    """
    return f"{count:,} kernel{'' if count == 1 else 's'}"


def _row(outcome: Outcome, *, alone: bool) -> tuple[str, ...]:
    """Return the cells of an outcome; `alone` if no other has its name."""
    name = outcome.kernel or outcome.file
    if outcome.kernel is not None and not alone:
        name = f"{outcome.kernel} ({outcome.file})"
    return (name, WORDS[outcome.exit_code], *_times(outcome), _remark(outcome))


def _times(outcome: Outcome) -> tuple[str, str, str]:
    """Return the makespans, and the ratio of the second to the bound."""
    schedule = None if outcome.result is None else outcome.result["schedule"]
    if schedule is None:
        return ("-", "-", "-")
    before, after, bound = (schedule[f"{n}_ns"] for n in ("before", "after", "bound"))
    ratio = after / bound if bound else 1.0
    return (f"{before:,.0f}", f"{after:,.0f}", f"{ratio:.3f}")


def _remark(outcome: Outcome) -> str:
    """Return the first thing that is to be said of a kernel, or nothing."""
    if outcome.errors:
        first = outcome.errors[0]
        return _placed(first["message"], first["file"], first["line"], first["column"])
    result = outcome.result or {}
    for hazard in result.get("hazards") or ():
        return f"{hazard['check']}: {hazard['message']}"
    for refusal in result.get("refusals") or ():
        return _placed(refusal["reason"], refusal["where"])
    for note in result.get("notes") or ():
        return _placed(note["text"], note["where"])
    return ""


def _placed(message: str, *place: object) -> str:
    words = [str(part) for part in place if part is not None]
    return f"{':'.join(words)}: {message}" if words else message
