"""Check (a): the times keep what the source and the shared bytes ask for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.check import Hazard, check_overlap
from rotation.errors import InternalError
from rotation.loop_form.kernel import Engine, Role
from rotation.unrolled.program import Program, Schedule
from tests.rotation.check.builder import (
    Op,
    Touch,
    at_once,
    build,
    dram,
    in_rings,
    in_turn,
    kinds,
    private,
    sb,
    stream,
    waits,
)
from tests.rotation.check.oracle import in_conflict
from tests.rotation.check.random_programs import placements, programs


def test_a_store_still_reads_what_is_overwritten():
    """A transfer needs its source until it is complete, not until its engine is free.

    The second operation starts at 65 ps, the first store ends at 90 ps.
    """
    program = stream(2)
    start_ps = np.array([0, 40, 50, 10, 65, 75])
    schedule = Schedule(np.array([0, 3, 1, 2, 4, 5]), start_ps, 115, "by hand")
    hazards = check_overlap(program, in_rings(program, {"zt": 1}), schedule)

    assert [(h.check, h.instructions) for h in hazards] == [("overlap", (2, 4))]
    assert check_overlap(program, private(program), schedule) == []


def test_a_source_dependence_that_is_not_kept_is_found():
    """The operation starts when the load has left its engine, 30 ps too early."""
    program = stream(1)
    edges = waits([(1, 2)])
    hazards = check_overlap(program, private(program), at_once(program, edges))

    assert (
        Hazard(
            "dependence",
            "double[i = 0] reads xt[i = 0] at 0.000 ns, but ld[i = 0], which writes "
            "xt[i = 0], is only complete at 0.040 ns",
            (0, 1),
        )
        in hazards
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [("write", "read"), ("read", "write"), ("write", "write")],
    ids=["flow", "anti", "output"],
)
def test_all_kinds_of_source_dependences_are_kept(first: str, second: str):
    """Of two accesses to a location the second waits if one of them writes."""
    a, other = Touch(sb("a", (128, 16))), Touch(sb("b", (128, 16)))

    def op(name: str, what: str, engine: Engine, k: int) -> Op:
        mine = replace(other, instance=k)
        if what == "write":
            return Op(name, engine, (a,), (mine,))
        return Op(name, engine, (mine,), (a,))

    program = build([op("f", first, Engine.PE, 0), op("g", second, Engine.VECTOR, 1)])
    hazards = check_overlap(program, private(program), at_once(program, waits([])))

    assert "dependence" in kinds(hazards)


def test_two_reads_may_go_together():
    """Reads of one location need no order."""
    a, b = sb("a", (128, 16)), sb("b", (128, 16))
    ops = [
        Op("f", Engine.PE, (Touch(b, 0),), (Touch(a),)),
        Op("g", Engine.VECTOR, (Touch(b, 1),), (Touch(a),)),
    ]
    program = build(ops)

    assert check_overlap(program, private(program), at_once(program, waits([]))) == []


def test_an_engine_that_does_two_things_at_once_is_found():
    """The second load starts while the first is still busy."""
    program = stream(2)
    schedule = in_turn(program)
    start_ps = schedule.start_ps.copy()
    order = np.array([0, 3, 1, 2, 4, 5])
    start_ps[3] = 9
    hazards = check_overlap(
        program, private(program), replace(schedule, order=order, start_ps=start_ps)
    )

    assert hazards == [
        Hazard(
            "engine",
            "ld[i = 1] starts at 0.009 ns while dma is busy with ld[i = 0] until "
            "0.010 ns",
            (0, 3),
        )
    ]


def test_an_order_that_goes_back_in_time_is_found():
    """Starts never decrease along the order."""
    program = stream(2)
    schedule = replace(in_turn(program), order=np.array([0, 1, 3, 2, 4, 5]))
    hazards = check_overlap(program, private(program), schedule)

    assert [(h.check, h.instructions) for h in hazards] == [("engine", (3, 2))]


def test_a_makespan_that_is_not_the_last_end_is_found():
    """The makespan counts latencies."""
    program = stream(1)
    schedule = replace(in_turn(program), makespan_ps=60)

    assert check_overlap(program, private(program), schedule) == [
        Hazard(
            "engine",
            "the makespan is 0.060 ns, but the last instruction is complete at 0.090 "
            "ns",
            (),
        )
    ]


def test_an_order_with_a_row_missing_is_refused():
    """It is no schedule of this program at all."""
    program = stream(1)
    schedule = replace(in_turn(program), order=np.array([0, 1]))

    with pytest.raises(InternalError, match="does not name 3 rows"):
        check_overlap(program, private(program), schedule)


def test_a_dram_tensor_is_seen_whole():
    """A tile of a tensor in DRAM touches its box only."""
    z = dram("z", (128, 32), Role.OUTPUT)
    s = sb("s", (128, 16))
    halves = [
        Op("st", Engine.DMA, (Touch(z, 0, (0, 16 * h), (128, 16)),), (Touch(s, h),), h)
        for h in range(2)
    ]
    program = build(halves)

    assert check_overlap(program, private(program), at_once(program, waits([]))) == []


@given(st.data(), programs())
def test_times_are_fine_if_and_only_if_no_conflict_starts_too_early(
    data: st.DataObject, program: Program
):
    """Accesses in conflict are kept apart by the times, whatever lives are."""
    placement = data.draw(placements(program))
    schedule = at_once(program, waits([]))
    position = np.argsort(schedule.order)
    end_ps = schedule.start_ps + program.busy_ps + program.latency_ps
    early = any(
        schedule.start_ps[b] < end_ps[a]
        for a, b in in_conflict(program, placement)
        if position[a] < position[b]
    )
    hazards = check_overlap(program, placement, schedule)

    assert early == any(
        "only complete" in h.message for h in hazards if h.check == "overlap"
    )
