from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.check import check_races
from rotation.program import Program
from tests.rotation.check.builder import in_turn, private
from tests.rotation.check.oracle import can_race
from tests.rotation.check.random_programs import (
    forward_waits,
    programs,
    shared_placements,
)


@given(st.data(), programs())
def test_a_race_is_reported_if_and_only_if_some_run_breaks_a_conflict(
    data: st.DataObject, program: Program
):
    """The vector clocks agree with a walk through all runs of the machine."""
    placement = data.draw(shared_placements(program))
    edges = data.draw(forward_waits(program))
    schedule = in_turn(program)

    expected = can_race(program, placement, edges, schedule.order.tolist())
    assert expected == bool(check_races(program, placement, edges, schedule))
