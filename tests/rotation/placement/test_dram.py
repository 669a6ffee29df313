from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation import run
from rotation.allocation import Buffers, allocate
from rotation.errors import ArgumentError, PlanError
from rotation.passes.base import State, built
from rotation.placement.dram import (
    DRAM_ALIGNMENT_BYTES,
    Request,
    dram_fault,
    packed_by_cursor,
    rotation_window_bytes,
    visible_end_bytes,
    window_bytes_of,
)
from rotation.running.pipeline import check, unrotated
from rotation.unrolled.program import Placement, Program
from tests.rotation.finished import finished
from tests.rotation.programs import PLANNING, kernel

PAGE = 4096

SPILLS = """
kernel spills on planning {
  dram x [8, 1024] fp32 input
  dram y [8, 1024] fp32 output
  for i in [0, 8) {
    dram a [1, 1024] fp32 RING
    sb t [1, 1024] fp32
    sb u [1, 1024] fp32
    ld: dma.load t <- x[i:+1, 0:+1024]
    sp: dma.store a <- t
    rl: dma.load u <- a
    st: dma.store y[i:+1, 0:+1024] <- u
  }
  for j in [0, 8) {
    dram b [2, 512] fp32 RING
    sb v [1, 1024] fp32
    sb w [1, 1024] fp32
    ld2: dma.load v <- x[j:+1, 0:+1024]
    sp2: dma.store b <- v
    rl2: dma.load w <- b
    st2: dma.store y[j:+1, 0:+1024] <- w
  }
}
"""
"""Two spill buffers of one page, one after the other; ``RING`` is theirs."""


def compiled(ring: str, pages: int | None) -> State:
    """Return the kernel after all passes, with a window of so many pages."""
    size = None if pages is None else pages * PAGE
    machine = replace(PLANNING, dram_window_bytes=size)
    return finished(SPILLS.replace("RING", ring), machine)


def pages_of(state: State, name: str) -> list[int]:
    """Return the pages of a buffer's instances, counted from the window on."""
    program = built(state.program, "program")
    tensor = [t.name for t in program.function.tensors].index(name)
    byte = built(state.placement, "placement").byte[program.location_tensor == tensor]
    return ((byte - visible_end_bytes(program)) // PAGE).tolist()


def test_the_cursor_goes_on_and_wraps():
    """The third request has no room at the cursor, and nothing lives at the start."""
    requests = [Request(2, 1, 0, 3), Request(2, 1, 1, 4), Request(2, 1, 4, 6)]

    assert packed_by_cursor(requests, 5).offsets_bytes == (0, 2, 0)


def test_the_cursor_goes_round_what_lives():
    """After the wrap the first bytes are taken, and those behind them are free."""
    requests = [Request(2, 1, 0, 9), Request(3, 1, 1, 2), Request(2, 1, 4, 6)]

    assert packed_by_cursor(requests, 5).offsets_bytes == (0, 2, 2)


def test_what_has_no_room_stands_behind_the_window():
    """It is told, and nothing reaches past the end of the window."""
    requests = [Request(3, 2, 0, 3), Request(3, 2, 1, 4), Request(3, 2, 1, 6)]
    packing = packed_by_cursor(requests, 5)

    assert (packing.offsets_bytes, packing.fit) == ((0, 6, 10), False)


REQUESTS = st.lists(
    st.builds(
        lambda size, align, first, length: Request(size, align, first, first + length),
        st.integers(1, 9),
        st.sampled_from([1, 2, 4]),
        st.integers(0, 9),
        st.integers(0, 5),
    ),
    max_size=9,
)


@given(REQUESTS, st.integers(1, 40))
def test_a_cursor_never_shares_bytes_of_what_lives_together(requests, window):
    """Offsets are aligned, apart where lives meet, and inside the window if all fit."""
    packing = packed_by_cursor(requests, window)
    placed = list(zip(packing.offsets_bytes, requests, strict=True))

    for row, (offset, one) in enumerate(placed):
        assert offset % one.alignment_bytes == 0
        assert not packing.fit or offset + one.size_bytes <= window
        for begin, other in placed[:row]:
            apart = (
                offset >= begin + other.size_bytes or begin >= offset + one.size_bytes
            )
            assert apart or one.last < other.first or other.last < one.first


@pytest.mark.parametrize(("size", "expected"), [(1, 2**30), (8, 2**33), (-1, None)])
def test_a_window_is_a_number_of_gib(size, expected):
    """1 to 8, and -1 for the smallest."""
    assert window_bytes_of(size) == expected


@pytest.mark.parametrize("size", [0, 9, -2, 10**30])
def test_a_window_of_another_size_is_refused(size):
    """The value and the remedy are named, before anything runs."""
    with pytest.raises(ArgumentError) as error:
        run(kernel(SPILLS.replace("RING", "")), dram_rotation_gib=size)

    assert error.value.message == f"the dram rotation window is {size} GiB"
    assert "1 to 8, since beyond 8G the runtime complains, or -1" in error.value.hint


def test_rings_stand_side_by_side_in_a_large_window():
    """The cursor goes on; what the outside sees is below."""
    state = compiled("ring 3", pages=100)

    assert pages_of(state, "a") == [0, 1, 2, 0, 1, 2, 0, 1]
    assert pages_of(state, "b") == [3, 4, 5, 3, 4, 5, 3, 4]
    assert check(state) == ()


def test_a_small_window_is_shared_by_what_never_lives_together():
    """The cursor wraps; the second loop then waits for the first."""
    state = compiled("ring 3", pages=4)

    assert pages_of(state, "b") == [0, 1, 2, 0, 1, 2, 0, 1]
    assert check(state) == ()
    assert check(unrotated(state)) == ()


def test_a_ring_that_has_no_room_in_the_window_is_refused():
    """Need and room are told."""
    with pytest.raises(PlanError) as error:
        compiled("ring 3", pages=2)

    assert error.value.message == (
        "ring 3 of a, ring 3 of b need 24576 bytes; the rotation window has 8192"
    )


def test_a_plan_takes_no_more_than_the_window():
    """What would help and does not fit is limited by capacity."""
    for pages in (1, 2, 3):
        state = compiled("", pages=pages)
        most = max(max(pages_of(state, name)) for name in "ab")

        assert most < pages
        assert check(state) == ()


def test_the_smallest_window_is_what_is_in_use_before_rotation():
    """Packed by life, one page is enough for both buffers."""
    state = compiled("", pages=None)
    program = built(state.program, "program")

    assert rotation_window_bytes(program, state.machine) == PAGE
    assert {*pages_of(state, "a"), *pages_of(state, "b")} == {0}
    assert check(state) == ()


def test_a_disabled_rotation_is_a_pass_that_does_not_run():
    """DRAM buffers then have the fewest slots that are legal."""
    result = run(kernel(SPILLS.replace("RING", "ring 3")), rotate_dram=False)
    slots = {ring.tensor: ring.slots for ring in result.rings}

    assert "address_rotation_dram" not in [each.name for each in result.passes]
    assert (slots["a"], slots["b"], result.hazards) == (1, 1, ())


def faulty(state: State, name: str, page: int) -> str | None:
    """Return the fault of the placement with the first instance of a buffer moved."""
    program = built(state.program, "program")
    placement = built(state.placement, "placement")
    tensor = [t.name for t in program.function.tensors].index(name)
    first = int((program.location_tensor == tensor).nonzero()[0][0])
    byte = placement.byte.copy()
    byte[first] = visible_end_bytes(program) + page * PAGE
    moved = Placement(placement.partition, byte, placement.slot)
    return dram_fault(program, moved, state.machine)


def test_a_placement_with_a_fault_is_not_installed():
    """Outside the window, or on bytes of a slot that lives at the same time."""
    state = compiled("ring 3", pages=6)
    begin = visible_end_bytes(built(state.program, "program"))
    end = begin + 6 * PAGE

    assert faulty(state, "a", 0) is None
    assert faulty(state, "a", 3) is None  # b does not live yet
    assert faulty(state, "a", 6) == (
        f"a at byte {end} is outside the window [{begin}, {end})"
    )
    assert "is outside the window" in str(faulty(state, "a", -1))


def test_dram_in_use_is_reported_with_the_end_of_its_window():
    """The capacity is behind what the outside sees, and there is none without."""
    result = run(kernel(SPILLS.replace("RING", "ring 2")), dram_rotation_gib=2)
    program: Program = built(result.after, "state").program
    memory = result.memory["dram"]

    assert memory.capacity == visible_end_bytes(program) + 2 * 2**30
    assert memory.after - memory.before == 3 * PAGE
    assert memory.unit == "bytes"


def test_packed_dram_buffers_take_whole_pages(monkeypatch: pytest.MonkeyPatch):
    """What is alive is then what is reached, and nothing is searched."""
    tables = []

    def noted(table: Buffers, *, steps: int = 0, capacity: int | None = None):
        tables.append(table)
        return allocate(table, steps=steps, capacity=capacity)

    monkeypatch.setattr("rotation.placement.binding.allocate", noted)
    run(kernel(SPILLS.replace("RING", "").replace("1024", "8").replace("512", "4")))
    paged = [t for t in tables if len(t) and t.alignment.max() == DRAM_ALIGNMENT_BYTES]

    assert paged
    assert all((t.size % DRAM_ALIGNMENT_BYTES == 0).all() for t in paged)
