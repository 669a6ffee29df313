"""Read a text file, so that no file of any bytes ends in a traceback."""

from __future__ import annotations

from os import PathLike

from pelican import source
from pelican.errors import ParseError, PelicanError, Source
from rotation.errors import KernelError


def read_source(path: str | PathLike[str]) -> Source:
    """Return the text of a file, under its path as name.

    Raises:
        KernelError: If the file cannot be read.
        ParseError: If it is not UTF-8, at the first byte that is not.
    """
    try:
        return source.read_source(path)
    except ParseError:
        raise
    except PelicanError as error:
        raise KernelError(error.message, hint=error.hint) from None
