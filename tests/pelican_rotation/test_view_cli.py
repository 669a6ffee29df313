"""The command `pelican view`: pictures, and what is refused."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.pelican import app

TEXT = """index i in [0, 8)
index j in [0, 64)
index k in [0, 64)
pattern ring = at 512*(i mod 2) free [1, 512]
pattern large = at 64*j + k
pattern odd = at 512*i free [2, 257]
pattern far = at 64*j
let last = 64*j
"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return the path of a file with patterns."""
    path = tmp_path / "a.pel"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def view(*words: str):
    """Run the command."""
    return CliRunner().invoke(app, ["view", *words])


def bars(svg: str) -> list[str]:
    """Return what each bar says."""
    root = ElementTree.fromstring(svg)
    return [bar[0].text or "" for bar in root.iter(f"{SVG}rect")]


def test_the_picture_goes_to_standard_output(file: str):
    """A bar for each iteration, and a number for each slot."""
    done = view(file, "ring")

    assert done.exit_code == 0
    assert bars(done.stdout)[1:3] == ["i = 1: [512, 1024)", "i = 2: [0, 512)"]
    assert ">slot 1<" in done.stdout


def test_the_picture_goes_to_a_file(file: str, tmp_path: Path):
    """Nothing is printed then."""
    target = tmp_path / "a.svg"
    done = view(file, "ring", "-o", str(target))

    assert (done.exit_code, done.stdout) == (0, "")
    assert len(bars(target.read_text(encoding="utf-8"))) == 8


def test_an_index_keeps_a_value(file: str):
    """So that one row of a nest can be looked at."""
    assert len(bars(view(file, "large", "--at", "j=3").stdout)) == 64


def test_the_first_iterations_are_shown(file: str):
    """So many as are asked for; the title says so."""
    done = view(file, "large", "--first", "5")

    assert len(bars(done.stdout)) == 5
    assert "the first 5 iterations" in done.stdout


WRONG = {
    "too many iterations": (["large"], "add --first 256"),
    "too many rows": (["large", "--first", "257"], "at most 256 rows"),
    "too many runs": (["odd"], "257 runs of addresses"),
    "several patterns": ([], "name one of them: ring, large, odd, far"),
    "no such pattern": (["rng"], "did you mean ring?"),
    "no pattern": (["last"], "unknown name 'last'"),
    "a value out of range": (["large", "--at", "j=64"], "j = 64 is outside"),
    "a name that is none": (["large", "--at", "z=0"], "unknown name 'z'"),
    "a name of no index": (["large", "--at", "last=0"], "known names: i, j, k"),
    "no folder": (["ring", "-o", "no/a.svg"], "there is no folder 'no'"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_drawn_is_refused(file: str, words: list[str], message: str):
    """With the exit code 2 and the remedy."""
    done = view(file, *words)

    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_file_with_a_mistake_is_refused(tmp_path: Path):
    """Each mistake is told."""
    path = tmp_path / "a.pel"
    path.write_text("pattern p = at q\nlet a = \n", encoding="utf-8")
    done = view(str(path), "p")

    assert done.exit_code == 2
    assert "a.pel:1:" in done.stderr


def test_without_the_drawing_library_the_extra_is_named(
    file: str, monkeypatch: pytest.MonkeyPatch
):
    """Drawings are an extra."""
    monkeypatch.setitem(sys.modules, "drawsvg", None)
    monkeypatch.delitem(sys.modules, "pelican.access.picture", raising=False)
    done = view(file, "ring")

    assert done.exit_code == 2
    assert "pelican-rotation[notebook]" in done.stderr
