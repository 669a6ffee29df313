from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.dependence.dependences import flow_edges
from rotation.errors import InternalError
from rotation.loop_form.kernel import Engine
from rotation.schedule import list_scheduler
from rotation.schedule.list_scheduler import (
    PRIORITIES,
    best_schedule,
    list_schedule,
    respects,
    shortest,
    timed,
)
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Edges, Program, Schedule
from tests.rotation.dependence.edges import edges_of
from tests.rotation.programs import (
    STREAM,
    Op,
    pairs,
    program_of,
    random_programs,
    tile,
    unrolled,
)
from tests.rotation.schedule.programs import edge_list, parallel

priorities = st.sampled_from(PRIORITIES)


def queues(program: Program, schedule: Schedule) -> list[list[int]]:
    order = schedule.order.tolist()
    return [[r for r in order if program.engine[r] == e] for e in set(program.engine)]


@given(random_programs(), priorities)
def test_a_sink_starts_after_its_source_is_complete(program: Program, priority: str):
    """Every edge holds in time, latency included."""
    edges = edges_of(program, 1)
    schedule = list_schedule(program, edges, priority)
    done = schedule.start_ps + program.busy_ps + program.latency_ps

    assert all(done[a] <= schedule.start_ps[b] for a, b, _ in pairs(edges))


@given(random_programs(), priorities)
def test_an_engine_does_one_thing_at_a_time(program: Program, priority: str):
    """The next of a queue starts when the one before is no longer busy."""
    schedule = list_schedule(program, edges_of(program, 1), priority)
    start = schedule.start_ps

    for queue in queues(program, schedule):
        assert all(
            start[a] + program.busy_ps[a] <= start[b] for a, b in pairwise(queue)
        )


@given(random_programs(), priorities)
def test_no_engine_waits_while_it_could_work(program: Program, priority: str):
    """Work-conserving: what starts late had an engine busy, or a source not done."""
    edges = edges_of(program, 1)
    schedule = list_schedule(program, edges, priority)
    start = schedule.start_ps.tolist()
    free = (schedule.start_ps + program.busy_ps).tolist()
    done = (schedule.start_ps + program.busy_ps + program.latency_ps).tolist()
    reasons = {0, *()}

    for row in range(len(program)):
        same = [
            r for r in range(len(program)) if program.engine[r] == program.engine[row]
        ]
        reasons = (
            {0}
            | {free[r] for r in same}
            | {done[a] for a, b, _ in pairs(edges) if b == row}
        )

        assert start[row] in reasons


@given(random_programs())
def test_the_best_ready_instruction_goes_first(program: Program):
    """By source order, nothing overtakes an earlier one that could have started."""
    edges = edges_of(program, 1)
    schedule = list_schedule(program, edges, "source-order")
    start = schedule.start_ps.tolist()
    done = (schedule.start_ps + program.busy_ps + program.latency_ps).tolist()

    for queue in queues(program, schedule):
        for first, later in combinations(queue, 2):
            ready = max((done[a] for a, b, _ in pairs(edges) if b == later), default=0)

            assert first < later or ready > start[first]


@given(random_programs(), priorities)
def test_the_order_is_by_start_engine_and_row(program: Program, priority: str):
    """The total order is the one that the tables promise."""
    schedule = list_schedule(program, edges_of(program, 1), priority)
    keys = [
        (schedule.start_ps[r], program.engine[r], r) for r in schedule.order.tolist()
    ]

    assert keys == sorted(keys)


@given(random_programs())
def test_the_best_of_the_portfolio_is_kept(program: Program):
    """The makespan is the least of all priorities, and the first one that has it."""
    edges = edges_of(program, 1)
    spans = {p: list_schedule(program, edges, p).makespan_ps for p in PRIORITIES}
    best = best_schedule(program, edges)

    first = min(PRIORITIES, key=lambda p: spans[p])
    assert (best.makespan_ps, best.priority) == (spans[first], first)


def two_heights() -> tuple[Program, Edges]:
    """Return a short path, then a long one, that begin on the same engine."""
    costs = [(Engine.VECTOR, 2), (Engine.VECTOR, 2), (Engine.PE, 9)]
    ops = [Op(engine, busy, 0, ()) for engine, busy in costs]
    return program_of([tile("s", (1,))], ops), edge_list((1, 2))


def test_height_takes_the_longest_path_first():
    """An operation with much behind it goes before an earlier one without."""
    assert list_schedule(*two_heights(), "height").start_ps.tolist() == [2, 0, 2]


def test_source_order_takes_the_first_row():
    """Ready operations go in the order of the text."""
    schedule = list_schedule(parallel(3, 1), edge_list(), "source-order")

    assert schedule.start_ps.tolist() == [0, 3]


def test_a_good_enough_schedule_ends_the_search():
    """The rest of the portfolio is not tried once the target is reached."""
    program, edges = two_heights()

    found = [best_schedule(program, edges, ps).priority for ps in (12, 13)]
    assert found == ["height", "source-order"]


def test_a_cycle_is_an_internal_error():
    """Dependences that wait for each other come from a fault of a pass."""
    with pytest.raises(InternalError, match="cycle"):
        list_schedule(parallel(1, 1), edge_list((0, 1), (1, 0)), "source-order")


def test_a_schedule_respects_edges_only_if_they_hold_in_time():
    """A sink that starts one picosecond too early breaks its edge."""
    program = program_of(
        [tile("s", (1,))],
        [Op(Engine.DMA, 3, 7, ()), Op(Engine.PE, 1, 0, ())],
    )
    edges = edge_list((0, 1))
    held, broken = (timed(program, np.array([0, t]), "height") for t in (10, 9))

    assert respects(program, held, edges)
    assert not respects(program, broken, edges)


def test_a_known_schedule_is_kept_where_it_is_legal_and_shorter():
    """Of those that respect the edges the shortest; else the schedule itself."""
    program = program_of(
        [tile("s", (1,))],
        [Op(Engine.DMA, 3, 7, ()), Op(Engine.PE, 1, 0, ())],
    )
    edges = edge_list((0, 1))
    own, legal, illegal = (
        timed(program, np.array([0, t]), "height") for t in (20, 12, 5)
    )

    assert shortest(program, edges, own, [illegal, legal]) is legal
    assert shortest(program, edges, own, [illegal]) is own
    assert shortest(program, edges, legal, [own]) is legal


def test_a_long_program_is_scheduled_once(monkeypatch: pytest.MonkeyPatch):
    """By the priority that is best on its first iterations."""
    text = STREAM.replace("[1024,", "[76800,").replace("[0, 8)", "[0, 600)")
    program = unrolled(text)
    edges = flow_edges(program, logical_cells(program))
    monkeypatch.setattr(list_scheduler, "LONG_PROGRAM", len(program))
    tried: list[tuple[int, str]] = []

    def counted(part: Program, inside: Edges, priority: str) -> Schedule:
        tried.append((len(part), priority))
        return list_schedule(part, inside, priority)

    monkeypatch.setattr(list_scheduler, "list_schedule", counted)
    best = best_schedule(program, edges)

    assert [n for n, _ in tried] == [4_000, 4_000, 4_000, 4_800]
    assert tried[-1] == (4_800, best.priority)
