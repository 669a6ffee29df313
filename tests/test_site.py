"""The pages make a site in which every link and every anchor leads somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built strictly: a warning is an error."""
    out = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", out],
        check=False,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    warnings = [line for line in done.stderr.splitlines() if "WARNING" in line]

    assert (done.returncode, warnings) == (0, [])
    return out


def test_the_readme_is_the_first_page(site: Path):
    """With its links turned to the places of the site."""
    first = (site / "index.html").read_text("utf-8")

    assert 'href="tutorial.html"' in first
    assert 'href="docs/' not in first


def test_every_page_of_the_docs_is_in_the_site(site: Path):
    """And the first pages of the project."""
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    pages += [Path("CONTRIBUTING.md"), Path("CHANGELOG.md")]

    assert [p for p in pages if not (site / p.with_suffix(".html")).exists()] == []


def test_no_page_loads_anything_from_elsewhere(site: Path):
    """Scripts, styles, pictures and fonts stand beside the pages."""
    loads = re.compile(r'<(?:script|img|link rel="stylesheet")[^>]*(?:src|href)="http')
    pages = sorted(site.rglob("*.html"))

    assert [p.name for p in pages if loads.search(p.read_text("utf-8"))] == []
