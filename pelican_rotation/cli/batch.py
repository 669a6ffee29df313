"""`rotation batch`: run many kernels, on all cores or on a cluster."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pelican.schema import SCHEMA
from pelican_rotation.cli.inputs import named
from pelican_rotation.cli.output import AsJson, print_json, reported_errors
from pelican_rotation.cli.progress import progress
from pelican_rotation.cli.run_options import Asked, asks_for_run
from pelican_rotation.exits import EXIT_INTERRUPTED, EXIT_TERMINATED, worst

if TYPE_CHECKING:
    from pelican_rotation.batch.run import Batch, Runner


@asks_for_run
def batch_command(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="Files of kernels, folders of them, and patterns such as **/*.kernel.",
            callback=named,
        ),
    ],
    *,
    asked: Asked,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", min=1, help="Kernels at a time; without it one on each core."
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Run on the workers of this Dask scheduler, such as tcp://host:8786. "
            "Needs the extra cluster.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            metavar="DIR",
            help="Write a JSON file for each kernel to this folder, as it is done.",
            callback=named,
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Leave out kernels that have a result there for the same text and "
            "options.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run many kernels; print one line for each.

    The lines are in the order of the inputs. A kernel that is wrong, or whose process
    dies, keeps no other from being run.

    Exits 2 if a kernel is wrong or does not fit or a path leads to none, else 1 if a
    check found a hazard or a proof was refuted, else 3 if a kernel was not decided,
    else 0. After Ctrl-C what is done is printed, and the exit code is 130; after a
    SIGTERM it is 143.
    """
    from pelican_rotation.batch.inputs import tasks_of  # noqa: PLC0415 - help stays light
    from pelican_rotation.batch.run import Batch, runner_of  # noqa: PLC0415

    with reported_errors(as_json=as_json):
        runner = runner_of(jobs, scheduler)
        entries = tasks_of(paths, asked.machine, asked.options())
        batch = Batch(entries, output, resume=resume)
        if resume:
            count = f"{batch.resumed} of {batch.total}"
            sys.stderr.write(f"note: {count} are done already\n")
        stopped = _run(batch, runner)
    _show(batch, interrupted=stopped is not None, as_json=as_json)
    code = worst(outcome.exit_code for outcome in batch.outcomes)
    raise typer.Exit(code if stopped is None else stopped)


def _run(batch: Batch, runner: Runner) -> int | None:
    """Run what is to be run; return the exit code of what stopped it, if anything."""
    from pelican_rotation.batch_screen import kernels_text  # noqa: PLC0415 - help is light

    try:
        with _terminated(), progress(f"running {kernels_text(batch.total)}") as shown:
            for _ in batch.run(runner):
                shown.step(f"{len(batch.outcomes)} done")
    except _TerminatedError:
        return EXIT_TERMINATED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return None


class _TerminatedError(BaseException):
    """A supervisor wants the batch to end."""


@contextmanager
def _terminated() -> Iterator[None]:
    """Raise on SIGTERM, so that processes are ended and what is done is printed."""

    def end(*_: object) -> NoReturn:
        raise _TerminatedError

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _show(batch: Batch, *, interrupted: bool, as_json: bool) -> None:
    if as_json:
        print_json(_fields(batch, interrupted=interrupted))
        return
    from pelican_rotation.batch_screen import show_batch  # noqa: PLC0415 - help stays light
    from pelican_rotation.tables import people  # noqa: PLC0415

    show_batch(batch, people())


def _fields(batch: Batch, *, interrupted: bool) -> dict[str, Any]:
    from pelican_rotation.batch.folder import outcome_fields  # noqa: PLC0415

    return {
        "schema": SCHEMA,
        "total": batch.total,
        "interrupted": interrupted,
        "kernels": [outcome_fields(outcome) for outcome in batch.outcomes],
    }
