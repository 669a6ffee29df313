"""The screen of a run: whole numbers and plain words at the width of a terminal."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from pelican_rotation.screen import show
from rotation.running.pipeline import run
from rotation.running.result import Result
from tests.rotation.programs import COPY, MATMUL, STREAM, kernel

LARGE = """
kernel large on planning {
  dram activations [65536, 16384] fp32 input
  dram y [65536, 16384] fp32 output
  for tile in [0, 512) {
    sb xt [128, 16384] fp32
    ld: dma.load xt <- activations[128*tile:+128, 0:+16384]
    sq: gpsimd.square xt <- xt
    st: dma.store y[128*tile:+128, 0:+16384] <- xt
  }
}
"""
"""Transfers of 8 GB: the makespan is above 10 ms, its digits above 10 million."""


def screen(result: Result, width: int) -> str:
    """Return what is shown on a terminal of that width."""
    text = StringIO()
    show(result, Console(file=text, width=width))
    return text.getvalue()


def row(shown: str, start: str) -> list[str]:
    """Return the words of the first line that starts with a word."""
    return next(line.split() for line in shown.splitlines() if line.startswith(start))


@pytest.fixture(scope="module")
def large() -> Result:
    """Return the run of a kernel of more than 10 ms."""
    return run(kernel(LARGE))


@pytest.mark.parametrize("width", [80, 60, 30])
def test_no_number_is_cut(large: Result, width: int):
    """Each number stands whole, on a terminal too narrow for its row too."""
    shown = screen(large, width)
    schedule = large.schedule

    assert schedule.after_ns > 10_000_000
    assert "\u2026" not in shown
    for name in ("serial", "before", "after", "bound"):
        assert row(shown, name)[1] == f"{getattr(schedule, f'{name}_ns'):,.0f}"
    for name, engine in large.engines.items():
        assert row(shown, name)[1] == f"{engine.busy_ns:,.0f}"
    assert row(shown, "xt")[:6] == ["xt", "2", "2", "65,536", "sb", "tile"]


@pytest.mark.parametrize("width", [80, 60])
def test_no_line_is_wider_than_the_terminal(large: Result, width: int):
    """Notes fold; nothing runs over the right end."""
    assert max(map(len, screen(large, width).splitlines())) <= width


def test_the_bound_says_what_binds():
    """An engine with its three parts, or the operation that ends the longest path."""
    path = COPY.replace("RING", "scalar.fill t <-").replace("[0, 4)", "[0, 1)")

    assert "dma: 0 head + " in screen(run(kernel(STREAM)), 80)
    assert "longest path, ends at st" in screen(run(kernel(path)), 80)


def test_a_kernel_without_operations_has_a_screen():
    """There is no bound to name."""
    assert "no operations" in screen(run(kernel("kernel k on planning { }")), 80)


def test_a_ring_that_reaches_the_target_has_enough():
    """Where the target is reached, one slot more is not wanted."""
    shown = screen(run(kernel(STREAM)), 80)

    assert row(shown, "xt")[-1] == "enough"
    assert "is not reached" not in shown


def test_a_target_that_is_not_reached_is_said():
    """Then a ring without a limit is one where another slot brings no gain."""
    result = run(kernel(STREAM))
    late = replace(result.schedule, after_ns=2 * result.schedule.bound_ns)
    shown = screen(replace(result, schedule=late), 80)

    assert "target of 1.05 of the bound is not reached: after is at 2.000" in shown
    assert row(shown, "yt") == ["yt", "1", "1", "8,192", "sb", "j", "no", "gain"]


def test_a_plan_that_is_skipped_is_said():
    """Nothing was tried, so nothing is known of a gain."""
    result = run(kernel(STREAM), skip_passes=["plan_rings"])

    assert row(screen(result, 80), "yt")[2:] == [
        "-",
        "8,192",
        "sb",
        "j",
        "not",
        "planned",
    ]


def test_a_ring_of_the_user_is_shown_as_such():
    """What limits a ring keeps its word."""
    shown = screen(run(kernel(COPY.replace("RING", "ring 2"))), 80)

    assert row(shown, "t ")[-1] == "user"


def test_shares_of_the_makespan_are_percentages():
    """The columns say percent, the cells are numbers."""
    shown = screen(run(kernel(MATMUL)), 80)
    heading = next(line for line in shown.splitlines() if line.startswith("engine"))

    assert heading.split(maxsplit=3)[3] == "busy % before  busy % after"
    assert 0 < float(row(shown, "pe")[2]) <= float(row(shown, "pe")[3]) <= 100


def test_dram_is_said_not_to_rotate():
    """Its amount is the same before and after."""
    assert row(screen(run(kernel(STREAM)), 80), "dram")[-3:] == [
        "bytes,",
        "not",
        "rotated",
    ]


def test_a_measurement_is_said_before_all_numbers():
    """And it is none of the checks, which found what they found."""
    text = COPY.replace("RING", "ring 4")
    shown = screen(run(kernel(text), separate_load_and_compute=True), 200)

    assert shown.index("measurement: separate_load_and_compute") < shown.index("memory")
    assert shown.count("measurement") == 2
    assert "checks     race: ok" in shown


COMMAND = "rotation explain FILE"
EXAMPLES = Path(__file__).parents[2] / "examples"
JOINED = COPY.replace("RING", "").replace(
    "    cp: scalar.copy u <- t\n",
    '    if loaded(t) "t > 0" { cp: scalar.copy u <- t } else { vector.zero u <- }\n',
)


def why(text: str) -> bool:
    """Tell whether the screen of a kernel names the command that explains it."""
    shown = StringIO()
    show(run(kernel(text), checks=False), Console(file=shown, width=100), COMMAND)
    return f"why, and what would help: {COMMAND}\n" in shown.getvalue()


def test_a_kernel_at_its_bound_needs_no_explanation():
    """Nor does one of which nobody knows how it was called."""
    assert not why(STREAM)
    assert "why" not in screen(run(kernel(JOINED)), 100)


@pytest.mark.parametrize(
    "text",
    [JOINED, (EXAMPLES / "no_overlap.kernel").read_text()],
    ids=["left", "one instance"],
)
def test_a_kernel_that_does_not_overlap_points_to_its_explanation(text: str):
    """It is left as it was, or a buffer is one instance for all iterations."""
    assert why(text)


def test_a_kernel_far_above_its_bound_points_to_its_explanation():
    """As one whose plan was left out does."""
    shown = StringIO()
    result = run(kernel(MATMUL), skip_passes=["plan_rings"], checks=False)
    show(result, Console(file=shown, width=100), COMMAND)

    assert f"why, and what would help: {COMMAND}\n" in shown.getvalue()
