"""How much work a long program takes: counts, which no machine changes."""

import sys
from pathlib import Path
from types import FrameType

import pytest

import rotation
from benchmarks.scale import KERNELS
from rotation.passes.base import State, built
from rotation.rings.planning import single_slots
from rotation.running.obligations import prove_run
from rotation.running.pipeline import run_passes, selected, unrotated
from rotation.schedule import list_scheduler
from rotation.schedule.dispatch import _Dispatch
from rotation.unrolled.program import Edges, Program, Schedule
from rotation.unrolled.unroll import unroll
from tests.rotation.programs import state_of

CODE = str(Path(rotation.__file__).parent)
LONG = 24_000
"""Instructions of a program that is searched on its first iterations."""


def grown(name: str, instructions: int) -> State:
    """Return an example kernel with more trips, before all passes."""
    return state_of(KERNELS[name].text(name, instructions))


def finished(name: str, instructions: int) -> State:
    return run_passes(selected(()), grown(name, instructions))[0]


def scheduled_lengths(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the length of each program that is scheduled."""
    lengths: list[int] = []
    list_schedule = list_scheduler.list_schedule

    def counted(program: Program, edges: Edges, priority: str) -> Schedule:
        lengths.append(len(program))
        return list_schedule(program, edges, priority)

    monkeypatch.setattr(list_scheduler, "list_schedule", counted)
    return lengths


@pytest.mark.parametrize(
    ("name", "target_percent"),
    [("stream_add", 105), ("stream_add", 90), ("matmul_tiled", 105)],
)
def test_a_long_program_is_scheduled_six_times_at_most(
    monkeypatch: pytest.MonkeyPatch, name: str, target_percent: int
):
    """With rotation and without, whether the rings reach their target or not."""
    lengths = scheduled_lengths(monkeypatch)
    monkeypatch.setattr("rotation.rings.search.TARGET_PERCENT", target_percent)
    unrotated(finished(name, LONG))

    assert lengths.count(LONG) <= 6


@pytest.mark.parametrize("name", KERNELS)
def test_fewer_than_three_edges_are_left_for_each_instruction(name: str):
    """However long the program is."""
    state = run_passes(selected(("plan_rings",)), grown(name, 10_000))[0]

    assert len(built(state.edges, "edges")) < 3 * len(built(state.program, "program"))


def dispatched(monkeypatch: pytest.MonkeyPatch, name: str, instructions: int) -> int:
    """Return how many instructions were started one by one, the portfolio together."""
    started: list[int] = []
    run = _Dispatch.run

    def counted(self: _Dispatch) -> None:
        run(self)
        started.append(len(self.order))

    with monkeypatch.context() as patch:
        patch.setattr(_Dispatch, "run", counted)
        run_passes(selected(("plan_rings",)), grown(name, instructions))
    return sum(started)


@pytest.mark.parametrize("name", KERNELS)
def test_more_iterations_start_no_more_instructions_one_by_one(monkeypatch, name: str):
    """What is dispatched again and again in the steady state is written down once."""
    once, again = (dispatched(monkeypatch, name, n) for n in (6_000, 12_000))

    assert again <= once + KERNELS[name].each


def lines_of(name: str, instructions: int) -> int:
    """Return how many lines of the package are run from the text to the schedule."""
    count = 0

    def line(_: FrameType, event: str, __: object):
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _: str, __: object):
        return line if frame.f_code.co_filename.startswith(CODE) else None

    state = grown(name, instructions)
    sys.settrace(call)
    try:
        run_passes(selected(("plan_rings",)), state)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("name", ["stream_add", "matmul_tiled"])
def test_ten_times_the_instructions_take_ten_times_the_work(name: str):
    """Lines that are run grow linearly; those that are run once for all are few."""
    few, many = (lines_of(name, n) for n in (1_000, 10_000))

    assert many <= 10.5 * few


def test_the_proofs_of_all_iterations_are_as_many_as_those_of_few():
    """Nothing is asked of a solver for each instruction."""
    totals = []
    for instructions in (1_600, 16_000):
        state = grown("matmul_tiled", instructions)
        plan = single_slots(unroll(state.function, state.machine))
        report, failures = prove_run(state.function, plan)
        totals.append((report.total, failures))

    assert totals[0] == totals[1]
    assert totals[0][1] == ()
