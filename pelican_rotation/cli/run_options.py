"""The options of a run, which `rotation run` and `rotation explain` both take."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pelican.source import argument_of
from pelican_rotation.cli.inputs import named
from pelican_rotation.cli.named_numbers import named_numbers
from pelican_rotation.cli.signatures import with_options

if TYPE_CHECKING:
    from pelican.errors import Source
    from rotation.loop_form.kernel import Function
    from rotation.machine.machine import Machine
    from rotation.running.arguments import RunOptions

_OPTIONS: Final[dict[str, tuple[Any, Any]]] = {
    "machine": (
        Annotated[
            str | None,
            typer.Option(
                "--machine",
                help="Run on this machine, not on the kernel's: a name, or a .toml "
                "file that describes one.",
                callback=named,
            ),
        ],
        None,
    ),
    "psum_banks": (
        Annotated[
            int | None,
            typer.Option("--psum-banks", help="Use so many PSUM banks."),
        ],
        None,
    ),
    "skip_passes": (
        Annotated[
            list[str],
            typer.Option("--skip-pass", help="Leave a pass out. May be repeated."),
        ],
        [],
    ),
    "dram_rotation_size": (
        Annotated[
            int | None,
            typer.Option(
                "--dram-rotation-size",
                help="GiB in which DRAM buffers rotate, 1 to 8 (default 8); -1 for "
                "what is in use before rotation.",
            ),
        ],
        None,
    ),
    "disable_dram_rotation": (
        Annotated[
            bool,
            typer.Option(
                "--disable-dram-rotation", help="Leave DRAM buffers in place."
            ),
        ],
        False,
    ),
    "policy": (
        Annotated[
            str,
            typer.Option(
                "--policy",
                help="How instances are bound to addresses: ring, or modelled for the "
                "way of the modelled system.",
            ),
        ],
        "ring",
    ),
    "assume": (
        Annotated[
            list[str],
            typer.Option(
                "--assume",
                help="Totals are for this number in a register, n=64. May be repeated.",
            ),
        ],
        [],
    ),
}
"""Each option with what is given without it."""


class Asked:
    """What a command line asks of a run; it is read where errors are reported.

    Attributes:
        machine: Name of the machine; None for that of the kernel.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.machine: str | None = values["machine"]
        self._values = values

    def options(self) -> RunOptions:
        """Return the options of `rotation.run`.

        Raises:
            ArgumentError: If `--assume` makes no sense.
        """
        return {**self.common(), "assume": self._numbers()}

    def _numbers(self) -> dict[str, int]:
        what = "a register a number"
        return named_numbers(self._values["assume"], "--assume", what, "n=64")

    def common(self) -> RunOptions:
        """Return those that all kernels of a file can have in common."""
        return {
            "skip_passes": self._values["skip_passes"],
            "policy": self._values["policy"],
            "dram_rotation_gib": self._values["dram_rotation_size"],
            "rotate_dram": not self._values["disable_dram_rotation"],
            "psum_banks": self._values["psum_banks"],
        }

    def own_machine(self) -> Machine | None:
        """Return the machine that a file of the user describes, if one is asked for.

        Raises:
            MachineError: If the file makes no sense.
        """
        return own_machine(self.machine)

    def note_machine(self, function: Function) -> None:
        """Write to standard error if the kernel is written for another machine."""
        own = self.own_machine()
        asked = self.machine if own is None else own.name
        if asked not in {None, function.machine}:
            name = function.name
            sys.stderr.write(f"note: {name} is written for {function.machine}\n")


def note_placed(source: Source, function: Function) -> None:
    """Write to standard error if a text places the kernel, which no run looks at."""
    from rotation.loading import is_document  # noqa: PLC0415 - help stays light
    from rotation.text.parse import placed_names  # noqa: PLC0415

    name = function.name
    if not is_document(source) and name in placed_names(source):
        look = f"rotation check {argument_of(source.name)} {name}"
        sys.stderr.write(f"note: the text places {name}, which is left out: {look}\n")


def own_machine(machine: str | None) -> Machine | None:
    """Return the machine of a ``.toml`` file; None for the name of one, or for none.

    Raises:
        MachineError: If the file makes no sense.
    """
    from rotation.machine.machine import is_file, machine_from  # noqa: PLC0415 - help is light

    return machine_from(machine) if machine is not None and is_file(machine) else None


def asks_for_run(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of a run.

    Args:
        command: Takes what they ask for as its keyword `asked`.
    """
    options = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind
        )
        for name, (kind, default) in _OPTIONS.items()
    ]
    return with_options(command, options, "asked", Asked)
