"""The typical mistakes of both languages: each has a message, a place and a remedy."""

import tomllib
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from pelican import index, parse
from pelican.errors import LocatedError
from pelican.pel.read import read_pel
from rotation.machine.machine import get_machine
from rotation.text.parse import parse as parse_kernels
from rotation.verify.verify import verify

PAGE = Path(__file__).parents[2] / "docs/mistakes.md"
MISTAKES = tomllib.loads(files("grammar").joinpath("mistakes.toml").read_text("utf-8"))
KERNEL = MISTAKES["kernel"].pop("text")
"""The kernel without a mistake."""

HEAD = """# Typical mistakes

What is said of each typical mistake: its value, its place, and what to do about it.
The texts are in `grammar/mistakes.toml`; `make update-golden` writes this page.
"""
LANGUAGES = {"kernel": "Kernels", "pel": "Files of claims", "expression": "Expressions"}
LABELS = [(language, label) for language in LANGUAGES for label in MISTAKES[language]]


def errors_of(language: str, label: str) -> tuple[LocatedError, ...]:
    """Return what is said of a mistake."""
    mistake = MISTAKES[language][label]
    if language == "pel":
        return read_pel(mistake["text"], f"{label}.pel").errors
    if language == "expression":
        names = {name: index(name) for name in "ij"}
        with pytest.raises(LocatedError) as caught:
            parse(mistake["text"], names, name="expression")
        return caught.value.errors
    assert mistake["right"] in KERNEL
    wrong = KERNEL.replace(mistake["right"], mistake["wrong"], 1)
    with pytest.raises(LocatedError) as caught:
        read_kernels(wrong, f"{label}.kernel")
    return caught.value.errors


def read_kernels(text: str, name: str) -> None:
    """Read a text of kernels; return if it makes sense."""
    for function in parse_kernels(text, name):
        verify(function, get_machine(function.machine))


def page() -> Iterator[str]:
    """Yield the parts of the page of mistakes."""
    yield HEAD
    for language, title in LANGUAGES.items():
        yield f"\n## {title}\n"
        for label in MISTAKES[language]:
            said = "".join(f"{error}\n" for error in errors_of(language, label))
            yield f"\n{label.replace('-', ' ').capitalize()}:\n\n```text\n{said}```\n"


def test_the_kernel_of_the_mistakes_is_right():
    """Every message is about the change."""
    read_kernels(KERNEL, "k.kernel")


@pytest.mark.parametrize(("language", "label"), LABELS)
def test_a_mistake_has_a_place_and_a_remedy(language: str, label: str):
    """Each message stands at a character of the text and says what to do."""
    for error in errors_of(language, label):
        assert error.span is not None
        assert error.hint


def test_the_page_says_what_is_said(golden: Callable[[Path, str], None]):
    """The page of mistakes holds the message of each."""
    golden(PAGE, "".join(page()))


def test_there_are_many_of_each():
    """Both languages have their typical mistakes."""
    assert all(len(MISTAKES[language]) > 15 for language in LANGUAGES)
