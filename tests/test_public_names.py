"""Every public name says what it is, what it takes, what it raises, with an example."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pelican_rotation.reference_page import (
    PACKAGES,
    documentation,
    reference_page,
    sections,
)

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
NAMES = [(package, name) for package in PACKAGES for name in package.__all__]
IDS = [f"{package.__name__}.{name}" for package, name in NAMES]
public = pytest.mark.parametrize(("package", "name"), NAMES, ids=IDS)


def test_the_page_is_up_to_date(golden: Callable[[Path, str], None]):
    """The page in the docs is the one that the docstrings give."""
    golden(PAGE, reference_page())


@public
def test_a_public_name_says_in_a_sentence_what_it_is(package: ModuleType, name: str):
    """The first paragraph of its docstring is a sentence."""
    first = documentation(getattr(package, name)).split("\n\n")[0]

    assert first
    assert first[-1] in ".:"
    assert first[0].isupper() or first[0] in "`1"


@public
def test_a_public_name_has_an_example(package: ModuleType, name: str):
    """It can be copied: the page runs it with the public names alone."""
    assert ">>> " in documentation(getattr(package, name))


FUNCTIONS = {
    key: value
    for key, (package, name) in zip(IDS, NAMES, strict=True)
    if inspect.isfunction(value := getattr(package, name))
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_public_function_describes_its_arguments(function: Callable[..., object]):
    """Each of them, in order, and no other."""
    described = sections(documentation(function)).get("Args", {})

    assert list(inspect.signature(function).parameters) == list(described)


def raised_names(value: object) -> Iterator[str]:
    """Yield the errors that the source of a function or of a constructor raises."""
    own = [value] if inspect.isfunction(value) else []
    if inspect.isclass(value):
        made = (vars(value).get(name) for name in ("__new__", "__init__"))
        own = [getattr(each, "__func__", each) for each in made if each is not None]
    for function in own:
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except OSError:  # written by a dataclass
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                yield ast.unparse(node.exc.func)


@public
def test_a_public_name_says_what_it_raises(package: ModuleType, name: str):
    """The errors that stand in its own source."""
    value = getattr(package, name)
    described = ", ".join(sections(documentation(value)).get("Raises", {}))

    assert [error for error in raised_names(value) if error not in described] == []


def test_sections_are_read_with_their_further_lines():
    """As Google's style has them."""
    text = (
        "Add.\n\nArgs:\n    a: One,\n        and more.\n\nRaises:\n    E, F: If so.\n"
    )

    assert sections(text) == {
        "Args": {"a": "One, and more."},
        "Raises": {"E, F": "If so."},
    }
