from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.explaining.blame import blamed, idle_ps
from rotation.explaining.waits import Cause, Wait, all_waits
from rotation.loop_form.kernel import Engine
from rotation.schedule.list_scheduler import PRIORITIES
from rotation.unrolled.program import Placement, Program, Schedule
from tests.rotation.dependence.edges import ringed
from tests.rotation.explaining.placed import finished, in_rings, ran
from tests.rotation.kernels import legal_kernel_texts
from tests.rotation.programs import (
    COPY,
    MATMUL,
    STREAM,
    TURNS,
    Access,
    Op,
    program_of,
    random_programs,
    tile,
    unrolled,
)


def waits_of(
    program: Program, placement: Placement, order: Schedule | str
) -> list[Wait]:
    """Return the waits of a placed program."""
    return list(all_waits(*ran(program, placement, order)))


def idle(text: str, slots: int, engine: Engine) -> dict[str, int]:
    """Return the idle time of an engine by cause; only causes that occur [ps]."""
    found: Counter[str] = Counter()
    program = unrolled(text)
    for wait in waits_of(program, in_rings(program, slots), "source-order"):
        if wait.engine is engine:
            found[wait.cause.value] += wait.end_ps - wait.begin_ps
    return dict(found)


@given(random_programs(), st.integers(1, 3), st.sampled_from(PRIORITIES))
def test_work_and_waits_fill_the_time_of_every_engine(
    program: Program, slots: int, priority: str
):
    """No moment is left out, and none is counted twice."""
    known, schedule = ran(program, ringed(program, slots), priority)
    spans: dict[Engine, list[tuple[int, int]]] = {}
    for wait in all_waits(known, schedule):
        spans.setdefault(wait.engine, []).append((wait.begin_ps, wait.end_ps))
    for row in range(len(program)):
        engine = Engine(int(program.engine[row]))
        span = (known.start_ps[row], known.end_ps[row])
        spans.setdefault(engine, []).append(span)

    for taken in spans.values():
        taken.sort()
        assert taken[0][0] == 0
        assert taken[-1][1] == schedule.makespan_ps
        assert [end for _, end in taken[:-1]] == [begin for begin, _ in taken[1:]]


@settings(max_examples=20)
@given(legal_kernel_texts(), st.booleans())
def test_every_kernel_has_all_its_idle_time_explained(text: str, plan: bool):
    """Planned or not, the causes of each engine add up to what it does not work."""
    state = finished(text, plan=plan)
    blames = blamed(state).items()

    for ordinal in set(state.program.engine.tolist()):
        busy_ps = state.program.busy_ps[state.program.engine == ordinal].sum()
        idle_of_engine_ps = sum(idle_ps(blames, Engine(ordinal)).values())
        assert busy_ps + idle_of_engine_ps == state.schedule.makespan_ps


@given(random_programs(), st.sampled_from(PRIORITIES))
def test_with_a_slot_for_each_instance_no_ring_is_to_blame(
    program: Program, priority: str
):
    """Then there are no loose dependences."""
    own = ringed(program, 3)  # as many as there are instances
    causes = {wait.cause for wait in waits_of(program, own, priority)}

    assert Cause.RING not in causes


@pytest.mark.parametrize("text", [STREAM, MATMUL, COPY.replace("RING", "")])
def test_with_one_slot_each_a_dma_waits_for_rings(text: str):
    """Loads could go ahead but for the bytes, until only the last store is left."""
    found = idle(text, 1, Engine.DMA)

    assert found.keys() == {"ring", "resource", "latency", "drain"}
    assert found["ring"] > sum(found.values()) / 2


def test_a_copy_engine_waits_for_the_dma_that_works_all_the_time():
    """Then no ring would help the faster engine."""
    found = idle(STREAM, 16, Engine.VECTOR)

    assert found.keys() == {"fill", "resource", "drain"}


def test_the_waits_of_a_single_iteration_are_a_sequence():
    """Between load and store a dma waits for a latency and for the copy."""
    text = COPY.replace("RING", "").replace("[0, 4)", "[0, 1)")
    program = unrolled(text)

    assert idle(text, 1, Engine.DMA) == {
        "latency": program.latency_ps[0],
        "resource": program.busy_ps[1],
        "drain": program.latency_ps[2],
    }


def test_a_value_that_goes_round_is_a_recurrence():
    """Two engines take turns at a sum that each of them needs."""
    found = idle(TURNS, 8, Engine.GPSIMD)

    assert found.keys() == {"fill", "recurrence", "drain"}


def test_a_recurrence_is_told_from_the_ring_that_it_fills():
    """Loads that wait for slots wait for the sum: more slots would fill up too."""
    text = TURNS.replace("[0, 8)", "[0, 64)").replace("4096", "32768")
    found = idle(text, 4, Engine.DMA)

    assert found["recurrence"] > 0.8 * sum(found.values())


SLOW = COPY.replace("RING", "").replace(
    "cp: scalar.copy u <- t", "cp: gpsimd.copy u <- t\n    sq: gpsimd.square u <- t"
)
"""Two operations of the slowest engine in each of four iterations."""


def test_an_engine_that_keeps_rings_full_is_the_resource():
    """Loads wait for slots, but more slots would be full as well."""
    text = SLOW.replace("[0, 4)", "[0, 64)").replace("2048]", "32768]")
    found = idle(text, 3, Engine.DMA)

    assert found["resource"] > 0.8 * sum(found.values())


def test_a_ready_instruction_behind_a_blocked_one_waits_for_the_queue():
    """The second transfer could go at once, but the queue has it last."""
    accesses = [Access(0, k, (0,), (1,), is_write=True) for k in range(2)]
    program = program_of(
        [tile("s", (1,))],
        [
            Op(Engine.VECTOR, 9, 0, (accesses[0],)),
            Op(Engine.DMA, 1, 0, (accesses[0]._replace(is_write=False),)),
            Op(Engine.DMA, 1, 0, (accesses[1],)),
            Op(Engine.DMA, 2, 0, (accesses[1]._replace(instance=2),)),
        ],
    )
    order = Schedule(np.array([0, 2, 1, 3]), np.zeros(4, np.int64), 0, "by hand")
    (wait,) = (
        w
        for w in waits_of(program, ringed(program, 3), order)
        if w.engine is Engine.DMA
    )

    assert (wait.cause, wait.blocked, wait.front) == (Cause.QUEUE_ORDER, 3, 1)
    assert (wait.begin_ps, wait.end_ps) == (1, 9)


def test_a_wait_names_the_edge_behind_it():
    """The second load waits for the first copy to leave the bytes."""
    program = unrolled(COPY.replace("RING", ""))
    waits = waits_of(program, in_rings(program, 1), "source-order")
    first = min(
        (w for w in waits if w.cause is Cause.RING and w.engine is Engine.DMA),
        key=lambda wait: wait.begin_ps,
    )

    assert (first.blocked, first.edge.source, first.edge.sink) == (3, 1, 3)
