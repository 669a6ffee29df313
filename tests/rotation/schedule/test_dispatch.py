"""A repetition gives the same starts as going through all iterations."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.schedule.dispatch import _Dispatch, dispatched_ps
from rotation.schedule.list_scheduler import PRIORITIES, _priority
from rotation.schedule.steady import Steady, in_step, steady_rows
from rotation.unrolled.program import Edges, Ints, Program
from tests.rotation.schedule.programs import edge_list, nest, parallel

STATEMENTS = 6


def with_costs(program: Program, busy: list[int], latency: list[int]) -> Program:
    """Return a program in which each statement has a cost of its own."""
    columns = (np.array(each, np.int64)[program.statement] for each in (busy, latency))
    busy_ps, latency_ps = columns
    return replace(program, busy_ps=busy_ps, latency_ps=latency_ps)


def ranked(program: Program, edges: Edges, priority: str) -> tuple[Ints, Steady | None]:
    numbers = _priority(program, edges, priority)
    steady = steady_rows(program, edges)
    if steady is not None:
        steady = in_step(steady, numbers)
    return np.argsort(numbers, kind="stable"), steady


NESTS = {rings: nest(60, rings) for rings in [(1, 1, 1, 1), (2, 1, 3, 2), (3, 2, 5, 4)]}
costs = st.lists(st.integers(1, 9), min_size=STATEMENTS, max_size=STATEMENTS)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(NESTS)), costs, costs, st.sampled_from(PRIORITIES))
def test_a_repetition_starts_everything_when_it_would_start(
    rings: tuple[int, ...], busy: list[int], latency: list[int], priority: str
):
    """Costs, rings and priorities of all kinds."""
    program, edges = NESTS[rings]
    program = with_costs(program, busy, latency)
    by_rank, steady = ranked(program, edges, priority)

    assert np.array_equal(
        dispatched_ps(program, edges, by_rank, steady),
        dispatched_ps(program, edges, by_rank),
    )


@pytest.mark.parametrize("priority", PRIORITIES)
def test_a_steady_loop_is_gone_through_once(priority: str):
    """A few iterations are dispatched, of 400."""
    program, edges = nest(400, (2, 1, 3, 2))
    by_rank, steady = ranked(program, edges, priority)
    dispatch = _Dispatch(program, edges, by_rank, steady)
    dispatch.run()

    assert len(dispatch.order) < len(program) / 2
    assert (dispatch.starts_ps() >= 0).all()


def test_a_loop_whose_loads_wait_for_nothing_is_gone_through():
    """Their number under way has no end, so no state comes back."""
    program = parallel(*[3] * 600)
    edges = edge_list()
    by_rank = np.arange(len(program))
    steady = Steady(first=0, past=600, period=1, span=0)
    starts = dispatched_ps(program, edges, by_rank, steady)

    assert starts.tolist() == [3 * row for row in range(600)]


def test_what_waits_for_a_late_start_is_not_repeated():
    """While something before the loop is not complete, its iterations differ."""
    program, edges = NESTS[2, 1, 3, 2]
    busy = [1, 1, 1, 1, 1, 1]
    program = with_costs(program, busy, [900, 1, 1, 1, 1, 1])
    by_rank, steady = ranked(program, edges, "source-order")

    assert np.array_equal(
        dispatched_ps(program, edges, by_rank, steady),
        dispatched_ps(program, edges, by_rank),
    )
