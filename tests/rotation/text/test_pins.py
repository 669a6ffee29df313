"""Declarations with a place: read, printed, and the mistakes in them."""

import pytest

from pelican.errors import LocatedError
from rotation.text.parse import parse
from rotation.text.print import print_function
from tests.rotation.pinned import PINNED, declared


def mistake(text: str) -> LocatedError:
    """Return the first mistake of a text."""
    with pytest.raises(LocatedError) as caught:
        parse(text, "k.kernel")
    return caught.value


def test_places_print_as_they_are_read():
    """Printing is the exact inverse of reading."""
    (function,) = parse(PINNED)

    assert print_function(function).split() == PINNED.split()


@pytest.mark.parametrize(
    ("space", "place"),
    [
        ("psum", "bank 3"),
        ("psum", "bank i mod 4 part 0"),
        ("psum", "byte 2048*(i mod 4)"),
        ("sb", "byte 8*i part 64*(j mod 2)"),
        ("sb", "ring 2 byte 2048*(i mod 2) part 0"),
    ],
)
def test_each_form_of_a_place_reads_back(space: str, place: str):
    """A bank or a byte, with or without the first partition."""
    (function,) = parse(declared(place, space=space))

    assert f"fp32 {place}\n" in print_function(function)


def test_an_operation_may_be_called_as_a_place_is():
    """`bank`, `byte` and `part` are free names where they cannot begin a place."""
    text = "kernel k on planning { sb bank [1] fp32 bank: vector.byte bank <- }"
    (function,) = parse(text)

    assert [i.name for i in function.instructions] == ["bank"]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (declared("bank 3", space="sb"), "sb has no banks", "write `byte"),
        (
            declared("byte 3", space="dram"),
            "gets its bytes from the world outside or the passes",
            "leave `byte` out",
        ),
        (declared("byte 3 part 0", space="dram"), "gets its", "`byte` and `part` out"),
        (declared("part 0 byte 0", space="dram"), "unexpected 'part'", "no partitions"),
        (declared("part 0 bank 0"), "unexpected 'part'", "psum NAME [32, 512] fp32"),
        (declared("bank k"), "unknown name 'k'", "known names: i, j"),
        (declared("at j bank i"), "depends on loop i", "declare the buffer inside"),
        (declared("bank i mod 0"), "mod needs", "at least 1"),
        (declared("part 0", space="sb"), "unexpected 'part'", "byte 0 part 32"),
        (declared("bank i ring 2"), "unexpected 'ring'", "before the place"),
        (declared("bank 0 byte 0"), "unexpected 'byte'", "a bank or a byte"),
    ],
)
def test_a_mistake_has_its_place_and_remedy(text: str, message: str, hint: str):
    """Each is told at the place, with what to write."""
    error = mistake(text)

    assert message in error.message
    assert hint in (error.hint or "")
    assert error.line == 3
