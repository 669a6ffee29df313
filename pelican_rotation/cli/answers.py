"""The commands of `rotation` that explain: `explain`, `passes` and `machines`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import typer

from pelican.schema import SCHEMA
from pelican_rotation.cli.inputs import named, read_kernels
from pelican_rotation.cli.output import AsJson, print_json, reported_errors
from pelican_rotation.cli.progress import progress
from pelican_rotation.cli.run_options import Asked, asks_for_run, note_placed

KernelFile = Annotated[
    str,
    typer.Argument(
        help="A .kernel file, or a .json document; - is a text on standard input."
    ),
]
KernelName = Annotated[
    str | None, typer.Argument(help="Which kernel of the file.", callback=named)
]
_GEOMETRY: Final = (
    *("timing", "partitions", "sb_bytes_per_partition"),
    *("psum_partitions", "psum_banks", "psum_bank_bytes", "dma_servers"),
)
"""What is shown of a machine."""


def add_answers(app: typer.Typer) -> None:
    """Give a command line the commands of this module."""
    commands: dict[str, Callable[..., None]] = {
        "explain": explain_command,
        "passes": passes_command,
        "machines": machines_command,
    }
    for name, command in commands.items():
        app.command(name)(command)


@asks_for_run
def explain_command(
    file: KernelFile,
    name: KernelName = None,
    *,
    asked: Asked,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out the runs with remedies.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what binds each loop and what each engine waits for.

    What another slot or another remedy brings is found by running with it; which of
    those runs is the shortest is said too.
    """
    from rotation import explain  # noqa: PLC0415 - help stays light
    from rotation.loading import function_of  # noqa: PLC0415

    with reported_errors(as_json=as_json):
        source = read_kernels(file, "explain")
        function = function_of("explain", source, name, own=asked.own_machine())
        with progress(f"explaining {function.name}"):
            explanation = explain(
                function, asked.machine, try_slots=not quick, **asked.options()
            )
    asked.note_machine(function)
    note_placed(source, function)
    if as_json:
        from rotation.explaining.explanation import to_json  # noqa: PLC0415

        print_json(to_json(explanation))
        return
    from pelican_rotation.explain_screen import (  # noqa: PLC0415 - help stays light
        show_explanation,
    )
    from pelican_rotation.tables import people  # noqa: PLC0415

    show_explanation(explanation, people())


def passes_command(*, as_json: AsJson = False) -> None:
    """List the passes in the order in which they run."""
    from rotation.running.pass_list import pass_list  # noqa: PLC0415 - help stays light

    passes = pass_list()
    if as_json:
        print_json({"schema": SCHEMA, "passes": passes})
        return
    rows = [
        (
            each["name"],
            "always" if each["needed"] else "skippable" if each["on"] else "off",
            ", ".join(f"{k}={v}" for k, v in each["options"].items()) or "-",
            each["summary"],
        )
        for each in passes
    ]
    _print_table(("pass", "runs", "options", "does"), rows)


def machines_command(*, as_json: AsJson = False) -> None:
    """List the machines with their geometry and their servers of dma."""
    from rotation.machine.machine import get_machine, machine_names  # noqa: PLC0415

    with reported_errors(as_json=as_json):
        machines: list[dict[str, Any]] = [
            {
                "name": name,
                **{key: getattr(get_machine(name), key) for key in _GEOMETRY},
            }
            for name in machine_names()
        ]
    if as_json:
        print_json({"schema": SCHEMA, "machines": machines})
        return
    header = (
        *("machine", "timing", "sb partitions", "sb bytes"),
        *("psum partitions", "banks", "bank bytes", "dma servers"),
    )
    rows = [
        tuple(f"{v:,}" if isinstance(v, int) else v for v in machine.values())
        for machine in machines
    ]
    _print_table(header, rows)


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from pelican_rotation.tables import (  # noqa: PLC0415 - help stays light
        listing_of,
        people,
        print_block,
    )

    console = people()
    print_block(listing_of(header, rows, console.width), console)
