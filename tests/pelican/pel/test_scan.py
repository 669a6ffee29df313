"""Where the statements of a file begin and end."""

import pytest

from pelican.pel.scan import scan

LINES = [
    ("a b\nc", ["a b", "c"]),
    ("a (b\nc) d", ["a ( b c ) d"]),
    ("a [b,\n# comment\nc) d\ne", ["a [ b , c ) d", "e"]),
    ("let a = (b\nlet c = d", ["let a = ( b", "let c = d"]),
    ("let a = (b\n\n  check c", ["let a = ( b", "check c"]),
    ("a (check\nb)", ["a ( check b )"]),
    ("a ) b\nc", ["a ) b", "c"]),
    ("a # (\nb", ["a", "b"]),
    ("i->i//2 ... >= == 07x", ["i -> i // 2 ... >= == 07 x"]),
    ("a\r\nb\rc", ["a", "b \r c"]),
]


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_an_open_bracket_joins_lines(text, expected):
    """Up to the next line that starts with the word of a statement."""
    found = [" ".join(word.text for word in line.words) for line in scan(text)]

    assert found == expected


def test_pieces_know_their_places():
    """Offset and line, through line ends of both kinds."""
    text = "let a\r\n\n (b # c\n d)"
    pieces = [piece for line in scan(text) for piece in line.pieces]

    assert all(text[p.start : p.end] == p.text for p in pieces)
    assert [(p.text, p.line) for p in pieces if p.kind == "word"] == [
        ("let", 1),
        ("a", 1),
        ("b", 3),
        ("d", 4),
    ]
