"""The command `pelican`: index expressions from the shell."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final

import typer

from pelican import Expr, explain, simplify
from pelican.schema import SCHEMA
from pelican_rotation.cli.check import check_command
from pelican_rotation.cli.convert import Readable, Writable, parsed, read, written
from pelican_rotation.cli.declarations import Declarations, declares
from pelican_rotation.cli.explain import (
    Rules,
    derivation_fields,
    derivation_text,
    steps_or_none,
)
from pelican_rotation.cli.fmt import fmt_command
from pelican_rotation.cli.lsp import lsp_command
from pelican_rotation.cli.output import AsJson, Version, print_json, reported_errors
from pelican_rotation.cli.program import Commands, run_program
from pelican_rotation.cli.prove import prove_command
from pelican_rotation.cli.questions import (
    Expression,
    equiv_command,
    eval_command,
    range_command,
    written_ends,
)
from pelican_rotation.cli.view import view_command

app = typer.Typer(
    name="pelican",
    cls=Commands,
    help="Index expressions: simplify them, ask about them, and prove the answers.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def pelican(*, version: Version = False) -> None:
    """Index expressions: simplify them, ask about them, and prove the answers."""


_SIGNS: Final = {"ignore_unknown_options": True}
"""An expression may begin with a minus, and is no option then."""

_CLAIMS: Final = {"allow_extra_args": True}
"""Some give a claim to `prove`, which says who takes it."""


@app.command("simplify", context_settings=_SIGNS)
@declares
def simplify_command(
    expression: Expression,
    rules: Rules = "default",
    *,
    declarations: Declarations,
    as_json: AsJson = False,
) -> None:
    """Print the simplest form of an expression."""
    with reported_errors(as_json=as_json):
        names = declarations.names()
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
    return {
        "schema": SCHEMA,
        "input": str(raw),
        "output": str(simple),
        "nodes": simple.nodes,
        "range": written_ends(simple.range),
        "steps": steps_or_none(raw, rules),
    }


@app.command("explain", context_settings=_SIGNS)
@declares
def explain_command(
    expression: Expression,
    rules: Rules = "default",
    *,
    declarations: Declarations,
    as_json: AsJson = False,
) -> None:
    """Print the laws that simplify an expression, one step a line.

    A step names the law, where it was used (positions from the root; nothing for the
    root), and the part before and after it.
    """
    with reported_errors(as_json=as_json):
        names = declarations.names()
        derivation = explain(parsed(expression, names), rules=rules)
        text = "" if as_json else derivation_text(derivation)
        fields = derivation_fields(derivation) if as_json else {}
    if as_json:
        print_json(fields)
    else:
        sys.stdout.write(text)


app.command("range", context_settings=_SIGNS)(range_command)
app.command("eval", context_settings=_SIGNS)(eval_command)
app.command("equiv", context_settings=_SIGNS)(equiv_command)


@app.command("convert", context_settings=_SIGNS)
@declares
def convert_command(
    expression: Annotated[str, typer.Argument(help="One expression, or a map.")],
    target: Annotated[Writable, typer.Option("--to", help="The form to write.")],
    origin: Annotated[
        Readable, typer.Option("--from", help="The form to read.")
    ] = "pelican",
    *,
    declarations: Declarations,
    as_json: AsJson = False,
) -> None:
    """Print an expression in the form of another tool, simplified.

    A name of an MLIR, isl or SymPy text that is not declared is unbounded. C needs
    ranges: they decide the width of its integers.
    """
    with reported_errors(as_json=as_json):
        names = declarations.names()
        texts = written(read(expression, origin, names), target)
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


app.command("check")(check_command)
app.command("fmt")(fmt_command)
app.command("prove", context_settings=_CLAIMS)(prove_command)
app.command("view")(view_command)
app.command("lsp")(lsp_command)


def main() -> None:
    """Run the program."""
    run_program(app)
