import pytest

from rotation.errors import PlanError
from rotation.kept.form import tree_of
from rotation.kept.search import bodies_of, planned, trips_at, window_values
from rotation.rings.plan import Limit
from tests.rotation.kept.programs import NEST, ROWS, straight
from tests.rotation.programs import PLANNING, kernel


def rings(text: str) -> dict[str, tuple[int, Limit]]:
    """Return the planned slots of each buffer, and why there are no more."""
    plan, _ = planned(bodies_of(tree_of(kernel(text)), PLANNING))
    return {ring.tensor.name: (ring.slots, ring.limited_by) for ring in plan.rings}


def test_the_plan_comes_near_the_bound():
    """Within the target, and no ring can be one smaller."""
    plan, trials = planned(bodies_of(tree_of(kernel(ROWS)), PLANNING))
    slots = tuple(ring.slots for ring in plan.rings)

    assert trials.makespan_ps(slots) <= trials.target_ps
    for row, count in enumerate(slots):
        if count > 1:
            fewer = (*slots[:row], count - 1, *slots[row + 1 :])
            assert trials.makespan_ps(fewer) > trials.target_ps


def test_a_ring_of_the_user_is_honoured():
    """Also one that is longer than the trips of the window."""
    text = ROWS.replace("zt [128, 512] fp32", "zt [128, 512] fp32 ring 20")

    assert rings(text)["zt"] == (20, Limit.USER)


def test_a_ring_longer_than_its_static_trips_is_refused():
    """The outer loop makes four instances, whatever the register holds."""
    text = NEST.replace("sb s [128, 512] fp32", "sb s [128, 512] fp32 ring 5")

    with pytest.raises(PlanError, match="ring 5 of s has more slots than the 4"):
        rings(text)


def test_rings_of_the_user_without_room_are_refused():
    """With what to do about it."""
    text = ROWS.replace("zt [128, 512] fp32", "zt [128, 512] fp32 ring 200")

    with pytest.raises(PlanError, match="ring 200 of zt: with one slot of each other"):
        rings(text)


def test_the_window_has_a_thousand_operations_if_trips_make_them():
    """Never more trips than the register may have."""
    assert window_values(kernel(ROWS)) == {"n": 64}
    assert window_values(kernel(NEST)) == {"n": 8}


@pytest.mark.parametrize(("value", "trips"), [(4, 0), (-3, 0), (5, 1), (6, 1), (7, 2)])
def test_trips_of_a_number_count_from_the_start_in_steps(value: int, trips: int):
    """Whole ones; none if the register holds the start or less."""
    text = ROWS.replace("[0, %n)", "[4, %n) step 2").replace("128*i:", "64*i:")
    loop = straight(text, "i").loop

    assert trips_at(loop, {"n": value}) == trips
