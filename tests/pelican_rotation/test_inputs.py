"""What the commands read: files of their own language, and standard input."""

import errno
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from pelican.errors import PelicanError
from pelican_rotation.cli.inputs import read_claims, read_kernels
from pelican_rotation.cli.pelican import app as pelican
from pelican_rotation.cli.rotation import app as rotation
from tests.rotation.programs import COPY

ROOT = Path(__file__).parents[2]
PLACED = (ROOT / "examples/two_slots.placed").read_text()
KERNEL = COPY.replace("RING", "")
CLAIM = "index i in [0, 4)\ncheck i in [0, 4)\n"

OF_KERNELS = [["run"], ["explain"], ["check"], ["fmt"], ["convert"]]
OF_CLAIMS = [["check"], ["view"], ["fmt"]]


def with_file(command: list[str], file: str) -> list[str]:
    """Return the arguments of a command for a file."""
    return [*command, file, *["k"] * (command == ["convert"])]


@pytest.mark.parametrize("command", OF_KERNELS, ids=" ".join)
def test_rotation_names_the_program_for_a_file_of_claims(command, tmp_path: Path):
    """One error, whatever is wrong in the file."""
    file = tmp_path / "a.pel"
    file.write_text(CLAIM)
    done = CliRunner().invoke(rotation, with_file(command, str(file)))

    assert (done.exit_code, done.stderr.count("error:")) == (2, 1)
    assert f"{file} is a file of claims, which pelican " in done.stderr


@pytest.mark.parametrize("command", OF_CLAIMS, ids=" ".join)
@pytest.mark.parametrize("name", ["a.kernel", "a.placed"])
def test_pelican_names_the_program_for_a_file_of_kernels(command, name, tmp_path: Path):
    """One error, not one for each line."""
    file = tmp_path / name
    file.write_text(PLACED)
    done = CliRunner().invoke(pelican, with_file(command, str(file)))

    assert (done.exit_code, done.stderr.count("error:")) == (2, 1)
    assert " which rotation " in done.stderr


def test_a_wrong_program_is_an_error_of_json(tmp_path: Path):
    """With its remedy."""
    file = tmp_path / "a.pel"
    file.write_text(CLAIM)
    done = CliRunner().invoke(rotation, ["run", str(file), "--json"])
    (error,) = json.loads(done.stdout)["errors"]

    assert (done.exit_code, error["type"]) == (2, "WrongProgramError")
    assert error["hint"].endswith(f"try: pelican check {file}")


@pytest.mark.parametrize(
    ("arguments", "text", "shown"),
    [
        (["run", "-"], KERNEL, "copy on planning"),
        (["run", "-", "copy"], KERNEL, "copy on planning"),
        (["run", "-"], KERNEL + KERNEL.replace("copy", "again"), "again on planning"),
        (["explain", "-"], KERNEL, "copy on planning"),
        (["check", "-"], PLACED, "race: ok"),
        (["fmt", "-"], KERNEL, "kernel copy on planning {"),
    ],
)
def test_a_dash_is_standard_input(arguments, text, shown):
    """As for the commands of the other program."""
    done = CliRunner().invoke(rotation, arguments, input=text)

    assert (done.exit_code, shown in done.stdout) == (0, True)


def test_a_dash_may_be_a_document_to_convert():
    """What is printed can go on to a run."""
    text = (ROOT / "tests/rotation/data/kernels.json").read_text()
    done = CliRunner().invoke(rotation, ["convert", "-", "stream_add"], input=text)

    assert (done.exit_code, done.stdout[:17]) == (0, "kernel stream_add")


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["run", "-"], "kernel k on trn2 { ? }", "<stdin>:1:20: unexpected '?'"),
        (["run", "-"], b"kernel \xff", "<stdin>:1:8: byte 0xff is not UTF-8 text"),
        (["run", "-", "k"], KERNEL, "<stdin> has no kernel 'k'"),
        (["check", "-"], KERNEL, "rotation run - --print-after perf_sim"),
        (["convert", "-", "k"], "{", "<stdin>:1:2: this is not JSON"),
    ],
)
def test_a_mistake_on_standard_input_has_its_place(arguments, text, message):
    """The text is called <stdin>, and a command that is hinted at can be copied."""
    done = CliRunner().invoke(rotation, arguments, input=text)

    assert (done.exit_code, message in done.stderr) == (2, True)


def test_several_kernels_on_standard_input_need_a_name():
    """The command that is hinted at reads standard input too."""
    text = KERNEL + KERNEL.replace("copy", "again")
    done = CliRunner().invoke(rotation, ["explain", "-"], input=text)

    assert done.stderr.endswith("hint: name one: rotation explain - NAME\n")


def unreadable(message: str | None):
    """Return a standard input that raises when it is read."""

    def read():
        raise OSError(errno.EBADF, message) if message else OSError("not readable")

    return SimpleNamespace(buffer=SimpleNamespace(read=read))


@pytest.mark.parametrize("read", [read_kernels, read_claims])
@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        (None, "standard input is closed"),
        (unreadable("Bad file"), "cannot read standard input: Bad file"),
        (unreadable(None), "cannot read standard input: not readable"),
    ],
)
def test_a_standard_input_that_cannot_be_read_is_named(
    read, stdin, message, monkeypatch: pytest.MonkeyPatch
):
    """It may be closed, or open for writing only."""
    monkeypatch.setattr("sys.stdin", stdin)
    with pytest.raises(PelicanError) as error:
        read("-", "check")

    assert (error.value.message, error.value.hint) == (
        message,
        "give the path of a file",
    )
