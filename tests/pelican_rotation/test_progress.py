"""What is shown while work takes long, and where nothing is."""

import io
import sys
import time

import pytest

from pelican_rotation.cli import progress as module
from pelican_rotation.cli.progress import progress


class Terminal(io.StringIO):
    """A text that says that it is a terminal."""

    def isatty(self) -> bool:
        """Return true."""
        return True


def shown(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, *, quiet_s: float = 0
) -> str:
    """Return what some work that takes a moment shows on standard error."""
    monkeypatch.setattr(module, "QUIET_S", quiet_s)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress("proving") as state:
        state.step("lemma 1 of 2")
        for _ in range(100):  # until it is drawn, five seconds at most
            if "lemma" in stream.getvalue() or quiet_s or not stream.isatty():
                break
            time.sleep(0.05)
        sys.stdout.write("result\n")
    return stream.getvalue()


def test_long_work_says_what_it_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """On standard error; standard output stays what it is."""
    words = shown(monkeypatch, Terminal())

    assert "proving: lemma 1 of 2" in words
    assert capsys.readouterr().out == "result\n"


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch):
    """It is over before anybody wonders."""
    assert shown(monkeypatch, Terminal(), quiet_s=60) == ""


def test_a_file_gets_nothing(monkeypatch: pytest.MonkeyPatch):
    """Where standard error is no terminal, no control characters go to it."""
    assert shown(monkeypatch, io.StringIO()) == ""


def test_lines_on_a_terminal_are_progress_enough(monkeypatch: pytest.MonkeyPatch):
    """Work that prints lines to the same terminal is not drawn over."""
    monkeypatch.setattr(module, "QUIET_S", 0)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "stdout", Terminal())
    with progress("checking", prints=True):
        time.sleep(0.05)

    assert stream.getvalue() == ""
