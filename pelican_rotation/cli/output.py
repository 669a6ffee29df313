"""What both programs print: JSON objects, and errors with the exit code 2."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from pelican.errors import LocatedError
from pelican.schema import SCHEMA
from pelican_rotation.error_json import error_object
from pelican_rotation.exits import EXIT_BAD_INPUT, EXIT_HOLDS

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


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
