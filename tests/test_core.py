"""The compiled core: it is built once, and gives what plain Python gives."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from hatch_build import MODULES, compiled
from pelican.core.running import COMPILED

ROOT = Path(__file__).parents[1]
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]
SUITES = (
    "tests/pelican/core",
    "tests/pelican/engine/test_listening.py",
    "tests/pelican/engine/test_settled.py",
    "tests/pelican/engine/test_simplify.py",
    "tests/pelican/expr",
    "tests/pelican/known",
    "tests/pelican/strategies",
    "tests/pelican/test_operands.py",
)
"""What nodes, what is known of them, builder and engine are held to, and what callers
may give them."""

pytestmark = pytest.mark.skipif(
    not (shutil.which(COMPILER) and importlib.util.find_spec("mypyc")),
    reason=f"the core is compiled by mypyc and {COMPILER}, and one is not here",
)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the compiled core, not optimised, and what tests need."""
    work = tmp_path_factory.mktemp("core")
    compiled(ROOT, work, level="0")
    for folder in ("proofs", "tests"):
        shutil.copytree(ROOT / folder, work / folder)
    return work


def run(folder: Path, *arguments: str) -> str:
    """Return what Python prints that runs in a folder, with the packages in it."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PY")
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(folder)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_plain_python_runs_where_nothing_was_compiled():
    """These tests themselves run from the sources."""
    assert not COMPILED


@pytest.mark.parametrize("path", MODULES)
def test_a_module_of_the_core_is_there(path: str):
    """The list names files."""
    assert (ROOT / path).is_file()


def test_both_cores_write_the_same(core: Path):
    """Texts, ranges, classes, values, hashes and sizes; only the name of the core."""
    plain = run(ROOT, "tests/core_texts.py").splitlines()
    native = run(core, "tests/core_texts.py").splitlines()

    assert (plain[0], native[0]) == ("False", "True")
    assert plain[1:] == native[1:]


def test_the_compiled_core_passes_the_tests_of_plain_python(core: Path):
    """Goldens and properties of nodes and engine, in a process of its own."""
    options = ("-q", "-p", "no:cacheprovider", "--import-mode=importlib")
    # It reads the docstrings of properties, which compiled classes have not.
    options = (*options, "--ignore=tests/pelican/expr/test_interface.py")

    assert " passed" in run(core, "-m", "pytest", *options, *SUITES)


@pytest.mark.parametrize(
    ("asked", "version", "made"),
    [
        ("1", "standard", ["pelican/tree/kinds.so", "core.so"]),
        ("1", "editable", []),
        ("0", "standard", []),
        ("", "standard", []),
    ],
)
def test_a_wheel_holds_the_core_where_the_environment_asks_for_it(
    asked: str,
    version: str,
    made: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    """Not an editable installation: it runs from the sources."""
    monkeypatch.setenv(hatch_build.VARIABLE, asked)
    built = ["pelican/tree/kinds.so", "core.so"]
    monkeypatch.setattr(
        hatch_build, "compiled", lambda _, work: [work / name for name in built]
    )
    hook = hatch_build.CompiledCore(str(ROOT), {}, None, None, str(tmp_path), "wheel")
    data: dict[str, Any] = {"force_include": {}, "pure_python": True}
    hook.initialize(version, data)
    hook.finalize(version, data, "")

    assert list(data["force_include"].values()) == made
    assert data["pure_python"] is not bool(made)
    assert hook.dependencies() == (list(hatch_build.NEEDS) if asked == "1" else [])
