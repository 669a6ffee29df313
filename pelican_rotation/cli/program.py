"""How a program ends when it is called wrongly, cannot write, or is interrupted."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TextIO, cast

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from pelican.errors import PelicanError, nearest
from pelican.schema import SCHEMA
from pelican_rotation.cli.output import print_json
from pelican_rotation.error_json import error_object
from pelican_rotation.exits import EXIT_INTERRUPTED, EXIT_PIPE_CLOSED, EXIT_WRITE_FAILED

_CHOICE: Final = re.compile(r"(?:Value error, )?'(.*)' is not one of ('.*')\.")
"""What is said of a value that an option with choices does not take."""


_EXTRA: Final = re.compile(r"Got unexpected extra argument\S* \((.*)\)", re.DOTALL)
"""What is said of an argument too many."""

_OPTION: Final = re.compile(r"--[^\s=]+")
"""How an option begins; where an argument may begin with a minus it is one too many."""


_REMEDIES: Final = {
    "expression": "put the expression in quotes",
    "left": "put each expression in quotes",
    "run": "rotation batch takes several files",
}
"""What to do about an argument too many, by the command or what it takes."""


class Commands(TyperGroup):
    """The commands of a program; of a wrong choice or option it names the nearest."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as it is inherited
        """Run a command."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = with_nearest(error.message)
            raise
        except TyperException as error:
            command = getattr(getattr(error, "ctx", None), "command", None)
            params = getattr(command, "params", ())
            options = [name for each in params for name in each.opts]
            message = with_option(error.message, options)
            name = str(getattr(command, "name", ""))
            error.message = with_remedy(message, [name, *options])
            raise

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401
        """Read the arguments; the word `-h` alone asks for help.

        As an option of a command it would be found inside an expression too, such as
        `-x*h`, since the letters behind a minus count as options each.
        """
        end = args.index("--") if "--" in args else len(args)
        words = ["--help" if word == "-h" else word for word in args[:end]]
        return super().parse_args(ctx, words + args[end:])


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


def with_option(message: str, options: Iterable[str]) -> str:
    """Return what is said of a wrong option, with the option that is nearest.

    >>> with_option("Got unexpected extra argument(s) (--rulez x)", ["--rules"])
    'No such option: --rulez; did you mean --rules?'
    """
    wrong = _EXTRA.fullmatch(message)
    option = None if wrong is None else _OPTION.match(wrong[1])
    if option is None:
        return message
    question = nearest(option[0], [name for name in options if name.startswith("--")])
    end = "" if question is None else f"; {question}"
    return f"No such option: {option[0]}{end}"


def with_remedy(message: str, names: Iterable[str]) -> str:
    """Return what is said of arguments too many, with what was meant by them.

    Args:
        message: What is said.
        names: Those of the command and of what it takes.

    >>> with_remedy("Got unexpected extra argument(s) (mod 8)", ["expression"])
    'Got unexpected extra argument(s) (mod 8); put the expression in quotes'
    """
    remedies = [_REMEDIES[name] for name in names if name in _REMEDIES]
    is_extra = remedies and _EXTRA.fullmatch(message)
    return f"{message}; {remedies[0]}" if is_extra else message


def run_program(app: Callable[[], object]) -> None:
    """Run a command line to its end, with no traceback where output or user stop it.

    Args:
        app: What parses the arguments and works; it leaves by `SystemExit`.
    """
    if sys.stderr is None:  # its descriptor was closed when the program started
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
    sys.stdout = cast("TextIO", _Stream(sys.stdout, _leave))
    sys.stderr = cast("TextIO", _Stream(sys.stderr, _go_on))
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


def require_told() -> None:
    """End the program if standard error, which held an answer, was not written.

    Raises:
        SystemExit: If so, with the code of an output that could not be written.
    """
    code = getattr(sys.stderr, "failed_with", None)
    if code is not None:
        raise SystemExit(code)


class _Stream:
    """A standard stream that raises nothing where it cannot be written.

    Attributes:
        failed_with: The exit code that says why a write failed, if one did.

    Args:
        stream: The stream; None if it was closed when the program started.
        failed: Is told the exit code and the reason.
    """

    def __init__(
        self, stream: TextIO | None, failed: Callable[[int, str], object]
    ) -> None:
        self._stream = stream
        self._failed = failed
        self.failed_with: int | None = None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text."""
        if self._stream is None:
            self._fail(EXIT_WRITE_FAILED, "standard output is closed")
            return len(text)
        try:
            return self._stream.write(text)
        except OSError as error:
            self._drop(self._stream, error)
            return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Write some texts."""
        for text in texts:
            self.write(text)

    def flush(self) -> None:
        """Write what is left."""
        if self._stream is None:
            return
        try:
            self._stream.flush()
        except OSError as error:
            self._drop(self._stream, error)

    def _drop(self, stream: TextIO, error: OSError) -> None:
        # What is left in the buffer goes nowhere, instead of failing once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        is_gone = isinstance(error, BrokenPipeError)
        code = EXIT_PIPE_CLOSED if is_gone else EXIT_WRITE_FAILED
        self._fail(code, f"cannot write the output: {error.strerror}")

    def _fail(self, code: int, reason: str) -> None:
        self.failed_with = code
        self._failed(code, reason)


def _leave(code: int, reason: str) -> NoReturn:
    """End the program, since its output is lost."""
    if code != EXIT_PIPE_CLOSED:  # who closed it does not want to hear more
        sys.stderr.write(f"error: {reason}\n")
    raise SystemExit(code)


def _go_on(code: int, reason: str) -> None:
    """Lose a note or an error message; the result and the exit code say enough."""
