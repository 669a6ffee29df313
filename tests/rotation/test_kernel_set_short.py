"""The kernels consume_then_load and short_loop of the public set, and short rings."""

from functools import cache

import numpy as np
import pytest

from rotation import load, run
from rotation.dependence.dependences import flow_edges
from rotation.errors import PlanError
from rotation.running.result import Result
from rotation.text.parse import parse
from rotation.unrolled.footprint import logical_cells
from tests.rotation.ringed import example, with_rings

DMA_BUSY_NS = {"consume_then_load": 7_123, "short_loop": 2_849}
"""Busy time of dma, from the public kernel set."""

NAMES = tuple(DMA_BUSY_NS)


@cache
def result_of(name: str) -> Result:
    """Return the result of a kernel."""
    return run(load(f"examples/{name}.kernel"))


def trips(count: int, **slots: int) -> Result:
    """Return the result of the short loop with so many trips."""
    text = example("short_loop").replace("[0, 2)", f"[0, {count})")
    (function,) = parse(with_rings(text, **slots))
    return run(function)


def sources(result: Result, reader: str) -> list[list[str]]:
    """Return what each execution of a statement takes its values from.

    Each is named by its statement and the trip of it, as in ``ld 3``.
    """
    program = result.after.program
    names = [each.name for each in program.function.instructions]
    edges = flow_edges(program, logical_cells(program))
    rows = np.flatnonzero(program.statement == names.index(reader)).tolist()
    return [
        [
            f"{names[program.statement[source]]} {program.iteration[source]}"
            for source in edges.source[edges.sink == row].tolist()
        ]
        for row in rows
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_is_accepted_near_its_bound(name: str):
    """All checks hold, and the makespan is within 5 percent."""
    result = result_of(name)

    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert result.proofs.proved == result.proofs.total > 0
    assert result.schedule.ratio <= 1.05


@pytest.mark.parametrize("name", NAMES)
def test_the_bound_is_at_least_that_of_the_set(name: str):
    """Its engine is as busy as the set says, and no schedule is shorter than that."""
    result = result_of(name)

    assert result.engines["dma"].busy_ns == pytest.approx(DMA_BUSY_NS[name], rel=0.01)
    assert result.schedule.bound_ns >= DMA_BUSY_NS[name]


def test_the_tile_that_is_used_before_it_is_loaded_has_one_slot():
    """Its value goes from one iteration to the next, and that binds the kernel."""
    result = result_of("consume_then_load")
    slots = {ring.tensor: ring.slots for ring in result.rings or ()}

    assert slots["S"] == 1
    assert result.schedule.bound.tensors == ("S",)
    assert round(result.schedule.bound_ns) == 20_778


def test_the_sum_takes_the_first_tile_and_all_but_the_last_of_the_others():
    """S0 and A[0] to A[6]: each use has what the iteration before has loaded."""
    found = sources(result_of("consume_then_load"), "use")

    assert set(found[0]) == {"pre 0", "z 0"}
    assert [set(each) for each in found[1:]] == [
        {f"ld {k - 1}", f"use {k - 1}"} for k in range(1, 8)
    ]


def test_loads_that_are_taken_above_the_use_before_them_are_caught():
    """Loads that wait for no computation make another sum."""
    result = run(
        load("examples/consume_then_load.kernel"), separate_load_and_compute=True
    )

    assert result.equivalent is False
    assert "race" in {hazard.check for hazard in result.hazards}


@pytest.mark.parametrize("count", [1, 2])
def test_a_ring_has_no_slot_that_no_iteration_uses(count: int):
    """There are at most as many slots as trips."""
    result = trips(count)

    assert max(ring.slots for ring in result.rings or ()) <= count
    assert (result.hazards, result.equivalent) == ((), True)


@pytest.mark.parametrize("count", [1, 2])
def test_a_ring_of_the_user_that_is_longer_than_the_loop_is_refused(count: int):
    """It is neither made nor silently shortened."""
    with pytest.raises(
        PlanError, match=f"ring 3 of xt has more slots than the {count}"
    ):
        trips(count, xt=3)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_a_loop_to_a_register_is_right_when_it_is_shorter_than_its_rings(count: int):
    """A ring of three, and what comes before and after the steady state."""
    text = example("short_loop").replace("[0, 2)", "[0, %n)").replace("[256,", "[512,")
    (function,) = parse(with_rings(text, xt=3, yt=3))
    result = run(function, assume={"n": count})

    assert (result.hazards, result.equivalent) == ((), True)
    assert result.proofs.proved == result.proofs.total > 0
