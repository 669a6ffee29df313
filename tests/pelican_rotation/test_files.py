"""Files that a command writes: whole or not at all."""

import stat
from pathlib import Path

import pytest

from pelican import PelicanError
from pelican_rotation.files import write_text

MESSAGES = {
    "a folder": (".", "is a folder, not a file"),
    "in no folder": ("no/file", "there is no folder"),
    "without a name": (" ", "needs the name of a file"),
    "too long": ("n" * 300, "File name too long"),
}


def test_a_new_file_holds_the_text(tmp_path: Path):
    """And nothing else is left in its folder."""
    write_text(str(tmp_path / "a"), "b\n", "--report")

    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a", "b\n")]


def test_a_name_may_be_as_long_as_names_are(tmp_path: Path):
    """The file beside it, which is written first, has a shorter one."""
    write_text(str(tmp_path / ("n" * 255)), "b", "--report")

    assert [p.read_text() for p in tmp_path.iterdir()] == ["b"]


def test_a_file_keeps_its_mode(tmp_path: Path):
    """It is the same file to those who may read it."""
    file = tmp_path / "a"
    file.write_text("old")
    file.chmod(0o640)
    write_text(str(file), "new", "--report")

    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", 0o640)


def test_a_link_stays_a_link(tmp_path: Path):
    """What it leads to gets the text."""
    (tmp_path / "link").symlink_to("a")
    write_text(str(tmp_path / "link"), "new", "--report")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_text() == "new"


def test_minus_is_standard_output(capsys: pytest.CaptureFixture[str]):
    """No file of that name is made."""
    write_text("-", "text", "--report")

    assert capsys.readouterr().out == "text"
    assert not Path("-").exists()


def test_an_interrupted_write_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Ctrl-C in the middle: the old text, and no half-written file beside it."""
    file = tmp_path / "a"
    file.write_text("old")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(str(file), "new", "--report")

    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a", "old")]


@pytest.mark.parametrize(("path", "words"), MESSAGES.values(), ids=MESSAGES)
def test_a_place_where_no_file_may_be_is_refused(
    path: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """With what is wrong and what to do."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PelicanError, match=words) as caught:
        write_text(path, "text", "--report")

    assert caught.value.hint is not None
    assert list(tmp_path.iterdir()) == []


def test_a_device_is_written_to():
    """It is no file that could be replaced."""
    write_text("/dev/null", "text", "--report")

    assert Path("/dev/null").is_char_device()
