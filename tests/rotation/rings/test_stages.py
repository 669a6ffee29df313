from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.errors import ArgumentError
from rotation.rings.stages import slots_needed


def simulated(stages: dict[str, int], order: Sequence[str], trips: int = 12) -> int:
    """Return the least ring in which no use finds its slot loaded anew, by running."""
    load = next(iter(stages))
    for slots in range(1, trips + 1):
        holds: dict[int, int] = {}
        right = True
        for turn in range(trips + max(stages.values())):
            for name in order:
                iteration = turn - stages[name]
                if not 0 <= iteration < trips:
                    continue
                if name == load:
                    holds[iteration % slots] = iteration
                right &= holds[iteration % slots] == iteration
        if right:
            return slots
    raise AssertionError("no ring is enough")


def test_a_use_before_the_next_load_needs_a_slot_less():
    """Four stages need three slots if the consumer comes first, else four."""
    stages = {"load": 0, "use": 3}

    assert slots_needed(stages, ["use", "load"]) == 3
    assert slots_needed(stages, ["load", "use"]) == 4


def test_operands_of_a_background_operation_live_until_its_wait():
    """Issued in stage 1 and waited for in stage 2: three slots, or two."""
    stages = {"load": 0, "multiply": 1, "wait": 2}

    assert slots_needed(stages, ["load", "multiply", "wait"]) == 3
    assert slots_needed(stages, ["wait", "load", "multiply"]) == 2


def test_without_a_use_one_slot_is_enough():
    """Nothing that is loaded lives on."""
    assert slots_needed({"load": 0}, ["load"]) == 1


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3), st.data())
def test_the_least_ring_is_found_by_running_too(uses: list[int], data: st.DataObject):
    """With one slot less some use reads what a later iteration loaded."""
    stages = {"load": 0, **{f"use{k}": stage for k, stage in enumerate(uses)}}
    order = data.draw(st.sampled_from(list(permutations(stages))))
    late = [
        n for n in stages if stages[n] == 0 and order.index(n) < order.index("load")
    ]
    if late:
        with pytest.raises(ArgumentError):
            slots_needed(stages, order)
        return

    assert slots_needed(stages, order) == simulated(stages, order)


@pytest.mark.parametrize(
    ("stages", "order", "message"),
    [
        ({}, [], "needs the stage of a load"),
        ({"load": 0, "use": 1}, ["load"], "'use' is 0 times in the order"),
        ({"load": 0, "use": 1}, ["load", "use", "use"], "'use' is 2 times"),
        ({"load": 2, "use": 1}, ["load", "use"], "in stage 1 what 'load' loads later"),
    ],
)
def test_a_mistake_is_named(stages: dict[str, int], order: list[str], message: str):
    """What is wrong, and what to do."""
    with pytest.raises(ArgumentError, match=message) as caught:
        slots_needed(stages, order)

    assert caught.value.hint
