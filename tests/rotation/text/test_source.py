from pathlib import Path

import pytest

from pelican.errors import ParseError
from rotation.errors import KernelError
from rotation.text.source import read_source


def test_a_text_is_read_under_its_path(tmp_path: Path):
    """The source is named like the file."""
    path = tmp_path / "a.kernel"
    path.write_text("# ü\n", encoding="utf-8")
    source = read_source(path)

    assert (source.name, source.text) == (str(path), "# ü\n")


def test_a_byte_order_mark_is_skipped(tmp_path: Path):
    """Some editors begin a file with one."""
    path = tmp_path / "a.kernel"
    path.write_bytes(b"\xef\xbb\xbfkernel")

    assert read_source(path).text == "kernel"


def test_a_byte_that_is_not_utf_8_has_its_place(tmp_path: Path):
    """The first bad byte is shown with line and column."""
    path = tmp_path / "a.kernel"
    path.write_bytes("ü\nab".encode() + b"\xff\xfe")

    with pytest.raises(ParseError, match="byte 0xff is not UTF-8 text") as caught:
        read_source(path)

    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize("name", ["", "missing.kernel", "a\0b"])
def test_a_path_that_cannot_be_read_is_an_error(tmp_path: Path, name: str):
    """A folder, a missing file and an impossible name are refused."""
    with pytest.raises(KernelError, match="cannot read"):
        read_source(f"{tmp_path}/{name}")
