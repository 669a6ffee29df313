"""What a file is by its name, and which program reads it."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath
from typing import Final, NamedTuple

from pelican.errors import LocatedError, Source
from pelican.pel.words import STATEMENTS


class WrongProgramError(LocatedError):
    """A file of another language than the command reads.

    >>> issubclass(WrongProgramError, LocatedError)
    True
    """


class FileKind(NamedTuple):
    """A kind of file.

    Attributes:
        name: What such a file is called in messages.
        begins: The words with which one of its texts may begin.
        program: The program that reads it.
        command: The command of that program that most people want.
    """

    name: str
    begins: tuple[str, ...]
    program: str
    command: str


_KERNEL_WORDS: Final = ("kernel", "placed")

CLAIMS: Final = FileKind("a file of claims", STATEMENTS, "pelican", "check")
KERNELS: Final = FileKind("a file of kernels", _KERNEL_WORDS, "rotation", "run")
PLACED: Final = FileKind("a placed program", _KERNEL_WORDS, "rotation", "check")
DOCUMENT: Final = FileKind(
    "a JSON document of kernels", ("{", "["), "rotation", "convert"
)

_OF_SUFFIX: Final = {".pel": CLAIMS, ".kernel": KERNELS, ".placed": PLACED}
_IN_EACH: Final = frozenset({"fmt"})
"""Commands that each program has for its own files."""

_BEGIN: Final = re.compile(r"(?:\s|#[^\n]*)*([A-Za-z_]\w*|\S|$)")
"""What a text begins with, behind its comments."""


def require_kind(source: Source, wanted: FileKind, command: str) -> None:
    """Return if a text may be of the language that a command reads.

    A name decides only where the text does not begin as those of the command do.

    Args:
        source: The text, under the name of its file.
        wanted: What the command reads.
        command: Its name.

    Raises:
        WrongProgramError: If the text is of another language.

    >>> require_kind(Source("a.pel", "index i"), KERNELS, "run")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    pelican_rotation.file_kinds.WrongProgramError: a.pel is a file of claims, which ...
        hint: a file of kernels is needed here; try: pelican check a.pel
    """
    kind = _OF_SUFFIX.get(PurePath(source.name).suffix.lower())
    if kind is None or kind.begins == wanted.begins:
        return
    begin = _BEGIN.match(source.text)
    if begin is not None and begin[1] in wanted.begins:
        return
    other = command if command in _IN_EACH else kind.command
    reader = f"{kind.program} {other}"
    message = f"{source.name} is {kind.name}, which {reader} reads"
    line = f"{reader} {shlex.quote(source.name)}"
    raise WrongProgramError(message, hint=f"{wanted.name} is needed here; try: {line}")
