"""What the pages say is what the code does and what the examples hold."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rotation.loading import load
from rotation.text.parse import parse
from rotation.text.print import print_function

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
PASSES_PAGE = ROOT / "docs/passes/index.md"


def shown_kernels() -> Iterator[tuple[str, str]]:
    """Yield the page and the text of each kernel that is shown in full.

    Those of the pages of passes are made from the passes.
    """
    for page in PAGES:
        if page.parent == PASSES_PAGE.parent:
            continue
        for block in re.findall(
            r"^```\w*\n(kernel \w+ on .*?)^```$",
            page.read_text(encoding="utf-8"),
            re.MULTILINE | re.DOTALL,
        ):
            if "NAME" not in block:
                yield page.name, block


SHOWN = list(shown_kernels())


def test_kernels_are_shown():
    """The first page, the tutorial and the page of the language show examples."""
    shown = {"README.md", "tutorial.md", "kernel-language.md"}

    assert shown == {page for page, _ in SHOWN}


@pytest.mark.parametrize(("page", "text"), SHOWN, ids=[page for page, _ in SHOWN])
def test_a_kernel_in_a_page_is_the_example_of_its_name(page: str, text: str):
    """What a reader copies is what the commands run."""
    (shown,) = parse(text, page)
    example = load(ROOT / "examples" / f"{shown.name}.kernel")

    assert print_function(shown) == print_function(example)


def links(page: Path) -> list[str]:
    """Return the targets of the links of a page that point into the project."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    found = re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]*`", "", text))
    return [target for target in found if "://" not in target]


def anchors(page: Path) -> set[str]:
    """Return what a link may name behind the # of a page: its headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    plain = (re.sub(r"[^\w\s-]", "", heading).lower() for heading in headings)
    return {"", *(heading.replace(" ", "-") for heading in plain)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path):
    """To a file of the project, and to a heading that it has."""
    ends = [target.partition("#") for target in links(page)]
    there = [(page.parent / file if file else page, at) for file, _, at in ends]

    assert [file for file, _ in there if not file.exists()] == []
    assert [at for file, at in there if at and at not in anchors(file)] == []


def test_the_readme_leads_to_every_page():
    """A reader finds each from the first one, the ten questions before all others.

    Those of the passes are found from their list.
    """
    linked = links(README)
    passes = [f"docs/passes/{target}" for target in links(PASSES_PAGE)]
    every = {page.relative_to(ROOT).as_posix() for page in PAGES if page != README}

    assert linked[0] == "docs/questions.md"
    assert every <= {*linked, *passes}


def test_the_readme_says_how_to_get_each_extra():
    """That of the tests too, by the same steps with plain pip."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    shown = re.findall(r"'\.\[(\w+)\]'", README.read_text("utf-8"))

    assert set(project["optional-dependencies"]) == set(shown)
