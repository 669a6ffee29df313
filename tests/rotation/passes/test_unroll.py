from dataclasses import replace

from rotation.passes.unroll import DISTINCT, INSTRUCTIONS, LOCATIONS, Unroll
from tests.rotation.programs import STREAM, state_of, unrolled


def test_the_rows_and_locations_are_counted():
    """16 iterations of four operations on three tiles, and three tensors."""
    counts = Unroll().run(state_of(STREAM)).statistics

    assert counts == {INSTRUCTIONS: 64, LOCATIONS: 3 * 16 + 3, DISTINCT: 0}


def test_without_a_plan_every_buffer_gets_one_slot():
    """The later passes find a plan whether rings were planned or not."""
    plan = Unroll().run(state_of(STREAM)).state.plan

    assert plan is not None
    assert set(plan.slots().values()) == {1}


def test_a_program_that_is_there_is_not_made_again():
    """The trials of the plan have unrolled it."""
    program = unrolled(STREAM)
    state = replace(state_of(STREAM), function=program.function, program=program)

    assert Unroll().run(state).state.program is program
