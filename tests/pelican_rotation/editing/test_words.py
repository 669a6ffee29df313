"""The word at a place, and what is said of an expression."""

import pytest

from pelican import index
from pelican.errors import Source
from pelican_rotation.editing.words import facts, simplified, word_at


@pytest.mark.parametrize(
    ("offset", "word"), [(0, "let"), (3, "let"), (5, "slot"), (10, None), (13, None)]
)
def test_a_word_is_found_at_both_its_ends(offset, word):
    """Between words there is none, and none in a comment."""
    span = word_at(Source("f", "let  slot = # one\nx"), offset)

    assert (None if span is None else span.text) == word


def test_an_open_range_is_shown_open():
    """Infinity is no end that is attained."""
    assert facts(index("x")) == ["range (-\N{INFINITY}, \N{INFINITY})"]


def test_a_constant_has_no_congruence_worth_telling():
    """Its range says it all."""
    assert facts(4 + 0 * index("i", 0, 8)) == ["range [4, 4]"]


def test_an_integer_that_is_too_long_is_told():
    """No traceback where a number cannot be written."""
    large = 10**5000 * index("i", 0, 8)

    assert "digits" in simplified(large) or "long" in simplified(large)
    assert facts(large)
