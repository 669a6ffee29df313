"""What both programs print: JSON objects, and errors with the exit code 2."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pelican.errors import LocatedError
from pelican.schema import SCHEMA

if TYPE_CHECKING:
    from rotation.running.result import Result

EXIT_HOLDS: Final = 0
EXIT_REFUTED: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_UNDECIDED: Final = 3
EXIT_CODES: Final = (EXIT_HOLDS, EXIT_REFUTED, EXIT_BAD_INPUT, EXIT_UNDECIDED)
"""What a command that answers may end with."""

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def exit_code(verdicts: Iterable[str]) -> int:
    """Return the exit code of some verdicts: the gravest of them decides.

    >>> exit_code(["proved", "unknown", "refuted"]), exit_code(["proved", "unknown"])
    (1, 3)
    """
    words = set(verdicts)
    if "refuted" in words:
        return EXIT_REFUTED
    return EXIT_UNDECIDED if "unknown" in words else EXIT_HOLDS


def run_exit_code(result: Result) -> int:
    """Return the exit code of a run: that of ``rotation run``."""
    if result.verdict == "refused":
        return EXIT_BAD_INPUT
    if result.hazards or (result.proofs is not None and result.proofs.refuted):
        return EXIT_REFUTED
    if result.proofs is not None and result.proofs.unknown:
        return EXIT_UNDECIDED
    return EXIT_HOLDS


def _print_version(value: bool) -> None:  # noqa: FBT001 - as typer calls it
    if value:
        from importlib.metadata import version  # noqa: PLC0415 - slow to load

        sys.stdout.write(f"{version('pelican-rotation')}\n")
        raise typer.Exit(EXIT_HOLDS)


Version = Annotated[
    bool,
    typer.Option(
        "--version", help="Print the version.", callback=_print_version, is_eager=True
    ),
]


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON object, which starts with the schema."""
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


@contextmanager
def reported_errors(*, as_json: bool) -> Iterator[None]:
    """Turn a mistake of the input into a message and the exit code 2."""
    try:
        yield
    except LocatedError as error:
        if as_json:
            errors = [error_object(each) for each in error.errors]
            print_json({"schema": SCHEMA, "errors": errors})
        else:
            print_errors(error)
        raise typer.Exit(EXIT_BAD_INPUT) from None


def print_errors(error: LocatedError) -> None:
    """Print an error, and those that were found in the same run."""
    sys.stderr.write("".join(f"error: {each}\n" for each in error.errors))


def error_object(error: LocatedError) -> dict[str, Any]:
    """Return the JSON fields of a mistake."""
    return {
        "type": type(error).__name__,
        "message": error.message,
        "file": error.file,
        "line": error.line,
        "column": error.column,
        "end_column": error.end_column,
        "hint": error.hint,
    }
