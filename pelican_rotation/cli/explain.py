"""How the commands show the steps of a simplification."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from pelican import Derivation, Expr, TooLargeError, explain
from pelican.schema import SCHEMA

Rules = Annotated[
    Literal["default", "modelled"],
    typer.Option(
        "--rules",
        help="All laws, or those of the modelled system only, with its guards.",
    ),
]


def derivation_text(derivation: Derivation) -> str:
    """Return a derivation for people: the input, one step a line, the output."""
    return f"{derivation}\n"


def derivation_fields(derivation: Derivation) -> dict[str, Any]:
    """Return the JSON object of ``pelican explain``."""
    return {
        "schema": SCHEMA,
        "input": str(derivation.input),
        "output": str(derivation.output),
        "steps": _steps_fields(derivation),
    }


def steps_or_none(raw: Expr, rules: str) -> list[dict[str, Any]] | None:
    """Return the JSON objects of the steps; None if they would be too large."""
    try:
        return _steps_fields(explain(raw, rules=rules))
    except TooLargeError:
        return None


def _steps_fields(derivation: Derivation) -> list[dict[str, Any]]:
    """Return the JSON objects of the steps; their texts are of wholes."""
    return [
        {
            "lemma": step.lemma,
            "path": step.path,
            "binding": step.binding,
            "before": str(step.before),
            "after": str(step.after),
        }
        for step in derivation.steps
    ]
