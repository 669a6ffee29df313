"""How the programs end when output or user stop them: by a code of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from pelican_rotation.cli.program import run_program

ROOT = Path(__file__).parents[2]
SIMPLIFY = ["pelican", "simplify", "1 + 1"]
PROGRAMS = [
    SIMPLIFY,
    ["pelican", "simplify", "1 + 1", "--json"],
    ["pelican", "--help"],
    ["rotation", "--help"],
    ["rotation", "run", "examples/stream_add.kernel"],
    ["rotation", "run", "missing.kernel", "--json"],
]


def run(
    command: list[str],
    stdout: int | IO[str] | None = None,
    preexec_fn: Callable[[], None] | None = None,
):
    """Run a program in a process of its own."""
    module, *arguments = command
    code = f"from pelican_rotation.cli.{module} import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        stdout=stdout,
        preexec_fn=preexec_fn,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("command", PROGRAMS, ids=" ".join)
def test_a_full_device_ends_with_74(command):
    """The reason is one line, and no traceback."""
    with open("/dev/full", "w") as full:
        done = run(command, stdout=full)

    assert done.returncode == 74
    assert done.stderr == "error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("command", PROGRAMS, ids=" ".join)
def test_a_closed_pipe_ends_with_141(command):
    """Who closed it does not want to hear more: nothing is printed."""
    reader, writer = os.pipe()
    os.close(reader)
    done = run(command, stdout=writer)
    os.close(writer)

    assert (done.returncode, done.stderr) == (141, "")


def test_a_closed_output_ends_with_74():
    """As from a shell with >&-."""
    done = run(SIMPLIFY, preexec_fn=lambda: os.close(1))

    assert (done.returncode, done.stderr) == (74, "error: standard output is closed\n")


def test_an_interrupt_ends_with_130(capsys):
    """Nothing is printed."""

    def interrupted():
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", sys.stdout)
        with pytest.raises(SystemExit) as left:
            run_program(interrupted)

    assert left.value.code == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "command",
    [
        ["pelican", "check", "--json"],
        ["pelican", "equiv", "1", "--json"],
        ["pelican", "simplify", "1", "--rules", "none", "--json"],
        ["rotation", "run", "--no-such-option", "--json"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_told_as_json(command):
    """One object with the mistake, and the exit code of a wrong input."""
    done = run(command, stdout=subprocess.PIPE)
    document = json.loads(done.stdout)
    (error,) = document["errors"]

    assert done.returncode == 2
    assert list(document) == ["schema", "errors"]
    assert error["type"] == "UsageError"
    assert error["message"]
    assert "Traceback" not in done.stderr


def test_a_wrong_call_without_json_leaves_standard_output_empty():
    """It is told on standard error only."""
    done = run(["pelican", "equiv", "1"], stdout=subprocess.PIPE)

    assert (done.returncode, done.stdout) == (2, "")
    assert "Missing argument" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "question"),
    [
        (["simplify", "7", "--rules", "modeled"], "did you mean modelled?"),
        (["explain", "7", "--rules", "defualt"], "did you mean default?"),
        (["convert", "7", "--to", "latx"], "did you mean latex?"),
        (["convert", "7", "--to", "c", "--from", "isk"], "did you mean isl?"),
    ],
)
def test_a_wrong_choice_names_the_nearest(arguments: list[str], question: str):
    """Every option with choices does, on the screen and in the object."""
    done = run(["pelican", *arguments])
    answered = run(["pelican", *arguments, "--json"], stdout=subprocess.PIPE)
    (error,) = json.loads(answered.stdout)["errors"]

    assert done.returncode == 2
    assert done.stderr.endswith(f"; {question}\n")
    assert "Value error" not in done.stderr
    assert error["message"].endswith(question)


def test_a_choice_that_is_near_to_none_names_all():
    """There is nothing to ask."""
    done = run(["pelican", "simplify", "7", "--rules", "all"])

    assert done.returncode == 2
    assert "'all' is not one of 'default', 'modelled'.\n" in done.stderr


@pytest.mark.parametrize("command", ["run", "explain"])
def test_a_wrong_policy_names_the_nearest(command: str):
    """It is looked up where the run is, which Python asks too."""
    done = run(["rotation", command, "examples/stream_add.kernel", "--policy", "rign"])

    assert (done.returncode, "did you mean ring?" in done.stderr) == (2, True)
