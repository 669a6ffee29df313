"""The reserved words are those of the grammar."""

import re

from grammar import PATTERN
from pelican.pel.words import KEYWORDS, STATEMENTS


def test_the_grammar_reserves_the_words():
    """No name may be one of them."""
    (listed,) = re.findall(r"NAME: /\(\?!\(([\w|]+)\)", PATTERN)

    assert set(listed.split("|")) == KEYWORDS


def test_the_grammar_uses_the_words():
    """Each word in quotes is reserved, and each statement has a rule."""
    rules = re.sub(r"^//.*", "", PATTERN, flags=re.MULTILINE)
    used = set(re.findall(r'"([a-z]+)"', rules))

    assert used | {"mod", "floordiv", "step", "of"} == KEYWORDS
    assert set(re.findall(r"^(\w+)_statement:", PATTERN, re.MULTILINE)) == set(
        STATEMENTS
    )
