import numpy as np

from rotation.loop_form.kernel import Engine
from rotation.schedule.list_scheduler import timed
from rotation.schedule.measure import (
    fill_ps,
    loop_interval_ps,
    mean_interval_ps,
    steady_interval_ps,
)
from rotation.unrolled.program import Program
from tests.rotation.programs import COPY, MATMUL, SPLIT, STREAM, unrolled


def serial(program: Program):
    """Return the schedule of one thing after the other."""
    done = np.cumsum(program.busy_ps + program.latency_ps)
    return timed(program, np.concatenate(([0], done[:-1])), "serial")


def test_a_serial_loop_has_the_interval_of_one_iteration():
    """Consecutive iterations end one whole iteration apart."""
    program = unrolled(STREAM)
    done = (program.busy_ps + program.latency_ps).tolist()

    assert steady_interval_ps(program, serial(program), Engine.DMA) == sum(done[:4])


def test_the_innermost_loop_of_the_engine_counts():
    """The vector engine works outside the k loop of a matmul, so n is its loop."""
    program = unrolled(MATMUL)
    done = (program.busy_ps + program.latency_ps).tolist()

    assert steady_interval_ps(program, serial(program), Engine.VECTOR) == sum(done[:14])


def test_the_deepest_of_several_loops_counts():
    """The dma engine works in the n loop and in the k loop of a matmul: k it is."""
    program = unrolled(MATMUL)
    done = (program.busy_ps + program.latency_ps).tolist()

    assert steady_interval_ps(program, serial(program), Engine.DMA) == sum(done[:3])


def test_a_loop_that_runs_once_has_no_interval():
    """There are no two iterations to compare."""
    program = unrolled(COPY.replace("RING", "").replace("[0, 4)", "[0, 1)"))

    assert steady_interval_ps(program, serial(program), Engine.DMA) is None


def test_an_engine_outside_loops_has_no_interval():
    """Without a loop there is no iteration."""
    program = unrolled(STREAM)

    assert steady_interval_ps(program, serial(program), Engine.PE) is None


def test_filling_ends_when_the_engine_starts():
    """The vector engine of a serial stream waits for two loads."""
    program = unrolled(STREAM)
    done = (program.busy_ps + program.latency_ps).tolist()

    assert fill_ps(program, serial(program), Engine.VECTOR) == done[0] + done[1]


def test_an_iteration_that_an_if_leaves_out_has_no_interval():
    """Two of four iterations copy, one after the other."""
    text = COPY.replace("RING", "").replace("    ld:", "    if i mod 2 == 0 {\n    ld:")
    program = unrolled(text.replace("<- u\n", "<- u }\n"))
    ends = serial(program).start_ps + program.busy_ps + program.latency_ps
    interval = steady_interval_ps(program, serial(program), Engine.SCALAR)

    assert len(program) == 6
    assert interval == ends[5] - ends[2]


def test_the_median_of_bunches_is_below_the_mean():
    """Iterations that end in threes: two of three gaps are short."""
    program = unrolled(COPY.replace("RING", ""))
    loop = next(iter(program.function.nests.values()))[-1]
    start = np.zeros(len(program), np.int64)
    start[[2, 5, 8, 11]] = 10**8 + np.array([0, 10, 20, 3000])
    bunched = timed(program, start, "by hand")

    assert loop_interval_ps(program, bunched, loop) == 10
    assert mean_interval_ps(program, bunched, loop) == 1000


def test_the_loop_of_a_server_is_that_of_its_own_operations():
    """The stores of a matmul are outside its k loop, where the loads are."""
    program = unrolled(MATMUL, SPLIT)
    done = (program.busy_ps + program.latency_ps).tolist()
    schedule = serial(program)

    assert steady_interval_ps(program, schedule, Engine.DMA_LOAD) == sum(done[:3])
    assert steady_interval_ps(program, schedule, Engine.DMA_STORE) == sum(done[:14])
