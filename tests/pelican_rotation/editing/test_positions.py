"""Places of a text as lines and units, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican_rotation.editing.positions import offset_of, position, units

TEXT = "a\N{GREEK SMALL LETTER ALPHA}\N{SMILING FACE WITH SUNGLASSES}b\n\nlast"


@pytest.mark.parametrize(("encoding", "unit"), [("utf-8", 7), ("utf-16", 4)])
def test_characters_have_the_units_of_the_encoding(encoding, unit):
    """What stands behind a wide character is further to the right."""
    assert position(TEXT, 3, encoding) == (0, unit)
    assert offset_of(TEXT, 0, unit, encoding) == 3


def test_a_place_behind_the_text_is_its_end():
    """Behind a line its end is meant, behind the last line that of the text."""
    assert offset_of(TEXT, 1, 9, "utf-16") == TEXT.index("\n") + 1
    assert offset_of(TEXT, 7, 0, "utf-16") == len(TEXT)


@given(st.text(), st.data(), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_every_place_comes_back(text, data, encoding):
    """Line and unit name one character of the text."""
    offset = data.draw(st.integers(0, len(text)))

    assert offset_of(text, *position(text, offset, encoding), encoding) == offset


def test_a_unit_of_utf_32_is_a_character():
    """As Python counts."""
    assert units(TEXT, "utf-32") == len(TEXT)
