"""The text of the page of a run: what it says without a browser."""

import re

from pelican_rotation.report.page import report_page
from rotation import PlanError, run
from rotation.running.functions import run_all
from rotation.running.result import refused
from tests.rotation.programs import COPY, STREAM, kernel

KEPT = COPY.replace("RING", "").replace("4)", "%n)")


def words_of(page: str) -> str:
    """Return what a reader sees of a page, without scripts and marks."""
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_the_page_says_what_the_screen_says():
    """Times, rings, dependences, proofs and passes; and it is the same each time."""
    result = run(kernel(STREAM))
    page = report_page(result)
    words = words_of(page)

    assert page == report_page(result)
    assert "stream on planning ✓ accepted" in words
    assert f"after {result.schedule.after_ns:,.0f} ns" in words
    assert f"{result.proofs.proved} of {result.proofs.total} ✓ all proved" in words
    for part in ("Engines", "Memory", "Rings", "Dependences", "Proofs and checks"):
        assert part in words
    for each in result.passes:
        assert each.name in words


def test_a_kernel_that_is_refused_says_why():
    """It has no charts, so the page holds no library."""
    result = refused(kernel(STREAM), "planning", PlanError("<too> long"))
    page = report_page(result)

    assert "stream on planning ✗ refused" in words_of(page)
    assert "refused: &lt;too&gt; long" in words_of(page)
    assert len(page) < 20_000


def test_hazards_are_listed():
    """With a sign and a word, not with a colour alone."""
    result = run(kernel(STREAM), skip_passes=["anti_dependency_analyzer"])
    words = words_of(report_page(result))

    assert f"hazards ✗ {len(result.hazards)}" in words
    assert "✗ race:" in words


def test_every_kernel_of_a_file_has_its_part():
    """With charts of its own."""
    twice = STREAM.replace("kernel stream ", "kernel twice ")
    page = report_page(run_all([kernel(STREAM), kernel(twice)]))

    assert re.findall(r'data-kernel="(\w+)"', page) == ["stream", "twice"]
    assert page.count("window.rotationReport[1]") > 0


def test_a_run_time_loop_is_drawn_for_the_number_that_is_assumed():
    """As its times are those of it."""
    result = run(kernel(KEPT))

    assert 'class="chart-data"' in report_page(result)
