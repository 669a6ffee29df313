"""The command `pelican prove`: the lemma book, on the screen and as SMT-LIB files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pelican import OperandError
from pelican_rotation.cli.output import AsJson, print_json, reported_errors
from pelican_rotation.cli.progress import progress
from pelican_rotation.exits import EXIT_HOLDS, EXIT_UNDECIDED, exit_code
from pelican_rotation.files import write_text

if TYPE_CHECKING:
    from proofs.book import BookResult

Folder = Annotated[
    str | None,
    typer.Option(
        "--smt2",
        metavar="DIR",
        help="Write every obligation as an SMT-LIB 2 file with its expected answer.",
    ),
]


def prove_command(
    context: typer.Context, smt2: Folder = None, *, as_json: AsJson = False
) -> None:
    """Prove every law and range rule, the evaluator and the rings.

    The proofs are for all values. Exits 0 only if everything is proved: 1 if something
    is refuted, 3 if something is not decided.
    """
    for claim in context.args:
        with reported_errors(as_json=as_json):
            raise _no_claim(claim)
    folder = None
    if smt2 is not None:
        with reported_errors(as_json=as_json):
            folder = _new_folder(smt2)
    from proofs.book import prove_book, to_json  # noqa: PLC0415 - loads the solver

    with progress("proving the lemma book"):
        result = prove_book()
    if folder is not None:
        with reported_errors(as_json=as_json):
            _export(result, folder)
    if as_json:
        print_json(to_json(result))
    else:
        from pelican_rotation.book_screen import show_book  # noqa: PLC0415
        from pelican_rotation.tables import people  # noqa: PLC0415

        show_book(result, people())
    raise typer.Exit(_exit_code(result))


def _no_claim(claim: str) -> OperandError:
    """Return the error of something that is to be proved, with who can do it."""
    message = f"pelican prove proves all laws of the book, and not {claim!r}"
    sides = [side.strip() for side in claim.split("==")]
    if len(sides) == 2 and all(sides):
        asked = shlex.join(["pelican", "equiv", *sides])
    else:
        asked = "pelican equiv LEFT RIGHT"
    hint = f"two expressions: {asked}; a file of claims: pelican check FILE.pel"
    return OperandError(message, hint=hint)


def _new_folder(name: str) -> Path:
    """Make the folder of the files, and return its path.

    Raises:
        OperandError: If it has no name, or cannot be made.
    """
    if not name.strip():
        hint = "write --smt2 . for the present one"
        raise OperandError("--smt2 needs the name of a folder", hint=hint)
    folder = Path(name)
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _export(book: BookResult, folder: Path) -> None:
    from proofs.smtlib import scripts  # noqa: PLC0415 - loads the solver

    for script in scripts(book):
        path = folder / script.path
        with _writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_text(str(path), script.text, "--smt2")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn a failure of the file system into a mistake of the input."""
    try:
        yield
    except OSError as error:
        raise OperandError(
            f"{path} cannot be written: {error.strerror}",
            hint="give a folder that is new, or may be written to",
        ) from None


def _exit_code(book: BookResult) -> int:
    if not book.failures:
        return EXIT_HOLDS
    verdicts = [proof.verdict for proof in book.records]
    verdicts += [obligation.verdict for obligation in book.obligations]
    verdicts += [ring.verdict for ring in book.rings]
    second = [proof.second for proof in book.records]
    second += [ring.second for ring in book.rings]
    verdicts += [verdict for verdict in second if verdict is not None]
    # What failed may be no verdict: a guard that nothing shows to be needed.
    return exit_code(verdict.word for verdict in verdicts) or EXIT_UNDECIDED
