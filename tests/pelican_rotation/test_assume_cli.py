"""`rotation run --assume`: numbers of registers, and how they are shown."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app

ROWS = str(Path(__file__).parents[2] / "examples" / "add_rows.kernel")


def rotation(*arguments: str):
    """Run the command."""
    return CliRunner().invoke(app, list(arguments))


def test_the_screen_says_what_is_assumed_and_how_trips_overlap():
    """The register, its limit, and the rounds of the kept loop."""
    shown = rotation("run", ROWS, "--assume", "tiles=10")

    assert shown.exit_code == 0
    assert "%tiles = 10 for times and memory; proofs are for all" in shown.output
    assert "tiles: at most 64, by x[128*i, 0]" in shown.output
    assert "kept loop  runs to" in shown.output


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("tiles", "--assume gives a register a number, got 'tiles'"),
        ("tiles=many", "--assume gives a register a number, got 'tiles=many'"),
        ("tiles=65", "register tiles holds at most 64, got 65"),
        ("tile=6", "kernel add_rows has no register 'tile'"),
    ],
)
def test_a_wrong_number_ends_with_2(option: str, message: str):
    """With the value and a remedy."""
    shown = rotation("run", ROWS, "--assume", option, "--json")

    assert shown.exit_code == 2
    assert [e["message"] for e in json.loads(shown.stdout)["errors"]] == [message]


def test_a_register_has_one_number():
    """Two are a mistake."""
    shown = rotation("run", ROWS, "--assume", "tiles=1", "--assume", "%tiles=2")

    assert shown.exit_code == 2
    assert "--assume gives tiles two numbers" in shown.output
