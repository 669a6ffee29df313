"""`rotation run --no-check`: times and memory, and nothing about being right."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app
from pelican_rotation.report.tables import facts, parts
from pelican_rotation.wording import NOT_CHECKED
from rotation import load, run
from rotation.errors import ArgumentError
from rotation.running.functions import run_all
from tests.rotation.programs import COPY

EXAMPLES = Path(__file__).parents[2] / "examples"
STREAM = str(EXAMPLES / "stream_add.kernel")
KEPT = str(EXAMPLES / "add_rows.kernel")


def rotation(*arguments: str):
    """Run the command."""
    return CliRunner().invoke(app, list(arguments))


@pytest.mark.parametrize("file", [STREAM, KEPT])
def test_what_was_not_done_is_null(file: str):
    """Static and run-time loops; the rest of the object is there."""
    done = rotation("run", file, "--no-check", "--json")
    found = json.loads(done.stdout)

    assert done.exit_code == 0
    assert (found["verdict"], found["schedule"] is not None) == ("accepted", True)
    assert [found[key] for key in ("hazards", "proofs", "equivalent")] == [None] * 3


@pytest.mark.parametrize("file", [STREAM, KEPT])
def test_the_screen_says_so(file: str):
    """In place of each check that is ok."""
    done = rotation("run", file, "--no-check")

    assert done.exit_code == 0
    assert f"checks     {NOT_CHECKED}" in done.stdout
    assert "ok" not in done.stdout
    assert "proofs  " not in done.stdout


def test_nothing_else_changes():
    """Times, memory and rings are those of a run with checks."""
    with_checks, without = (
        json.loads(rotation("run", STREAM, "--json", *more).stdout)
        for more in ((), ("--no-check",))
    )

    for key in ("memory", "rings", "schedule", "engines", "edges"):
        assert with_checks[key] == without[key]


def test_the_page_says_so():
    """At the top, and where the checks stand."""
    result = run(load(STREAM), checks=False)
    top = {fact.name: fact.note for fact in facts(result)}
    trust = next(part for part in parts(result) if part.title == "Proofs and checks")

    assert top["checks"] == NOT_CHECKED
    assert "same program" not in top
    assert [line.text for line in trust.lines] == [f"✗ {NOT_CHECKED}"]


def test_a_measurement_says_that_it_breaks_the_program():
    """That is known without a check."""
    options = ("--no-check", "--separate-load-and-compute")
    done = rotation("run", STREAM, *options, "--json")
    found = json.loads(done.stdout)

    assert done.exit_code == 1
    assert [hazard["check"] for hazard in found["hazards"]] == ["measurement"]
    assert (found["proofs"], found["equivalent"]) == (None, False)
    assert NOT_CHECKED in rotation("run", STREAM, *options).stdout


def test_all_kernels_of_a_file_go_without(tmp_path: Path):
    """And so does what is said of them together."""
    file = tmp_path / "two.kernel"
    text = COPY.replace("RING", "")
    file.write_text(text + text.replace("kernel copy", "kernel again"))
    found = json.loads(rotation("run", str(file), "--no-check", "--json").stdout)

    for result in (found, *found["functions"]):
        assert [result[key] for key in ("hazards", "proofs", "equivalent")] == [
            None
        ] * 3
    assert run_all([load(STREAM)]).equivalent is True


def test_to_check_each_pass_and_nothing_is_refused():
    """One of the two is to go."""
    done = rotation("run", STREAM, "--no-check", "--verify-each")

    assert done.exit_code == 2
    assert "leave out --no-check or --verify-each" in done.stderr
    with pytest.raises(ArgumentError, match="no check is to be done"):
        run(load(STREAM), verify_each=True, checks=False)


def test_no_check_is_even_begun(monkeypatch: pytest.MonkeyPatch):
    """What would be called breaks."""
    for name in ("check", "_prove"):
        monkeypatch.delattr(f"rotation.running.pipeline.{name}")

    assert run(load(STREAM), checks=False).verdict == "accepted"
