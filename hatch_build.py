"""Builds the wheel, and compiles the core of pelican into it where that is asked for.

    PELICAN_COMPILE=1 pip install .

compiles the modules of `MODULES` by mypyc. The sources stay beside them: they are what
runs everywhere else. Without the variable nothing is compiled, and nothing more than
the builder is needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE: Final = "PELICAN_COMPILE"
"""The environment variable that asks for the compiled core, by any text but ``0``."""

NEEDS: Final = ("mypy>=2.4", "setuptools>=65.5")
"""What the compilation needs, beside a C compiler."""

MODULES: Final = (
    "pelican/core/record.py",
    "pelican/engine/join.py",
    "pelican/engine/listening.py",
    "pelican/engine/rewrite.py",
    "pelican/engine/settled.py",
    "pelican/engine/simplify.py",
    "pelican/expr/comparison.py",
    "pelican/expr/compound.py",
    "pelican/expr/direct.py",
    "pelican/expr/indices.py",
    "pelican/expr/interface.py",
    "pelican/expr/invariants.py",
    "pelican/expr/node.py",
    "pelican/expr/opaque.py",
    "pelican/expr/refused.py",
    "pelican/expr/spine.py",
    "pelican/expr/tiles.py",
    "pelican/known/beside.py",
    "pelican/known/congruence.py",
    "pelican/known/interval.py",
    "pelican/known/ranges.py",
    "pelican/known/rules.py",
    "pelican/known/tables.py",
    "pelican/laws/facts.py",
    "pelican/laws/sides.py",
    "pelican/laws/step.py",
    "pelican/strategies/floordiv.py",
    "pelican/strategies/linear.py",
    "pelican/strategies/modulo.py",
    "pelican/strategies/plain.py",
    "pelican/strategies/sums.py",
    "pelican/strategies/terms.py",
    "pelican/tree/arguments.py",
    "pelican/tree/build.py",
    "pelican/tree/divmod.py",
    "pelican/tree/flat.py",
    "pelican/tree/kinds.py",
    "pelican/tree/order.py",
    "pelican/tree/traverse.py",
)
"""The compiled core: nodes, what is known of them, builder, engine; without the texts.

The classes of nodes refer to each other, so they are compiled together or not at all.
"""

SETTINGS: Final = """\
[mypy]
follow_imports = silent
ignore_missing_imports = True
[mypy-numpy.*,sympy.*,z3.*,lark.*,drawsvg.*,islpy.*]
follow_imports = skip
follow_imports_for_stubs = True
"""
"""How the compiler reads types: what the core does not import is not looked at."""

COMPILER: Final = """\
import sys
from setuptools import Distribution
from setuptools.command.build_ext import build_ext
from mypyc.build import mypycify
level, *modules = sys.argv[1:]
core = mypycify(
    ["--config-file=settings.ini", *modules],
    opt_level=level,
    debug_level="0",
    group_name="pelican_core",
)
command = build_ext(Distribution({"name": "pelican", "ext_modules": core}))
command.inplace = True
command.ensure_finalized()
command.run()
"""
"""What the compiling process runs; it reads no settings of a project."""


def compiled(root: Path, work: Path, level: str = "3") -> list[Path]:
    """Return the compiled files of the core, in a folder that they are built in.

    Args:
        root: The folder of the sources.
        work: An empty folder. It gets a copy of the packages that the core is of, and
            the compiled files beside their sources.
        level: How much the C compiler optimises, ``0`` to ``3``.

    Raises:
        RuntimeError: If something cannot be compiled; with what the compiler says.
    """
    for package in ("grammar", "pelican"):
        shutil.copytree(
            root / package,
            work / package,
            ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"),
        )
    (work / "settings.ini").write_text(SETTINGS, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", COMPILER, level, *MODULES],
        cwd=work,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    shutil.rmtree(work / "build", ignore_errors=True)
    if done.returncode:
        raise RuntimeError(f"the core cannot be compiled:\n{done.stdout}")
    return sorted(path for path in work.rglob("*") if path.suffix in {".so", ".pyd"})


class CompiledCore(BuildHookInterface[Any]):
    """Puts the compiled core into a wheel, if the environment asks for it."""

    def dependencies(self) -> list[str]:
        """Return what the builder needs for this wheel."""
        return list(NEEDS) if self._wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the core, and name its files to the builder.

        An editable installation runs from the sources, whatever is asked for.
        """
        if version == "editable" or not self._wanted():
            return
        self._work = TemporaryDirectory()
        work = Path(self._work.name)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for path in compiled(Path(self.root), work):
            inside = path.relative_to(work).as_posix()
            build_data["force_include"][str(path)] = inside

    def finalize(
        self, version: str, build_data: dict[str, Any], artifact_path: str
    ) -> None:
        """Remove the folder in which the core was compiled."""
        del version, build_data, artifact_path
        if hasattr(self, "_work"):
            self._work.cleanup()

    def _wanted(self) -> bool:
        return os.environ.get(VARIABLE, "0") not in {"", "0"}
