"""Declarations in text: each kind of index, open ends, and what is refused."""

import pytest

from pelican import (
    IndexRangeError,
    NonAffineError,
    ParseError,
    index,
    runtime,
    shard,
    symbol,
)
from pelican.errors import Source
from pelican.text.declarations import parse_declaration, read_declaration
from pelican.text.parsers import parser_of


def test_every_kind_is_declared():
    """The function that makes it says which."""
    made = [
        parse_declaration("pel_d in [4, 8) step 2", symbol, name="text"),
        parse_declaration("r in [-4, 2*4)", runtime, name="text"),
        parse_declaration("s of 2*2", shard, name="text"),
    ]

    assert made == [symbol("pel_d", 4, 8, 2), runtime("r", -4, 8), shard(4, "s")]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("i in [..., 4)", (None, 4)),
        ("i in [4, ...)", (4, None)),
        ("i in [..., ...)", (None, None)),
    ],
)
def test_an_end_may_be_open(text, ends):
    """Three dots stand for an end that is not known."""
    made = parse_declaration(text, index, name="text")

    assert (made.lo, made.hi) == ends


def test_a_shard_has_its_own_form():
    """A range is not its declaration."""
    with pytest.raises(ParseError) as caught:
        parse_declaration("s in [0, 4)", shard, name="--shard")

    assert caught.value.hint == 'write it like "s of 4"'


@pytest.mark.parametrize("count", ["0", "2 - 5"])
def test_a_shard_without_a_core_is_refused(count):
    """In the words of a shard, at its number."""
    with pytest.raises(IndexRangeError, match="at least 1 core, got ") as caught:
        parse_declaration(f"s of {count}", shard, name="--shard")

    assert (caught.value.column, caught.value.hint) == (
        *(6, "give the number of cores that run the program, such as 4"),
    )


def test_an_end_that_varies_is_refused():
    """With its place."""
    source = Source("text", "j in [0, i)")
    tree = parser_of("expr").parse(source.text, start="declaration")
    with pytest.raises(NonAffineError) as caught:
        read_declaration(tree, index, {"i": index("i", 0, 4)}, source)

    assert (caught.value.column, caught.value.message) == (
        10,
        "a constant is needed here, got i",
    )
