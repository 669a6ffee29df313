"""What `make bench` runs needs no more than the extra `bench` installs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPE = re.search(r"^bench:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M)
MODULES = re.findall(r"-m (benchmarks\.[\w.]+)", RECIPE[1] if RECIPE else "")


def test_there_is_something_to_run():
    """The recipe is read as it stands."""
    assert len(MODULES) >= 4


@pytest.mark.parametrize("module", MODULES)
def test_a_benchmark_needs_no_library_of_the_tests(module: str):
    """Neither pytest nor hypothesis is in its environment."""
    code = (
        "import sys\n"
        "for name in ('hypothesis', 'pytest'): sys.modules[name] = None\n"
        f"import {module}"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)

    assert done.returncode == 0
