"""Text from bytes: any bytes give a text or an error with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import ParseError, PelicanError
from pelican.source import decoded, read_source


@given(st.binary())
def test_any_bytes_are_text_or_an_error(data: bytes):
    """The error names the first byte that is none."""
    try:
        data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError:
        with pytest.raises(ParseError, match="is not UTF-8") as caught:
            decoded(data, "a")
        assert caught.value.span is not None
    else:
        assert decoded(data, "a").text.encode() == data.removeprefix(b"\xef\xbb\xbf")


def test_a_mark_of_the_byte_order_is_no_text():
    """Places count without it."""
    with pytest.raises(ParseError) as caught:
        decoded(b"\xef\xbb\xbfab\n\xff", "a")

    assert (caught.value.line, caught.value.column) == (2, 1)


@pytest.mark.parametrize("name", ["missing", "", "a\x00b"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    """Missing, a folder, or no name at all."""
    with pytest.raises(PelicanError, match="cannot read"):
        read_source(f"{tmp_path}/{name}")


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("rign.pel", "did you mean ring.pel?"),
        ("", "it is a folder: name a file in it"),
        ("*.pel", "this is a pattern: name one file"),
        ("xyz", "give the path of a file that can be read"),
        ("none/ring.pel", "give the path of a file that can be read"),
    ],
)
def test_a_file_that_is_not_there_has_a_remedy(tmp_path, path, hint):
    """The nearest name, or what the path is instead."""
    (tmp_path / "ring.pel").write_text("")
    with pytest.raises(PelicanError) as caught:
        read_source(f"{tmp_path}/{path}")

    assert caught.value.hint == hint
