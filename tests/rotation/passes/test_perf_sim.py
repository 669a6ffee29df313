import numpy as np
import pytest
from hypothesis import given

from rotation.dependence.reduction import reduced
from rotation.loop_form.kernel import Engine
from rotation.passes.base import built
from rotation.passes.perf_sim import PerfSim, simulate
from rotation.schedule.list_scheduler import list_schedule
from rotation.unrolled.program import Program, Schedule
from tests.rotation.dependence.edges import edges_of
from tests.rotation.passes.states import until
from tests.rotation.programs import (
    MATMUL,
    STREAM,
    Op,
    program_of,
    random_programs,
    tile,
)


@given(random_programs())
def test_reduced_edges_keep_the_times_of_the_scheduler(program: Program):
    """In-order queues and the reduced edges give back every start of the schedule."""
    edges = edges_of(program, 1)
    schedule = list_schedule(program, edges, "height")
    left = reduced(program, edges, schedule.order)

    assert (
        simulate(program, left, schedule).start_ps.tolist()
        == schedule.start_ps.tolist()
    )


@pytest.mark.parametrize("text", [STREAM, MATMUL])
def test_the_simulation_confirms_the_schedule(text):
    """The makespan that the scheduler promised is the one that is reported."""
    state = until("perf_sim", text)
    after = PerfSim().run(state).state

    promised = built(state.schedule, "schedule").makespan_ps
    assert built(after.schedule, "schedule").makespan_ps == promised


def test_a_blocked_instruction_blocks_its_queue():
    """Queues are in order: what stands behind a waiting one waits too."""
    ops = [Op(Engine.DMA, 5, 4, ()), Op(Engine.PE, 1, 0, ()), Op(Engine.PE, 1, 0, ())]
    program = program_of([tile("s", (1,))], ops)
    one = np.array([0])
    edges = edges_of(program, 1)
    edges = type(edges)(one, np.array([1]), np.array([4]))
    given_order = Schedule(np.arange(3), np.zeros(3, np.int64), 0, "hand")

    assert simulate(program, edges, given_order).start_ps.tolist() == [0, 9, 10]
