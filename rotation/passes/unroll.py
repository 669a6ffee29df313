"""`unroll`: turns the loops into the tables of a program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rotation.passes.base import PassResult, State, Statistic
from rotation.rings.planning import single_slots
from rotation.unrolled.unroll import unroll

INSTRUCTIONS: Final = Statistic("instructions", "instructions", "rows of the program")
LOCATIONS: Final = Statistic("locations", "locations", "instances of all buffers")
DISTINCT: Final = Statistic(
    "distinct", "scatters", "scatters in any order, since the kernel says unique"
)


@dataclass(frozen=True, slots=True)
class Unroll:
    """Make the tables of the unrolled program."""

    name: ClassVar[str] = "unroll"
    statistics: ClassVar[tuple[Statistic, ...]] = (INSTRUCTIONS, LOCATIONS, DISTINCT)

    def run(self, state: State) -> PassResult:
        """Return the state with the program; the plan's trials made it already.

        Raises:
            KernelError: If the program is too large, or reads what nothing wrote.
        """
        program = state.program or unroll(state.function, state.machine)
        plan = state.plan or single_slots(program)
        counts = {
            INSTRUCTIONS: len(program),
            LOCATIONS: len(program.location_tensor),
            DISTINCT: len(program.distinct),
        }
        return PassResult(replace(state, program=program, plan=plan), counts)
