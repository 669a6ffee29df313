"""Kernels that do nothing, on the command line: a loop without trips writes all."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app

DOCUMENT = str(Path(__file__).parents[1] / "rotation/data/kernels.json")


def rotation(*arguments: str):
    """Run the command."""
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def idle(tmp_path: Path) -> str:
    """Return a file of the short loop with no trips."""
    done = rotation("convert", DOCUMENT, "short_loop", "--hi", "i=0")
    file = tmp_path / "idle.kernel"
    file.write_text(done.stdout)
    return str(file)


def test_it_runs(idle: str):
    """One screen, exit code 0."""
    done = rotation("run", idle)

    assert done.exit_code == 0
    assert "short_loop on planning, planning timing: accepted" in done.stdout
    assert "equivalence: ok" in done.stdout


SAID = "loop i (line 4) has no iterations: ld, f, st do nothing"


@pytest.mark.parametrize("command", [("run",), ("explain", "--quick"), ("batch",)])
def test_what_does_nothing_is_said(idle: str, command: tuple[str, ...]):
    """With the loop, its line and its operations."""
    done = rotation(*command, idle)
    words = " ".join(done.stdout.split())

    assert SAID in words


@pytest.mark.parametrize("command", ["run", "explain"])
def test_its_object_has_the_note(idle: str, command: str):
    """With the output that nothing else writes, and the place of the loop."""
    (note,) = json.loads(rotation(command, idle, "--json").stdout)["notes"]

    assert note["text"] == f"{SAID}, and y stays as it came"
    assert note["where"] == f"{idle}:4:3"


def test_its_page_has_the_note(idle: str, tmp_path: Path):
    """Above the tables."""
    page = tmp_path / "page.html"
    rotation("run", idle, "--report", str(page))

    assert f"<b>Note:</b> {SAID}" in page.read_text(encoding="utf-8")


def test_its_object_says_that_nothing_changed(idle: str):
    """Accepted, equivalent, no rings, no time."""
    found = json.loads(rotation("run", idle, "--json", "--timeline").stdout)

    assert (found["verdict"], found["equivalent"]) == ("accepted", True)
    assert found["rings"] == found["hazards"] == found["timeline"] == []
    assert found["schedule"]["after_ns"] == 0


def test_its_dump_is_checked(idle: str, tmp_path: Path):
    """The kernel keeps its loop; the program has no instructions."""
    file = tmp_path / "idle.placed"
    file.write_text(rotation("run", idle, "--print-after", "perf_sim").stdout)
    done = rotation("check", str(file))

    assert "for i in [0, 0) step 1 {" in file.read_text()
    assert done.exit_code == 0
    assert "short_loop on planning: 0 instructions" in done.stdout


def test_it_is_explained(idle: str):
    """There is nothing to wait for."""
    done = rotation("explain", idle)

    assert done.exit_code == 0
    assert "0 ns, 1.000 of the bound (no operations)" in done.stdout


def test_it_is_laid_out_as_it_is_printed(idle: str):
    """`fmt` has nothing to change in what `convert` writes."""
    before = Path(idle).read_text()

    assert "st: dma.store y[128*i:+128, 0:+512] <- yt" in before
    assert rotation("fmt", "--check", idle).exit_code == 0
    assert Path(idle).read_text() == before
