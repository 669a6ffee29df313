"""`rotation batch`: one line for each kernel, in the order of the inputs."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pelican_rotation.batch import run as module
from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.task import Outcome, Task, run_task
from pelican_rotation.cli.rotation import app
from tests.pelican_rotation.batch.kernels import (
    FITS,
    TOO_LARGE,
    killing,
    untimed,
    write,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder with three kernels, one of which does not fit."""
    write(tmp_path / "in", a=FITS, b=TOO_LARGE, c=FITS)
    monkeypatch.chdir(tmp_path)


def batch(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["batch", *words], env={"COLUMNS": "200"})


def backwards(tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome | Lost]]:
    """Run tasks here, the last one first."""
    for position in reversed(range(len(tasks))):
        yield position, run_task(tasks[position])


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run kernels in this process, which is fast."""
    monkeypatch.setattr(module, "runner_of", lambda *_: backwards)


def test_results_come_in_the_order_of_the_inputs():
    """By a process; a path that leads nowhere is one of them."""
    done = batch("in", "none.kernel", "--jobs", "1", "--json")
    document = json.loads(done.stdout)

    assert (done.exit_code, done.stderr) == (2, "")
    assert [each["kernel"] for each in document["kernels"]] == ["a", "b", "c", None]
    assert [each["exit_code"] for each in document["kernels"]] == [0, 2, 0, 2]
    assert (document["total"], document["interrupted"]) == (4, False)


def test_a_kernel_that_kills_its_process_loses_no_other(
    monkeypatch: pytest.MonkeyPatch,
):
    """It is not decided, which is the answer of the whole."""
    write(Path("more"), killer=FITS, last=FITS)
    monkeypatch.setattr(module, "run_task", killing)
    done = batch("more", "--jobs", "1")

    assert done.exit_code == 3
    assert done.stdout.splitlines() == [
        "kernel  answer       before ns  after ns  of bound  remark",
        "killer  not decided          -         -         -  kernel killer of "
        "more/killer.kernel has no answer: its process ended by SIGKILL",
        "last    holds            2,778     2,778     1.000",
        "",
        "2 kernels; holds: 1, not decided: 1",
    ]


@pytest.mark.usefixtures("here")
def test_what_is_printed_does_not_depend_on_who_is_done_first():
    """Nor on whether it was there already."""
    documents = [
        untimed(json.loads(batch("in", *words, "--json").stdout))
        for words in ((), ("--output", "out"), ("--output", "out", "--resume"))
    ]

    assert documents[0] == documents[1] == documents[2]
    assert [each["kernel"] for each in documents[0]["kernels"]] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("codes", "code"), [((0, 3), 3), ((3, 1), 1), ((1, 2), 2), ((0, 0), 0)]
)
def test_the_worst_of_all_is_the_exit_code(
    codes: tuple[int, int], code: int, monkeypatch: pytest.MonkeyPatch
):
    """Wrong input before a hazard, a hazard before what is not decided."""

    def coded(tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        for position, task in enumerate(tasks):
            outcome = Outcome(task.file, task.kernel, task.key, codes[position], 0)
            yield position, outcome

    monkeypatch.setattr(module, "runner_of", lambda *_: coded)

    assert code == batch("in/a.kernel", "in/c.kernel").exit_code


@pytest.mark.usefixtures("here")
def test_a_hazard_is_shown():
    """Of a pass that is left out, as `run` shows it."""
    done = batch(str(ROOT / "examples/first_ring.kernel"), "--skip-pass=build_fdeps")

    assert done.exit_code == 2  # it cannot be left out
    skipped = "--skip-pass=anti_dependency_analyzer"
    done = batch(str(ROOT / "examples/first_ring.kernel"), skipped)
    assert done.exit_code == 1
    assert "hazard or refuted" in done.stdout


def test_the_page_shows_what_is_printed(here: None, monkeypatch: pytest.MonkeyPatch):
    """Its first command, and what it prints."""
    monkeypatch.chdir(ROOT)
    page = Path("docs/howto/run-a-batch.md").read_text("utf-8")
    _, command, _, shown, *_ = re.split(r"^```(?:sh)?\n", page, flags=re.MULTILINE)
    program, name, *words = command.split()

    assert (program, name) == ("rotation", "batch")
    assert shown == batch(*words).stdout


@pytest.mark.usefixtures("here")
def test_each_kernel_has_a_file():
    """In a folder that is named as its file; it is the item of the object."""
    document = json.loads(batch("in", "--output", "out", "--json").stdout)
    files = sorted(str(path) for path in Path("out").rglob("*") if path.is_file())
    texts = [json.loads(Path(file).read_text()) for file in files]

    assert files == [f"out/{name}.kernel/{name}.json" for name in "abc"]
    assert texts == [
        {"schema": document["schema"], **each} for each in document["kernels"]
    ]


def test_what_is_done_is_not_run_again(here: None, monkeypatch: pytest.MonkeyPatch):
    """Unless its text has changed; the rest says how much that is."""
    batch("in", "--output", "out")
    write(Path("in"), c=TOO_LARGE)
    ran = []
    monkeypatch.setattr(
        module,
        "runner_of",
        lambda *_: lambda tasks: ran.extend(tasks) or backwards(tasks),
    )
    done = batch("in", "--output", "out", "--resume")

    assert [task.kernel for task in ran] == ["c"]
    assert done.stderr == "note: 2 of 3 are done already\n"
    assert done.stdout.endswith("3 kernels; holds: 1, wrong or refused: 2\n")


def test_an_interrupt_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch):
    """It is printed, and its files stay."""

    def interrupted(tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        yield 1, replace(run_task(tasks[1]))
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "runner_of", lambda *_: interrupted)
    done = batch("in", "--output", "out")

    assert done.exit_code == 130
    assert done.stdout.endswith("3 kernels; wrong or refused: 1, not run: 2\n")
    assert [p.name for p in Path("out").rglob("*.*")] == ["b.kernel", "b.json"]


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
)
def test_what_ends_a_batch_leaves_no_process_and_no_half_written_file(number, code):
    """A terminal or a supervisor sends it to all processes of the command."""
    write(Path("long"), a=FITS, sleeper=FITS)
    program = (
        "import signal\n"
        # The tests may run where Ctrl-C is ignored, as in a background job.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pelican_rotation.batch import run\n"
        "from pelican_rotation.cli.rotation import main\n"
        "from tests.pelican_rotation.batch.kernels import sleeping\n"
        "run.run_task = sleeping\n"
        "main()"
    )
    words = ["batch", "long", "--jobs", "1", "--output", "out", "--json"]
    command = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 120
        while not Path("sleeper.pid").exists() and command.poll() is None:
            assert time.monotonic() < end, "the second kernel is never begun"
            time.sleep(0.05)
        os.killpg(command.pid, number)
        out, errors = command.communicate(timeout=120)
    finally:
        command.kill()
        command.wait()
    document = json.loads(out)

    assert (command.returncode, errors) == (code, "")
    assert [each["kernel"] for each in document["kernels"]] == ["a"]
    assert (document["total"], document["interrupted"]) == (2, True)
    assert [path.name for path in Path("out").rglob("*.json")] == ["a.json"]
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("sleeper.pid").read_text()), 0)


WRONG = {
    "nothing": (["--scheduler", "tcp://h:1", "--jobs", "2", "in"], "has its own"),
    "no folder": (["--resume", "in"], "--resume needs the folder"),
    "a machine": (["--machine", "trn22", "in"], "no machine 'trn22'"),
    "an address": (["--scheduler", "nonsense", "in"], "no scheduler answers"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_runs_nothing(words: list[str], message: str):
    """With the exit code 2, and one object where one is wanted."""
    done = batch(*words, "--json")
    (error,) = json.loads(done.stdout)["errors"]

    assert done.exit_code == 2
    assert message in error["message"]
    assert error["hint"]


@pytest.mark.usefixtures("here")
def test_only_a_cluster_needs_its_library(monkeypatch: pytest.MonkeyPatch):
    """Without the extra, kernels run on this machine."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    assert batch("in/a.kernel").exit_code == 0


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    """Before anything is run."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = batch("in", "--scheduler", "tcp://127.0.0.1:8786")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "pip install 'pelican-rotation[cluster]'" in done.stderr


def test_a_job_is_at_least_one():
    """Fewer run nothing."""
    assert batch("in", "--jobs", "0").exit_code == 2


@pytest.mark.usefixtures("here")
def test_results_below_the_inputs_are_no_inputs():
    """A second batch runs what the first ran."""
    first, second = (
        untimed(json.loads(batch(".", "--output", "out", "--json").stdout))
        for _ in range(2)
    )

    assert first == second
    assert [each["kernel"] for each in first["kernels"]] == ["a", "b", "c"]
