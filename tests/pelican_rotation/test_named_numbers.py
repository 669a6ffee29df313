import pytest

from pelican_rotation.cli.named_numbers import named_numbers
from rotation import ArgumentError


def numbers(*words: str) -> dict[str, int]:
    return named_numbers(words, "--hi", "a loop its upper bound", "i=4")


def test_each_name_has_its_number():
    """A register may be written with its sign."""
    assert numbers("i=4", "%n=-2") == {"i": 4, "n": -2}


@pytest.mark.parametrize(
    "word", ["i", "=4", "i=", "i=x", "i=--3", "i=4.0", "i=\u0663", "2=3", "i=1e3"]
)
def test_another_form_is_refused(word: str):
    """Digits are those of ASCII."""
    with pytest.raises(ArgumentError, match="--hi gives a loop its upper bound, got"):
        numbers(word)


def test_a_number_is_one_of_64_bits():
    """A longer one is refused before it is read."""
    with pytest.raises(ArgumentError, match="the number of i after --hi is too large"):
        numbers("i=" + 5000 * "9")


def test_a_name_has_one_number():
    """Two are a mistake."""
    with pytest.raises(ArgumentError, match="--hi gives i two numbers"):
        numbers("i=1", "i=2")
