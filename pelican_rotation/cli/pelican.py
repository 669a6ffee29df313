"""The command `pelican`: index expressions from the shell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from pelican import Expr, IndexRangeError, explain, index, simplify, symbol
from pelican.expr import AffineIdx
from pelican.integers import decimal
from pelican.schema import SCHEMA
from pelican_rotation.cli.convert import Readable, Writable, parsed, read, written
from pelican_rotation.cli.explain import (
    Rules,
    derivation_fields,
    derivation_text,
    steps_or_none,
)
from pelican_rotation.cli.output import print_json, reported_errors
from pelican_rotation.cli.program import run_program
from pelican_rotation.cli.prove import prove_command

app = typer.Typer(
    name="pelican",
    help="Index expressions: simplify them, and prove the laws that do it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Indices = Annotated[
    list[str],
    typer.Option(
        "--index",
        help='An index: "x" (unbounded) or "i in [0, 64) step 4". May be repeated.',
    ),
]
Symbols = Annotated[
    list[str],
    typer.Option(
        "--symbol",
        help='An unknown of the whole program, such as "n in [4, 4096) step 4".',
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.callback()
def pelican() -> None:
    """Index expressions: simplify them, and prove the laws that do it."""


@app.command("simplify", context_settings={"ignore_unknown_options": True})
def simplify_command(
    expression: Annotated[str, typer.Argument(help="One expression.")],
    index_declarations: Indices = [],  # noqa: B006 - typer copies the default
    symbol_declarations: Symbols = [],  # noqa: B006
    rules: Rules = "default",
    *,
    as_json: AsJson = False,
) -> None:
    """Print the simplest form of an expression."""
    with reported_errors(as_json=as_json):
        names = _declared(index_declarations, symbol_declarations)
        raw = parsed(expression, names)
        simple = simplify(raw, rules=rules)
        text = str(simple)
        fields = _fields(raw, simple, rules) if as_json else {}
    if as_json:
        print_json(fields)
    else:
        sys.stdout.write(f"{text}\n")


def _fields(raw: Expr, simple: Expr, rules: str) -> dict[str, Any]:
    """Return the JSON fields of a simplification.

    Raises:
        TooLargeError: If an integer in them is too long to write.
    """
    ends = [simple.range.lo, simple.range.hi]
    for end in ends:
        decimal(end or 0)  # raises where the JSON writer would
    return {
        "schema": SCHEMA,
        "input": str(raw),
        "output": str(simple),
        "nodes": simple.nodes,
        "range": ends,
        "steps": steps_or_none(raw, rules),
    }


@app.command("explain", context_settings={"ignore_unknown_options": True})
def explain_command(
    expression: Annotated[str, typer.Argument(help="One expression.")],
    index_declarations: Indices = [],  # noqa: B006
    symbol_declarations: Symbols = [],  # noqa: B006
    rules: Rules = "default",
    *,
    as_json: AsJson = False,
) -> None:
    """Print the laws that simplify an expression, one step a line.

    A step names the law, where it was used (positions from the root; nothing for the
    root), and the part before and after it.
    """
    with reported_errors(as_json=as_json):
        names = _declared(index_declarations, symbol_declarations)
        derivation = explain(parsed(expression, names), rules=rules)
        text = "" if as_json else derivation_text(derivation)
        fields = derivation_fields(derivation) if as_json else {}
    if as_json:
        print_json(fields)
    else:
        sys.stdout.write(text)


def _declared(indices: list[str], symbols: list[str]) -> dict[str, Expr]:
    names: dict[str, Expr] = {}
    kinds: list[tuple[str, list[str], Callable[..., AffineIdx]]] = [
        ("--index", indices, index),
        ("--symbol", symbols, symbol),
    ]
    from pelican.text import parse_declaration  # noqa: PLC0415 - loads the parser

    for option, declarations, make in kinds:
        for text in declarations:
            declared = parse_declaration(text, make, name=option)
            if declared.name in names:
                raise IndexRangeError(
                    f"{declared.name} is declared twice", hint="give it one range"
                )
            names[declared.name] = declared
    return names


@app.command("convert")
def convert_command(
    expression: Annotated[str, typer.Argument(help="One expression, or a map.")],
    target: Annotated[Writable, typer.Option("--to", help="The form to write.")],
    origin: Annotated[
        Readable, typer.Option("--from", help="The form to read.")
    ] = "pelican",
    index_declarations: Indices = [],  # noqa: B006
    symbol_declarations: Symbols = [],  # noqa: B006
    *,
    as_json: AsJson = False,
) -> None:
    """Print an expression in the form of another tool, simplified.

    A name of an MLIR, isl or SymPy text that is not declared is unbounded. C needs
    ranges: they decide the width of its integers.
    """
    with reported_errors(as_json=as_json):
        names = _declared(index_declarations, symbol_declarations)
        exprs = read(expression, origin, names)
        texts = written(exprs, target)
    if as_json:
        print_json(
            {
                "schema": SCHEMA,
                "input": expression,
                "from": origin,
                "to": target,
                "output": texts,
            }
        )
    else:
        sys.stdout.write("".join(f"{text}\n" for text in texts))


app.command("prove")(prove_command)


def main() -> None:
    """Run the program."""
    run_program(app)
