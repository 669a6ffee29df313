"""`pelican view`: an access pattern of a file as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pelican.access.patterns import AccessPattern
from pelican.errors import (
    LocatedError,
    PelicanError,
    TooLargeError,
    UnknownNameError,
    nearest,
)
from pelican.tree.kinds import is_expr, is_leaf
from pelican_rotation.cli.inputs import read_claims
from pelican_rotation.cli.output import print_errors, reported_errors
from pelican_rotation.cli.questions import point_of
from pelican_rotation.exits import EXIT_BAD_INPUT
from pelican_rotation.files import require_file_place, write_text

if TYPE_CHECKING:
    from pelican.pel.document import Document


def view_command(
    file: Annotated[str, typer.Argument(help="A file of claims; - is standard input.")],
    name: Annotated[
        str | None, typer.Argument(help="Which pattern, if the file has several.")
    ] = None,
    *,
    at: Annotated[
        list[str],
        typer.Option("--at", help="Keep a name at one value: i=3. May be repeated."),
    ] = [],  # noqa: B006 - typer copies the default
    first: Annotated[
        int | None,
        typer.Option("--first", min=1, help="Show so many iterations, not all."),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to this file; - is the screen.",
        ),
    ] = "-",
) -> None:
    """Draw which iteration of a pattern touches which addresses.

    The picture is SVG, with one row an iteration. Where iterations come back to the
    same addresses, each slot has a number. Needs the extra notebook.
    """
    with reported_errors(as_json=False):
        require_file_place(output, "--output")
        pattern, names = _pattern(file, name)
        write_text(output, _svg(pattern, _point(at, names), first), "--output")


def _point(at: list[str], names: Mapping[str, Any]) -> dict[Any, int]:
    """Return the values of ``--at`` for names that can have one.

    Raises:
        ParseError: As `point_of`.
        UnknownNameError: If the file declares no such index.
    """
    leaves = {k: v for k, v in names.items() if is_expr(v) and is_leaf(v)}
    try:
        return point_of(at, leaves)
    except UnknownNameError as error:
        # The file declares; no option of this command does.
        error.hint = (error.hint or "").partition("; or declare")[0]
        raise


def _pattern(file: str, name: str | None) -> tuple[AccessPattern, Mapping[str, Any]]:
    """Return a pattern of a file, and what the names of the file stand for.

    Raises:
        UnknownNameError: If the file has no pattern of that name.
        PelicanError: If no name is given, and there is not one pattern.
    """
    document = _read(file)
    patterns = {
        key: value
        for key, value in document.names.items()
        if isinstance(value, AccessPattern)
    }
    if name is not None and name not in patterns:
        known = f"patterns of the file: {', '.join(patterns) or 'none'}"
        raise UnknownNameError(name, hint=nearest(name, patterns) or known)
    if name is None and len(patterns) != 1:
        number = "no pattern" if not patterns else f"{len(patterns)} patterns"
        hint = (
            f"name one of them: {', '.join(patterns)}"
            if patterns
            else "write one: pattern p = at 64*(i mod 4) free [1, 64]"
        )
        raise PelicanError(f"{file} has {number}", hint=hint)
    chosen = name if name is not None else next(iter(patterns))
    return patterns[chosen], document.names


def _read(file: str) -> Document:
    from pelican.pel.read import read_pel  # noqa: PLC0415 - loads the parser

    source = read_claims(file, "view")
    document = read_pel(source.text, source.name)
    if document.errors:
        for error in document.errors:
            print_errors(error)
        raise typer.Exit(EXIT_BAD_INPUT)
    return document


def _svg(pattern: AccessPattern, at: Mapping[Any, int], first: int | None) -> str:
    """Return the picture.

    Raises:
        PelicanError: If the drawing library is not installed.
        TooLargeError: If there is too much to draw.
        NonAffineError: If a value is known to the machine only, and `at` has none.
    """
    try:
        from pelican.access.picture import (  # noqa: PLC0415 - an extra
            MOST_ROWS,
            picture,
            whole_picture,
        )
    except ImportError:
        message = "view needs the library drawsvg, which is not installed"
        hint = "install the extra: pip install 'pelican-rotation[notebook]'"
        raise PelicanError(message, hint=hint) from None
    if first is not None and first > MOST_ROWS:
        hint = "give an index a value to look further on, as in --at i=3"
        raise TooLargeError(f"a picture has at most {MOST_ROWS} rows", hint=hint)
    try:
        svg = (
            whole_picture(pattern, at) if first is None else picture(pattern, at, first)
        )
    except LocatedError as error:
        # The remedy in the words of this command.
        word = type(error).__name__
        if word == "TooLargeError" and "iterations" in error.message:
            error.hint = f"add --first {MOST_ROWS}, or give an index a value: --at i=3"
        elif word == "NonAffineError":
            error.hint = "give it a value: --at NAME=3"
        raise
    return f"{svg}\n"
