"""`pelican check`: answers to the claims of files."""

from __future__ import annotations

import sys
import time
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pelican.errors import LocatedError, OperandError, PelicanError
from pelican.integers import brief
from pelican.schema import SCHEMA
from pelican_rotation.cli.inputs import read_claims
from pelican_rotation.cli.output import AsJson, print_errors, print_json
from pelican_rotation.cli.progress import Progress, progress
from pelican_rotation.cli.questions import (
    DEFAULT_TIMEOUT_S,
    Timeout,
    named_point,
    values_of,
)
from pelican_rotation.error_json import error_object
from pelican_rotation.exits import EXIT_BAD_INPUT, exit_code

if TYPE_CHECKING:
    from pelican import ICmpExpr
    from pelican.pel.document import Check, Document, Show
    from proofs.verdict import Verdict

Files = Annotated[
    list[str], typer.Argument(help="Files of claims; - is standard input.")
]


def check_command(
    files: Files, *, timeout_s: Timeout = DEFAULT_TIMEOUT_S, as_json: AsJson = False
) -> None:
    """Answer each claim of some files.

    A claim that is refuted is shown with a counterexample.

    Exits 0 if all hold, 1 if one is refuted, 3 if one is not decided, 2 if a file has
    mistakes. Claims that a mistake does not touch are answered all the same.
    """
    run = _Run(timeout_s, as_json=as_json)
    with progress("checking", prints=not as_json) as shown:
        for file in files:
            run.check(file, shown)
    if as_json:
        print_json(run.fields())
    raise typer.Exit(run.exit_code())


_NOTHING_ASKED: Final = "claims nothing and shows nothing: add a check or a show"
"""What is said of a file to which there is no answer."""


@dataclass(slots=True)
class _Run:
    """The files so far: answers and mistakes, as JSON fields."""

    timeout_s: float
    as_json: bool = field(kw_only=True)
    claims: list[dict[str, Any]] = field(default_factory=list)
    shows: list[dict[str, Any]] = field(default_factory=list)
    errors: list[LocatedError] = field(default_factory=list)

    def check(self, path: str, shown: Progress) -> None:
        """Read one file, and answer its questions in order."""
        from pelican.pel.read import read_pel  # noqa: PLC0415 - loads the parser

        try:
            source = read_claims(path, "check")
            document = read_pel(source.text, source.name)
        except LocatedError as error:
            self._fail(error.errors)
            return
        self._fail(document.errors)
        if not (document.questions or document.errors):
            sys.stderr.write(f"note: {document.file} {_NOTHING_ASKED}\n")
        sound = self._sound_facts(document)
        for question in document.questions:
            shown.step(f"{document.file}:{question.line}")
            self._answer(question, document.file, sound)

    def _fail(self, errors: Iterable[LocatedError]) -> None:
        for error in errors:
            self.errors.append(error)
            if not self.as_json:
                print_errors(error)

    def _sound_facts(self, document: Document) -> int:
        """Return how many of the facts, in order, hold together for some values."""
        facts = [fact for fact, _ in document.assumed]
        error = self._contradiction(facts)
        if error is None:
            return len(facts)
        # More facts leave fewer values, so the first that leaves none is bisected.
        first = bisect_left(
            range(len(facts)),
            True,  # noqa: FBT003 - what the key gives from there on
            key=lambda last: self._contradiction(facts[: last + 1]) is not None,
        )
        _, span = document.assumed[first]
        hint = "leave it out, or one of those above it"
        self._fail([PelicanError(error.message, span, hint)])
        return first

    def _contradiction(self, facts: list[ICmpExpr]) -> OperandError | None:
        """Return the error of facts that hold together for no values."""
        from proofs import prove_equal  # noqa: PLC0415 - loads the solver

        try:
            prove_equal(0, 0, given=facts, timeout_s=self.timeout_s)
        except OperandError as error:
            return error
        return None

    def _answer(self, question: Check | Show, file: str, sound: int) -> None:
        from pelican.pel.document import Show  # noqa: PLC0415 - loads the parser

        try:
            if isinstance(question, Show):
                self._show(question, file)
            elif len(question.given) <= sound:
                self._claim(question, file)
        except LocatedError as error:
            error.span = error.span or question.span
            self._fail(error.errors)

    def _show(self, show: Show, file: str) -> None:
        from pelican.pel.shows import shown_text  # noqa: PLC0415 - loads the parser

        value = shown_text(show.value)
        place = {"file": file, "line": show.line, "text": show.text}
        self.shows.append({**place, "value": value})
        self._print(f"{file}:{show.line}: {show.text}: {value}")

    def _claim(self, check: Check, file: str) -> None:
        from proofs import answer  # noqa: PLC0415 - loads the solver

        begin = time.monotonic()
        verdict = answer(check.claim, given=check.given, timeout_s=self.timeout_s)
        points = [getattr(verdict, name, None) for name in ("model", "other")]
        self.claims.append(
            {
                "file": file,
                "line": check.line,
                "text": check.text,
                "verdict": verdict.word,
                "counterexample": named_point(points[0], points[1]),
                "other": named_point(points[1], points[0]),
                "values": values_of(verdict),
                "reason": getattr(verdict, "reason", "") or None,
                "seconds": time.monotonic() - begin,
            }
        )
        self._print(f"{file}:{check.line}: {verdict.word}: {check.text}")
        self._print_detail(verdict)

    def _print_detail(self, verdict: Verdict) -> None:
        from proofs import Refuted  # noqa: PLC0415 - loads the solver

        detail = str(verdict).removeprefix(verdict.word).lstrip(" ,:")
        plain = isinstance(verdict, Refuted) and not (verdict.other or verdict.reason)
        if isinstance(verdict, Refuted) and plain and verdict.values:
            given = f"gives {' and '.join(map(brief, verdict.values))}"
            detail = f"{detail}, where it {given}" if detail else f"it {given}"
        if detail:
            self._print(f"    {detail}")

    def _print(self, line: str) -> None:
        if not self.as_json:
            sys.stdout.write(f"{line}\n")

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the run."""
        return {
            "schema": SCHEMA,
            "claims": self.claims,
            "shows": self.shows,
            "errors": [error_object(error) for error in self.errors],
        }

    def exit_code(self) -> int:
        """Return 2 for mistakes, else 1 if a claim is refuted, 3 if one is open."""
        if self.errors:
            return EXIT_BAD_INPUT
        return exit_code(claim["verdict"] for claim in self.claims)
