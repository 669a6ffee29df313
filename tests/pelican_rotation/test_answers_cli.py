"""`rotation explain`, `passes` and `machines` from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app
from rotation.machine.machine import machine_names
from rotation.running.pipeline import PASSES
from tests.rotation.programs import COPY, TURNS

ALL = COPY.replace("RING", "ring 1")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "copy.kernel"
    path.write_text(ALL)
    return str(path)


def rotation(*words: str):
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


def document(*words: str) -> dict[str, Any]:
    return json.loads(rotation(*words, "--json").stdout)


def test_an_explanation_names_what_binds(file: str):
    """The loop, what its engine works of it, and the recurrence by line."""
    shown = rotation("explain", file).stdout

    assert "copy on planning: " in shown
    assert "recurrence of t 2,492 ns (ld 8, cp 9)" in shown
    assert "100.0 % of its idle time has a cause" in shown


def test_an_explanation_names_the_edge_by_lines(file: str):
    """Which operation waits for which, of how many iterations before, and for what."""
    shown = rotation("explain", file).stdout

    assert (
        "ld (line 8) does not start, it waits for cp (line 9) of 1 iteration before, "
        "for the bytes of t"
    ) in shown


def test_an_explanation_says_what_a_slot_costs_and_brings(file: str):
    """In one sentence, for the shortest run."""
    shown = rotation("explain", file).stdout

    assert "shortest of those tried: " in shown
    assert "2,048 bytes a partition of sb" in shown


def test_a_quick_explanation_tries_nothing(file: str):
    """It has no slots to tell of."""
    assert document("explain", file, "--quick")["slots"] == []
    assert "shortest of those tried" not in rotation("explain", file, "--quick").stdout


def test_an_explanation_is_one_object(file: str):
    """With the causes of each engine."""
    found = document("explain", file)

    assert (found["schema"], found["engine"]) == ("pelican-rotation/1", "dma")
    assert found["attributed"] == 1


def test_another_machine_is_noted(file: str):
    """The kernel is written for planning."""
    done = rotation("explain", file, "--machine", "trn2", "--quick")

    assert (done.exit_code, "on trn2" in done.stdout) == (0, True)
    assert "note: copy is written for planning" in done.stderr


def test_a_kernel_that_is_refused_has_no_explanation(tmp_path: Path):
    """The mistake is told, with the exit code 2."""
    path = tmp_path / "wrong.kernel"
    path.write_text(COPY.replace("RING", "ring 9"))
    done = rotation("explain", str(path))

    assert (done.exit_code, "ring 9 of t" in done.stderr) == (2, True)


def test_a_kernel_of_a_recurrence_says_so(tmp_path: Path):
    """In the bound, and for its loop."""
    path = tmp_path / "turns.kernel"
    path.write_text(TURNS)
    shown = rotation("explain", str(path), "--quick").stdout

    assert "(total over i: " in shown
    assert "the recurrence; " in shown


def test_the_passes_are_listed():
    """By name, in their order."""
    names = [each["name"] for each in document("passes")["passes"]]
    shown = rotation("passes").stdout

    assert names == [step.name for step in PASSES]
    assert all(name in shown for name in names)


def test_the_machines_are_listed():
    """With their geometry."""
    machines = document("machines")["machines"]
    shown = rotation("machines").stdout

    assert tuple(each["name"] for each in machines) == machine_names()
    assert machines[0]["sb_bytes_per_partition"] == 180_224
    assert "180,224" in shown
    assert [each["psum_partitions"] for each in machines[:2]] == [128, 64]
