"""Kernels after all passes, and which checks find a hazard in them."""

from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.passes.base import State
from rotation.running.pipeline import PASSES, check, run_passes
from rotation.unrolled.program import Program
from tests.rotation.programs import PLANNING, kernel


def finished(
    source: str | Function, machine: Machine = PLANNING, program: Program | None = None
) -> State:
    """Return the state of a kernel after all passes.

    Args:
        source: The kernel, or a text that holds no other one.
        machine: Where it runs.
        program: Its tables, where they are not to be those of `unroll`.
    """
    function = kernel(source) if isinstance(source, str) else source
    return run_passes(PASSES, State(function, machine, program=program))[0]


def found(state: State) -> set[str]:
    """Return the checks that find a hazard."""
    return {hazard.check for hazard in check(state)}
