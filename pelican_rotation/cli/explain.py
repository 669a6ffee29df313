"""How the commands show the steps of a simplification."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from pelican import Derivation
from pelican.modelled import RULES
from pelican.schema import SCHEMA

RuleSet = StrEnum("RuleSet", {name.upper(): name for name in RULES})
"""The rule sets that may be asked for."""

Rules = Annotated[
    RuleSet,
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
        "steps": steps_fields(derivation),
    }


def steps_fields(derivation: Derivation) -> list[dict[str, Any]]:
    """Return the JSON objects of the steps; `before` and `after` are wholes."""
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
