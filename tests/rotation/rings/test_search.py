from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings

from rotation.rings import search
from rotation.rings.rooms import trials_of
from rotation.rings.search import Trials, search_rings, wanted_slots
from rotation.unrolled.unroll import unroll
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.programs import COPY, MATMUL, PLANNING, STREAM, kernel

FREE_COPY = COPY.replace("RING", "")


def trials(text: str, **machine: int) -> Trials:
    return trials_of(unroll(kernel(text), replace(PLANNING, **machine)))


def lowered(slots: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return all sizes with one ring shorter by one."""
    rows = range(len(slots))
    one_less = [tuple(n - (r == row) for r, n in enumerate(slots)) for row in rows]
    return [s for s in one_less if min(s) >= 1]


@pytest.mark.parametrize("text", [STREAM, MATMUL, FREE_COPY])
def test_no_ring_of_the_result_can_be_lowered(text):
    """One slot less anywhere leaves the target, or is longer if it was not reached."""
    found = trials(text)
    slots = search_rings(found)
    limit_ps = max(found.target_ps, found.makespan_ps(slots))

    assert all(found.makespan_ps(less) > limit_ps for less in lowered(slots))


def test_stream_reaches_its_target_with_one_more_slot():
    """Of three buffers of one size, the first one gets a second slot."""
    found = trials(STREAM)
    slots = search_rings(found)

    assert slots == (2, 1, 1)
    assert found.makespan_ps(slots) <= found.target_ps


def told(found: Trials, reaches: Callable[[int, int], bool]) -> Trials:
    """Return trials of two rings that reach the target as told; more slots gain."""
    found.target_ps = 100
    sizes = product(range(1, 17), repeat=2)
    found.made = {
        (n, m): 100 if reaches(n, m) else 9000 - 100 * (n + m) for n, m in sizes
    }
    return found


def test_slots_beyond_the_trips_are_not_tried():
    """Two trips and a target that only three slots would reach."""
    found = trials(FREE_COPY.replace("[0, 4)", "[0, 2)"))

    assert max(search_rings(told(found, lambda n, m: max(n, m) > 2))) <= 2


def test_the_largest_buffers_are_trimmed_first():
    """Of two rings of four of which one may lose a slot, the larger tile loses it."""
    text = FREE_COPY.replace("sb u [128, 512] fp32", "sb u [128, 512] bf16")
    text = text.replace("dram z [128, 2048] fp32", "dram z [128, 2048] bf16")

    assert search_rings(told(trials(text), lambda n, m: n + m >= 7)) == (3, 4)


def test_the_search_stays_inside_the_memory():
    """With room for three tiles and no more, nothing grows."""
    found = trials(STREAM, sb_bytes_per_partition=3 * 8192)
    slots = search_rings(found)

    assert slots == (1, 1, 1)


def test_a_space_without_room_for_all_is_shared():
    """Two tiles of 2048 bytes that never live together fit into less than both."""
    serial = """
    kernel serial on planning {
      dram x [128, 512] fp32 input
      dram z [256, 512] fp32 output
      for i in [0, 2) {
        sb t [128, 512] fp32
        sb u [128, 512] fp32
        ld_t: dma.load t <- x
        st_t: dma.store z[0:+128, 0:+512] <- t
        ld_u: dma.load u <- x
        st_u: dma.store z[128:+128, 0:+512] <- u
      }
    }
    """
    found = trials(serial, sb_bytes_per_partition=2048)

    assert search_rings(found) == (1, 1)
    assert found.makespan_ps((1, 1)) > trials(serial).makespan_ps((1, 1))


def test_each_size_is_scheduled_once():
    """A makespan that is asked for again is not computed again."""
    found = trials(STREAM)
    found.makespan_ps((1, 1, 1))
    found.made[1, 1, 1] = 7

    assert found.makespan_ps((1, 1, 1)) == 7


def scripted(spans: dict[int, int]) -> Trials:
    """Return trials in which the makespan depends on the first ring as told."""
    found = trials(STREAM)
    found.target_ps = 100
    found.made = {(n, 1, 1): spans.get(n, 101) for n in range(1, 17)}
    return found


@pytest.mark.parametrize(
    ("spans", "wanted"),
    [
        (dict.fromkeys(range(1, 17), 100), 1),
        ({2: 99, 3: 90}, 2),
        (dict.fromkeys(range(7, 17), 100), 7),
        ({16: 100}, 16),
        ({}, None),
    ],
)
def test_the_wanted_slots_are_the_least_that_reach_the_target(spans, wanted):
    """Sizes below and above the present one are tried; None reaches it, if none."""
    assert wanted_slots(scripted(spans), (3, 1, 1), 0) == wanted


def test_the_compact_placement_is_a_trial_too():
    """No plan is slower than tight packing where that schedule is legal."""
    found = trials(FREE_COPY)
    (compact,) = found.known
    found.known = [replace(compact, makespan_ps=1)]

    assert found.makespan_ps((4, 4)) == 1


@settings(max_examples=30)
@given(legal_kernel_texts())
def test_a_makespan_does_not_grow_where_a_ring_doubles(text):
    """Twice the slots allow every schedule of the ring."""
    found = trials(text)
    single = tuple(room.least for room in found.rooms)
    double = tuple(2 * n for n in single)

    assert found.makespan_ps(double) <= found.makespan_ps(single)


@pytest.mark.parametrize("enough", [1, 2, 9, 500, 999])
def test_a_long_ring_is_trimmed_in_few_trials(enough):
    """The least size is found by halves, not one by one."""
    asked = []

    def reaches(count: int) -> bool:
        asked.append(count)
        return count >= enough

    assert search._least(reaches, 0, 1000) == enough
    assert len(asked) <= 10
