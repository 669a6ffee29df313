from dataclasses import replace

import pytest

from rotation.errors import CapacityError, PlanError
from rotation.passes.plan_rings import PlanRings
from rotation.rings import planning
from rotation.rings.plan import Limit, Ring
from rotation.rings.planning import single_slots
from rotation.schedule import list_scheduler
from rotation.unrolled.program import Edges, Program, Schedule
from rotation.unrolled.unroll import unroll
from tests.rotation.programs import (
    COPY,
    MATMUL,
    PLANNING,
    STREAM,
    kernel,
    state_of,
    unrolled,
)


def planned(text: str, **machine: int) -> dict[str, Ring]:
    """Return the rings of a kernel by the name of their buffer."""
    state = state_of(text)
    state = replace(state, machine=replace(state.machine, **machine))
    plan = PlanRings().run(state).state.plan
    assert plan is not None
    return {ring.tensor.name: ring for ring in plan.rings}


def copy(ring: str, trips: int = 4) -> str:
    return COPY.replace("RING", ring).replace("[0, 4)", f"[0, {trips})")


def test_every_on_chip_buffer_has_a_ring():
    """DRAM tensors have none."""
    assert list(planned(STREAM)) == ["xt", "yt", "zt"]


def test_the_slot_counts_linear_trips():
    """Two nested loops count as one: the slot of xt changes in every iteration."""
    text = STREAM.replace("sb xt [128, 2048] fp32", "sb xt [128, 2048] fp32 ring 3")

    assert str(planned(text)["xt"].slot) == "(2*i + j) mod 3"


def test_an_accumulator_ignores_its_reduction_loop():
    """The slot of a matmul's output depends on m and n, not on k."""
    text = MATMUL.replace("psum acc [128, 512] fp32", "psum acc [128, 512] fp32 ring 3")

    assert str(planned(text)["acc"].slot) == "(2*m + n) mod 3"


def test_a_ring_that_reached_the_target_is_limited_by_nothing():
    """It has what it wants."""
    ring = planned(STREAM)["xt"]

    assert (ring.limited_by, ring.wanted) == (Limit.NONE, ring.slots)


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_a_ring_of_the_user_is_honoured(slots):
    """It is neither grown nor trimmed."""
    ring = planned(copy(f"ring {slots}"))["t"]

    assert (ring.slots, ring.limited_by) == (slots, Limit.USER)


def test_a_ring_of_the_user_says_what_would_be_enough():
    """The wanted slots are counted from one, whatever the user asked for."""
    text = STREAM.replace("sb xt [128, 2048] fp32", "sb xt [128, 2048] fp32 ring 4")
    ring = planned(text)["xt"]

    assert (ring.slots, ring.wanted) == (4, 2)


def test_a_ring_longer_than_its_trips_is_refused():
    """A slot that no iteration uses is an error, with the place and the remedy."""
    with pytest.raises(
        PlanError, match="ring 5 of t has more slots than the 4"
    ) as error:
        planned(copy("ring 5"))

    assert (error.value.hint, error.value.line) == ("write ring 4 or less", 6)


def test_a_ring_without_room_is_refused():
    """The user's ring is not cut down to what fits."""
    with pytest.raises(PlanError) as error:
        planned(copy("ring 3"), sb_bytes_per_partition=3 * 2048)

    assert error.value.message == (
        "ring 3 of t needs 6144 bytes/partition and the other buffers 2048; "
        "sb of planning has 6144"
    )


def test_a_psum_ring_without_room_is_counted_in_banks():
    """The message says how many banks there are and how many are asked for."""
    text = MATMUL.replace("psum acc [128, 512] fp32", "psum acc [128, 512] fp32 ring 9")
    with pytest.raises(PlanError) as error:
        planned(text.replace("m in [0, 2)", "m in [0, 8)").replace("256", "1024"))

    assert error.value.message == "ring 9 of acc needs 9 banks; psum of planning has 8"
    assert (
        error.value.hint == "ask for fewer slots of acc, or leave the ring to the plan"
    )


def test_a_kernel_that_does_not_fit_is_refused_first():
    """Not even packed tightly: that is an error of capacity, not of the plan."""
    with pytest.raises(CapacityError, match="sb is too small: t 2048, u 2048"):
        planned(copy("ring 3"), sb_bytes_per_partition=4095)


def test_a_ring_that_memory_stops_is_limited_by_capacity():
    """It wants a slot more and there is no room."""
    ring = planned(STREAM, sb_bytes_per_partition=3 * 8192)["xt"]

    assert (ring.slots, ring.wanted, ring.limited_by) == (1, 2, Limit.CAPACITY)


def test_a_ring_that_its_loops_stop_is_limited_by_its_trips():
    """A buffer outside all loops has one instance and can have no second slot."""
    once = """sb g [128, 2] fp32
      ld_g: dma.load g <- x[0:+128, 0:+2]
      for i"""
    text = STREAM.replace("for i", once).replace("<- xt, yt", "<- xt, yt, g")
    ring = planned(text, sb_bytes_per_partition=3 * 8192 + 8)["g"]

    assert (ring.slots, ring.limited_by) == (1, Limit.TRIP)


def test_the_unrolled_program_is_kept():
    """What the trials needed is not made twice."""
    state = PlanRings().run(state_of(STREAM)).state

    assert None not in (state.program, state.cells, state.flow, state.bound)


def test_without_a_search_a_ring_without_room_is_refused_too():
    """What the user asked for is given or refused, planned or not."""
    function = kernel(copy("ring 3"))
    small = replace(PLANNING, sb_bytes_per_partition=3 * 2048)

    with pytest.raises(PlanError, match="ring 3 of t needs 6144 bytes"):
        single_slots(unroll(function, small))


def test_without_a_search_every_buffer_has_one_slot():
    """Or what its user asked for."""
    slots = single_slots(unrolled(copy("ring 3"))).slots()

    assert {t.name: n for t, n in slots.items()} == {"t": 3, "u": 1}


def scheduled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the length of each program that is scheduled."""
    lengths: list[int] = []
    list_schedule = list_scheduler.list_schedule

    def counted(program: Program, edges: Edges, priority: str) -> Schedule:
        lengths.append(len(program))
        return list_schedule(program, edges, priority)

    monkeypatch.setattr(list_scheduler, "list_schedule", counted)
    return lengths


LONG_STREAM = STREAM.replace("[1024,", "[51200,").replace("[0, 8)", "[0, 400)")


def test_a_long_program_is_searched_on_its_beginning(monkeypatch: pytest.MonkeyPatch):
    """The plan is that of a search on the whole, which is scheduled twice only."""
    whole = planned(LONG_STREAM)
    lengths = scheduled(monkeypatch)
    monkeypatch.setattr(planning, "LONG_PROGRAM", 3_000)
    part = planned(LONG_STREAM)

    assert {n: r.slots for n, r in part.items()} == {
        n: r.slots for n, r in whole.items()
    }
    assert part["xt"].limited_by is Limit.NONE
    # The whole packed tightly, by the whole portfolio; then with the plan.
    assert lengths.count(3_200) <= 4
    assert min(lengths) == 1_000


def test_a_window_that_misses_is_doubled(monkeypatch: pytest.MonkeyPatch):
    """Where no plan reaches the target, three windows are tried and no more."""
    lengths = scheduled(monkeypatch)
    monkeypatch.setattr(planning, "LONG_PROGRAM", 3_000)
    monkeypatch.setattr("rotation.rings.search.TARGET_PERCENT", 90)
    planned(LONG_STREAM)

    assert {1_000, 2_000} <= set(lengths)
