"""Which equation of the builder a step is named by."""

import pytest

from pelican import explain
from tests.strategies import INDICES

BUILDER_STEPS = [
    ("3*i + 5 + i + 2", "like-terms", {"a": "3", "b": "1", "x": "i"}),
    ("i + 0*n", "zero-term", {"x": "n"}),
    ("3*(i + n)", "scale-of-sum", {"a": "3", "x": "i", "y": "n"}),
    ("3*(2*i)", "scale-of-scale", {"a": "3", "b": "2", "x": "i"}),
    ("1*n", "one-scale", {"x": "n"}),
    ("i + (n + 3)", "sum-flatten", {"x": "i", "y": "n", "z": "3"}),
    ("n + i", "sum-order", {"x": "n", "y": "i"}),
    ("n mod 1", "mod-one", {"x": "n"}),
    ("n floordiv 1", "floordiv-one", {"x": "n"}),
    ("7 mod 3", "constant-mod", {"c": "7", "n": "3"}),
    ("-7 floordiv 3", "constant-floordiv", {"c": "-7", "n": "3"}),
    ("i >= 3", "comparison", {}),
]


@pytest.mark.parametrize(("text", "lemma", "binding"), BUILDER_STEPS)
def test_the_builder_names_its_equation(text, lemma, binding):
    """A pass of the builder that changes the text is one step."""
    (step,) = explain(text, INDICES).steps

    assert (step.lemma, step.binding) == (lemma, binding)
