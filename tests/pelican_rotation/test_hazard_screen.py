"""The screen of `rotation check` for a program with hazards."""

from pathlib import Path

import pytest

from pelican_rotation.hazard_screen import CHECKS, REMEDIES, show_placed
from rotation.running.dump import load_placed

EXAMPLE = Path(__file__).parents[2] / "examples/two_slots.placed"


@pytest.fixture
def screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines for a program whose edges are all gone."""
    file = tmp_path / "none.placed"
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if "edge" not in line))
    placed = load_placed(file)
    show_placed(placed, placed.hazards())
    return capsys.readouterr().out.replace(f"{tmp_path}/", "").splitlines()


def test_what_is_wrong_is_counted_apart_from_what_is_right(screen: list[str]):
    """One line of hazards, one of checks that found none."""
    assert screen[1] == "hazards: overlap: 10, dependence: 8, race: 13, equivalence: 1"
    assert screen[2] == "capacity: ok, engine: ok"


def test_a_hazard_has_a_place_and_a_remedy(screen: list[str]):
    """The later operation is shown in its line; rows are named as the text has them."""
    at = next(row for row, line in enumerate(screen) if ": race: " in line)

    assert screen[at].startswith("none.placed:11:5: race: sq[i = 0] (line 11) reads")
    assert screen[at + 1] == "        sq: vector.square t <- t inplace"
    assert screen[at + 3] == (
        "    hint: let instruction 1 wait for 0, by edge 1 -> 0, or give them places "
        "that do not meet"
    )


def test_the_rest_of_a_kind_is_counted(screen: list[str]):
    """Three of each check are shown."""
    assert "race: 10 more, which --json lists" in screen
    assert sum(": race: " in line for line in screen) == 3


def test_every_check_has_a_remedy():
    """None is without a word on what to do."""
    assert set(CHECKS) == set(REMEDIES)
