"""Tables: whole lines in a pipe, nothing cut and nothing folded to ribbons."""

from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from pelican_rotation.cli.rotation import app
from pelican_rotation.tables import listing_of, people, print_block, table_of

HEADER = ("pass", "runs", "does")
ROWS = [
    ("verify", "skippable", "Refuse a function that makes no sense on the machine."),
    ("unroll", "always", "Make the tables of the unrolled program."),
]


def printed(width: int) -> list[str]:
    """Return the lines of a listing at that width, without a terminal."""
    console = Console(file=StringIO(), width=width)
    print_block(listing_of(HEADER, ROWS, width), console)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def test_a_listing_that_fits_has_a_line_for_each_row():
    """Columns of words stand at the left, and no line ends with a blank."""
    assert printed(120) == [
        "pass    runs       does",
        "verify  skippable  Refuse a function that makes no sense on the machine.",
        "unroll  always     Make the tables of the unrolled program.",
    ]


def test_a_sentence_with_enough_room_folds_beside_its_row():
    """Each of its lines stands in its own column."""
    lines = printed(60)

    assert lines[1] == "verify  skippable  Refuse a function that makes no sense on"
    assert lines[2].strip() == "the machine."


def test_a_sentence_without_room_stands_below_its_row():
    """Whole, and in by four."""
    assert printed(40)[2:5] == [
        "verify  skippable",
        "    Refuse a function that makes no",
        "    sense on the machine.",
    ]


def test_numbers_stand_at_the_right():
    """By the name of their column."""
    console = Console(file=StringIO(), width=80)
    print_block(table_of(("machine", "banks"), [("a", "16"), ("b", "8")]), console)

    assert console.file.getvalue() == "machine  banks\na           16\nb            8\n"  # type: ignore[attr-defined]


def test_people_read_whole_lines_in_a_file():
    """Without a terminal no line is folded, however long."""
    assert people().width > 1_000


@pytest.mark.parametrize("command", ["passes", "machines"])
def test_a_list_in_a_pipe_has_one_line_for_each_row(command: str):
    """Whatever the width of the terminal behind it is."""
    result = CliRunner().invoke(app, [command], env={"COLUMNS": "40"})
    wide = CliRunner().invoke(app, [command], env={"COLUMNS": "400"})

    assert result.stdout == wide.stdout
    assert all(line == line.rstrip() for line in result.stdout.splitlines())


def test_the_pass_that_is_off_says_so():
    """With the option that it stands at."""
    shown = CliRunner().invoke(app, ["passes"]).stdout.splitlines()
    (line,) = (each for each in shown if each.startswith("separate_load"))

    assert line.split()[:3] == ["separate_load_and_compute", "off", "separation=none"]
