import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation import ArgumentError, load
from rotation.errors import CapacityError, PassError
from rotation.machine.machine import get_machine
from rotation.passes.base import State
from rotation.running.pipeline import (
    NEEDED,
    OFF,
    PASSES,
    no_slower,
    run,
    run_passes,
    selected,
    unrotated,
)
from rotation.running.result import Result
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.programs import MATMUL, PLANNING, STREAM, kernel
from tests.rotation.running.kernels import TIGHT

NAMES = [
    "verify",
    "plan_rings",
    "unroll",
    "coloring_allocator_psum",
    "address_rotation_psum",
    "coloring_allocator_sb",
    "address_rotation_sb",
    "coloring_allocator_dram",
    "address_rotation_dram",
    "build_fdeps",
    "anti_dependency_analyzer",
    "separate_load_and_compute",
    "post_sched",
    "address_rotation_psum_post_schedule",
    "address_rotation_sb",
    "rebuild_dependences",
    "perf_sim",
]

LOWER_BOUND_NS = {"stream_add": 547_083, "matmul_tiled": 239_349}
"""Busy time of dma, from the public kernel set."""


@cache
def public(name: str) -> Result:
    """Return the result of a public kernel."""
    return run(load(f"examples/{name}.kernel"))


def test_the_passes_run_in_the_promised_order():
    """Names and order are part of the interface."""
    assert [step.name for step in PASSES] == NAMES


def test_a_pass_counts_what_it_declares():
    """Statistics in a result are the declared ones."""
    state = State(kernel(STREAM), PLANNING)
    for step in PASSES:
        result = step.run(state)
        state = result.state

        assert set(result.statistics) == set(step.statistics)


def test_a_finished_part_of_the_state_is_not_made_twice():
    """The program of the trials is the program of the passes."""
    planned, _ = run_passes(PASSES[:2], State(kernel(STREAM), PLANNING))
    unrolled, _ = run_passes(PASSES[2:3], planned)

    assert unrolled.program is planned.program


def test_each_pass_is_reported():
    """One report for each pass, in order."""
    reports = run(kernel(STREAM)).passes

    assert [report.name for report in reports] == [n for n in NAMES if n not in OFF]


@pytest.mark.parametrize("text", [STREAM, MATMUL])
@pytest.mark.parametrize("skipped", sorted({*NAMES} - NEEDED - OFF))
def test_a_skipped_pass_does_not_run(text, skipped):
    """The rest of the pipeline goes on, and the report tells."""
    result = run(kernel(text), skip_passes=[skipped])

    left = [n for n in NAMES if n not in {skipped, *OFF}]
    assert [r.name for r in result.passes] == left


@pytest.mark.parametrize(
    "skipped",
    sorted({*NAMES} - NEEDED - OFF - {"anti_dependency_analyzer"}),
)
def test_a_program_without_an_optional_pass_is_still_right(skipped):
    """Rotation, reduction and simulation may be left out; waiting may not."""
    result = run(kernel(STREAM), skip_passes=[skipped])

    assert (result.hazards, result.equivalent) == ((), True)


def test_a_program_without_anti_edges_is_a_hazard():
    """The checkers see what the skipped pass would have ordered."""
    result = run(kernel(STREAM), skip_passes=["anti_dependency_analyzer"])

    assert result.hazards
    assert not result.equivalent


def test_an_unknown_pass_is_refused_with_the_nearest_name():
    """A typing mistake is not ignored."""
    with pytest.raises(PassError, match="no pass 'unrol'") as error:
        selected(["unrol"])

    assert error.value.hint == "did you mean unroll?"


def test_a_needed_pass_cannot_be_skipped():
    """Without it there would be nothing to check."""
    with pytest.raises(PassError, match="pass post_sched cannot be skipped"):
        selected(["post_sched"])


def test_the_machine_of_the_kernel_is_the_default():
    """Another one may be named, or given."""
    named = run(kernel(STREAM), "trn2").machine

    assert (run(kernel(STREAM)).machine, named) == ("planning", "trn2")
    assert run(kernel(STREAM), get_machine("trn2")).machine == "trn2"


def test_a_kernel_that_does_not_fit_raises():
    """The error names the buffers, the need and the capacity."""
    text = STREAM.replace("2048]", "16384]").replace("4096]", "32768]")
    text = text.replace("2048*j:+2048", "16384*j:+16384")

    with pytest.raises(CapacityError, match="need 196608 bytes/partition"):
        run(kernel(text))


@pytest.mark.parametrize(
    ("name", "gain"), [("stream_add", 1.15), ("matmul_tiled", 2.0)]
)
def test_the_public_kernels_come_near_their_bound(name, gain):
    """Within 5 percent of the bound, and much faster than without rotation."""
    result = public(name)
    schedule = result.schedule
    dma_ns = result.engines["dma"].busy_ns

    assert abs(dma_ns / LOWER_BOUND_NS[name] - 1) <= 0.01
    assert schedule.bound_ns >= LOWER_BOUND_NS[name]
    assert schedule.ratio <= 1.05
    assert schedule.before_ns / schedule.after_ns >= gain
    assert (result.hazards, result.equivalent, result.verdict) == ((), True, "accepted")


@pytest.mark.parametrize("name", ["stream_add", "matmul_tiled"])
def test_makespans_stand_in_their_order(name):
    """Serial, before, after, bound: each is at least the next."""
    schedule = public(name).schedule
    spans = [
        schedule.serial_ns,
        schedule.before_ns,
        schedule.after_ns,
        schedule.bound_ns,
    ]

    assert all(a >= b for a, b in pairwise(spans))


@pytest.mark.parametrize("name", ["stream_add", "matmul_tiled"])
def test_few_edges_are_left(name):
    """Below 3 for each instruction, before and after."""
    result = public(name)
    count = len(result.after.program)

    for edges in (result.edges.before, result.edges.after):
        assert edges.flow + edges.anti + edges.output + edges.ordered < 3 * count


def test_every_proof_of_a_public_kernel_holds():
    """Index expressions and slots are proved for all iterations."""
    proofs = public("matmul_tiled").proofs

    assert proofs.total >= 1
    assert proofs.proved == proofs.total


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (
            {"function": "x.kernel"},
            "run needs a kernel, got 'x.kernel'",
            "load it first: run(load('x.kernel'))",
        ),
        ({"function": None}, "run needs a kernel, got None", "run(load(FILE))"),
        ({"machine": 3}, "run needs a machine, got 3", 'such as "trn2"'),
        (
            {"skip_passes": "plan_rings"},
            "skip_passes is a list of names, got the text 'plan_rings'",
            "write skip_passes=['plan_rings']",
        ),
    ],
)
def test_an_argument_of_the_wrong_type_is_refused(arguments, message, hint):
    """The value and the remedy are named, and the error is a TypeError too."""
    with pytest.raises(ArgumentError) as error:
        run(**{"function": kernel(STREAM), **arguments})

    assert isinstance(error.value, TypeError)
    assert error.value.message == message
    assert hint in error.value.hint


def test_a_rotation_that_does_not_help_is_not_kept():
    """The compact placement stays, with the reason and both makespans."""
    result = run(kernel(TIGHT))
    (refusal,) = result.refusals

    assert result.verdict == "left"
    assert refusal.reason.startswith("rotation did not help: 3,900.507 ns with it, ")
    assert result.schedule.after_ns == result.schedule.before_ns
    assert (result.hazards, result.equivalent) == ((), True)
    assert {ring.slots for ring in result.rings} == {1}


def test_a_ring_of_the_user_is_kept_even_if_it_is_slower():
    """What the text asks for is honoured or refused, never changed."""
    text = TIGHT.replace("sb t [128, 31] fp16", "sb t [128, 8] fp16 ring 2")
    text = text.replace("+31]", "+8]").replace("22528", "22512")
    after, _ = run_passes(PASSES, State(kernel(text), PLANNING))
    slow = replace(after.schedule, makespan_ps=10**9)
    slower = replace(after, schedule=slow)

    assert no_slower(unrotated(after), slower) is slower


MACHINES = [
    PLANNING,
    replace(PLANNING, sb_bytes_per_partition=64, psum_banks=3),
    replace(PLANNING, sb_bytes_per_partition=32, psum_banks=2),
]


@settings(max_examples=40)
@given(legal_kernel_texts(), st.sampled_from(MACHINES))
def test_a_result_is_never_slower_than_without_rotation(text, machine):
    """Serial, before, after, bound stand in this order on every kernel that runs."""
    planned = re.sub(r" ring \d+", "", text)  # a ring that is asked for is kept
    try:
        schedule = run(kernel(planned), machine).schedule
    except CapacityError:
        return

    spans = [schedule.before_ns, schedule.after_ns, schedule.bound_ns]
    assert all(a >= b for a, b in pairwise(spans))
