"""`pelican check`: answers to the claims of files."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pelican.errors import LocatedError
from pelican.schema import SCHEMA
from pelican_rotation.cli.output import (
    EXIT_BAD_INPUT,
    AsJson,
    error_object,
    print_errors,
    print_json,
)
from pelican_rotation.cli.questions import (
    DEFAULT_TIMEOUT_S,
    EXIT_CODES,
    Timeout,
    named_point,
)

if TYPE_CHECKING:
    from pelican.pel.document import Check, Document, Show
    from proofs import Proved, Refuted, Unknown

Files = Annotated[
    list[str], typer.Argument(help="Files of claims; - is standard input.")
]


def check_command(
    files: Files, *, timeout_s: Timeout = DEFAULT_TIMEOUT_S, as_json: AsJson = False
) -> None:
    """Answer each claim of some files, with a counterexample where it is refuted.

    Exits 0 if all hold, 1 if one is refuted, 3 if one is not decided, 2 if a file has
    mistakes. Claims that a mistake does not touch are answered all the same.
    """
    run = _Run(timeout_s, as_json=as_json)
    for file in files:
        run.file(file)
    if as_json:
        print_json(run.document())
    raise typer.Exit(run.exit_code())


@dataclass(slots=True)
class _Run:
    """What the files gave so far."""

    timeout_s: float
    as_json: bool = field(kw_only=True)
    claims: list[dict[str, Any]] = field(default_factory=list)
    shows: list[dict[str, Any]] = field(default_factory=list)
    errors: list[LocatedError] = field(default_factory=list)

    def file(self, path: str) -> None:
        """Read one file, and answer its questions in order."""
        from pelican.pel.read import read_pel  # noqa: PLC0415 - loads the parser
        from pelican_rotation.cli.inputs import read_input  # noqa: PLC0415

        try:
            source = read_input(path)
            document = read_pel(source.text, source.name)
        except LocatedError as error:
            self._fail(error.errors)
            return
        self._fail(document.errors)
        if self._contradiction(document):
            return
        for question in document.questions:
            self._answer(question, document.file)

    def _fail(self, errors: Iterable[LocatedError]) -> None:
        for error in errors:
            self.errors.append(error)
            if not self.as_json:
                print_errors(error)

    def _contradiction(self, document: Document) -> bool:
        """Note the fact of a file that no value leaves, and tell whether there is."""
        from pelican.pel.facts import contradiction

        return False
