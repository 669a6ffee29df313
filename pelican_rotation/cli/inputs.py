"""The files that a command is given, and standard input under the name ``-``."""

from __future__ import annotations

import sys
from typing import Final

import typer

from pelican.errors import PelicanError, Source
from pelican.source import STDIN_NAME, decoded, read_source
from pelican_rotation.file_kinds import CLAIMS, KERNELS, FileKind, require_kind

STDIN: Final = "-"
"""The argument that names standard input."""

_NAME_A_FILE: Final = "give the path of a file"

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


def read_claims(path: str, command: str) -> Source:
    """Return the text of a file of claims, or of standard input.

    Args:
        path: The file; ``-`` is standard input.
        command: The command of `pelican` that reads it.

    Raises:
        PelicanError: If it cannot be read.
        ParseError: If it is not UTF-8.
        WrongProgramError: If it is a file of the other program.
    """
    source = _standard_input() if path == STDIN else read_source(path)
    require_kind(source, CLAIMS, command)
    return source


def read_kernels(path: str, command: str, wanted: FileKind = KERNELS) -> Source:
    """Return the text of a file of kernels, or of standard input.

    Args:
        path: The file; ``-`` is standard input.
        command: The command of `rotation` that reads it.
        wanted: What that command reads.

    Raises:
        KernelError: If the file cannot be read.
        PelicanError: If standard input cannot be read.
        ParseError: If it is not UTF-8.
        WrongProgramError: If it is a file of another kind.
    """
    from rotation.text import source as files  # noqa: PLC0415 - help stays light

    source = _standard_input() if path == STDIN else files.read_source(path)
    require_kind(source, wanted, command)
    return source


def _standard_input() -> Source:
    if sys.stdin is None:
        raise PelicanError("standard input is closed", hint=_NAME_A_FILE)
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        message = f"cannot read standard input: {error.strerror or error}"
        raise PelicanError(message, hint=_NAME_A_FILE) from None
    return decoded(data, STDIN_NAME)
