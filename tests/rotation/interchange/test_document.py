from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pelican.errors import LocatedError, ParseError
from rotation.errors import InterchangeError
from rotation.interchange.document import Value, read_document
from rotation.text.source import read_source


def load_text(folder: Path, text: str | bytes) -> object:
    """Return the document of a file with that content."""
    path = folder / "document.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_document(read_source(path))


def test_a_document_is_read(tmp_path: Path):
    """A JSON file is read as the json module reads it."""
    assert load_text(tmp_path, '{"a": [1, null]}') == {"a": [1, None]}


def test_a_mistake_of_the_json_has_its_place(tmp_path: Path):
    """What is not JSON is an error with line and column."""
    with pytest.raises(ParseError, match="not JSON") as caught:
        load_text(tmp_path, '{\n "a": ]\n}')

    assert (caught.value.line, caught.value.column) == (2, 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "document.json has an object with the field 'a' twice"),
        ("[" * 100_000, "document.json is nested too deep"),
    ],
)
def test_json_that_readers_take_differently_is_refused(
    tmp_path: Path, text: str, message: str
):
    """Repeated fields and monsters are errors that name the file."""
    with pytest.raises(ParseError) as caught:
        load_text(tmp_path, text)

    assert message in caught.value.message
    assert caught.value.hint is not None


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ('{"a": NaN}', 7, "NaN is not a number"),
        ('["NaN \\" NaN", NaN]', 16, "NaN is not a number"),
        ("[1, -Infinity]", 5, "-Infinity is not a number"),
        (f"[12, {'1' * 5000}]", 6, "5000 digits"),
    ],
)
def test_a_number_that_json_lacks_is_refused_at_its_place(
    tmp_path: Path, text: str, column: int, message: str
):
    """The same word inside a string is not meant."""
    with pytest.raises(ParseError) as caught:
        load_text(tmp_path, text)

    assert message in caught.value.message
    assert (caught.value.column, caught.value.hint is None) == (column, False)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=40))
def test_no_bytes_end_in_another_exception(tmp_path: Path, data: bytes):
    """Any file is a document or a located error."""
    try:
        load_text(tmp_path, data)
    except LocatedError:
        return


def test_a_pointer_escapes_its_names():
    """The pointer of RFC 6901 writes ~ as ~0 and / as ~1."""
    ((_, member),) = Value({"a/b~c": 1}, "/x").members()

    assert member.pointer == "/x/a~1b~0c"


def test_an_unknown_field_suggests_the_nearest():
    """A misspelled field is an error with the right spelling."""
    with pytest.raises(InterchangeError) as caught:
        Value({"spcae": 1}).fields(("space",))

    assert (caught.value.pointer, caught.value.hint) == (
        "/spcae",
        "did you mean space?",
    )


def test_a_missing_field_is_named():
    """The error stands at the object that lacks the field."""
    with pytest.raises(InterchangeError, match="the field space is missing") as caught:
        Value({}).fields(("space",))

    assert caught.value.hint == 'add "space": ... to the object'


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (None, "null"),
        (True, "true"),
        ({}, "an object"),
        ([], "an array"),
        ("x", "'x'"),
        (10**40, "an integer of more than 64 bits"),
        ("y" * 90, f"'{'y' * 59}..."),
    ],
)
def test_a_message_shows_the_value(data: object, shown: str):
    """What was found is said in the words of JSON."""
    with pytest.raises(InterchangeError) as caught:
        Value(data).choice(["a", "b"])

    assert caught.value.message == f"/: one of a, b is needed, got {shown}"
