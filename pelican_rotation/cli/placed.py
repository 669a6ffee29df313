"""Placed programs on the command line: dumps of a run, and `rotation check`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pelican.schema import SCHEMA
from pelican_rotation.cli.inputs import named, read_kernels
from pelican_rotation.cli.output import AsJson, print_json, reported_errors
from pelican_rotation.cli.run_options import own_machine
from pelican_rotation.exits import EXIT_HOLDS, EXIT_REFUTED
from pelican_rotation.file_kinds import PLACED
from pelican_rotation.files import write_text
from pelican_rotation.hazard_screen import show_placed

if TYPE_CHECKING:
    from rotation.check import Hazard
    from rotation.machine.machine import Machine
    from rotation.passes.base import State
    from rotation.placed.reading import Placed


class Dumps:
    """Prints and writes the program after passes, as it is told of each.

    Args:
        print_after: Names of the passes after which the program is printed.
        folder: Where a file for each pass goes that changes the program, if any.
        as_json: True if standard output belongs to the JSON object of the run.

    Raises:
        PassError: If a name is no pass.
        KernelError: If the folder cannot be made.
    """

    def __init__(
        self, print_after: Sequence[str], folder: str | None, *, as_json: bool
    ) -> None:
        self._print_after = frozenset(print_after)
        self._folder = None if folder is None else Path(folder)
        self._stream = sys.stderr if as_json else sys.stdout
        self._last = ""
        self._ordinal = 0
        self.wanted = bool(print_after) or folder is not None
        if self.wanted:
            self._require_passes(print_after)
        if self._folder is not None:
            _attempt(lambda: Path(str(folder)).mkdir(parents=True, exist_ok=True))

    def _require_passes(self, names: Sequence[str]) -> None:
        from rotation.running.pipeline import require_pass  # noqa: PLC0415 - help stays light

        for name in names:
            require_pass(name)

    def __call__(self, name: str, state: State) -> None:
        """Dump the state after a pass, where that is wanted."""
        from rotation.running.dump import dump  # noqa: PLC0415 - help stays light

        self._ordinal += 1
        if self._folder is None and name not in self._print_after:
            return
        text = dump(state)
        if name in self._print_after:
            head = "" if text.startswith("{") else f"# after {name}\n"
            self._stream.write(head + text)
        if self._folder is not None and text != self._last:
            form = "jsonl" if text.startswith("{") else "kernel"
            file = self._folder / f"{self._ordinal:02}-{name}.{form}"
            write_text(str(file), text, "--dump")
        self._last = text


def _attempt(write: Any) -> None:  # noqa: ANN401 - whatever it returns is dropped
    """Write something.

    Raises:
        KernelError: If the system does not let it.
    """
    from rotation.errors import KernelError  # noqa: PLC0415 - help stays light

    try:
        write()
    except OSError as error:
        message = f"cannot write {error.filename!r}: {error.strerror}"
        raise KernelError(message, hint="name another folder after --dump") from None


def check_placed_command(
    file: Annotated[
        str,
        typer.Argument(
            help="A placed program: text, or JSON lines of a dump; - is standard input."
        ),
    ],
    name: Annotated[
        str | None,
        typer.Argument(help="Which placed program of the file.", callback=named),
    ] = None,
    *,
    machine: Annotated[
        str | None,
        typer.Option(
            "--machine",
            help="A .toml file of the machine that it is written for.",
            callback=named,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a placed and scheduled program.

    The checks are of overlap, of races and of the outputs. Exits 0 if all holds, 1 if
    a check found a hazard, 2 if the file makes no sense.
    """
    from rotation.running.dump import read_placed  # noqa: PLC0415 - help stays light

    with reported_errors(as_json=as_json):
        source = read_kernels(file, "check", PLACED)
        placed = read_placed(source, name, own=_described(machine))
        hazards = placed.hazards()
    if as_json:
        print_json(_fields(placed, hazards))
    else:
        show_placed(placed, hazards)
    raise typer.Exit(EXIT_REFUTED if hazards else EXIT_HOLDS)


def _described(machine: str | None) -> Machine | None:
    """Return the machine of the user.

    Raises:
        ArgumentError: If it is no file: a placed program is for one machine only.
    """
    from rotation.errors import ArgumentError  # noqa: PLC0415 - help stays light

    own = own_machine(machine)
    if machine is not None and own is None:
        message = f"--machine takes a .toml file here, got {machine!r}"
        hint = "a placed program is checked on the machine that it names"
        raise ArgumentError(message, hint=hint)
    return own


def _fields(placed: Placed, hazards: Sequence[Hazard]) -> dict[str, Any]:
    from rotation.running.nanoseconds import ns  # noqa: PLC0415 - help stays light

    makespan_ps = 0 if placed.schedule is None else placed.schedule.makespan_ps
    unequal = {"equivalence", "race"}
    return {
        "schema": SCHEMA,
        "kernel": placed.function.name,
        "machine": placed.function.machine,
        "instructions": len(placed.program),
        "makespan_ns": ns(makespan_ps),
        "hazards": [
            {
                "check": hazard.check,
                "message": hazard.message,
                "instructions": list(hazard.instructions),
            }
            for hazard in hazards
        ],
        "equivalent": not any(hazard.check in unequal for hazard in hazards),
    }
