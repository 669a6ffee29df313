"""`run` and `explain` take the same options of a run."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pelican_rotation.cli.rotation import app
from tests.rotation.explaining.kernels import BANKS
from tests.rotation.programs import COPY

ROWS = str(Path(__file__).parents[2] / "examples" / "add_rows.kernel")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "copy.kernel"
    path.write_text(COPY.replace("RING", ""))
    return str(path)


def rotation(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


@pytest.mark.parametrize(
    "options",
    [
        ("--skip-pass", "plan_rings"),
        ("--policy", "modelled"),
        ("--machine", "trn2", "--psum-banks", "3"),
        ("--disable-dram-rotation", "--dram-rotation-size", "2"),
    ],
)
def test_the_same_options_give_the_same_makespan(file: str, options: tuple[str, ...]):
    """What is explained is what is run."""
    ran = json.loads(rotation("run", file, *options, "--json").stdout)
    told = json.loads(rotation("explain", file, *options, "--quick", "--json").stdout)

    assert ran["schedule"]["after_ns"] == told["makespan_ns"]
    assert ran["engines"] == told["engines"]


def test_an_explanation_is_of_the_assumed_number():
    """As the totals of a run are."""
    told = [
        json.loads(rotation("explain", ROWS, "--assume", f"tiles={n}", "--json").stdout)
        for n in (3, 6)
    ]

    assert [each["loops"][0]["iterations"] for each in told] == [3, 6]


def test_banks_are_those_that_are_asked_for(tmp_path: Path):
    """Nine tiles of a bank each fit side by side."""
    path = tmp_path / "banks.kernel"
    path.write_text(BANKS)
    ran = json.loads(rotation("run", str(path), "--psum-banks", "9", "--json").stdout)

    assert ran["memory"]["psum"]["capacity"] == 9
    assert ran["memory"]["psum"]["after"] == 9


@pytest.mark.parametrize("command", ["run", "explain"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--psum-banks", "0"), "a machine has 1 to 1000000000 PSUM banks, got 0"),
        (("--policy", "rings"), "no policy 'rings'"),
        (("--skip-pass", "plan_ring"), "no pass 'plan_ring'"),
        (("--dram-rotation-size", "9"), "the dram rotation window is 9 GiB"),
        (("--assume", "n=--3"), "--assume gives a register a number, got 'n=--3'"),
        (("--machine", "trn5"), "no machine 'trn5'"),
    ],
)
def test_a_wrong_option_ends_with_2(
    file: str, command: str, options: tuple[str, ...], message: str
):
    """With the value and a remedy."""
    done = rotation(command, file, *options, "--json")
    (error,) = json.loads(done.stdout)["errors"]

    assert (done.exit_code, error["message"]) == (2, message)
    assert error["hint"]


def test_an_explanation_of_several_kernels_names_its_own_command(tmp_path: Path):
    """The name is what it lacks, not another command."""
    path = tmp_path / "two.kernel"
    path.write_text("kernel a on trn2 { }\nkernel b on trn2 { }\n")
    done = rotation("explain", str(path))

    assert done.exit_code == 2
    assert f"name one: rotation explain {path} NAME" in done.stderr
