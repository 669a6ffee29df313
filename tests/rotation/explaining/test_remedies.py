from dataclasses import replace
from typing import Unpack

import pytest

from rotation.explaining.explain import explain
from rotation.explaining.explanation import Explanation, RemedyReport
from rotation.explaining.remedies import outcomes
from rotation.running.arguments import RunOptions
from rotation.running.pipeline import PASSES, run
from tests.rotation.explaining.kernels import BANKS, OUTSIDE, SCATTER
from tests.rotation.programs import COPY, STREAM, kernel


def remedies(text: str, **options: Unpack[RunOptions]) -> list[RemedyReport]:
    return list(explain(kernel(text), **options).remedies)


def makespan_ns(text: str) -> float:
    return run(kernel(text)).schedule.after_ns


def moved(text: str, name: str) -> str:
    """Return a kernel with a declaration of `OUTSIDE` put inside its loop."""
    line = f"  sb {name} [128, 2048] fp32\n"
    return text.replace(line, "").replace("[0, 8) {\n", "[0, 8) {\n" + line)


def test_a_declaration_is_moved_and_run():
    """What is told is what the moved text gives: each alone, and both together."""
    one, other, both = remedies(OUTSIDE)

    assert [each.kind for each in (one, other, both)] == ["declaration"] * 3
    assert one.advice == "declare t (line 5) inside loop i (line 7)"
    assert (one.where, one.tensors, both.tensors) == ("<text>:5:3", ("t",), ("t", "u"))
    assert one.makespan_ns == makespan_ns(moved(OUTSIDE, "t"))
    assert other.makespan_ns == makespan_ns(moved(OUTSIDE, "u"))
    assert both.makespan_ns == makespan_ns(moved(moved(OUTSIDE, "t"), "u"))


def test_a_remedy_is_measured_against_the_kernel_as_it_is():
    """And its ratio is that to its own bound."""
    found = explain(kernel(OUTSIDE))
    both = found.remedies[-1]
    result = run(kernel(moved(moved(OUTSIDE, "t"), "u")))

    assert both.speedup == round(found.makespan_ns / both.makespan_ns, 4) > 1.2
    assert both.ratio == round(result.schedule.ratio, 4) < 1.05


def test_a_ring_of_the_user_is_left_to_the_plan():
    """The kernel without it is the remedy."""
    (remedy,) = remedies(COPY.replace("RING", "ring 1"))

    assert (remedy.kind, remedy.advice) == (
        *("ring", "leave ring 1 of t (line 6) to the plan"),
    )
    assert remedy.makespan_ns == makespan_ns(COPY.replace("RING", ""))


def test_a_place_of_the_user_is_left_to_the_passes():
    """As the run says, which tries it too."""
    text = COPY.replace("RING", "byte 0")
    (remedy,) = remedies(text)

    assert (remedy.kind, remedy.advice) == (
        *("place", "leave the place of t (line 6) to the passes"),
    )
    assert remedy.makespan_ns == run(kernel(text)).pins.automatic_ns


def test_distinct_rows_are_promised_under_a_condition():
    """Nobody can see whether it is true."""
    (remedy,) = remedies(SCATTER)

    assert remedy.kind == "unique"
    assert remedy.condition == "if no row of rows comes twice in the whole kernel"
    assert remedy.makespan_ns == makespan_ns(SCATTER.replace("dim 0)", "dim 0) unique"))


def test_more_banks_are_tried_where_banks_are_short():
    """The same kernel on a machine with twice as many."""
    remedy = next(r for r in remedies(BANKS) if r.kind == "banks")
    more = run(kernel(BANKS), psum_banks=16).schedule.after_ns

    assert remedy.advice == "take 16 PSUM banks (--psum-banks 16)"
    assert (remedy.makespan_ns, remedy.where) == (more, None)


def test_a_remedy_that_cannot_run_says_why():
    """Here on a machine that is too small for the buffers in any place."""
    state = run(kernel(OUTSIDE)).after
    small = replace(state, machine=replace(state.machine, sb_bytes_per_partition=9000))
    (found, *_) = outcomes(
        small, PASSES, {"t": next(iter(state.function.nests.values()))[-1]}
    )

    assert (found.times, "sb is too small" in found.refusal) == (None, True)


@pytest.mark.parametrize("text", [STREAM])
def test_a_kernel_without_limits_of_its_own_has_no_other_remedy(text: str):
    """Only slots are tried."""
    assert remedies(text) == []


def test_a_quick_explanation_names_what_is_shared_and_tries_nothing():
    """The declaration is seen without a run."""
    found: Explanation = explain(kernel(OUTSIDE), try_slots=False)

    assert found.remedies == ()
    assert [(each.tensor, each.where, each.loop) for each in found.shared] == [
        ("t", "<text>:5:3", "i"),
        ("u", "<text>:6:3", "i"),
    ]


def test_remedies_are_tried_as_the_run_was_asked_for():
    """On the same machine, with the same passes."""
    slow = remedies(OUTSIDE, skip_passes=["plan_rings"])[-1]
    quick = remedies(OUTSIDE)[-1]

    assert slow.makespan_ns > quick.makespan_ns
