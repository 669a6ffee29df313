"""How a program ends when it is called wrongly, cannot write, or is interrupted."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any, Final, NoReturn, TextIO, cast

import typer
from typer.core import TyperGroup

from pelican.errors import PelicanError, nearest
from pelican.schema import SCHEMA
from pelican_rotation.cli.output import error_object, print_json

EXIT_WRITE_FAILED: Final = 74
"""The output could not be written. Source: EX_IOERR of sysexits.h."""

EXIT_INTERRUPTED: Final = 130
"""Ended by Ctrl-C. Source: 128 + SIGINT, as shells report it."""

EXIT_PIPE_CLOSED: Final = 141
"""The reader of the output left early. Source: 128 + SIGPIPE, as shells report it."""


_CHOICE: Final = re.compile(r"(?:Value error, )?'(.*)' is not one of ('.*')\.")
"""What is said of a value that an option with choices does not take."""


class Commands(TyperGroup):
    """The commands of a program; where a choice is wrong, the nearest is named."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as it is inherited
        """Run a command."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = with_nearest(error.message)
            raise


def with_nearest(message: str) -> str:
    """Return what is said of a wrong choice, with the choice that is nearest.

    >>> with_nearest("Value error, 'modeled' is not one of 'default', 'modelled'.")
    "'modeled' is not one of 'default', 'modelled'; did you mean modelled?"
    >>> with_nearest("'7' is not one of 'default', 'modelled'.")
    "'7' is not one of 'default', 'modelled'."
    """
    wrong = _CHOICE.fullmatch(message)
    if wrong is None:
        return message
    given, choices = wrong.groups()
    question = nearest(given, re.findall(r"'([^']*)'", choices))
    end = "." if question is None else f"; {question}"
    return f"{given!r} is not one of {choices}{end}"


def run_program(app: Callable[[], object]) -> None:
    """Run a command line to its end, with no traceback where output or user stop it.

    Args:
        app: What parses the arguments and works; it leaves by `SystemExit`.
    """
    if sys.stderr is None:  # its descriptor was closed when the program started
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
    sys.stdout = cast("TextIO", _Output(sys.stdout))
    try:
        app()
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None
    except SystemExit as end:
        # The words that name the mistake stand on standard error already.
        words = getattr(end.__context__, "format_message", None)
        if words is not None and "--json" in sys.argv:
            error = PelicanError(words(), hint="--help lists what a command takes")
            fields = {**error_object(error), "type": "UsageError"}
            print_json({"schema": SCHEMA, "errors": [fields]})
        raise
    finally:
        sys.stdout.flush()


class _Output:
    """Standard output that ends the program where it cannot be written."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, or leave."""
        if self._stream is None:
            _leave(EXIT_WRITE_FAILED, "standard output is closed")
        try:
            return self._stream.write(text)
        except OSError as error:
            self._fail(self._stream, error)

    def flush(self) -> None:
        """Write what is left, or leave."""
        if self._stream is None:
            return
        try:
            self._stream.flush()
        except OSError as error:
            self._fail(self._stream, error)

    def _fail(self, stream: TextIO, error: OSError) -> NoReturn:
        # What is left in the buffer goes nowhere, instead of failing once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if isinstance(error, BrokenPipeError):
            raise SystemExit(EXIT_PIPE_CLOSED)
        _leave(EXIT_WRITE_FAILED, f"cannot write the output: {error.strerror}")


def _leave(code: int, message: str) -> NoReturn:
    sys.stderr.write(f"error: {message}\n")
    raise SystemExit(code)
