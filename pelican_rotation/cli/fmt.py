"""`pelican fmt` and `rotation fmt`: files in their one layout."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer

from pelican.errors import LocatedError
from pelican.schema import SCHEMA
from pelican_rotation.cli.files import write_text
from pelican_rotation.cli.inputs import STDIN, read_input
from pelican_rotation.cli.output import (
    EXIT_BAD_INPUT,
    EXIT_HOLDS,
    EXIT_REFUTED,
    AsJson,
    error_object,
    print_errors,
    print_json,
)

Files = Annotated[
    list[str], typer.Argument(help="Files to rewrite; - copies input to output.")
]
OnlyCheck = Annotated[
    bool, typer.Option("--check", help="Change nothing; exit 1 if something would.")
]


def fmt_command(
    files: Files, *, check: OnlyCheck = False, as_json: AsJson = False
) -> None:
    """Rewrite files of claims in their one layout.

    Nothing is simplified and no comment is lost. A file with a mistake stays as it is.
    Exits 2 if there is one.
    """
    from pelican.pel.format import format_pel  # noqa: PLC0415 - loads the parser

    _format_files(files, format_pel, check=check, as_json=as_json)


def fmt_kernels_command(
    files: Files, *, check: OnlyCheck = False, as_json: AsJson = False
) -> None:
    """Rewrite files of kernels in their one layout.

    Nothing is simplified and no comment is lost. A text that is not in the language
    stays as it is. Exits 2 if there is one.
    """
    from rotation.text.format import format_kernels  # noqa: PLC0415 - loads the parser

    _format_files(files, format_kernels, check=check, as_json=as_json)


def _format_files(
    files: list[str], layout: Callable[[str, str], str], *, check: bool, as_json: bool
) -> NoReturn:
    """Format each file, say what changed, and exit."""
    done: list[dict[str, Any]] = []
    errors: list[LocatedError] = []
    for file in files:
        try:
            done.append(_formatted(file, layout, check=check))
        except LocatedError as error:
            errors += error.errors
            if not as_json:
                print_errors(error)
            continue
        if not as_json:
            _report(done[-1], check=check)
    if as_json:
        found = [error_object(error) for error in errors]
        print_json({"schema": SCHEMA, "files": done, "errors": found})
    changed = check and any(each["changed"] for each in done)
    code = EXIT_REFUTED if changed else EXIT_HOLDS
    raise typer.Exit(EXIT_BAD_INPUT if errors else code)


def _formatted(
    file: str, layout: Callable[[str, str], str], *, check: bool
) -> dict[str, Any]:
    """Format one file; return its name, whether that changes it, and the new text.

    The text is None where it went into the file, or nothing is to be written.
    """
    source = read_input(file)
    text = layout(source.text, source.name)
    changed = text != source.text
    if file == STDIN:
        return {"file": file, "changed": changed, "text": None if check else text}
    if changed and not check:
        write_text(file, text, "fmt")
    return {"file": file, "changed": changed, "text": None}


def _report(done: dict[str, Any], *, check: bool) -> None:
    if done["text"] is not None:
        sys.stdout.write(done["text"])
    elif done["changed"]:
        word = "would change" if check else "changed"
        sys.stderr.write(f"{word}: {done['file']}\n")
