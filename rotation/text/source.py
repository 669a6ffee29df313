"""Read a text file, so that no file of any bytes ends in a traceback."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from pelican.errors import ParseError, Source, Span
from rotation.errors import KernelError


def read_source(path: str | PathLike[str]) -> Source:
    """Return the text of a file, under its path as name.

    Raises:
        KernelError: If the file cannot be read.
        ParseError: If it is not UTF-8, at the first byte that is not.
    """
    name = fspath(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        reason = getattr(error, "strerror", None) or str(error)
        hint = "give the path of a file that can be read"
        raise KernelError(f"cannot read {name!r}: {reason}", hint=hint) from None
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", errors="replace")
        start = len(data[: error.start].decode("utf-8", errors="replace"))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 text"
        span = Span(Source(name, text), start, start + 1)
        raise ParseError(message, span, "save the file as UTF-8") from None
