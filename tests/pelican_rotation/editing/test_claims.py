"""Files of claims in an editor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican.errors import Source
from pelican_rotation.editing.claims import definition, hover, mistakes

TEXT = """index i in [0, 8)
let slot = (2048*i + 512) mod 4096  # two slots
pattern p = acc partition [0, 128) at slot free [1, 512]
map f (i) -> ((i + 1) mod 8) onto [0, 8)
check slot in [0, 4096)
let wrong = i +
"""
SOURCE = Source("f.pel", TEXT)


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("i in", "`i`: index, range [0, 7]"),
        (
            "slot in",
            "`slot` is `2048*(i mod 2) + 512`: range [512, 2560], "
            "always 512 modulo 2048",
        ),
        ("p =", "`p`: access pattern, "),
        ("f (", "`f`: map, "),
    ],
)
def test_a_name_is_explained(at: str, said: str):
    """The statement that defines it, and what is known of its values."""
    found = hover(SOURCE, TEXT.index(at))

    assert found is not None
    assert found.lines[0].startswith("```pel\n")
    assert found.lines[1].startswith(said)


@pytest.mark.parametrize("at", ["two slots", "wrong", "acc", "= (2048"])
def test_what_has_no_value_is_not_explained(at: str):
    """Comments, names of wrong statements, tensors and signs."""
    assert hover(SOURCE, TEXT.index(at)) is None


def test_a_name_leads_to_its_statement():
    """From any of its uses, and from a file with mistakes."""
    found = definition(SOURCE, TEXT.index("slot in [0, 4096)"))

    assert found is not None
    assert (found.text, found.line, found.column) == ("slot", 2, 5)
    assert definition(SOURCE, TEXT.index("acc")) is None


def test_a_mistake_is_told_and_no_claim_is_decided():
    """Reading is enough while somebody types."""
    (error,) = mistakes(SOURCE)

    assert error.line == 6


@settings(max_examples=25)
@given(st.data())
def test_a_half_written_text_is_answered(data: st.DataObject):
    """With a part of it gone, at every place there is an answer or none."""
    first, last, offset = sorted(data.draw(st.integers(0, len(TEXT))) for _ in range(3))
    source = Source("half", TEXT[:first] + TEXT[last:])
    place = min(offset, len(source.text))

    hover(source, place)
    definition(source, place)
    assert all(error.message for error in mistakes(source))
