"""The files of `rotation run`: where they go, and what is refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app
from tests.rotation.programs import STREAM

WRONG = STREAM.replace("z[128*i:", "z[128*i + 1:")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Go to a folder with a kernel, and return its file."""
    monkeypatch.chdir(tmp_path)
    Path("a.kernel").write_text(STREAM, encoding="utf-8")
    Path("wrong.kernel").write_text(WRONG, encoding="utf-8")
    two = STREAM.replace("kernel stream", "kernel other") + STREAM
    Path("two.kernel").write_text(two, encoding="utf-8")
    return "a.kernel"


def run(*words: str):
    """Run the command."""
    return CliRunner().invoke(app, ["run", *words])


def test_both_files_are_written_beside_the_screen(file: str):
    """Nothing else is left in the folder."""
    done = run(file, "--report", "out.html", "--trace", "out.json")

    assert done.exit_code == 0
    assert "stream on planning" in done.stdout
    assert Path("out.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["traceEvents"]
    assert sorted(path.name for path in Path().iterdir()) == [
        *("a.kernel", "out.html", "out.json", "two.kernel", "wrong.kernel")
    ]


def test_a_trace_on_standard_output_leaves_the_screen_to_standard_error(file: str):
    """So that a pipe gets the trace alone."""
    done = run(file, "--trace", "-")

    assert json.loads(done.stdout)["displayTimeUnit"] == "ns"
    assert "stream on planning" in done.stderr


def test_a_kernel_that_is_refused_has_a_page(file: str):
    """It says why; the exit code is that of wrong input."""
    done = run(file.replace("a.", "wrong."), "--report", "out.html", "--json")

    assert done.exit_code == 2
    assert json.loads(done.stdout)["verdict"] == "refused"
    assert "✗ refused" in Path("out.html").read_text(encoding="utf-8")


REFUSED = {
    "a folder": (["--report", "."], "is a folder, not a file"),
    "no folder": (["--trace", "no/a.json"], "mkdir -p no"),
    "two texts": (["--trace", "-", "--report", "-"], "all want standard output"),
    "the object too": (["--trace", "-", "--print-after", "unroll"], "want standard"),
}


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_is_refused_first(
    file: str, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
):
    """Before anything is run."""
    monkeypatch.setattr("rotation.run", None)
    done = run(file, *words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_mistake_is_an_object_where_one_is_wanted(file: str):
    """On standard output, as of any other mistake."""
    done = run(file, "--report", "-", "--json")
    (error,) = json.loads(done.stdout)["errors"]

    assert done.exit_code == 2
    assert error["message"] == "--report - and --json all want standard output"


@pytest.fixture
def without_bokeh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the library of pages be missing."""
    monkeypatch.setitem(sys.modules, "bokeh", None)
    monkeypatch.delitem(sys.modules, "pelican_rotation.report.page", raising=False)


@pytest.mark.usefixtures("without_bokeh")
def test_without_the_plotting_library_the_extra_is_named(file: str):
    """Pages are an extra; nothing is run for one that cannot be made."""
    done = run(file, "--report", "out.html")

    assert done.exit_code == 2
    assert "pip install 'pelican-rotation[report]'" in done.stderr
    assert not Path("out.html").exists()


@pytest.mark.usefixtures("file", "without_bokeh")
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["screen", "object"])
@pytest.mark.parametrize("kernel", ["a", "wrong", "two"])
def test_a_page_that_cannot_be_made_costs_no_trace(kernel: str, more: list[str]):
    """The run and its trace are there; what is missing is said, with the code 2."""
    done = run(f"{kernel}.kernel", "--report", "p.html", "--trace", "t.json", *more)

    assert done.exit_code == 2
    assert "traceEvents" in json.loads(Path("t.json").read_text(encoding="utf-8"))
    assert "pip install 'pelican-rotation[report]'" in done.stderr
    assert not Path("p.html").exists()
    if more:
        assert "verdict" in json.loads(done.stdout)
    elif kernel != "wrong":
        assert " on planning" in done.stdout


@pytest.mark.usefixtures("file", "without_bokeh")
def test_a_page_that_cannot_be_made_keeps_standard_output():
    """Whoever waits for the page there gets no screen in its place."""
    done = run("a.kernel", "--report", "-", "--trace", "t.json")

    assert (done.exit_code, done.stdout) == (2, "")


def test_a_run_without_a_page_loads_no_plotting(file: str):
    """The library is loaded for `--report` only."""
    program = (
        "import sys; from pelican_rotation.cli.rotation import main\n"
        "try: main()\nfinally: print('bokeh' in sys.modules, file=sys.stderr)"
    )
    words = [sys.executable, "-c", program, "run", file, "--trace", "out.json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert done.stderr == "False\n"
