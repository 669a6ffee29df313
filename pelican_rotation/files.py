"""Files that a command writes: whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

from pelican.errors import PelicanError

STDOUT: Final = "-"
"""The argument that names standard output."""

NEW_FILE_MODE: Final = 0o666
"""Who may read and write a new file, before the user's mask is taken off."""


def write_text(path: str, text: str, option: str) -> None:
    """Give a file a text in one step: never is a part of it to be seen.

    A link stays a link, and a file that is there keeps its mode. Where the write
    fails or is interrupted, what was there is as it was.

    Args:
        path: The file; ``-`` is standard output.
        text: What it holds afterwards, in UTF-8.
        option: What named the file, for the message: ``--report``.

    Raises:
        PelicanError: If the file cannot be written: its folder is missing, it is a
            folder itself, or the system does not let it.
    """
    if path == STDOUT:
        sys.stdout.write(text)
        return
    require_file_place(path, option)
    target = Path(os.path.realpath(path))
    made: str | None = None
    try:
        # A device or a pipe cannot be replaced; it holds no text that could be lost.
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8", newline="")
            return
        mode = _mode(target)
        # The name of the file may be as long as a name can be.
        handle, made = tempfile.mkstemp(dir=target.parent, prefix=".pelican.")
        with open(handle, "w", encoding="utf-8", newline="") as new:
            new.write(text)
        Path(made).chmod(mode)
        Path(made).replace(target)
        made = None
    except OSError as error:
        hint = "the file is as it was; a new one is written beside it first"
        raise PelicanError(
            f"cannot write {path!r}: {error.strerror}", hint=hint
        ) from None
    finally:
        if made is not None:
            with suppress(OSError):
                Path(made).unlink()


def require_file_place(path: str, option: str) -> None:
    """Raise unless there may be a file of that name, before anything is computed.

    Args:
        path: The file; ``-`` is standard output.
        option: What named it, for the message.

    Raises:
        PelicanError: If it has no name or one that cannot be, is a folder, or its
            folder is missing.
    """
    if path == STDOUT:
        return
    if not path.strip():
        raise PelicanError(f"{option} needs the name of a file", hint="- is the screen")
    target = Path(os.path.realpath(path))
    try:
        is_folder = target.is_dir()
    except OSError as error:  # a name that is too long
        hint = f"name another file after {option}"
        message = f"cannot write {path!r}: {error.strerror}"
        raise PelicanError(message, hint=hint) from None
    if is_folder:
        hint = f"name a file in it: {option} {os.path.join(path, 'NAME')}"
        raise PelicanError(f"{path!r} is a folder, not a file", hint=hint)
    if not target.parent.is_dir():
        folder = str(Path(path).parent)
        hint = f"make it first: mkdir -p {folder}"
        raise PelicanError(f"there is no folder {folder!r}", hint=hint)


def _mode(target: Path) -> int:
    """Return the mode of a file, or the one that a new file gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)  # there is no other way to read it
    os.umask(mask)
    return NEW_FILE_MODE & ~mask
