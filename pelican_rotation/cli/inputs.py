"""The files that a command is given, and standard input under the name ``-``."""

from __future__ import annotations

import sys
from typing import Final

from pelican.errors import PelicanError, Source
from pelican.source import decoded, read_source

STDIN: Final = "-"
"""The argument that names standard input."""


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
