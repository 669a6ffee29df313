"""The command `rotation`: rotate a kernel, and see that it is the same program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

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
    assume: Annotated[
        list[str],
        typer.Option(
            "--assume",
            help="Totals are for this number in a register, n=64. May be repeated.",
        ),
    ] = [],  # noqa: B006 - typer copies the default
    as_json: AsJson = False,
) -> None:
    """Rotate, schedule, check and prove a kernel; print one screen.

    Exits 0 if all holds, 1 if a check found a hazard or a proof was refuted, 2 if the
    kernel is wrong or does not fit, 3 if a proof was not decided.
    """
    from rotation import load  # noqa: PLC0415 - help stays light

    with reported_errors(as_json=as_json):
        function = load(file, name)
        numbers = _numbers(assume)
        result = _run(function, machine, skip_passes, numbers, as_json=as_json)
    if machine is not None and machine != function.machine:
        sys.stderr.write(f"note: {function.name} is written for {function.machine}\n")
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


def _numbers(assume: list[str]) -> dict[str, int]:
    """Return the numbers of registers that options like ``n=64`` give.

    Raises:
        ArgumentError: If one has another form, or a register has two.
    """
    from rotation.errors import ArgumentError  # noqa: PLC0415 - help stays light

    numbers: dict[str, int] = {}
    for text in assume:
        name, _, digits = text.partition("=")
        name = name.strip().removeprefix("%")
        if not name.isidentifier() or not digits.strip().lstrip("-").isdecimal():
            message = f"--assume gives a register a number, got {text!r}"
            raise ArgumentError(message, hint="write --assume n=64")
        if name in numbers:
            message = f"--assume gives {name} two numbers"
            raise ArgumentError(message, hint="keep one of them")
        numbers[name] = int(digits)
    return numbers


def _run(
    function: Function,
    machine: str | None,
    skip_passes: list[str],
    assume: dict[str, int],
    *,
    as_json: bool,
) -> Result:
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
        return run(function, machine, skip_passes=skip_passes, assume=assume)
    except (ArgumentError, MachineError, PassError):
        raise
    except RotationError as error:
        if as_json:
            print_json(to_json(refused(function, machine or function.machine, error)))
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
