"""`pelican fmt` and `rotation fmt`: files in their one layout."""

from __future__ import annotations

import sys
from collections.abc import Callable
from difflib import unified_diff
from io import StringIO
from typing import Annotated, Any, Final, NamedTuple, NoReturn

import typer

from pelican.errors import LocatedError, Source
from pelican.schema import SCHEMA
from pelican_rotation.cli.inputs import STDIN, read_claims, read_kernels
from pelican_rotation.cli.output import AsJson, print_errors, print_json
from pelican_rotation.error_json import error_object
from pelican_rotation.exits import EXIT_BAD_INPUT, EXIT_HOLDS, EXIT_REFUTED
from pelican_rotation.files import write_text

Files = Annotated[
    list[str], typer.Argument(help="Files to rewrite; - copies input to output.")
]
OnlyCheck = Annotated[
    bool, typer.Option("--check", help="Change nothing; exit 1 if something would.")
]
AsDiff = Annotated[
    bool, typer.Option("--diff", help="Change nothing; print what would, line by line.")
]


NO_END: Final = "\\ No newline at end of file"
"""What a unified difference says below a last line without an end."""


class Mode(NamedTuple):
    """What becomes of a new layout.

    Attributes:
        check: Whether one that differs gives the exit code 1.
        diff: Whether the difference is shown.
    """

    check: bool
    diff: bool

    @property
    def writes(self) -> bool:
        """Whether a file gets its new text."""
        return not (self.check or self.diff)


class Language(NamedTuple):
    """How files of a language are read and laid out.

    Attributes:
        read: Returns the text of a file for a command.
        layout: Returns a text in its one layout; takes the text and its name.
    """

    read: Callable[[str, str], Source]
    layout: Callable[[str, str], str]


def fmt_command(
    files: Files,
    *,
    check: OnlyCheck = False,
    diff: AsDiff = False,
    as_json: AsJson = False,
) -> None:
    """Rewrite files of claims in their one layout.

    Nothing is simplified and no comment is lost. A file with a mistake stays as it is.
    Exits 2 if there is one.
    """
    from pelican.pel.format import format_pel  # noqa: PLC0415 - loads the parser

    language = Language(read_claims, format_pel)
    _format_files(files, language, Mode(check, diff), as_json=as_json)


def fmt_kernels_command(
    files: Files,
    *,
    check: OnlyCheck = False,
    diff: AsDiff = False,
    as_json: AsJson = False,
) -> None:
    """Rewrite files of kernels in their one layout.

    Nothing is simplified and no comment is lost. A text that is not in the language
    stays as it is. Exits 2 if there is one.
    """
    from rotation.text.format import format_kernels  # noqa: PLC0415 - loads the parser

    language = Language(read_kernels, format_kernels)
    _format_files(files, language, Mode(check, diff), as_json=as_json)


def _format_files(
    files: list[str], language: Language, mode: Mode, *, as_json: bool
) -> NoReturn:
    """Format each file, say what changed, and exit."""
    done: list[dict[str, Any]] = []
    errors: list[LocatedError] = []
    for file in files:
        try:
            done.append(_formatted(file, language, mode))
        except LocatedError as error:
            errors += error.errors
            if not as_json:
                print_errors(error)
            continue
        if not as_json:
            _report(done[-1], mode)
    if as_json:
        found = [error_object(error) for error in errors]
        print_json({"schema": SCHEMA, "files": done, "errors": found})
    changed = mode.check and any(each["changed"] for each in done)
    code = EXIT_REFUTED if changed else EXIT_HOLDS
    raise typer.Exit(EXIT_BAD_INPUT if errors else code)


def _formatted(file: str, language: Language, mode: Mode) -> dict[str, Any]:
    """Format one file; return its name, whether that changes it, and the new text.

    The text is None where it went into the file, or nothing is to be written; the
    difference is None where it is not asked for.
    """
    source = language.read(file, "fmt")
    text = language.layout(source.text, source.name)
    changed = text != source.text
    if changed and mode.writes and file != STDIN:
        write_text(file, text, "fmt")
    return {
        "file": file,
        "changed": changed,
        "text": text if file == STDIN and mode.writes else None,
        "diff": _difference(file, source.text, text) if mode.diff else None,
    }


def _difference(file: str, old: str, new: str) -> str:
    """Return the unified difference of two texts; nothing if there is none."""
    # Only a line feed ends a line of such a file.
    old_lines, new_lines = (list(StringIO(text, newline="")) for text in (old, new))
    lines = unified_diff(old_lines, new_lines, file, file, "as it is", "laid out")
    ended = (line if line.endswith("\n") else f"{line}\n{NO_END}\n" for line in lines)
    return "".join(ended)


def _report(done: dict[str, Any], mode: Mode) -> None:
    if done["diff"] is not None:
        sys.stdout.write(done["diff"])
    if done["text"] is not None:
        sys.stdout.write(done["text"])
    elif done["changed"]:
        word = "changed" if mode.writes else "would change"
        sys.stderr.write(f"{word}: {done['file']}\n")
