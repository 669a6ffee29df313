"""Paths become kernels, in their order."""

import errno
import os
from pathlib import Path

import pytest

from pelican_rotation.batch.inputs import kernel_files, tasks_of
from pelican_rotation.batch.task import Outcome, Task
from rotation import ArgumentError, MachineError, PassError
from tests.pelican_rotation.batch.kernels import FITS, write

KEPT = """kernel NAME on planning {
  dram x [4096, 64] fp32 input
  for i in [0, %rows) {
    sb t [128, 64] fp32
    ld: dma.load t <- x[128*i:+128]
  }
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder with three kernels."""
    write(tmp_path / "in", b=FITS, a=FITS)
    write(tmp_path / "in" / "deep", c=FITS)
    (tmp_path / "in" / "notes.txt").write_text("no kernel")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("paths", "files"),
    [
        (["in"], ["in/a", "in/b", "in/deep/c"]),
        (["./in/b.kernel", "in"], ["in/b", "in/a", "in/deep/c"]),
        (["in/*"], ["in/a", "in/b"]),
        (["**/*.kernel"], ["in/a", "in/b", "in/deep/c"]),
    ],
)
def test_files_come_in_the_order_of_the_paths(paths: list[str], files: list[str]):
    """Those of a folder by name, and each once."""
    assert list(kernel_files(paths)) == [f"{file}.kernel" for file in files]


@pytest.mark.parametrize("path", ["in", "in/**/*"])
def test_a_folder_of_results_is_no_file(path: str):
    """It is named like the file whose results it holds."""
    Path("in/out/a.kernel").mkdir(parents=True)

    expected = ["in/a.kernel", "in/b.kernel", "in/deep/c.kernel"]
    assert list(kernel_files([path])) == expected


def test_a_link_that_leads_back_makes_no_further_files():
    """Each file counts once, under the first of its names."""
    Path("in/deep/back").symlink_to("..", target_is_directory=True)

    assert len(list(kernel_files(["in/**/*.kernel"]))) == 3


def test_the_folder_above_a_link_is_that_of_what_it_leads_to():
    """As for every program."""
    Path("link").symlink_to("in/deep", target_is_directory=True)

    assert list(kernel_files(["link/../a.kernel"])) == ["link/../a.kernel"]


@pytest.mark.parametrize("path", ["none*", "empty"])
def test_a_path_that_leads_nowhere_is_an_outcome(path: str):
    """The other paths are run."""
    Path("empty").mkdir()
    first, second = tasks_of([path, "in/a.kernel"], None, {})

    assert isinstance(first, Outcome)
    assert isinstance(second, Task)
    assert (first.file, first.kernel, first.exit_code) == (path, None, 2)
    assert first.errors[0]["message"] == f"{path!r} leads to no .kernel file"


def test_every_kernel_of_a_text_is_one_task():
    """In the order of the text."""
    Path("two.kernel").write_text(FITS.replace("NAME", "z") + FITS.replace("NAME", "y"))

    assert [each.kernel for each in tasks_of(["two.kernel"], None, {})] == ["z", "y"]


def test_a_text_with_mistakes_is_an_outcome_with_all_of_them():
    """With their places."""
    Path("wrong.kernel").write_text(
        FITS.replace("<- x", "<- y").replace("z <-", "w <-")
    )
    (outcome,) = tasks_of(["wrong.kernel"], None, {})

    assert [error["line"] for error in outcome.errors] == [5, 6]


def test_a_document_is_told_how_to_become_text():
    """It may hold kernels of many names."""
    (outcome,) = tasks_of(["kernels.json"], None, {})

    assert outcome.errors[0]["hint"].endswith(
        "rotation convert kernels.json NAME > NAME.kernel"
    )


@pytest.mark.parametrize(
    ("machine", "options", "error", "message"),
    [
        ("trn22", {}, MachineError, "no machine 'trn22'"),
        ("none.toml", {}, MachineError, "cannot read 'none.toml'"),
        (None, {"policy": "rings"}, ArgumentError, "no policy 'rings'"),
        (None, {"skip_passes": ["unrol"]}, PassError, "no pass 'unrol'"),
        (None, {"skip_passes": ["unroll"]}, PassError, "cannot be skipped"),
        (None, {"psum_banks": 0}, ArgumentError, "1 to 1000000000 PSUM banks"),
        (None, {"dram_rotation_gib": 9}, ArgumentError, "is 9 GiB"),
        (None, {"assume": {"n": 3}}, ArgumentError, "no kernel has a register 'n'"),
    ],
)
def test_a_mistake_of_all_kernels_is_one_mistake(
    machine: str | None, options: dict[str, object], error: type, message: str
):
    """It is told before any of them runs."""
    with pytest.raises(error, match=message):
        tasks_of(["in"], machine, options)


def test_a_machine_of_the_user_is_read_here():
    """Workers may not have its file."""
    Path("mine.toml").write_text('[mine]\nbase = "trn2"\npsum_banks = 4\n')
    Path("other.TOML").write_text('[other]\nbase = "trn2"\npsum_banks = 5\n')
    machines = [
        task.machine
        for file in ("mine.toml", "other.TOML")
        for task in tasks_of(["in/a.kernel"], file, {})
    ]

    assert [(each.name, each.psum_banks) for each in machines] == [
        *(("mine", 4), ("other", 5)),
    ]


def test_a_number_goes_to_the_kernels_that_have_the_register():
    """The others know nothing of it."""
    write(Path("in"), b=KEPT)
    tasks = tasks_of(["in"], None, {"assume": {"rows": 5}})

    assert [each.options["assume"] for each in tasks] == [{}, {"rows": 5}, {}]


def test_nothing_is_refused():
    """No path gives no batch."""
    with pytest.raises(ArgumentError, match="there is nothing to run"):
        tasks_of([], None, {})


def test_an_empty_path_is_refused():
    """It is not the present folder."""
    with pytest.raises(ArgumentError, match="a path is empty") as caught:
        tasks_of(["in", ""], None, {})

    assert caught.value.hint == "name a file, or . for this folder"


def test_standard_input_is_refused():
    """A batch is of files; another command reads what is piped."""
    with pytest.raises(ArgumentError, match="does not read standard input") as caught:
        tasks_of(["in", "-"], None, {})

    assert (
        caught.value.hint == "rotation run - does; or name files, folders or patterns"
    )


def test_a_file_of_claims_is_told_of_its_program():
    """It is one mistake of the batch, and the other files are run."""
    Path("in/a.pel").write_text("index i\nshow i\n")
    outcome, task = tasks_of(["in/a.pel", "in/b.kernel"], None, {})

    assert isinstance(task, Task)
    assert [error["message"] for error in outcome.errors] == [
        "in/a.pel is a file of claims, which pelican check reads"
    ]


@pytest.fixture
def shut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody read the folder ``deep``."""
    read = os.scandir

    def scandir(folder: str):
        if os.path.normpath(folder).endswith("deep"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return read(folder)

    monkeypatch.setattr(os, "scandir", scandir)


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("in/**/*.kernel", ["in/a.kernel", "in/b.kernel"]),
        ("**/*.kernel", ["in/a.kernel", "in/b.kernel"]),
        ("in/*/c*.kernel", []),
        ("in/deep/*", []),
        ("in/**", ["in/a.kernel", "in/b.kernel"]),
    ],
)
@pytest.mark.usefixtures("shut")
def test_a_pattern_tells_of_folders_that_cannot_be_read(pattern: str, files: list[str]):
    """As a folder does, once; what is found beside them is run."""
    first, *others = kernel_files([pattern])

    assert isinstance(first, Outcome)
    assert (first.file, others) == ("in/deep", files)
    assert first.errors[0]["message"] == "cannot read 'in/deep': Permission denied"


@pytest.mark.usefixtures("shut")
def test_a_pattern_does_not_tell_of_folders_that_it_passes_by():
    """It looks into those only in which something may fit."""
    assert list(kernel_files(["in/*.kernel"])) == ["in/a.kernel", "in/b.kernel"]


@pytest.mark.usefixtures("shut")
def test_a_folder_that_cannot_be_read_is_an_outcome():
    """One mistake for it, however often it is met; the files beside it are run."""
    first, *others = kernel_files(["in/", "in/deep"])

    assert isinstance(first, Outcome)
    assert (first.file, first.exit_code) == ("in/deep", 2)
    assert first.errors[0]["message"] == "cannot read 'in/deep': Permission denied"
    assert others == ["in/a.kernel", "in/b.kernel"]
