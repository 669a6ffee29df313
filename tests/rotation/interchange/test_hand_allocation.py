"""Slots and places of the JSON form become words of the text, or are refused."""

import pytest

from rotation.errors import InterchangeError
from rotation.interchange.json_form import convert
from tests.rotation.interchange.json_kernels import buffer, refused, small


def text(hand: object, **changes: object) -> str:
    """Return the text of the small kernel with a hand allocation."""
    return convert(small(hand_allocation=hand, **changes), "small")


@pytest.mark.parametrize(
    ("entry", "space", "words"),
    [
        ({"ring": 2}, "sbuf", "ring 2"),
        ({"ring": 1}, "sbuf", "ring 1"),
        ({"bank": "i mod 4", "why": "note"}, "psum", "bank i mod 4"),
        ({"bank": 3}, "psum", "bank 3"),
        ({"ring": 4, "bank": "4 + i mod 4"}, "psum", "ring 4 bank 4 + i mod 4"),
        ({"byte": "64*i", "part": 32}, "sbuf", "byte 64*i part 32"),
    ],
)
def test_an_entry_becomes_words_of_the_declaration(
    entry: dict[str, object], space: str, words: str
):
    """The declaration ends with them."""
    assert f"t [2, 4] fp32 {words}\n" in text(
        {"t": entry}, buffers=[buffer(space=space)]
    )


def test_without_the_hand_the_plan_decides():
    """`hand=False` is `--no-hand`: neither ring nor place is written."""
    document = small(hand_allocation={"t": {"ring": 2, "byte": 0}})

    assert "sb t [2, 4] fp32\n" in convert(document, "small", hand=False)


def test_a_loop_gets_another_bound():
    """`bounds` is `--hi`: a variant of the kernel with fewer or no trips."""
    assert "for i in [0, 2) step 1" in convert(small(), "small", bounds={"i": 2})


def test_a_bound_of_no_loop_is_refused():
    """The nearest name is suggested."""
    with pytest.raises(InterchangeError) as caught:
        convert(small(), "small", bounds={"ii": 2})

    assert "no loop has the name ii" in caught.value.message
    assert caught.value.hint == "did you mean i?"


@pytest.mark.parametrize(
    ("hand", "pointer"),
    [
        (None, ""),
        ({"u": {"ring": 2}}, "/u"),
        ({"t": {"ring": 0}}, "/t/ring"),
        ({"t": {"ring": None}}, "/t/ring"),
        ({"t": {"bank": None}}, "/t/bank"),
        ({"t": {"bank": True}}, "/t/bank"),
        ({"t": {"bank": "0 dma.load t <- x"}}, "/t/bank"),
        ({"t": {"bank": "0\n"}}, "/t/bank"),
        ({"t": {"part": 0}}, "/t/part"),
        ({"t": {"bank": 0, "byte": 0}}, "/t/byte"),
        ({"t": {"slot": 0}}, "/t/slot"),
    ],
)
def test_a_wrong_entry_is_named(hand: object, pointer: str):
    """Nothing is guessed or dropped, and nothing becomes another statement."""
    error = refused(small(hand_allocation=hand))

    assert error.pointer == f"/kernels/0/hand_allocation{pointer}"


def test_a_place_that_the_parser_refuses_stands_at_its_buffer():
    """What only the parser can see has the pointer of the declaration."""
    error = refused(small(hand_allocation={"t": {"byte": "q mod 4"}}))

    assert error.pointer == "/kernels/0/buffers/0"
    assert "unknown name 'q'" in error.message


def test_a_buffer_that_does_not_rotate_gets_no_ring():
    """`rotate: false` and `ring: 2` contradict each other."""
    document = small(hand_allocation={"t": {"ring": 2}}, buffers=[buffer(rotate=False)])

    assert refused(document).pointer == "/kernels/0/hand_allocation/t"
