"""Which rows of a loop repeat."""

from dataclasses import replace

import numpy as np

from rotation.schedule.steady import in_step, steady_rows
from rotation.unrolled.program import Edges
from tests.rotation.schedule.programs import nest

EACH = 11
"""Instructions of one iteration of the nest: three times three, and two."""

PROGRAM, EDGES = nest(40, (2, 1, 3, 2))
FIRST, PAST = 1 + 2 * EACH, 1 + 40 * EACH


def test_all_iterations_behind_the_first_rings_are_steady():
    """The first ones wait for no slot; one instruction stands before the loop."""
    steady = steady_rows(PROGRAM, EDGES)

    assert steady is not None
    assert (steady.past, steady.period) == (PAST, EACH)
    assert steady.first in {FIRST - EACH, FIRST}


def test_the_span_is_that_of_the_farthest_dependence():
    """Of those from inside the loop; what comes before it is complete in time."""
    steady = steady_rows(PROGRAM, EDGES)
    inside = EDGES.source > 0

    assert steady is not None
    assert steady.span == (EDGES.sink - EDGES.source)[inside].max()


def test_a_row_with_another_cost_ends_the_steady_part():
    """The longer part counts."""
    busy_ps = PROGRAM.busy_ps.copy()
    row = 1 + 10 * EACH + 3
    busy_ps[row] += 1
    steady = steady_rows(replace(PROGRAM, busy_ps=busy_ps), EDGES)

    assert steady is not None
    assert (steady.first, steady.past) == (1 + 11 * EACH, PAST)


def test_a_dependence_more_ends_the_steady_part():
    """Iterations with it are not like those without."""
    row = 1 + 30 * EACH
    at = int(np.searchsorted(EDGES.sink, row))
    source, sink = np.insert(EDGES.source, at, row - 7), np.insert(EDGES.sink, at, row)
    edges = Edges(source, sink, np.insert(EDGES.kind, at, 1))
    steady = steady_rows(PROGRAM, edges)

    assert steady is not None
    assert steady.past == row


def test_what_waits_behind_the_loop_for_all_of_it_leaves_nothing_steady():
    """It would have to be told of each repetition."""
    source = np.append(EDGES.source, 1 + 20 * EACH)
    sink = np.append(EDGES.sink, PAST)
    edges = Edges(source, sink, np.append(EDGES.kind, 1))

    assert steady_rows(PROGRAM, edges) is None


def test_few_iterations_are_not_looked_at():
    """Of eight the first one differs, and seven are too few."""
    assert steady_rows(*nest(8, (1, 1, 1, 1))) is None


def test_edges_in_another_order_are_not_looked_at():
    """Only those of an iteration that stand together can be compared."""
    edges = Edges(EDGES.source[::-1], EDGES.sink[::-1], EDGES.kind[::-1])

    assert steady_rows(PROGRAM, edges) is None


def test_priorities_that_move_on_evenly_are_in_step():
    """Iterations are taken together until a period is long enough."""
    steady = steady_rows(PROGRAM, EDGES)
    assert steady is not None
    rows = np.arange(len(PROGRAM))

    found = in_step(steady, 5 * (rows // EACH))
    assert found is None  # six iterations make a period, and of these there are six
    longer = steady_rows(*nest(100, (2, 1, 3, 2)))
    assert longer is not None
    found = in_step(longer, np.arange(1 + 100 * EACH))
    assert found is not None
    assert found.period == 6 * EACH


def test_priorities_that_turn_after_some_iterations_are_in_step_then():
    """A critical path through a ring of seven comes back after seven iterations."""
    steady = steady_rows(*nest(140, (2, 1, 3, 2)))
    assert steady is not None
    trip = np.arange(1 + 140 * EACH) // EACH

    found = in_step(steady, trip // 7)
    assert found is not None
    assert found.period == 7 * EACH


def test_priorities_without_a_rule_are_not_in_step():
    """Squares never move on evenly."""
    steady = steady_rows(*nest(100, (2, 1, 3, 2)))
    assert steady is not None

    assert in_step(steady, np.arange(1 + 100 * EACH) ** 2) is None
