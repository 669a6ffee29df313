"""The command `pelican fmt`: files are replaced in one step, or not at all."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.pelican import app

LOOSE = "check  1 in [0,2)# one\n"
NEAT = "check 1 in [0, 2)  # one\n"


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    """Return a file that is not laid out."""
    path = tmp_path / "a.pel"
    path.write_text(LOOSE)
    return path


def fmt(*arguments: object, text: str = ""):
    """Run `pelican fmt`."""
    return CliRunner().invoke(app, ["fmt", *map(str, arguments)], input=text.encode())


def test_a_file_is_rewritten(loose: Path):
    """In place, with nothing left beside it."""
    done = fmt(loose)

    assert (done.exit_code, done.stdout) == (0, "")
    assert loose.read_text() == NEAT
    assert list(loose.parent.iterdir()) == [loose]


def test_a_neat_file_is_left_alone(loose: Path):
    """It is not written at all."""
    loose.write_text(NEAT)
    before = loose.stat().st_ino

    assert (fmt(loose).output, loose.stat().st_ino) == ("", before)


def test_check_changes_nothing(loose: Path):
    """It says what would change, and exits 1."""
    done = fmt("--check", loose)

    assert (done.exit_code, loose.read_text()) == (1, LOOSE)
    assert str(loose) in done.stderr


def test_check_of_a_neat_file_ends_with_0(loose: Path):
    """There is nothing to do."""
    loose.write_text(NEAT)

    assert fmt("--check", loose).exit_code == 0


def test_standard_input_goes_to_standard_output():
    """Under the name of a dash."""
    assert fmt("-", text=LOOSE).stdout == NEAT


def test_check_of_standard_input_prints_no_text():
    """The exit code is the answer."""
    done = fmt("--check", "-", text=LOOSE)

    assert (done.exit_code, done.stdout) == (1, "")


def test_a_file_with_a_mistake_stays_as_it_is(loose: Path, tmp_path: Path):
    """The others are formatted; the exit code is 2."""
    bad = tmp_path / "b.pel"
    bad.write_text("check  1 in\n")
    done = fmt(bad, loose)

    assert done.exit_code == 2
    assert f"{bad}:1:12" in done.stderr
    assert (bad.read_text(), loose.read_text()) == ("check  1 in\n", NEAT)


def test_fmt_prints_one_json_object(loose: Path):
    """Each file, and whether it changed."""
    done = fmt("--json", loose, "-", text=NEAT)

    assert json.loads(done.stdout) == {
        "schema": "pelican-rotation/1",
        "files": [
            {"file": str(loose), "changed": True, "text": None, "diff": None},
            {"file": "-", "changed": False, "text": NEAT, "diff": None},
        ],
        "errors": [],
    }


def test_a_difference_is_shown_and_nothing_written(loose: Path):
    """As `diff -u` shows it; the exit code is that of --check."""
    shown = f"--- {loose}\tas it is\n+++ {loose}\tlaid out\n@@ -1 +1 @@\n"
    done = fmt("--diff", loose)

    assert (done.exit_code, loose.read_text()) == (0, LOOSE)
    assert done.stdout == f"{shown}-{LOOSE}+{NEAT}"
    assert fmt("--diff", "--check", loose).exit_code == 1


def test_a_neat_file_has_no_difference(loose: Path):
    """Not a line, with --check neither."""
    loose.write_text(NEAT)
    done = fmt("--diff", "--check", loose)

    assert (done.exit_code, done.output) == (0, "")


def test_a_last_line_without_an_end_is_said(loose: Path):
    """Or the line below it would be taken for a part of it."""
    loose.write_text(LOOSE.rstrip())
    lines = fmt("--diff", loose).stdout.splitlines()

    assert lines[-2:] == ["\\ No newline at end of file", f"+{NEAT.rstrip()}"]


def test_the_difference_of_standard_input_is_shown(loose: Path):
    """In place of its new text; the object has it too."""
    done = fmt("--diff", "-", text=LOOSE)
    (file,) = json.loads(fmt("--diff", "-", "--json", text=LOOSE).stdout)["files"]

    assert done.stdout.endswith(f"-{LOOSE}+{NEAT}")
    assert (file["text"], file["diff"]) == (None, done.stdout)


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError(28, "disk full")])
def test_a_file_is_whole_or_as_it_was(loose: Path, monkeypatch, failure):
    """A stop just before the end leaves the old text and no other file."""

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(Path, "replace", fail)
    done = fmt(loose)

    assert done.exit_code != 0
    assert loose.read_text() == LOOSE
    assert list(loose.parent.iterdir()) == [loose]


def test_the_rights_of_a_file_are_kept(loose: Path):
    """The new file is as readable as the old one."""
    loose.chmod(0o640)
    fmt(loose)

    assert loose.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(loose: Path, tmp_path: Path):
    """What it leads to is rewritten."""
    link = tmp_path / "link.pel"
    os.symlink(loose, link)
    fmt(link)

    assert link.is_symlink()
    assert loose.read_text() == NEAT
