"""`separate_load_and_compute`: a measurement, off unless it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal

from rotation.check.hazard import Hazard
from rotation.dependence.separation import separated, separation_of
from rotation.loop_form.joins import joins
from rotation.passes.base import PassResult, Refusal, State, Statistic, built

APART: Final = Statistic("loads", "instructions", "loads that wait for nothing")
REMOVED: Final = Statistic("removed", "edges", "waits of loads that were taken away")
BARRIERS: Final = Statistic("barriers", "barriers", "1 if compute waits for all loads")

SeparationMode = Literal["none", "direct"]


@dataclass(frozen=True, slots=True)
class SeparateLoadAndCompute:
    """Let loads wait for nothing and compute for all loads: for analysis only.

    Attributes:
        separation: ``none`` makes the pass the identity. ``direct`` sets loads apart
            that take nothing which the kernel has written.
    """

    name: ClassVar[str] = "separate_load_and_compute"
    statistics: ClassVar[tuple[Statistic, ...]] = (APART, REMOVED, BARRIERS)
    separation: SeparationMode = "none"

    def run(self, state: State) -> PassResult:
        """Return the state with loads apart, which may be another program.

        A function with a join is left as it is: its barriers would wait for each
        other.
        """
        if self.separation == "none":
            return PassResult(state, {APART: 0, REMOVED: 0, BARRIERS: 0})
        if joins(state.function):
            reason = "loads and compute are not separated in a function with a join"
            refusals = (*state.refusals, Refusal(reason))
            left = replace(state, refusals=refusals)
            return PassResult(left, {APART: 0, REMOVED: 0, BARRIERS: 0})
        program = built(state.program, "unrolled program")
        edges = built(state.edges, "dependences")
        separation = separation_of(program, edges)
        after = replace(
            state,
            edges=separated(program, edges, separation),
            separation=separation,
        )
        counts = {
            APART: len(separation.loads),
            REMOVED: separation.removed,
            BARRIERS: int(separation.anchor is not None),
        }
        return PassResult(after, counts)


def measurement(state: State) -> tuple[Hazard, ...]:
    """Return the hazard that a separated program is, whatever the checkers find."""
    separation = state.separation
    if separation is None:
        return ()
    message = (
        f"{SeparateLoadAndCompute.name} breaks the program and is for analysis only: "
        f"{len(separation.loads)} loads lost {separation.removed} waits, so the run is "
        "a measurement"
    )
    return (Hazard("measurement", message, ()),)
