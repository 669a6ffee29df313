import importlib

import numpy as np
import pytest
from hypothesis import given

from rotation.allocation import (
    FAST_STEPS,
    Buffers,
    allocate,
    buffers,
    faults,
    max_live,
)
from rotation.allocation.allocate import NEAR_STEPS
from rotation.allocation.buffers import TimeSlots
from rotation.allocation.check import Fault
from rotation.allocation.packing import Packing
from rotation.errors import AllocationError, CapacityError
from tests.rotation.allocation.strategies import small_tables
from tests.rotation.allocation.tables import NAMES, random_table, trace

# The function hides the module of its name in the package.
MODULE = importlib.import_module("rotation.allocation.allocate")


@given(small_tables())
def test_a_placement_has_no_fault(table: Buffers):
    """Nothing overlaps, and all are aligned."""
    found = allocate(table, steps=100)

    assert faults(table, found.offset) == ()
    assert found.peak == (found.offset + table.size).max()
    assert found.max_live == max_live(table) <= found.peak


@given(small_tables(pins=True))
def test_pinned_buffers_stay_and_the_others_avoid_them(table: Buffers):
    """Pinned ones keep their offsets."""
    assert faults(table, allocate(table, steps=100).offset) == ()


@pytest.mark.parametrize("together", [3, 0], ids=["mixed", "first fit alone"])
@given(table=small_tables(pins=True))
def test_groups_that_no_search_takes_are_placed_by_first_fit(
    table: Buffers, together: int
):
    """A group of too many buffers goes with the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MODULE, "MOST_TOGETHER", together)
        found = allocate(table, steps=100)

    assert faults(table, found.offset) == ()


def test_nothing_takes_no_room():
    """An empty table has a peak of 0."""
    found = allocate(buffers([], [], []))

    assert (len(found.offset), found.peak, found.max_live) == (0, 0, 0)


def test_the_same_table_has_the_same_placement():
    """Nothing depends on time or on chance."""
    first, second = (allocate(trace("A"), steps=3_000) for _ in range(2))

    assert first.offset.tolist() == second.offset.tolist()


def test_the_traces_are_packed_fast():
    """The mean of peak / max live is below 1.15 with the steps of the fast mode."""
    found = [allocate(trace(name)) for name in NAMES]

    assert np.mean([f.peak / f.max_live for f in found]) <= 1.15
    assert all(f.steps <= FAST_STEPS + 2_500 for f in found)


@pytest.mark.parametrize(("name", "ratio"), [("A", 1.08), ("E", 1.12), ("I", 1.10)])
def test_more_steps_pack_tighter(name: str, ratio: float):
    """Of hard traces the search comes close to max live."""
    table = trace(name)
    found = allocate(table, steps=60_000)

    assert faults(table, found.offset) == ()
    assert found.peak / found.max_live <= ratio


@pytest.mark.parametrize("count", [100, 300, 3_000, 10_000])
def test_random_tables_are_packed_within_five_percent_of_max_live(count: int):
    """Small and large ones."""
    table = random_table(count, seed=1)
    found = allocate(table)

    assert faults(table, found.offset) == ()
    assert found.peak <= 1.05 * found.max_live


def test_a_search_that_is_near_goes_on():
    """Of twenty tables this one is not within five percent after the first steps."""
    table = random_table(1_000, seed=1)
    found = allocate(table)

    assert faults(table, found.offset) == ()
    assert found.peak <= 1.05 * found.max_live
    assert FAST_STEPS + 10_000 < found.steps <= NEAR_STEPS + 5_000


def test_a_capacity_that_holds_ends_the_search():
    """The first placement that fits is taken."""
    found = allocate(trace("A"), steps=60_000, capacity=1_258_291)

    assert found.peak <= 1_258_291
    assert found.steps < 1_000


def test_what_cannot_fit_names_need_and_capacity():
    """More lives at one moment than there is room."""
    with pytest.raises(CapacityError) as caught:
        allocate(buffers([0, 0], [2, 2], [8, 4]), capacity=11)

    assert caught.value.message == (
        "the buffers do not fit: they need 12 bytes, the capacity is 11; "
        "12 live at one moment"
    )
    assert (caught.value.need, caught.value.capacity) == (12, 11)


def test_what_is_not_found_to_fit_says_how_long_was_searched():
    """The need is then the lowest peak that was found."""
    with pytest.raises(CapacityError, match=r"\d+ steps found no lower peak") as caught:
        allocate(trace("K"), steps=0, capacity=1_048_576)

    assert caught.value.need > 1_048_576
    assert caught.value.hint == "allow more steps"


def test_pinned_buffers_that_overlap_are_refused():
    """No placement can be right."""
    table = buffers([0, 1, 1], [2, 2, 3], [8, 4, 8], pinned=[0, -1, 4])

    with pytest.raises(AllocationError, match="pinned buffers 0 and 2 overlap"):
        allocate(table)


def test_a_buffer_fits_between_two_pinned_ones():
    """Room below a pinned buffer is used."""
    table = buffers([0, 0, 0], [4, 4, 4], [8, 8, 8], pinned=[0, 16, -1])

    assert allocate(table).offset.tolist() == [0, 16, 8]


def rounds(
    monkeypatch: pytest.MonkeyPatch, count: int, seed: int
) -> tuple[list[int], tuple[Fault, ...]]:
    """Return how many buffers each round places by first fit, and what is wrong."""
    placed, first_fit = [], MODULE.first_fit

    def noted(table: Buffers, slots: TimeSlots, order: list[int]) -> Packing:
        placed.append(len(order))
        return first_fit(table, slots, order)

    monkeypatch.setattr(MODULE, "first_fit", noted)
    table = random_table(count, seed)
    return placed, faults(table, allocate(table, steps=0).offset)


@pytest.mark.parametrize(("count", "seed"), [(2_000, 10), (3_000, 8), (4_000, 5)])
def test_a_later_round_places_only_what_lives_with_something_new(
    monkeypatch: pytest.MonkeyPatch, count: int, seed: int
):
    """All else stays where it was, and nothing overlaps."""
    placed, wrong = rounds(monkeypatch, count, seed)

    assert wrong == ()
    assert len(placed) > 1
    assert max(placed[1:]) < 0.6 * placed[0]


def test_a_group_that_outgrows_its_search_is_placed_again(
    monkeypatch: pytest.MonkeyPatch,
):
    """Its offsets of the round before are given up, with all that lived with them."""
    placed, wrong = rounds(monkeypatch, 4_000, 3)

    assert (placed[-1], wrong) == (4_000, ())
