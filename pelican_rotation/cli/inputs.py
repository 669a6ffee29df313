"""The files that a command is given, and standard input under the name ``-``."""

from __future__ import annotations

import sys
from typing import Final

import typer

from pelican.errors import PelicanError, Source
from pelican.source import decoded, read_source

STDIN: Final = "-"
"""The argument that names standard input."""

Given = str | list[str] | None


def named(given: Given) -> Given:
    """Return what an argument or an option names, which is not the empty text.

    The empty text is what a variable of a shell gives that is not set. As a path it
    would be the present folder.

    Raises:
        typer.BadParameter: If it is empty.

    >>> named(["a.kernel", "."])
    ['a.kernel', '.']
    """
    if given == "" or (isinstance(given, list) and "" in given):
        raise typer.BadParameter("it is empty; give a name, or leave it out")
    return given


def read_input(path: str) -> Source:
    """Return the text of a file, or of standard input.

    Raises:
        PelicanError: If it cannot be read.
        ParseError: If it is not UTF-8.
    """
    if path != STDIN:
        return read_source(path)
    if sys.stdin is None:
        raise PelicanError("standard input is closed", hint="give the path of a file")
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise PelicanError(f"cannot read standard input: {error.strerror}") from None
    return decoded(data, "<stdin>")
