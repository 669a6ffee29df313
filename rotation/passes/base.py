"""What a pass is: a frozen value of options with a `run` from state to state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, TypeVar

from pelican.errors import Span
from rotation.dependence.separation import Separation
from rotation.errors import InternalError
from rotation.loop_form.kernel import Function, MemoryLocationSet, MemorySpace
from rotation.machine.machine import Machine
from rotation.passes.attributes import FunctionAttribute
from rotation.placement.binding import Arena
from rotation.rings.plan import RingPlan
from rotation.schedule.bound import Bound
from rotation.unrolled.footprint import Cells
from rotation.unrolled.program import Edges, Placement, Program, Schedule

Built = TypeVar("Built")


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number that a pass counts.

    Attributes:
        name: Its name in tables and JSON.
        unit: What is counted.
        doc: What it says.
    """

    name: str
    unit: str
    doc: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that was left as it was, and why.

    Attributes:
        reason: One sentence.
        span: What in the text it is about; None for the whole function.
    """

    reason: str
    span: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """All that the passes know of one function; each adds to it or replaces.

    Attributes:
        function: The loop form.
        machine: The machine.
        plan: The ring plan.
        program: The unrolled form.
        cells: Its logical cells.
        flow: Its flow edges in source order.
        bound: A makespan that no plan can beat.
        known: Schedules of the plan's trials.
        packed: Where all locations live when every space is packed tightly, as the
            plan has packed them to see that they fit.
        arenas: Of each space that has private arenas, one for each buffer.
        placement: Where the locations live; unbound ones have byte -1.
        edges: The dependences in force.
        schedule: The total order and its times.
        separation: The loads that `separate_load_and_compute` set apart; None unless
            the run is such a measurement.
        refusals: What was left as it was.
        attributes: What has been done with the function; one that is missing is
            false.
        log: What the passes of policy `modelled` did, line by line.
    """

    function: Function
    machine: Machine
    plan: RingPlan | None = None
    program: Program | None = None
    cells: Cells | None = None
    flow: Edges | None = None
    bound: Bound | None = None
    known: tuple[Schedule, ...] = ()
    packed: Placement | None = None
    arenas: dict[MemorySpace, dict[MemoryLocationSet, Arena]] = field(
        default_factory=dict
    )
    placement: Placement | None = None
    edges: Edges | None = None
    schedule: Schedule | None = None
    separation: Separation | None = None
    refusals: tuple[Refusal, ...] = ()
    attributes: Mapping[FunctionAttribute, bool] = field(default_factory=dict)
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassResult:
    """A new state, and what was counted on the way."""

    state: State
    statistics: dict[Statistic, int]


class Pass(Protocol):
    """One step of the pipeline. It is pure: a state in, a new state out."""

    name: ClassVar[str]
    statistics: ClassVar[tuple[Statistic, ...]]

    def run(self, state: State) -> PassResult:
        """Return the state after the pass."""
        ...


def built(value: Built | None, name: str) -> Built:
    """Return a part of the state that an earlier pass must have made.

    Raises:
        InternalError: If it is missing.
    """
    if value is None:
        raise InternalError(f"no pass has made the {name} yet")
    return value
