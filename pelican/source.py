"""Text from bytes, so that no file of any bytes ends in a traceback."""

from __future__ import annotations

import os
from os import PathLike, fspath
from pathlib import Path

from pelican.errors import ParseError, PelicanError, Source, Span, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

STDIN_NAME: Final = "<stdin>"
"""What a text of standard input is called in messages."""


def argument_of(name: str) -> str:
    """Return how a command line names a text that has a name in messages.

    >>> argument_of("a.pel"), argument_of(STDIN_NAME)
    ('a.pel', '-')
    """
    return "-" if name == STDIN_NAME else name


def read_source(path: str | PathLike[str]) -> Source:
    """Return the text of a file, under its path as name.

    Raises:
        PelicanError: If the file cannot be read.
        ParseError: If it is not UTF-8, at the first byte that is not.
    """
    name = fspath(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot read {name!r}: {reason}"
        raise PelicanError(message, hint=_instead_of(name, error)) from None
    return decoded(data, name)


def _instead_of(name: str, error: Exception) -> str:
    """Return what may be meant by the path of a file that was not read."""
    if name and isinstance(error, IsADirectoryError):
        return "it is a folder: name a file in it"
    hint = "give the path of a file that can be read"
    if set(name) & set("*?"):
        return "this is a pattern: name one file"
    folder, file = os.path.split(name)
    if not isinstance(error, FileNotFoundError) or not os.path.isdir(folder or "."):
        return hint
    return nearest(file, os.listdir(folder or ".")) or hint


def decoded(data: bytes, name: str) -> Source:
    """Return the text of some bytes; a mark of the byte order is left out.

    Raises:
        ParseError: If they are not UTF-8, at the first byte that is not.

    >>> decoded(b"i mod 4", "<stdin>").text
    'i mod 4'
    """
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        # The error counts from behind the mark, as the shown text does.
        after = error.object[: error.start]
        start = len(after.decode("utf-8", errors="replace"))
        text = error.object.decode("utf-8", errors="replace")
        message = f"byte 0x{error.object[error.start]:02x} is not UTF-8 text"
        span = Span(Source(name, text), start, start + 1)
        raise ParseError(message, span, "save the file as UTF-8") from None
