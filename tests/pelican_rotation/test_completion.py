"""Completion of commands and options in bash, zsh and fish."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pelican_rotation.cli.pelican import app as pelican
from pelican_rotation.cli.rotation import app as rotation

APPS = {"pelican": pelican, "rotation": rotation}
NAMED_SHELL = "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"
"""Where this is set a shell is named; else the one that calls the program is meant."""


def script(name: str, shell: str) -> str:
    """Return what makes a shell complete a program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAMED_SHELL, "1")
        arguments = ["--show-completion", shell]
        done = CliRunner().invoke(APPS[name], arguments, prog_name=name)
    assert done.exit_code == 0
    return done.stdout


def completed(app: typer.Typer, name: str, shell: str, line: str) -> str:
    """Return what a program offers to a shell for the last word of a line."""
    env = {
        f"_{name.upper()}_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    return CliRunner().invoke(app, [], prog_name=name, env=env).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("name", "line", "offered"),
    [
        ("pelican", "pelican si", "simplify"),
        ("pelican", "pelican ls", "lsp"),
        ("rotation", "rotation ru", "run"),
        ("rotation", "rotation run --pri", "--print-after"),
    ],
)
def test_a_word_that_is_begun_is_offered(shell, name, line, offered):
    """Commands and options, in the form of each shell."""
    assert offered in completed(APPS[name], name, shell, line)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("name", sorted(APPS))
def test_a_shell_gets_a_script(shell, name):
    """It asks the program itself, by the variable that the program knows."""
    assert f"_{name.upper()}_COMPLETE=complete_{shell}" in script(name, shell)


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", ".bash_completions/pelican.sh"),
        ("zsh", ".zfunc/_pelican"),
        ("fish", ".config/fish/completions/pelican.fish"),
    ],
)
def test_a_script_is_installed(shell, file, tmp_path, monkeypatch):
    """At home, where the shell looks for it."""
    monkeypatch.setenv(NAMED_SHELL, "1")
    monkeypatch.setenv("HOME", str(tmp_path))
    arguments = ["--install-completion", shell]
    done = CliRunner().invoke(pelican, arguments, prog_name="pelican")

    assert done.exit_code == 0
    assert f"complete_{shell}" in (tmp_path / file).read_text()


def test_bash_takes_the_script():
    """Behind it bash completes the program."""
    check = f"{script('pelican', 'bash')}\ncomplete -p pelican"
    bash = ["bash", "-c", check]
    done = subprocess.run(bash, capture_output=True, text=True, check=True)

    assert done.stdout.split()[-1] == "pelican"


@pytest.mark.parametrize("name", sorted(APPS))
def test_completion_loads_no_solver(name):
    """A key that is pressed is answered at once."""
    code = (
        "import os, sys\n"
        f"sys.argv[0] = {name!r}\n"
        f"from pelican_rotation.cli.{name} import main\n"
        "try: main()\n"
        "finally: print(*{'z3', 'numpy', 'pygls'} & set(sys.modules))"
    )
    env = {
        f"_{name.upper()}_COMPLETE": "complete_bash",
        "COMP_WORDS": f"{name} ",
        "COMP_CWORD": "1",
    }
    run = [sys.executable, "-c", code]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        run, capture_output=True, text=True, env=env, cwd=root, check=False
    )

    assert "explain" in done.stdout
    assert done.stdout.splitlines()[-1] == ""
