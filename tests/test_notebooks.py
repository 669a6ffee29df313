"""The notebooks of the docs run, and show what they show in the docs."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
CELL_TIMEOUT_S = 300


def executed(path: Path) -> str:
    """Return the text of a notebook after a run in a new process, from its folder."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT_S,
        record_timing=False,
        resources={"metadata": {"path": path.parent}},
    )
    client.execute(cleanup_kc=True)
    # Neither the version of Python nor that of the kernel is any news.
    notebook.metadata["language_info"] = {"name": "python"}
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


@pytest.fixture
def source_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process of a notebook import this checkout."""
    paths = (str(ROOT), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


def test_there_are_notebooks():
    """One on expressions, one on patterns, one on overlap."""
    assert len(NOTEBOOKS) == 3


@pytest.mark.usefixtures("source_on_path")
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(path: Path, golden: Callable[[Path, str], None]):
    """No cell fails, and formulas, pictures and numbers are those of the docs."""
    golden(path, executed(path))
