"""The command `rotation`: rotate a kernel, and see that it is the same program."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer

from pelican_rotation.cli.answers import (
    KernelFile,
    KernelName,
    add_answers,
)
from pelican_rotation.cli.batch import batch_command
from pelican_rotation.cli.fmt import fmt_kernels_command
from pelican_rotation.cli.inputs import named, read_kernels
from pelican_rotation.cli.named_numbers import named_numbers
from pelican_rotation.cli.output import (
    AsJson,
    Version,
    print_errors,
    print_json,
    reported_errors,
)
from pelican_rotation.cli.placed import Dumps, check_placed_command
from pelican_rotation.cli.program import Commands, require_told, run_program
from pelican_rotation.cli.progress import progress
from pelican_rotation.cli.run_files import ReportFile, RunFiles, TraceFile
from pelican_rotation.cli.run_options import Asked, asks_for_run, note_placed
from pelican_rotation.file_kinds import DOCUMENT

if TYPE_CHECKING:
    from rotation.loop_form.kernel import Function
    from rotation.running.result import Result

SEPARATE: Final = "separate_load_and_compute"
"""The pass that is off."""

app = typer.Typer(
    name="rotation",
    cls=Commands,
    help="Rotate the buffers of a kernel so that its loops overlap, and prove that "
    "the result is the same program.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def rotation(*, version: Version = False) -> None:
    """Rotate the buffers of a kernel, and prove that it is the same program."""


@app.command("run")
@asks_for_run
def run_command(  # noqa: PLR0913 - an option each
    file: KernelFile,
    name: KernelName = None,
    *,
    asked: Asked,
    separate_load_and_compute: Annotated[
        bool,
        typer.Option(
            "--separate-load-and-compute",
            help="Take the waits of loads away, for analysis only: this breaks the "
            "program.",
        ),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", help="Print what policy modelled does, on standard error."
        ),
    ] = False,
    print_after: Annotated[
        list[str],
        typer.Option(
            "--print-after",
            help="Print the program after this pass, and the screen to standard error.",
        ),
    ] = [],  # noqa: B006 - typer copies the default
    dump_dir: Annotated[
        str | None,
        typer.Option(
            "--dump",
            help="Write the program after each pass to this folder.",
            callback=named,
        ),
    ] = None,
    verify_each: Annotated[
        bool, typer.Option("--verify-each", help="Check the program after each pass.")
    ] = False,
    no_check: Annotated[
        bool,
        typer.Option(
            "--no-check",
            help="Leave out all checks and proofs; nothing then says that the result "
            "is the same program.",
        ),
    ] = False,
    timeline: Annotated[
        bool,
        typer.Option("--timeline", help="List every instruction; needs --json."),
    ] = False,
    report: ReportFile = None,
    trace: TraceFile = None,
    as_json: AsJson = False,
) -> None:
    """Rotate, schedule, check and prove a kernel; print one screen.

    Of a text with several kernels all are run, unless NAME names one.

    Exits 0 if all that was checked holds, 1 if a check found a hazard or a proof was
    refuted, 2 if the kernel is wrong or does not fit, 3 if a proof was not decided.
    """
    from rotation.loading import function_of, is_document  # noqa: PLC0415 - light help
    from rotation.text.parse import parse  # noqa: PLC0415

    with reported_errors(as_json=as_json):
        _require_json(timeline=timeline, as_json=as_json)
        files = RunFiles(report, trace).required(
            as_json=as_json, print_after=bool(print_after)
        )
        dumps = Dumps(print_after, dump_dir, as_json=as_json)
        _require_on(print_after, separate=separate_load_and_compute)
        common = {
            "separate_load_and_compute": separate_load_and_compute,
            "checks": not no_check,
        }
        screen = _Screen(file, as_json=as_json, verbose=verbose, timeline=timeline)
        own = asked.own_machine()
        source = read_kernels(file, "run")
        if not (name or is_document(source)):
            several = parse(source.text, source.name, own=own)
            if len(several) > 1:
                _run_all(several, asked, files, common, screen)
        function = function_of("run", source, name, own=own)
        options = {
            **asked.options(),
            **common,
            "after_pass": dumps if dumps.wanted else None,
            "verify_each": verify_each,
        }
        result = _run(function, asked.machine, options, files, as_json=as_json)
        files.write(result)
    asked.note_machine(function)
    note_placed(source, function)
    screen.show(result, name, to_stderr=bool(print_after) or files.take_stdout)
    raise typer.Exit(files.exit_code(result))


app.command("batch")(batch_command)
app.command("check")(check_placed_command)
app.command("fmt")(fmt_kernels_command)


@app.command("convert")
def convert_command(
    file: Annotated[str, typer.Argument(help="A rotation-kernels/1 JSON document.")],
    name: Annotated[str, typer.Argument(help="Which kernel of the document.")],
    *,
    no_hand: Annotated[
        bool, typer.Option("--no-hand", help="Leave hand_allocation out.")
    ] = False,
    bounds: Annotated[
        list[str],
        typer.Option(
            "--hi", help="Another upper bound of a loop, as i=4. May be repeated."
        ),
    ] = [],  # noqa: B006 - typer copies the default
) -> None:
    """Print a kernel of a JSON document as kernel text."""
    with reported_errors(as_json=False):
        from rotation.interchange.document import (  # noqa: PLC0415 - help stays light
            named_document,
            read_document,
        )
        from rotation.interchange.json_form import convert  # noqa: PLC0415

        what = "a loop its upper bound"
        given = named_numbers(bounds, "--hi", what, "i=4")
        source = read_kernels(file, "convert", DOCUMENT)
        with named_document(source.name):
            document = read_document(source)
            text = convert(document, name, hand=not no_hand, bounds=given)
        sys.stdout.write(text)


add_answers(app)


def _require_json(*, timeline: bool, as_json: bool) -> None:
    """Raise an `ArgumentError` if a timeline is wanted where none is printed."""
    from rotation.errors import ArgumentError  # noqa: PLC0415 - help stays light

    if timeline and not as_json:
        message = "--timeline adds to the JSON object, and there is none"
        raise ArgumentError(message, hint="add --json")


def _require_on(print_after: list[str], *, separate: bool) -> None:
    """Raise a `PassError` if a pass is to be shown that does not run."""
    from rotation.errors import PassError  # noqa: PLC0415 - help stays light

    if SEPARATE in print_after and not separate:
        message = f"pass {SEPARATE} does not run, so there is nothing to print after it"
        raise PassError(message, hint="add --separate-load-and-compute")


def _run(
    function: Function,
    machine: str | None,
    options: dict[str, Any],
    files: RunFiles,
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
    from rotation.running.result import refused, to_json  # noqa: PLC0415

    try:
        prints = options["after_pass"] is not None
        with progress(f"rotating {function.name}", prints=prints):
            return run(function, machine, **options)
    except (ArgumentError, MachineError, PassError):
        raise
    except RotationError as error:
        result = refused(function, machine or function.machine, error)
        files.write(result)
        if as_json:
            print_json(to_json(result))
        else:
            print_errors(error)
        raise typer.Exit(files.exit_code(result)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Screen:
    """How the results of a file are shown.

    Attributes:
        file: What was run.
        as_json: Whether as one object.
        verbose: Whether what policy modelled did goes to standard error.
        timeline: Whether an object lists every instruction.
    """

    file: str = field(kw_only=False)
    as_json: bool
    verbose: bool
    timeline: bool

    def show(self, result: Result, name: str | None, *, to_stderr: bool) -> None:
        """Print a result; `name` tells its kernel apart from others of the file."""
        for each in result.functions or (result,):
            if self.verbose and each.after is not None:
                sys.stderr.writelines(f"{line}\n" for line in each.after.log)
        self._print(result, name, to_stderr=to_stderr)
        if self.verbose or to_stderr:
            require_told()

    def _print(self, result: Result, name: str | None, *, to_stderr: bool) -> None:
        if self.as_json:
            from rotation.running.result import to_json  # noqa: PLC0415 - help is light

            print_json(to_json(result, timeline=self.timeline))
            return
        from pelican_rotation.screen import show  # noqa: PLC0415 - help stays light
        from pelican_rotation.tables import people  # noqa: PLC0415

        for each in result.functions or (result,):
            which = each.kernel if result.functions else name
            words = ["rotation", "explain", self.file, *([which] if which else [])]
            show(each, people(stderr=to_stderr), shlex.join(words))


def _run_all(
    functions: Sequence[Function],
    asked: Asked,
    files: RunFiles,
    options: dict[str, bool],
    screen: _Screen,
) -> NoReturn:
    """Run the kernels of a file, show each, and exit."""
    from rotation.running.functions import run_all  # noqa: PLC0415 - help stays light

    with progress(f"rotating {len(functions)} kernels"):
        result = run_all(functions, asked.machine, **options, **asked.common())
    files.write(result)
    screen.show(result, None, to_stderr=files.take_stdout)
    raise typer.Exit(files.exit_code(result))


def main() -> None:
    """Run the program."""
    run_program(app)
