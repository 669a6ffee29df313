"""Names in other languages."""

from pelican import index
from pelican.interchange.names import plain_names, temporary_prefix


def names(*labels: str, reserved: tuple[str, ...] = ()) -> list[str]:
    """Return the plain names of new indices."""
    return list(plain_names([index(label) for label in labels], reserved).values())


def test_a_plain_name_stays():
    """An index keeps its name."""
    assert names("i", "row_2") == ["i", "row_2"]


def test_a_second_index_of_a_name_is_numbered():
    """The number is free, even if someone is called so."""
    assert names("i", "i", "i_2", "i") == ["i", "i_3", "i_2", "i_4"]


def test_a_word_of_the_language_is_numbered():
    """A reserved word is nobody's name."""
    assert names("for", reserved=("for", "for_2")) == ["for_3"]


def test_temporaries_collide_with_no_name():
    """A prefix is found that no name has."""
    assert temporary_prefix(["i", "total"]) == "t"
    assert temporary_prefix(["t3", "t_4"]) == "t__"
