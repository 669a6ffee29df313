from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation import load, run
from rotation.loop_form.kernel import MemorySpace
from rotation.modelled.dram import rotated_dram, single_block_locations
from rotation.modelled.sb_schedule import ByteWindow
from rotation.passes.base import State
from rotation.running.pipeline import PASSES, check, run_passes, under_policy
from rotation.running.result import Result
from rotation.unrolled.liveness import live_intervals
from tests.rotation.modelled.hand import Life, placed, program_with
from tests.rotation.programs import PLANNING, kernel, unrolled

PAGE = 4096
ROWS = 128
NAME = "address_rotation_dram"


def rotated(lives: list[Life], pages: list[int], window_pages: int):
    """Return what becomes of locations that begin at these pages of a window."""
    program = program_with(lives, MemorySpace.DRAM)
    before = placed(program, [page * PAGE for page in pages])
    window = ByteWindow(0, window_pages * PAGE)
    return rotated_dram(program, before, live_intervals(program), window)


def pages_of(lives: list[Life], pages: list[int], window_pages: int) -> list[float]:
    """Return at which page each of them is then."""
    found = rotated(lives, pages, window_pages)
    return [byte / PAGE for byte in found.placement.byte.tolist()]


def lives_one_after_the_other(count: int) -> list[Life]:
    """Return lives of a page each, of which no two meet."""
    return [Life(PAGE // ROWS, 2 * k, 2 * k + 1) for k in range(count)]


def test_the_cursor_goes_on_and_wraps():
    """All were in one page; the fourth comes to the first one again."""
    assert pages_of(lives_one_after_the_other(4), [0] * 4, 3) == [0, 1, 2, 0]


def test_a_location_starts_on_a_page():
    """However little the one before takes."""
    assert pages_of([Life(1, 0, 1), Life(1, 2, 3)], [0, 0], 3) == [0, 1]


def test_what_lives_is_stepped_over():
    """The third would stand on the first, which is in use until the end."""
    lives = [Life(32, 0, 9), Life(32, 1, 2), Life(32, 3, 4), Life(32, 5, 6)]

    assert pages_of(lives, [0, 1, 1, 1], 3) == [0, 1, 2, 1]


def test_what_finds_no_room_stays():
    """Nothing reaches past the end of the window."""
    lives = [Life(32, 0, 9), Life(64, 1, 9), Life(32, 2, 9)]

    assert pages_of(lives, [0, 1, 3], 4) == [0, 1, 3]


def test_the_page_size_and_the_high_water_mark_are_logged():
    """In the words of the modelled system, before any move."""
    log = rotated(lives_one_after_the_other(2), [0, 5], 9).log

    assert log[:2] == (
        "Runtime page size at 512 MB",
        f"DRAM hwm before rotation {6 * PAGE}",
    )
    assert log[2:] == (f"b1[0] picked new range for b1[0] {PAGE} 0",)


def test_partners_are_guarded():
    """Neither of two that share bytes while they live is moved."""
    found = rotated([Life(32, 0, 5), Life(32, 1, 6)], [3, 3], 9)

    assert [byte // PAGE for byte in found.placement.byte.tolist()] == [3, 3]
    assert found.guarded == 2


LIVES = st.builds(
    lambda size, write, length: Life(size, write, write + length),
    st.integers(1, 3 * PAGE // ROWS),
    st.integers(1, 20),
    st.integers(0, 6),
)


@given(st.lists(LIVES, min_size=1, max_size=10), st.integers(0, 6))
def test_locations_that_meet_never_share_a_byte(lives: list[Life], more_pages: int):
    """In windows that hardly hold them; all pairs are compared."""
    sizes = [ROWS * life.size_bytes for life in lives]
    widths = [-(-size // PAGE) for size in sizes]
    starts = [sum(widths[:k]) for k in range(len(lives))]
    window_pages = sum(widths) + more_pages
    found = rotated(lives, starts, window_pages).placement.byte.tolist()

    for k, one in enumerate(lives):
        assert found[k] % PAGE == 0
        assert 0 <= found[k] <= window_pages * PAGE - sizes[k]
        for other in range(k):
            apart = (
                found[k] + sizes[k] <= found[other]
                or found[other] + sizes[other] <= found[k]
            )
            met = one.write <= lives[other].read and lives[other].write <= one.read
            assert apart or not met


BLOCKS = """
kernel blocks on planning {
  dram x [128, 64] fp32 input
  dram m [128, 64] fp32 input
  dram z [128, 64] fp32 output
  sb mk [128, 64] fp32
  sb t [128, 64] fp32
  dram s [128, 64] fp32
  dram inner [128, 64] fp32
  ld: dma.load mk <- m
  lx: dma.load t <- x
  if loaded(mk) "any" {
    sp: dma.store s <- t
    so: dma.store inner <- t
    si: dma.load t <- inner
  } else {
    sq: dma.store s <- mk
  }
  rl: dma.load t <- s
  st: dma.store z <- t
}
"""


def test_a_location_of_several_blocks_is_known():
    """The one inside an arm is of one block; the one that both arms write is not."""
    program = unrolled(BLOCKS)
    names = [program.function.tensors[t].name for t in program.location_tensor]
    single = dict(zip(names, single_block_locations(program).tolist(), strict=True))

    assert (single["s"], single["inner"], single["x"]) == (False, True, True)


def test_a_location_of_several_blocks_stays():
    """It must live from one block to another, and is named."""
    program = unrolled(BLOCKS)
    count = len(program.location_tensor)
    before = placed(program, [9 * PAGE * k for k in range(count)])
    window = ByteWindow(0, 999 * PAGE)
    found = rotated_dram(program, before, live_intervals(program), window)
    names = [program.function.tensors[t].name for t in program.location_tensor]
    moved = np.flatnonzero(found.placement.byte != before.byte).tolist()

    assert [names[row] for row in moved] == ["inner"]
    assert "Leaving s[0], which is accessed in several blocks" in found.log


@cache
def spilled(gib: int | None = None) -> Result:
    """Return the run of the kernel with a spill buffer of 33 instances."""
    example = load("examples/spill_dram.kernel")
    return run(example, policy="modelled", dram_rotation_gib=gib)


def places(result: Result) -> int:
    """Return the number of places that the instances of the buffer have."""
    (ring,) = (ring for ring in result.rings if ring.tensor == "spill")
    return ring.slots


@pytest.mark.parametrize(("gib", "most"), [(None, 33), (-1, 2)])
def test_the_window_says_how_far_a_buffer_rotates(gib: int | None, most: int):
    """By default all instances are apart; the smallest window has room for two."""
    result = spilled(gib)

    assert (result.hazards, result.equivalent) == ((), True)
    assert places(result) == most
    assert result.memory["dram"].after <= result.memory["dram"].capacity


def test_without_the_pass_nothing_moves_in_dram():
    """--disable-dram-rotation leaves it out."""
    example = load("examples/spill_dram.kernel")
    result = run(example, policy="modelled", rotate_dram=False)

    assert NAME not in [each.name for each in result.passes]
    assert result.memory["dram"].after == result.memory["dram"].before


def test_a_ring_of_the_user_stays_in_dram():
    """It is given, and nothing of it moves."""
    text = """
kernel two on planning {
  dram x [512, 64] fp32 input
  dram z [512, 64] fp32 output
  for i in [0, 4) {
    sb t [128, 64] fp32
    dram s [128, 64] fp32 ring 2
    sb u [128, 64] fp32
    ld: dma.load t <- x[128*i:+128, 0:+64]
    sp: dma.store s <- t
    rl: dma.load u <- s
    st: dma.store z[128*i:+128, 0:+64] <- u
  }
}
"""
    result = run(kernel(text), policy="modelled")

    assert {r.tensor: r.slots for r in result.rings}["s"] == 2
    assert (result.verdict, result.refusals) == ("accepted", ())
    assert (result.hazards, result.equivalent) == ((), True)


def test_a_kernel_without_buffers_in_dram_is_skipped():
    """Its allocator had no candidate, so the attribute is false."""
    log = run(load("examples/stream_add.kernel"), policy="modelled").after.log

    assert f"Skipping {NAME}: attribute 11 (dram_allocated) is not true" in log
    assert not [line for line in log if line.startswith("DRAM hwm")]


KEPT = """
kernel kept on planning {
  dram x [512, 64] fp32 input
  dram z [512, 64] fp32 output
  sb w [128, 64] fp32
  dram keep [128, 64] fp32
  lw: dma.load w <- x[0:+128, 0:+64]
  sk: dma.store keep <- w
  for i in [0, 4) {
    sb t [128, 64] fp32
    dram s [128, 64] fp32
    ld: dma.load t <- x[128*i:+128, 0:+64]
    sp: dma.store s <- t
    rl: dma.load w <- s
    lk: dma.load w <- keep
    st: dma.store z[128*i:+128, 0:+64] <- w
  }
}
"""
"""A buffer is read in each iteration of a loop in which another one rotates."""

TIGHT = replace(PLANNING, dram_window_bytes=3 * 128 * 64 * 4)
"""A machine whose window has room for three of its buffers."""

FAULTS = {
    "a cursor that minds nobody": lambda request, cursor, size, _: (
        cursor if cursor + request.size_bytes <= size else 0
    ),
    "a cursor that never wraps": lambda _, cursor, *__: cursor,
}


def compiled() -> State:
    """Return the kernel rotated, whether that helps or not."""
    steps = under_policy("modelled", PASSES)
    return run_passes(steps, State(kernel(KEPT), TIGHT))[0]


def test_the_cursor_steps_over_what_lives_through_the_loop():
    """Two places are left for four instances."""
    state = compiled()
    slot, tensor = state.placement.slot, state.program.location_tensor
    names = [each.name for each in state.function.tensors]

    assert slot[tensor == names.index("s")].tolist() == [0, 1, 0, 1]
    assert check(state) == ()


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ("a cursor that minds nobody", {"overlap", "equivalence"}),
        ("a cursor that never wraps", {"capacity"}),
    ],
)
def test_a_faulty_cursor_is_caught(monkeypatch, fault: str, found: set[str]):
    """By the checkers, with the check of the map switched off."""
    monkeypatch.setattr("rotation.modelled.rotating.map_fault", lambda *_: None)
    monkeypatch.setattr("rotation.modelled.dram.from_cursor", FAULTS[fault])

    assert found <= {hazard.check for hazard in check(compiled())}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("a cursor that minds nobody", "live together and share bytes"),
        ("a cursor that never wraps", "is outside dram"),
    ],
)
def test_the_check_of_the_map_refuses_a_faulty_cursor(monkeypatch, fault, reason):
    """The old places stay, and the reason is told."""
    monkeypatch.setattr("rotation.modelled.dram.from_cursor", FAULTS[fault])
    state = compiled()

    assert check(state) == ()
    assert any(reason in refusal.reason for refusal in state.refusals)
