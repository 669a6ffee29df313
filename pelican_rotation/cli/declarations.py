"""The options that declare the names of an expression on the command line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Final

import typer

from pelican import Expr, IndexRangeError, index, runtime, shard, symbol
from pelican.expr import AffineIdx
from pelican_rotation.cli.signatures import with_options

_OPTIONS: Final[dict[str, tuple[Callable[..., AffineIdx], str]]] = {
    "index": (index, 'An index: "x" (unbounded) or "i in [0, 64) step 4". Repeatable.'),
    "symbol": (symbol, 'An unknown of the whole program: "n in [4, 4096) step 4".'),
    "runtime": (runtime, 'What a register holds at run time: "r in [0, 9)".'),
    "shard": (shard, 'The number of the running core: "s of 4".'),
}


class Declarations:
    """The declarations of a command line; they are read where errors are reported."""

    def __init__(self, texts: dict[str, list[str]]) -> None:
        self._texts = texts

    def names(self) -> dict[str, Expr]:
        """Return what each declared name stands for.

        Raises:
            ParseError: If a text is no declaration.
            IndexRangeError: If a range is malformed, or a name declared twice.
        """
        from pelican.text.declarations import parse_declaration  # noqa: PLC0415 - the parser

        found: dict[str, Expr] = {}
        for option, (make, _) in _OPTIONS.items():
            for text in self._texts[option]:
                declared = parse_declaration(text, make, name=f"--{option}")
                if declared.name in found:
                    raise IndexRangeError(
                        f"{declared.name} is declared twice, again by --{option}",
                        hint="declare each name once",
                    )
                found[declared.name] = declared
        return found


def declares(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options that declare names.

    Args:
        command: Takes what they declare as its keyword `declarations`.
    """
    options = [
        inspect.Parameter(
            f"declared_{option}",
            inspect.Parameter.KEYWORD_ONLY,
            default=[],
            annotation=Annotated[list[str], typer.Option(f"--{option}", help=text)],
        )
        for option, (_, text) in _OPTIONS.items()
    ]

    def read(values: dict[str, list[str]]) -> Declarations:
        return Declarations({o: values[f"declared_{o}"] for o in _OPTIONS})

    return with_options(command, options, "declarations", read)
