"""The options that declare the names of an expression on the command line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Final

import typer

from pelican import Expr, IndexRangeError, index, runtime, shard, symbol
from pelican.expr import AffineIdx

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
        from pelican.declarations import parse_declaration  # noqa: PLC0415 - the parser

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

    @wraps(command)
    def declaring(**arguments: Any) -> None:  # noqa: ANN401 - what the command takes
        texts = {option: arguments.pop(f"declared_{option}") for option in _OPTIONS}
        command(**arguments, declarations=Declarations(texts))

    own = inspect.signature(command, eval_str=True).parameters.values()
    options = [
        inspect.Parameter(
            f"declared_{option}",
            inspect.Parameter.KEYWORD_ONLY,
            default=[],
            annotation=Annotated[list[str], typer.Option(f"--{option}", help=text)],
        )
        for option, (_, text) in _OPTIONS.items()
    ]
    kept = [parameter for parameter in own if parameter.name != "declarations"]
    first = [p for p in kept if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    rest = [p for p in kept if p.kind is inspect.Parameter.KEYWORD_ONLY]
    signature = inspect.Signature([*first, *options, *rest])
    declaring.__signature__ = signature  # type: ignore[attr-defined]
    declaring.__annotations__ = {
        parameter.name: parameter.annotation
        for parameter in signature.parameters.values()
    }
    return declaring
