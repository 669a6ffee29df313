"""A compiler back end in small: rings, addresses, a schedule, and the proof of them.

>>> from rotation import load, run
>>> result = run(load("examples/stream_add.kernel"))
>>> result.verdict, result.equivalent
('accepted', True)

A mistake of the input is a `RotationError`, or pelican's `ParseError` when a text is
not in the language; both are `LocatedError`, with message, place and hint.
"""

from pelican.errors import LocatedError, ParseError
from rotation.errors import (
    ArgumentError,
    CapacityError,
    InterchangeError,
    InternalError,
    KernelError,
    MachineError,
    PassError,
    PlanError,
    RotationError,
)
from rotation.explaining.explain import explain
from rotation.explaining.explanation import Explanation
from rotation.loading import load
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.placed.reading import Placed
from rotation.rings.stages import slots_needed
from rotation.running.dump import load_placed
from rotation.running.pipeline import run
from rotation.running.result import Result

__all__ = [
    "ArgumentError",
    "CapacityError",
    "Explanation",
    "Function",
    "InterchangeError",
    "InternalError",
    "KernelError",
    "LocatedError",
    "Machine",
    "MachineError",
    "ParseError",
    "PassError",
    "Placed",
    "PlanError",
    "Result",
    "RotationError",
    "explain",
    "load",
    "load_placed",
    "run",
    "slots_needed",
]
