"""The command `rotation`: rotate a kernel, and see that it is the same program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pelican_rotation.cli.output import (
    EXIT_BAD_INPUT,
    EXIT_HOLDS,
    EXIT_REFUTED,
    EXIT_UNDECIDED,
    AsJson,
    Version,
    print_errors,
    print_json,
    reported_errors,
)
from pelican_rotation.cli.program import run_program

if TYPE_CHECKING:
    from rotation.kernel import Function
    from rotation.result import Result

app = typer.Typer(
    name="rotation",
    help="Rotate the buffers of a kernel so that its loops overlap, and prove that "
    "the result is the same program.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

KernelFile = Annotated[str, typer.Argument(help="A .kernel file, or a .json document.")]
KernelName = Annotated[str | None, typer.Argument(help="Which kernel of the file.")]


@app.callback()
def rotation(*, version: Version = False) -> None:
    """Rotate the buffers of a kernel, and prove that it is the same program."""


@app.command("run")
def run_command(
    file: KernelFile,
    name: KernelName = None,
    *,
    machine: Annotated[
        str | None,
        typer.Option("--machine", help="Run on this machine, not on the kernel's own."),
    ] = None,
    skip_passes: Annotated[
        list[str],
        typer.Option("--skip-pass", help="Leave a pass out. May be repeated."),
    ] = [],  # noqa: B006 - typer copies the default
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            help="How instances are bound to addresses: ring, or modelled for the way "
            "of the modelled system.",
        ),
    ] = "ring",
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", help="Print what policy modelled does, on standard error."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rotate, schedule, check and prove a kernel; print one screen.

    Exits 0 if all holds, 1 if a check found a hazard or a proof was refuted, 2 if the
    kernel is wrong or does not fit, 3 if a proof was not decided.
    """
    from rotation import load  # noqa: PLC0415 - help stays light

    with reported_errors(as_json=as_json):
        function = load(file, name)
        options = _Options(machine, tuple(skip_passes), policy)
        result = _run(function, options, as_json=as_json)
    if machine is not None and machine != function.machine:
        sys.stderr.write(f"note: {function.name} is written for {function.machine}\n")
    if verbose and result.after is not None:
        sys.stderr.writelines(f"{line}\n" for line in result.after.log)
    _show(result, as_json=as_json)
    raise typer.Exit(_exit_code(result))


@app.command("convert")
def convert_command(
    file: Annotated[str, typer.Argument(help="A rotation-kernels/1 JSON document.")],
    name: Annotated[str, typer.Argument(help="Which kernel of the document.")],
) -> None:
    """Print a kernel of a JSON document as kernel text."""
    with reported_errors(as_json=False):
        from rotation.document import (  # noqa: PLC0415 - help stays light
            load_document,
            named_document,
        )
        from rotation.interchange import convert  # noqa: PLC0415

        with named_document(file):
            text = convert(load_document(file), name)
        sys.stdout.write(text)


class _Options(NamedTuple):
    """What the command line asks of a run."""

    machine: str | None
    skip_passes: tuple[str, ...]
    policy: str


def _run(function: Function, options: _Options, *, as_json: bool) -> Result:
    """Run a kernel; one that is refused is shown as such, with the exit code 2."""
    from rotation import run  # noqa: PLC0415 - help stays light
    from rotation.errors import (  # noqa: PLC0415
        ArgumentError,
        MachineError,
        PassError,
        RotationError,
    )
    from rotation.result import refused, to_json  # noqa: PLC0415

    try:
        return run(function, **options._asdict())
    except (ArgumentError, MachineError, PassError):
        raise
    except RotationError as error:
        if as_json:
            machine = options.machine or function.machine
            print_json(to_json(refused(function, machine, error)))
        else:
            print_errors(error)
        raise typer.Exit(EXIT_BAD_INPUT) from None


def _show(result: Result, *, as_json: bool) -> None:
    if as_json:
        from rotation.result import to_json  # noqa: PLC0415 - help stays light

        print_json(to_json(result))
    else:
        from rich.console import Console  # noqa: PLC0415

        from pelican_rotation.screen import show  # noqa: PLC0415

        show(result, Console())


def _exit_code(result: Result) -> int:
    if result.hazards or (result.proofs is not None and result.proofs.refuted):
        return EXIT_REFUTED
    if result.proofs is not None and result.proofs.unknown:
        return EXIT_UNDECIDED
    return EXIT_HOLDS


def main() -> None:
    """Run the program."""
    run_program(app)
