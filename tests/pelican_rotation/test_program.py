"""How the programs end when output or user stop them: by a code of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from typer import Typer
from typer.testing import CliRunner

from pelican_rotation.cli.pelican import app as pelican
from pelican_rotation.cli.program import run_program
from pelican_rotation.cli.rotation import app as rotation

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
    stderr: int | IO[str] | None = subprocess.PIPE,
    preexec_fn: Callable[[], None] | None = None,
):
    """Run a program in a process of its own."""
    module, *arguments = command
    code = f"from pelican_rotation.cli.{module} import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        stderr=stderr,
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


ON_STDERR = [
    (["rotation", "run", "examples/stream_add.kernel", "--machine", "trn2"], 0),
    (["rotation", "run", "missing.kernel"], 2),
    (["pelican", "equiv", "x", "y"], 2),
    (["pelican", "simplify", "1", "--no-such-option"], 2),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize(("command", "code"), ON_STDERR)
def test_full_errors_lose_neither_the_result_nor_its_code(
    command: list[str], code: int
):
    """A note is dropped, and an error message keeps the exit code of its mistake."""
    with open("/dev/full", "w") as full:
        done = run(command, stdout=subprocess.PIPE, stderr=full)

    assert (done.returncode, bool(done.stdout)) == (code, code == 0)


@pytest.mark.parametrize(("command", "code"), ON_STDERR)
def test_errors_that_nobody_reads_keep_the_exit_code(command: list[str], code: int):
    """As where they fit nowhere."""
    reader, writer = os.pipe()
    os.close(reader)
    done = run(command, stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)

    assert done.returncode == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_a_screen_on_full_errors_ends_with_74():
    """It is the answer there, since the trace takes standard output."""
    command = ["rotation", "run", "examples/stream_add.kernel", "--trace", "-"]
    with open("/dev/full", "w") as full:
        done = run(command, stdout=subprocess.PIPE, stderr=full)

    assert done.returncode == 74
    assert json.loads(done.stdout)


def test_a_screen_on_errors_that_nobody_reads_ends_with_141():
    """As on standard output."""
    reader, writer = os.pipe()
    os.close(reader)
    command = ["rotation", "run", "examples/stream_add.kernel", "--trace", "-"]
    done = run(command, stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)

    assert done.returncode == 141


def test_an_interrupt_ends_with_130(capsys):
    """Nothing is printed."""

    def interrupted():
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", sys.stdout)
        patch.setattr(sys, "stderr", sys.stderr)
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


@pytest.mark.parametrize("option", ["--rulez", "--ruls", "--rule"])
def test_a_wrong_option_names_the_nearest(option: str):
    """Where an expression may begin with a minus, too."""
    done = run(["pelican", "simplify", "-x", option, "modelled", "--index", "x"])

    assert done.returncode == 2
    assert done.stderr.endswith(f"No such option: {option}; did you mean --rules?\n")


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


@pytest.mark.parametrize(
    ("app", "words"),
    [
        (pelican, ["-h"]),
        (pelican, ["simplify", "-h"]),
        (rotation, ["-h"]),
        (rotation, ["batch", "-h"]),
    ],
)
def test_a_short_word_asks_for_help(app: Typer, words: list[str]):
    """As the long one does."""
    done = CliRunner().invoke(app, words)
    asked = CliRunner().invoke(app, [*words[:-1], "--help"])

    assert (done.exit_code, done.stdout) == (0, asked.stdout)


@pytest.mark.parametrize("app", [pelican, rotation], ids=["pelican", "rotation"])
def test_no_summary_of_a_command_is_cut(app: Typer):
    """Each fits a screen of 80 columns."""
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).stdout
    _, commands = shown.split("Commands:\n")

    assert [line for line in commands.splitlines() if not line.endswith(".")] == []
    assert [line for line in commands.splitlines() if line.endswith("...")] == []


@pytest.mark.parametrize("expression", [["-x*h"], ["--", "-h"]])
def test_a_letter_of_an_expression_asks_for_nothing(expression: list[str]):
    """Nor does a name behind two minuses."""
    words = ["range", "--index", "h in [1, 3)", "--index", "x in [3, 4)", *expression]
    done = CliRunner().invoke(pelican, words)

    assert "Usage" not in done.output


@pytest.mark.parametrize("command", ["simplify", "explain", "range"])
def test_an_expression_of_several_words_wants_quotes(command: str):
    """A shell makes an argument of each."""
    words = [command, "x", "mod", "8", "--index", "x"]
    done = CliRunner().invoke(pelican, words)

    assert done.exit_code == 2
    assert "argument(s) (mod 8); put the expression in quotes" in done.stderr


def test_two_expressions_of_several_words_want_quotes():
    """Each of them."""
    words = ["equiv", "x", "mod", "8", "x", "--index", "x"]
    done = CliRunner().invoke(pelican, words)

    assert done.exit_code == 2
    assert "(8 x); put each expression in quotes" in done.stderr


def test_several_files_are_a_batch():
    """The command that takes them is named."""
    done = CliRunner().invoke(rotation, ["run", "a.kernel", "b.kernel", "c.kernel"])

    assert done.exit_code == 2
    assert "(c.kernel); rotation batch takes several files" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["run", "a.kernel", ""],
        ["run", "a.kernel", "--machine", ""],
        ["run", "a.kernel", "--dump", ""],
        ["explain", "a.kernel", "--machine", ""],
        ["batch", ""],
        ["batch", "a.kernel", ""],
        ["batch", "a.kernel", "--machine", ""],
        ["batch", "a.kernel", "--output", ""],
        ["check", "a.kernel", ""],
        ["check", "a.kernel", "--machine", ""],
    ],
)
def test_an_empty_value_is_refused(words: list[str]):
    """It is that of a variable that is not set, and names no folder or machine."""
    done = CliRunner().invoke(rotation, words)

    assert done.exit_code == 2
    assert "it is empty; give a name, or leave it out" in done.stderr


@pytest.mark.parametrize(
    ("app", "command"),
    [
        *((rotation, "run"), (rotation, "explain"), (rotation, "check")),
        (pelican, "check"),
    ],
)
def test_an_empty_path_cannot_be_read(app: Typer, command: str):
    """With the remedy of every path that cannot."""
    done = CliRunner().invoke(app, [command, ""])

    assert done.exit_code == 2
    assert "error: cannot read ''" in done.stderr
    assert "hint: give the path of a file that can be read" in done.stderr
