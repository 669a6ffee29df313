import subprocess
import sys
from pathlib import Path

import pytest

import rotation
from rotation import InterchangeError, KernelError, RotationError, load
from rotation.loading import function_of
from rotation.text.source import read_source

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/stream_add.kernel"
DOCUMENT = Path(__file__).parent / "data/kernels.json"


def file_of(folder: Path, *names: str) -> Path:
    """Return a file of empty kernels of those names."""
    path = folder / "some.kernel"
    text = "".join(f"kernel {name} on planning {{ }}\n" for name in names)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_kernel_of_a_text_knows_its_source():
    """Messages show the path as it was given."""
    function = load(EXAMPLE)

    assert function.name == "stream_add"
    assert {i.span.file for i in function.instructions if i.span} == {str(EXAMPLE)}


def test_a_kernel_of_a_document_is_the_same_kernel():
    """The name picks the kernel, and the extension the form."""
    names = [load(DOCUMENT, "stream_add").name, load(str(DOCUMENT), "short_loop").name]

    assert names == ["stream_add", "short_loop"]


def test_a_document_needs_a_name():
    """The names are told, and the remedy is shown for the shell and for Python."""
    with pytest.raises(InterchangeError, match="kernels: stream_add, ") as error:
        load(DOCUMENT)

    assert error.value.hint == (
        f"name one: rotation run {DOCUMENT} NAME, "
        f"or load({str(DOCUMENT)!r}, NAME) in Python"
    )


@pytest.mark.parametrize("name", [None, "k"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "the field schema is missing"),
        ("[1]", "an object is needed, got an array"),
        ('{"schema": "rotation-kernels/1"}', "the field kernels is missing"),
        (
            '{"kernel": "k", "schema": "pelican-rotation/1"}',
            "rotation-kernels/1 is needed, got 'pelican-rotation/1'",
        ),
        (
            '{"schema": "rotation-kernels/1", "kernels": []}',
            "the document holds no kernel",
        ),
    ],
)
def test_a_document_of_something_else_is_told_what_is_missing(
    tmp_path: Path, text: str, message: str, name: str | None
):
    """Before it is asked for a name."""
    path = tmp_path / "k.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InterchangeError) as error:
        load(path, name)

    assert error.value.message.endswith(message)
    assert error.value.hint == (
        'a document of kernels is {"schema": "rotation-kernels/1", "kernels": [...]}'
    )


def test_a_text_of_several_kernels_needs_a_name(tmp_path: Path):
    """It is not clear which one is meant."""
    path = file_of(tmp_path, "a", "b")

    assert load(path, "b").name == "b"
    with pytest.raises(KernelError, match="holds 2 kernels: a, b") as error:
        load(path)
    assert error.value.hint is not None
    assert error.value.hint.startswith("name one: ")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("stream", "did you mean streams?"), ("?", "it has streams, copies")],
)
def test_a_name_that_a_text_does_not_have_is_refused(tmp_path: Path, name, hint):
    """A name is never ignored."""
    with pytest.raises(KernelError, match=r"has no kernel") as error:
        load(file_of(tmp_path, "streams", "copies"), name)

    assert error.value.hint == hint


def test_a_second_file_in_the_place_of_a_name_is_told_of_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The command can be copied."""
    monkeypatch.chdir(tmp_path)
    file_of(Path(), "one")
    Path("b c.kernel").write_text("", encoding="utf-8")
    with pytest.raises(KernelError, match=r"has no kernel 'b c\.kernel'") as error:
        load("some.kernel", "b c.kernel")

    assert error.value.hint == (
        "a file is no name; run both by: rotation batch some.kernel 'b c.kernel'"
    )


def test_a_command_that_needs_a_name_is_shown(tmp_path: Path):
    """Not another one."""
    path = file_of(tmp_path, "a", "b")
    for file in (path, DOCUMENT):
        with pytest.raises(RotationError) as error:
            function_of("explain", read_source(file))

        assert error.value.hint is not None
        assert error.value.hint.startswith(f"name one: rotation explain {file} NAME")


def test_a_name_is_checked_for_a_single_kernel_too(tmp_path: Path):
    """The only kernel is not taken in place of the one that was named."""
    with pytest.raises(KernelError, match="has no kernel 'foo'"):
        load(file_of(tmp_path, "one"), "foo")


def test_importing_rotation_loads_no_solver():
    """The solver comes with the first run."""
    code = "import sys, rotation; print('z3' in sys.modules, 'rich' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "False False\n"


def test_every_public_name_is_there():
    """`from rotation import *` finds all that is listed, errors among them."""
    assert all(hasattr(rotation, name) for name in rotation.__all__)
    assert issubclass(rotation.CapacityError, rotation.RotationError)
    assert issubclass(rotation.RotationError, rotation.LocatedError)


def test_a_mistake_of_a_document_names_its_file(tmp_path: Path):
    """The path stands before the pointer, and in `file`."""
    path = tmp_path / "k.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(InterchangeError) as error:
        load(path, "k")

    assert error.value.file == str(path)
    assert str(error.value).startswith(f"{path}: /: ")
