"""One kernel to run, and what came of it; both travel between processes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from threading import Lock
from time import perf_counter
from typing import Any, Final

from pelican.errors import LocatedError
from pelican_rotation.batch.errors import WorkerError
from pelican_rotation.batch.lost import Lost
from pelican_rotation.error_json import error_object
from pelican_rotation.exits import EXIT_BAD_INPUT, EXIT_UNDECIDED, run_exit_code
from rotation.errors import ArgumentError, MachineError, PassError, RotationError
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.running.arguments import RunOptions
from rotation.running.pipeline import run
from rotation.running.result import Result, refused, to_json
from rotation.text.parse import parse

PACKAGE: Final = "pelican-rotation"
"""The name under which versions are compared."""

_ONE_KERNEL: Final = Lock()
"""A process runs one kernel at a time: solvers and symbols are for one thread."""


@dataclass(frozen=True, slots=True)
class Task:
    """A kernel and how it is run; a worker needs no file for it.

    Attributes:
        file: The name of its file, as places show it.
        text: The whole file.
        kernel: Which kernel of it.
        machine: A machine or its name; None for the kernel's own.
        options: What is asked of the run.
        version: Version of this package where the task was made.
    """

    file: str
    text: str
    kernel: str
    machine: str | Machine | None
    options: RunOptions
    version: str

    @property
    def key(self) -> str:
        """A digest of all that decides the result, in hexadecimal.

        >>> one = Task("a.kernel", "kernel k on trn2 {}", "k", None, {}, "1")
        >>> other = Task("a.kernel", "kernel k on trn2 {}", "k", "trn1", {}, "1")
        >>> len(one.key), one.key == other.key
        (64, False)
        """
        parts = [getattr(self, field.name) for field in fields(self)]
        text = json.dumps(parts, sort_keys=True, default=repr)
        return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one kernel, or of a path that gave none.

    Attributes:
        file: The file, or the path that was given.
        kernel: Name of the kernel; None if the file could not be read.
        key: Digest of all that decides the result; None without a kernel.
        exit_code: That of ``rotation run`` on this kernel; 3 if there is no answer.
        seconds: Time that the run took [s].
        errors: JSON objects of the mistakes because of which there is no result.
        result: The JSON object of ``rotation run``, or None.

    >>> Outcome("a.kernel", "k", None, 0, 0.5).errors
    ()
    """

    file: str
    kernel: str | None
    key: str | None
    exit_code: int
    seconds: float
    errors: tuple[Mapping[str, Any], ...] = ()
    result: Mapping[str, Any] | None = None


def run_task(task: Task) -> Outcome:
    """Return what comes of a kernel; a fault of the program is an error of it alone.

    Raises:
        WorkerError: If this process has another version of the package than the one
            that made the task.

    >>> text = "kernel k on trn22 {}"
    >>> outcome = run_task(Task("a.kernel", text, "k", None, {}, version(PACKAGE)))
    >>> outcome.exit_code, outcome.errors[0]["message"]
    (2, "no machine 'trn22'")
    """
    ours = version(PACKAGE)
    if ours != task.version:
        message = f"{PACKAGE} {ours} cannot run what {task.version} asks for"
        raise WorkerError(message, hint="install the same version everywhere")
    begin = perf_counter()
    with _ONE_KERNEL:
        code, errors, result = _answer(task)
    seconds = perf_counter() - begin
    return Outcome(
        task.file, task.kernel, task.key, code, seconds, tuple(errors), result
    )


def lost_outcome(task: Task, lost: Lost) -> Outcome:
    """Return the outcome of a kernel that has no answer: it is not decided."""
    message = f"kernel {task.kernel} of {task.file} has no answer: {lost.reason}"
    hint = f"try it alone: rotation run {task.file} {task.kernel}"
    errors = (error_object(WorkerError(message, hint=hint)),)
    return Outcome(task.file, task.kernel, task.key, EXIT_UNDECIDED, 0.0, errors)


def wrong_outcome(file: str, error: LocatedError) -> Outcome:
    """Return the outcome of a path from which no kernel could be read."""
    errors = tuple(error_object(each) for each in error.errors)
    return Outcome(file, None, None, EXIT_BAD_INPUT, 0.0, errors)


def functions_of(
    text: str, file: str, machine: str | Machine | None
) -> Mapping[str, Function]:
    """Return the kernels of a text by name; those of one file come one after another.

    Args:
        text: The text.
        file: Its name, for messages.
        machine: That of the run; kernels may be written for one of the user.

    >>> list(functions_of("kernel k on trn2 {}", "a.kernel", None))
    ['k']
    """
    if isinstance(machine, Machine):
        return {each.name: each for each in parse(text, file, own=machine)}
    return _known_functions(text, file)


@lru_cache(maxsize=1)
def _known_functions(text: str, file: str) -> Mapping[str, Function]:
    return {function.name: function for function in parse(text, file)}


_Answer = tuple[int, Sequence[Mapping[str, Any]], Mapping[str, Any] | None]


def _answer(task: Task) -> _Answer:
    """Return exit code, errors and result of a kernel."""
    try:
        result = _result(
            functions_of(task.text, task.file, task.machine)[task.kernel], task
        )
        return run_exit_code(result), (), to_json(result)
    except LocatedError as error:
        return EXIT_BAD_INPUT, [error_object(each) for each in error.errors], None
    except Exception as error:
        reason = f"it failed with {type(error).__name__}: {error}"
        return EXIT_UNDECIDED, lost_outcome(task, Lost(reason)).errors, None


def _result(function: Function, task: Task) -> Result:
    """Return the result of a run; of a kernel that is refused, the reasons.

    Raises:
        MachineError: If there is no such machine.
        PassError: If a pass cannot be skipped.
        ArgumentError: If an option makes no sense for this kernel.
    """
    try:
        return run(function, task.machine, **task.options)
    except (ArgumentError, MachineError, PassError):
        raise
    except RotationError as error:
        machine = task.machine
        name = machine.name if isinstance(machine, Machine) else machine
        return refused(function, name or function.machine, error)
