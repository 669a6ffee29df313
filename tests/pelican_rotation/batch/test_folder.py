"""A folder of results: what is kept, and when it is taken."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pelican_rotation.batch.folder import ResultFolder
from pelican_rotation.batch.lost import Lost
from pelican_rotation.batch.task import lost_outcome, run_task
from rotation import ArgumentError
from tests.pelican_rotation.batch.kernels import FITS, TOO_LARGE, task

ONE = task(TOO_LARGE, "k", "in/a.kernel")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ResultFolder:
    """Return an empty folder of results."""
    monkeypatch.chdir(tmp_path)
    return ResultFolder("out", [ONE.file, "in/deep/b.kernel"])


def test_what_is_kept_is_taken(folder: ResultFolder):
    """It is the same, with its seconds."""
    outcome = run_task(ONE)
    folder.write(outcome)

    assert folder.kept(ONE) == replace(outcome, errors=[])


def test_a_file_of_kernels_is_a_folder_of_results(folder: ResultFolder):
    """Below the deepest folder that holds all files."""
    assert folder.file(ONE) == "out/a.kernel/k.json"
    assert folder.file(task(FITS, "m", "in/deep/b.kernel")) == (
        "out/deep/b.kernel/m.json"
    )


def test_what_is_kept_is_of_the_same_text_and_options(folder: ResultFolder):
    """Anything else is run again."""
    folder.write(run_task(ONE))

    assert folder.kept(replace(ONE, options={"policy": "modelled"})) is None
    assert folder.kept(replace(ONE, text=f"{ONE.text}#")) is None


def test_a_kernel_that_was_lost_is_run_again(folder: ResultFolder):
    """Its process may have ended for another reason."""
    folder.write(lost_outcome(ONE, Lost("its process ended by SIGKILL")))

    assert folder.kept(ONE) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", '{"key": 1', "\0", "[" * 10**5])
def test_what_is_no_result_is_run_again(folder: ResultFolder, text: str):
    """Somebody may have written there."""
    folder.write(run_task(ONE))
    Path(folder.file(ONE)).write_text(text)

    assert folder.kept(ONE) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("errors", None),
        ("errors", [{}]),
        ("exit_code", "x"),
        ("exit_code", 9),
        ("result", None),
        ("result", {}),
        ("result", 7),
        ("kernel", "other"),
    ],
)
def test_a_result_that_was_damaged_is_run_again(
    folder: ResultFolder, field: str, value: object
):
    """Its key may be as it was."""
    folder.write(run_task(ONE))
    file = Path(folder.file(ONE))
    file.write_text(json.dumps({**json.loads(file.read_text()), field: value}))

    assert folder.kept(ONE) is None


def test_a_file_starts_with_the_schema(folder: ResultFolder):
    """As every object."""
    folder.write(run_task(ONE))
    document = json.loads(Path(folder.file(ONE)).read_text())

    assert next(iter(document)) == "schema"


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path):
    """With the name of the option."""
    (tmp_path / "file").write_text("")

    with pytest.raises(ArgumentError, match="cannot make the folder") as refused:
        ResultFolder(str(tmp_path / "file" / "out"), [])
    assert refused.value.hint == "name another one after --output"


@pytest.mark.parametrize(
    ("output", "files", "place"),
    [
        ("in", ["in/a.kernel"], "in/a.kernel"),
        (".", ["in/a.kernel", "b.kernel"], "in/a.kernel"),
        ("in/a.kernel", ["in/a.kernel"], "in/a.kernel"),
        ("out", ["in/deep/c.kernel", "b.kernel"], "out/in"),
    ],
)
def test_a_folder_where_files_stand_is_refused(
    folder: ResultFolder, output: str, files: list[str], place: str
):
    """Before anything runs: the inputs themselves are the most likely ones."""
    for name in ("in/a.kernel", "out/in"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("")

    with pytest.raises(ArgumentError, match=f"have no place in '{output}'") as refused:
        ResultFolder(output, files)
    assert refused.value.hint == (
        f"'{place}' is a file: name another folder after --output"
    )


def test_a_folder_beside_the_files_is_taken(folder: ResultFolder):
    """It may be in their folder, where nothing is in the way."""
    Path("in").mkdir()
    Path("in/a.kernel").write_text("")

    assert ResultFolder("in/out", ["in/a.kernel"]).file(ONE) == (
        "in/out/a.kernel/k.json"
    )
