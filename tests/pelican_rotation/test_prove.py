"""The command `pelican prove`: the book on the screen, as JSON and as files."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican.laws.lemma import Lemma
from pelican.laws.term import expr, literal
from pelican_rotation.cli.pelican import app
from proofs import Refuted, Unknown, rings
from proofs import book as book_module
from proofs.book import BookResult
from proofs.obligation import Obligation


@pytest.fixture
def whole_book(book: BookResult, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the book as it was proved already."""
    monkeypatch.setattr(book_module, "prove_book", lambda: book)


@pytest.fixture
def short_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no record and no ring in the book: only what its proofs lean on."""
    for name in ("LEMMAS", "IDENTITIES", "BUILDER", "RANGE_RULES", "CONGRUENCE_RULES"):
        monkeypatch.setattr(book_module, name, ())
    for name in ("prove_evaluator", "prove_rings"):
        monkeypatch.setattr(book_module, name, lambda: ())


@pytest.mark.usefixtures("whole_book")
def test_prove_proves_the_whole_book():
    """One row a law, exit code 0 when everything is proved."""
    done = CliRunner().invoke(app, ["prove"])

    assert done.exit_code == 0
    assert "nested-mod-divides" in done.stdout
    assert "hold for all values, and every guard is needed" in done.stdout


@pytest.mark.usefixtures("whole_book")
def test_prove_prints_one_json_object():
    """The object has the published keys."""
    printed = json.loads(CliRunner().invoke(app, ["prove", "--json"]).stdout)

    assert list(printed) == [
        "schema",
        "lemmas",
        "ranges",
        "evaluator",
        "range",
        "rings",
    ]
    assert {e["verdict"] for e in printed["lemmas"] + printed["ranges"]} == {"proved"}
    assert printed["evaluator"]["verdict"] == printed["range"]["verdict"] == "proved"


@pytest.mark.usefixtures("short_book")
def test_prove_fails_on_a_wrong_law(monkeypatch):
    """A law that is wrong is refuted, and the exit code says so."""
    wrong = Lemma(
        name="wrong", lhs=expr("x") % literal("n"), rhs=expr("x"), source="nowhere"
    )
    monkeypatch.setattr(book_module, "LEMMAS", (wrong,))

    done = CliRunner().invoke(app, ["prove"])

    assert done.exit_code == 1
    assert "refuted" in done.stdout


@pytest.mark.usefixtures("short_book")
def test_prove_fails_where_the_second_solver_alone_refutes(monkeypatch):
    """Two solvers that disagree are no doubt: one of them has a counterexample."""
    monkeypatch.setattr(rings, "second_opinion", lambda _: Refuted({}))
    monkeypatch.setattr(book_module, "prove_rings", rings.prove_rings)

    done = CliRunner().invoke(app, ["prove"])

    assert done.exit_code == 1
    assert "the second solver says refuted" in " ".join(done.stdout.split())


@pytest.mark.usefixtures("short_book")
@pytest.mark.parametrize(
    ("verdict", "exit_code"), [(Refuted({"t": 1}), 1), (Unknown("too hard"), 3)]
)
def test_prove_counts_what_the_proofs_lean_on(monkeypatch, verdict, exit_code):
    """A foundation that falls is no less than a law that does."""
    fallen = Obligation("uniqueness", verdict)
    monkeypatch.setattr(book_module, "foundations", lambda: (fallen,))

    done = CliRunner().invoke(app, ["prove"])

    assert done.exit_code == exit_code
    assert f"uniqueness: {verdict}" in done.stdout


@pytest.mark.usefixtures("short_book")
def test_every_obligation_becomes_a_file(tmp_path: Path):
    """In a folder that is made where it is missing."""
    folder = tmp_path / "new" / "smt2"
    done = CliRunner().invoke(app, ["prove", "--smt2", str(folder)])
    files = sorted(folder.rglob("*.smt2"))

    assert done.exit_code == 0
    assert any(file.parent.name == "foundations" for file in files)
    assert all("(check-sat)" in file.read_text() for file in files)


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
def test_a_folder_that_cannot_be_made_ends_with_2(tmp_path: Path, options: list[str]):
    """Before anything is proved, with the path and the remedy."""
    occupied = tmp_path / "file"
    occupied.write_text("mine")
    done = CliRunner().invoke(app, ["prove", "--smt2", str(occupied), *options])

    assert done.exit_code == 2
    assert "cannot be written" in done.output
    assert occupied.read_text() == "mine"


@pytest.mark.usefixtures("short_book")
def test_a_file_that_cannot_be_written_ends_with_2(tmp_path: Path):
    """A file stands where a folder is due."""
    (tmp_path / "foundations").write_text("mine")
    done = CliRunner().invoke(app, ["prove", "--smt2", str(tmp_path)])

    assert done.exit_code == 2
    assert "foundations" in done.stderr


def test_a_folder_without_a_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An empty variable of a shell does not fill the present folder."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["prove", "--smt2", ""])

    assert done.exit_code == 2
    assert "write --smt2 ." in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("claim", "instead"),
    [
        ("x % 4 == x", "pelican equiv 'x % 4' x;"),
        ("nested-mod-divides", "pelican equiv LEFT RIGHT;"),
        ("x >= 0", "a file of claims: pelican check FILE.pel"),
    ],
)
def test_a_claim_is_sent_where_it_is_answered(claim: str, instead: str):
    """The book is proved as a whole, and holds laws alone."""
    done = CliRunner().invoke(app, ["prove", claim])
    found = json.loads(CliRunner().invoke(app, ["prove", claim, "--json"]).stdout)

    assert done.exit_code == 2
    assert f"proves all laws of the book, and not {claim!r}" in done.stderr
    assert instead in done.stderr
    assert instead in found["errors"][0]["hint"]
