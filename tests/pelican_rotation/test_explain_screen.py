"""The screen of an explanation, at the width of a terminal."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from pelican_rotation.explain_screen import MAX_WAITS_SHOWN, show_explanation
from rotation import Explanation, explain
from rotation.explaining.waits import Cause
from rotation.rings.plan import Limit
from tests.rotation.explaining.kernels import FULL, OUTSIDE, SCATTER
from tests.rotation.programs import COPY, MATMUL, STREAM, kernel


def screen(explanation: Explanation, width: int = 160) -> str:
    """Return what is shown on a terminal of that width."""
    text = StringIO()
    show_explanation(explanation, Console(file=text, width=width))
    return text.getvalue()


@pytest.fixture(scope="module")
def matmul() -> Explanation:
    return explain(kernel(MATMUL), try_slots=False)


@pytest.mark.parametrize("width", [80, 40])
def test_nothing_is_cut(matmul: Explanation, width: int):
    """Long lines fold, and the numbers stay whole."""
    shown = screen(matmul, width)

    assert "\u2026" not in shown
    for name, engine in matmul.engines.items():
        (line, *_) = (x for x in shown.splitlines() if x.startswith(name))
        assert f"{engine.busy_ns:,.0f}" in line


def test_causes_that_do_not_occur_have_no_column(matmul: Explanation):
    """A matmul has no bank conflict."""
    header = next(x for x in screen(matmul).splitlines() if x.startswith("engine"))

    assert "drain" in header
    assert "bank" not in header


def test_a_slot_without_room_is_shown_as_such():
    """The space is full."""
    shown = screen(explain(kernel(FULL)))

    assert "no room" in shown


def test_a_slot_that_gains_nothing_is_shown_as_such():
    """A stream that reaches its bound has nothing to win."""
    explanation = explain(kernel(STREAM))
    gainless = [slot for slot in explanation.slots if slot.speedup < 1.005]

    assert gainless
    assert "none" in screen(explanation)


def test_a_kernel_without_operations_has_a_screen():
    """There is no engine to tell of."""
    shown = screen(explain(kernel("kernel k on planning { }")))

    assert "k on planning: 0 ns" in shown


def test_only_the_longest_waits_are_shown(matmul: Explanation):
    """The rest is in the object."""
    wait = next(w for w in matmul.waits if w.engine == matmul.engine)
    many = replace(matmul, waits=(wait,) * (MAX_WAITS_SHOWN + 3))

    assert "and 3 shorter ones: --json" in screen(many)


def test_an_engine_that_binds_but_is_not_busiest_is_shown_too():
    """Both the busiest one and that of the bound."""
    explanation = explain(kernel(COPY.replace("RING", "")), try_slots=False)
    shown = screen(explanation)

    assert f"{explanation.engine} waits" in shown
    assert f"{explanation.bound.name} waits" in shown or (
        explanation.bound.kind != "engine"
    )


def test_a_needless_sharing_is_told_with_its_remedy():
    """Where it is declared, into which loop it goes, and what that gives."""
    explanation = explain(kernel(OUTSIDE))
    shown = screen(explanation)
    both = explanation.remedies[-1]

    assert "t (line 5) is one instance for all iterations of loop i (line 7)" in shown
    assert f"tried: {both.advice}, which gives {both.speedup:.3f} x" in shown


def test_a_promise_is_shown_with_its_condition():
    """It helps only if it is true."""
    assert "if no row of rows comes twice" in screen(explain(kernel(SCATTER)))


def test_an_interval_below_the_work_is_marked():
    """With the mean beside it, and a line that says why."""
    explanation = explain(kernel(STREAM), try_slots=False)
    loop = replace(explanation.loops[-1], interval_ns=17, mean_ns=9000)
    shown = screen(replace(explanation, loops=(loop,)))

    assert "17 uneven" in shown
    assert "9,000" in shown
    assert "half of them are 17 ns or less" in shown


def test_an_even_interval_is_not():
    """It is above the work of an iteration."""
    assert "uneven" not in screen(explain(kernel(STREAM), try_slots=False))


WORDS = ("enough", "no gain", "not rotated", "not planned", "no room", "uneven")


@pytest.mark.parametrize(
    "word", [*WORDS, *Limit, *Cause, "shortest of those tried", "wanted"]
)
def test_every_word_of_the_screens_is_explained(word: str | Limit | Cause):
    """In a table of the page."""
    page = Path(__file__).parents[2] / "docs/explain.md"
    text = word if isinstance(word, str) else word.value

    assert f"| `{text}`" in page.read_text(encoding="utf-8")
