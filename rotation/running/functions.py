"""Run every kernel of a file: each is a function of its own, and none stops another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Unpack

from rotation.errors import ArgumentError, MachineError, PassError, RotationError
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.running.arguments import RunOptions
from rotation.running.pipeline import run
from rotation.running.result import ProofReport, Result, refused

VERDICTS = ("accepted", "left", "refused")
"""From the best verdict to the worst."""


def run_all(
    functions: Sequence[Function],
    machine: str | Machine | None = None,
    *,
    separate_load_and_compute: bool = False,
    checks: bool = True,
    **options: Unpack[RunOptions],
) -> Result:
    """Return the results of several kernels, under the name of the first.

    The verdict is the worst of theirs. A kernel that is not rotated, or refused, keeps
    no other from being run.

    Args:
        functions: The kernels, at least one.
        machine: A machine or its name; None for each kernel's own.
        separate_load_and_compute: Make a measurement of each, as of `rotation.run`.
        checks: False to leave out the checks and proofs of each.
        options: What is asked of each run, as of `rotation.run`.

    Returns:
        A result whose `functions` are the results of the kernels, in their order;
        what only one function can have (schedule, rings, ...) is None.

    Raises:
        MachineError: If there is no such machine.
        PassError: If a pass cannot be skipped or does not exist.
        ArgumentError: If an option makes no sense, or a kernel with run-time loops is
            to have its loads separated.

    >>> from rotation import load
    >>> result = run_all([load("examples/stream_add.kernel")])
    >>> result.verdict, len(result.functions)
    ('accepted', 1)
    """
    runner = partial(
        run,
        machine=machine,
        separate_load_and_compute=separate_load_and_compute,
        checks=checks,
        **options,
    )
    results = tuple(_result(each, machine, runner) for each in functions)
    ran = [each for each in results if each.verdict != "refused"]
    hazards = tuple(chain.from_iterable(each.hazards or () for each in ran))
    proofs = _total([each.proofs for each in ran if each.proofs is not None])
    has_answer = checks or bool(hazards)
    return Result(
        kernel=results[0].kernel,
        machine=results[0].machine,
        verdict=max((each.verdict for each in results), key=VERDICTS.index),
        refusals=tuple(chain.from_iterable(each.refusals for each in results)),
        notes=tuple(chain.from_iterable(each.notes for each in results)),
        hazards=hazards if has_answer else None,
        proofs=proofs if checks else None,
        equivalent=all(each.equivalent for each in ran) if has_answer else None,
        failures=tuple(chain.from_iterable(each.failures for each in ran)),
        functions=results,
    )


def _result(
    function: Function,
    machine: str | Machine | None,
    runner: Callable[[Function], Result],
) -> Result:
    try:
        return runner(function)
    except (ArgumentError, MachineError, PassError):
        raise
    except RotationError as error:
        name = machine.name if isinstance(machine, Machine) else machine
        return refused(function, name or function.machine, error)


def _total(reports: Sequence[ProofReport]) -> ProofReport:
    return ProofReport(
        total=sum(each.total for each in reports),
        proved=sum(each.proved for each in reports),
        refuted=sum(each.refuted for each in reports),
        unknown=sum(each.unknown for each in reports),
        seconds=sum(each.seconds for each in reports),
    )
