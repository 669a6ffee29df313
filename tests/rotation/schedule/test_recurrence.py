import numpy as np

from rotation.schedule.bound import constraint_edges
from rotation.schedule.paths import earliest_start_ps
from rotation.schedule.recurrence import Recurrence, longest_path, recurrences
from rotation.unrolled.footprint import logical_cells
from tests.rotation.programs import COPY, MATMUL, STREAM, SUM, unrolled


def found(text: str) -> dict[str, Recurrence]:
    program = unrolled(text)
    edges = constraint_edges(program, logical_cells(program))
    each = recurrences(program, edges, earliest_start_ps(program, edges))
    return {loop.index.name: recurrence for loop, recurrence in each.items()}


def names(recurrence: Recurrence) -> list[str]:
    return [tensor.name for tensor in recurrence.tensors]


def test_a_running_sum_recurs_once_an_addition():
    """The interval is the time of one addition, and the sum carries it."""
    program = unrolled(SUM)
    (loop,) = found(SUM).values()

    assert loop.interval_ps == program.busy_ps[2]
    assert (names(loop), loop.turn) == (["total"], (2,))


def test_an_accumulator_recurs_over_its_inner_loop_only():
    """The sums of different outputs have nothing to do with each other."""
    loops = found(MATMUL)

    assert {name: names(each) for name, each in loops.items()} == {"k": ["acc"]}


def test_a_stream_has_no_recurrence():
    """Its iterations share nothing that a ring could not part."""
    assert found(STREAM) == {}


def test_a_ring_of_the_user_recurs():
    """With one slot for all instances load and copy take turns."""
    (loop,) = found(COPY.replace("RING", "ring 1")).values()
    program = unrolled(COPY.replace("RING", ""))
    turn_ps = (program.busy_ps + program.latency_ps)[:2].sum()

    assert (names(loop), loop.interval_ps) == (["t"], turn_ps)


def test_a_longer_distance_divides_the_chain():
    """Two slots let two iterations share one turn."""
    one, two = (found(COPY.replace("RING", f"ring {n}"))["i"] for n in (1, 2))

    assert 2 * two.interval_ps == one.interval_ps


def test_the_longest_path_makes_its_end_start_when_it_does():
    """Each row is complete exactly when the next one may start."""
    program = unrolled(SUM)
    edges = constraint_edges(program, logical_cells(program))
    start = earliest_start_ps(program, edges)
    done = start + program.busy_ps + program.latency_ps
    path = longest_path(program, edges, start, len(program) - 1)

    assert np.array_equal(done[path[:-1]], start[path[1:]])
    assert start[path[0]] == 0
