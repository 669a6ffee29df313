"""The package is built the same twice, holds its data, and runs without the source."""

import hashlib
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
EPOCH_S = "1700000000"
BARE = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("PYTHON", "PIP_", "COV"))
}
"""The environment without what would lead back to the source."""


def build(source: Path, out: Path) -> Path:
    """Return the folder of the wheel and the source archive of a source folder.

    No network is used: the builder is the one that the extra `test` installs.
    """
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", out],
        cwd=source,
        env={**BARE, "SOURCE_DATE_EPOCH": EPOCH_S},
        check=True,
        capture_output=True,
    )
    return out


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of a folder by its name."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the wheel and the source archive of this project."""
    return build(ROOT, tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """Return the wheel of this project."""
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs' folder of a new environment that holds the wheel.

    What the wheel depends on comes from the environment of the tests: its folder is
    on the path, behind the wheel, and without what leads from it to this checkout.
    """
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    programs = home / "bin"
    arguments = ("install", "--quiet", "--no-deps", "--no-index", "--no-compile", wheel)
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", programs / "python", *arguments],
        env=BARE,
        check=True,
        capture_output=True,
    )
    (site,) = home.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return programs


def output(folder: Path, *command: str | Path) -> str:
    """Return what a command prints that is run in a folder, and succeeds."""
    done = subprocess.run(
        command, cwd=folder, env=BARE, check=True, capture_output=True, text=True
    )
    return done.stdout


def test_a_build_from_the_source_archive_is_equal_byte_for_byte(
    built: Path, tmp_path: Path
):
    """Wheel and archive, at one SOURCE_DATE_EPOCH, in another folder."""
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()

    assert digests(build(source, tmp_path / "again")) == digests(built)


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path):
    """Grammars, mistakes, machines, refuted laws and the parts of a page too."""
    files = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    names = zipfile.ZipFile(wheel).namelist()
    held = {name for name in names if ".dist-info/" not in name}

    assert files == held


def test_each_package_says_that_it_is_typed(wheel: Path):
    """By the file that type checkers look for."""
    held = zipfile.ZipFile(wheel).namelist()

    assert [p for p in PACKAGES if f"{p}/py.typed" not in held] == []


def test_the_installed_packages_are_those_of_the_wheel(installed: Path, tmp_path: Path):
    """No test below would say anything if the checkout were imported."""
    code = f"import {', '.join(PACKAGES)}; print(pelican.__file__)"
    place = output(tmp_path, installed / "python", "-c", code).strip()

    assert Path(place).is_relative_to(installed.parent)


def test_pelican_runs_from_another_folder(installed: Path, tmp_path: Path):
    """The grammars are read from the wheel."""
    text = "((x mod 4096) mod 8192) mod 1024"
    command = (installed / "pelican", "simplify", text, "--index", "x")

    assert output(tmp_path, *command).split("\n")[0] == "x mod 1024"


def test_rotation_runs_from_another_folder(installed: Path, tmp_path: Path):
    """The machines and the parts of the page are read from the wheel."""
    kernel = ROOT / "examples/stream_add.kernel"
    (tmp_path / "add.kernel").write_bytes(kernel.read_bytes())
    command = ("run", "add.kernel", "--report", "out.html")
    shown = output(tmp_path, installed / "rotation", *command)

    assert "550,817" in shown
    assert "</html>" in (tmp_path / "out.html").read_text("utf-8")
