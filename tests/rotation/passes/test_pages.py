"""The pages of the passes: one each, half of it made from the passes."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pelican.errors import Source
from rotation.passes.base import State
from rotation.running.dump import dump, read_placed
from rotation.running.each_pass import PassCheck
from rotation.running.pipeline import PASSES
from rotation.text.parse import parse
from rotation.text.print import print_function
from tests.rotation.passes.pages import NOTE, generated, names, shown

FOLDER = Path(__file__).parents[3] / "docs/passes"
Golden = Callable[[Path, str], None]


def page(name: str) -> str:
    """Return the text of a page."""
    return (FOLDER / f"{name}.md").read_text("utf-8")


def test_every_pass_has_a_page_and_every_page_a_pass():
    """Beside the one that lists them."""
    assert {path.stem for path in FOLDER.iterdir()} == {"index", *names()}


def test_the_index_lists_every_pass_in_order():
    """With its page; one that runs twice stands there twice."""
    rows = re.findall(r"^\| \[`(\w+)`\]\((\w+)\.md\) \|", page("index"), re.MULTILINE)

    assert rows == [(step.name, step.name) for step in PASSES]


@pytest.mark.parametrize("name", names())
def test_half_of_a_page_is_made_from_its_pass(golden: Golden, name: str):
    """Options, counts, and the program before and after it."""
    head, _, _ = page(name).partition(NOTE)

    golden(FOLDER / f"{name}.md", f"{head}{NOTE}\n{generated(name)}")


@pytest.mark.parametrize("name", names())
def test_a_page_says_what_its_pass_promises(name: str):
    """What it needs, what holds after it, what it never does, and its source."""
    text = page(name)
    contract = text[text.index("## Contract") : text.index("## Source")]

    assert text.startswith(f"# `{name}`\n")
    for promise in ("* Needs: ", "* After it: ", "* Never: "):
        assert promise in contract
    source = text[text.index("## Source") : text.index(NOTE)]
    assert ("* Modelled: " in source, "* Ours: " in source) == (True, True)


def read_back(text: str) -> str:
    """Return the dump of what a dump reads back to."""
    if "\nplaced " not in text:
        (function,) = parse(text)
        return print_function(function)
    placed = read_placed(Source("page", text))
    return dump(
        State(
            placed.function,
            placed.program.machine,
            program=placed.program,
            placement=placed.placement,
            edges=placed.edges if "  edge " in text else None,
            schedule=placed.schedule if "  order " in text else None,
        )
    )


@pytest.mark.parametrize("name", names())
def test_the_programs_of_a_page_read_back(name: str):
    """Its kernel alone, or with the block below it."""
    blocks = re.findall(r"^```\n((?:kernel|placed) .*?)^```$", page(name), re.M | re.S)
    kernel = blocks[0].partition("placed ")[0]

    for block in blocks:
        text = block if block.startswith("kernel") else kernel + block
        assert read_back(text) == text


@pytest.mark.parametrize("name", names())
def test_no_example_breaks_its_program(name: str):
    """What can be checked after a pass holds, but for the one that breaks programs."""
    check = PassCheck()
    check(name, shown(name).result.state)

    assert check.hazards == []
