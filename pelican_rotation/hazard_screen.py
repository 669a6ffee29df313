"""What `rotation check` prints of a placed program: counts, then each hazard."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pelican.errors import Span
    from rotation.check import Hazard
    from rotation.placed.reading import Placed

CHECKS: Final = ("capacity", "overlap", "engine", "dependence", "race", "equivalence")
"""The checks, in the order in which they are named."""

MOST_OF_A_CHECK: Final = 3
"""So many hazards of one check are shown: most often one fault makes them all."""

REMEDIES: Final = {
    "capacity": "give it a place that ends inside its space",
    "overlap": "give the two other bytes, or let the later one wait for the earlier",
    "engine": "an engine does one thing at a time: change the order",
    "dependence": "put it behind the other in the order, and add an edge between them",
    "race": "add an edge between them, or give them places that do not meet",
    "equivalence": "look at the places and edges of what it names",
}
"""What to do about a hazard, by the check that found it."""


def show_placed(placed: Placed, hazards: Sequence[Hazard]) -> None:
    """Print the counts of a check, and the first hazards with place and remedy."""
    sys.stdout.write("".join(f"{line}\n" for line in _lines(placed, hazards)))


def _lines(placed: Placed, hazards: Sequence[Hazard]) -> Iterator[str]:
    makespan_ps = 0 if placed.schedule is None else placed.schedule.makespan_ps
    yield (
        f"{placed.function.name} on {placed.function.machine}: "
        f"{len(placed.program):,} instructions, {makespan_ps / 1000:,} ns"
    )
    found = {check: [h for h in hazards if h.check == check] for check in CHECKS}
    bad = [f"{check}: {len(some)}" for check, some in found.items() if some]
    if bad:
        yield f"hazards: {', '.join(bad)}"
    good = [f"{check}: ok" for check, some in found.items() if not some]
    yield ", ".join(good)
    for check, some in found.items():
        for hazard in some[:MOST_OF_A_CHECK]:
            yield from _hazard(placed, hazard)
        if len(some) > MOST_OF_A_CHECK:
            more = len(some) - MOST_OF_A_CHECK
            yield f"{check}: {more} more, which --json lists"


def _hazard(placed: Placed, hazard: Hazard) -> Iterator[str]:
    """Yield the lines of one hazard: the later operation is its place."""
    span = _place(placed, hazard)
    said = f"{hazard.check}: {hazard.message}"
    yield said if span is None else f"{span.place}: {said}"
    if span is not None:
        yield span.excerpt()
    yield f"    hint: {_remedy(hazard)}"


def _place(placed: Placed, hazard: Hazard) -> Span | None:
    if not hazard.instructions:
        return None
    statement = int(placed.program.statement[hazard.instructions[-1]])
    return placed.function.instructions[statement].span


def _remedy(hazard: Hazard) -> str:
    if hazard.check != "race" or len(hazard.instructions) != 2:
        return REMEDIES[hazard.check]
    earlier, later = hazard.instructions
    return (
        f"let instruction {later} wait for {earlier}, by edge {later} -> {earlier}, "
        "or give them places that do not meet"
    )
