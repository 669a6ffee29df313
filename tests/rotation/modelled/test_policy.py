from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation import ArgumentError, load
from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.psum import rotated_psum
from rotation.modelled.sb import rotated_sb
from rotation.modelled.sb_schedule import SB_POST_SCHEDULE
from rotation.passes.base import State
from rotation.placement.binding import capacity_bytes
from rotation.placement.binding_check import high_water_bytes
from rotation.running.dump import dump
from rotation.running.pipeline import (
    PASSES,
    run,
    run_passes,
    selected,
    under_policy,
)
from rotation.running.result import Result
from rotation.text.parse import parse
from rotation.unrolled.liveness import live_intervals
from rotation.unrolled.pins import pinned
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.modelled.hand import Life, placed, program_with
from tests.rotation.programs import COPY, MATMUL, PLANNING, STREAM, kernel

SET = "tests/rotation/data/kernels.json"
KERNELS = (
    "stream_add",
    "matmul_tiled",
    "softmax_rows",
    "rmsnorm",
    "flash_attention_fwd",
    "depthwise_conv1d",
    "embedding_gather",
    "moe_token_shuffle",
    "attention_hand_banks",
    "if_else_block_mask",
    "consume_then_load",
    "short_loop",
    "allreduce_ring_dram",
)
"""The public kernels."""


@cache
def public(name: str) -> Result:
    """Return the result of a public kernel."""
    return run(load(SET, name), policy="modelled")


@pytest.mark.parametrize("name", KERNELS)
def test_a_public_kernel_stays_the_same_program(name):
    """All three checkers find nothing, and it is no slower than before."""
    result = public(name)

    assert (result.hazards, result.equivalent) == ((), True)
    assert result.schedule.after_ns <= result.schedule.before_ns


def test_a_public_kernel_reaches_its_bound():
    """Loads go round in the widest window."""
    assert public("stream_add").schedule.ratio <= 1.01
    assert public("matmul_tiled").schedule.ratio <= 1.05


def test_a_rotation_that_makes_the_schedule_longer_is_undone():
    """It is counted, and has a log line."""
    result = public("matmul_tiled")
    last_one = [r for r in result.passes if r.name == "address_rotation_sb"][-1]

    assert (last_one.statistics["undone"], last_one.statistics["moved"]) == (1, 0)
    assert result.after.log[-1].startswith("Undoing address_rotation_sb")


def test_pins_stay_where_they_are():
    """Those of the kernel that is placed by hand."""
    after = public("attention_hand_banks").after
    places = pinned(after.program)

    assert places.here.any()
    assert np.array_equal(after.placement.byte[places.here], places.byte[places.here])


def test_a_function_with_a_join_is_left_and_says_so():
    """With the line of the modelled system."""
    result = public("if_else_block_mask")

    assert result.verdict == "left"
    assert (
        "Detected If else structure, skip DMA optimization for now" in result.after.log
    )


@settings(max_examples=25)
@given(legal_kernel_texts())
def test_a_random_kernel_stays_the_same_program(text):
    """Inside memory, every location bound, and no slower."""
    result = run(kernel(text), policy="modelled")
    after = result.after

    assert (result.hazards, result.equivalent) == ((), True)
    assert (after.placement.byte >= 0).all()
    assert result.schedule.after_ns <= result.schedule.before_ns
    for space in (MemorySpace.SB, MemorySpace.PSUM):
        used = high_water_bytes(after.program, after.placement, space)
        assert used <= capacity_bytes(space, PLANNING)


LIVES = st.builds(
    lambda size, write, length, rows: Life(size, write, write + length, rows),
    st.integers(1, 4 * 2048),
    st.integers(1, 20),
    st.integers(0, 6),
    st.sampled_from([32, 64, 128]),
)


@given(st.lists(LIVES, min_size=1, max_size=8), st.data())
def test_live_locations_never_meet_after_rotation(lives, data):
    """In both spaces, from any legal placement, by comparing all pairs."""
    space = data.draw(st.sampled_from([MemorySpace.SB, MemorySpace.PSUM]))
    program = program_with(lives, space)
    unit = 8 if space is MemorySpace.SB else 2048
    widths = [-(-life.size_bytes // unit) * unit for life in lives]
    limit = capacity_bytes(space, PLANNING)
    start = [sum(widths[:k]) for k in range(len(lives))]
    if sum(widths) > limit:
        return
    placement, intervals = placed(program, start), live_intervals(program)
    if space is MemorySpace.SB:
        found = rotated_sb(program, placement, intervals, {}, SB_POST_SCHEDULE)
    else:
        found = rotated_psum(program, placement, intervals, {})
    byte = found.placement.byte.tolist()

    for k, one in enumerate(lives):
        assert 0 <= byte[k] <= limit - widths[k]
        for other in range(k):
            apart = (
                byte[k] + widths[k] <= byte[other]
                or byte[other] + widths[other] <= byte[k]
            )
            met = one.write <= lives[other].read and lives[other].write <= one.read
            assert apart or not met


def test_under_policy_ring_the_passes_after_scheduling_are_the_identity():
    """And their statistics say so."""
    reports = run(kernel(STREAM)).passes
    after = [r.name for r in reports].index("post_sched") + 1

    assert [r.name for r in reports[after : after + 2]] == [
        "address_rotation_psum_post_schedule",
        "address_rotation_sb",
    ]
    assert [r.statistics["identity"] for r in reports[after : after + 2]] == [1, 1]


def test_under_policy_modelled_no_rings_are_planned():
    """Nothing else of the pipeline is left out."""
    names = [step.name for step in selected(())]
    reports = run(kernel(STREAM), policy="modelled").passes

    assert [r.name for r in reports] == [n for n in names if n != "plan_rings"]


def test_a_ring_that_the_kernel_asks_for_is_given():
    """Slots in turn; it is neither changed nor left out."""
    text = COPY.replace(" RING", " ring 3")
    after = run(kernel(text), policy="modelled").after
    mine = after.program.location_tensor == 2

    assert after.placement.slot[mine].tolist() == [0, 1, 2, 0]


def test_an_unknown_policy_is_refused():
    """With the nearest name."""
    with pytest.raises(ArgumentError, match="no policy 'modeled'") as error:
        run(kernel(STREAM), policy="modeled")

    assert error.value.hint == "did you mean modelled?"


def test_a_run_time_loop_is_left():
    """What is not unrolled is not moved."""
    result = run(load("examples/add_rows.kernel"), policy="modelled")

    assert (result.verdict, result.equivalent) == ("left", True)
    assert "run-time loops are kept" in result.refusals[-1].reason


WINDOWS = """
kernel copied on planning {
  dram a [128, 256] fp32 input
  dram b [128, 256] fp32 output
  for j in [0, 4) {
    sb t [128, 64] fp32
    sb u [128, 64] fp32
    ld: dma.load t <- a[0:+128, 64*j:+64]
    cp: vector.copy u <- t
    st: dma.store b[0:+128, 64*j:+64] <- u
  }
}
kernel caller on planning {
  dram x [128, 256] fp32 input
  dram y [128, 256] fp32 output
  dram z [128, 256] fp32 output
  sb w [128, 256] fp32
  l: dma.load w <- x
  s: dma.store z <- w
  call copied(x, y) scope kernel sb(SHAPE) banks 1
}
"""


def test_a_call_with_a_window_rotates_in_it():
    """The checkers see no location that leaves its window, nor another in it."""
    path = WINDOWS.replace("SHAPE", "128, 5120")
    result = run(last(path), policy="modelled")
    slots = {ring.tensor: ring.slots for ring in result.rings}

    assert (result.hazards, result.equivalent) == ((), True)
    assert slots["copied1_t"] > 1


def test_a_call_whose_window_has_no_size_is_skipped_with_its_line():
    """It runs, and its buffers stay."""
    result = run(last(WINDOWS.replace("SHAPE", "0, 0")), policy="modelled")

    assert result.equivalent
    assert (
        "Skipping kernel-scoped address rotation for copied - SB shape not set"
        in result.after.log
    )


def last(text: str):
    """Return the last kernel of a text."""
    return parse(text)[-1]


def test_a_function_without_transfers_is_not_rotated():
    """As the modelled system does; the line is its own."""
    text = (
        "kernel still on planning { for i in [0, 2) { sb t [2, 4] fp32\n"
        "sb u [2, 4] fp32 vector.memset t <- \ngpsimd.copy u <- t } }"
    )
    log = run(kernel(text), policy="modelled").after.log

    assert set(log) == {"Skipping pass due to no instruction or uncovered structure."}


def dumped(text: str, stop: str) -> str:
    """Return the text of a kernel after a pass of policy `modelled`."""
    passes = under_policy("modelled", PASSES)
    names = [step.name for step in passes]
    state, _ = run_passes(
        passes[: names.index(stop) + 1], State(kernel(text), PLANNING)
    )
    return dump(state)


@pytest.mark.parametrize("space", ["psum", "sb"])
def test_what_a_pass_does_to_a_small_kernel(golden, request, space):
    """Goldens: the program before the pass and after it."""
    folder = request.config.rootpath / "tests" / "golden" / "modelled"
    for when, step in (("in", "coloring_allocator"), ("out", "address_rotation")):
        text = dumped(MATMUL, f"{step}_{space}")
        places = [line for line in text.splitlines() if "place " in line]
        golden(
            folder / f"address_rotation_{space}.{when}.txt", "\n".join(places) + "\n"
        )
