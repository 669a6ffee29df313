from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.check import Hazard, check_overlap
from rotation.check.hazard import MOST_SHOWN
from rotation.errors import InternalError
from rotation.loop_form.kernel import Engine, Role
from rotation.unrolled.program import Placement, Program, Schedule
from tests.rotation.check.builder import (
    Op,
    Touch,
    at_once,
    build,
    dram,
    in_rings,
    in_turn,
    moved,
    private,
    psum,
    sb,
    stream,
    waits,
)
from tests.rotation.check.oracle import in_conflict, touched
from tests.rotation.check.random_programs import placements, programs


def kinds(hazards: list[Hazard]) -> set[str]:
    return {hazard.check for hazard in hazards}


def found(program: Program, placement: Placement | None = None) -> list[Hazard]:
    """Return the hazards when instructions run one after the other."""
    return check_overlap(program, placement or private(program), in_turn(program))


# Capacity


@pytest.mark.parametrize(
    "to",
    [(0, 180_224 - 63), (0, -1), (1, 0), (-1, 0)],
    ids=["bytes", "negative-byte", "partitions", "negative-partition"],
)
def test_a_location_outside_its_space_is_found(to: tuple[int, int]):
    """Each of the four ends of the space is a limit; a tile has 64 bytes here."""
    program = stream(1)

    assert kinds(found(program, moved(program, private(program), {("xt", 0): to}))) == {
        "capacity"
    }


def test_a_location_that_ends_with_its_space_is_fine():
    """The last byte and the last partition may be used."""
    program = stream(1)
    placement = moved(program, private(program), {("xt", 0): (0, 180_224 - 64)})

    assert found(program, placement) == []


@pytest.fixture
def evacuation() -> Program:
    """Return a program that fills a PSUM tile of a whole bank and copies it."""
    acc, s = psum("acc", (128, 512)), sb("s", (128, 512))
    return build(
        [
            Op("mm", Engine.PE, (Touch(acc),)),
            Op("ev", Engine.VECTOR, (Touch(s),), (Touch(acc),)),
        ]
    )


def test_the_bank_after_the_last_is_outside(evacuation: Program):
    """Banks are counted from 0: start bank = number of banks is one too far."""
    placement = moved(evacuation, private(evacuation), {("acc", 0): (0, 8 * 2048)})

    assert found(evacuation, placement)[0] == Hazard(
        "capacity",
        "acc[i = 0] at psum partitions [0, 128) bank 8 byte 0 is not inside psum, "
        "which "
        "has 128 partitions of 16384 bytes; mm[i = 0] touches it first",
        (0,),
    )


def test_the_last_bank_is_inside(evacuation: Program):
    """Bank 7 of 8 may be used."""
    placement = moved(evacuation, private(evacuation), {("acc", 0): (0, 7 * 2048)})

    assert found(evacuation, placement) == []


def test_an_access_across_banks_is_found(evacuation: Program):
    """A tile of a whole bank that starts inside a bank ends in the next."""
    placement = moved(evacuation, private(evacuation), {("acc", 0): (0, 1024)})
    hazards = found(evacuation, placement)

    assert hazards[0].message == (
        "mm[i = 0] writes acc[i = 0] from byte 1024 to 3072 of psum, across a border "
        "of "
        "its banks of 2048 bytes"
    )


def test_a_location_may_span_banks():
    """Only each access must stay within one."""
    acc = psum("acc", (128, 1024))
    halves = [
        Op(f"mm{half}", Engine.PE, (Touch(acc, 0, (0, 512 * half), (128, 512)),))
        for half in range(2)
    ]

    assert found(build(halves)) == []


# Live locations


def test_a_private_placement_is_fine():
    """Nothing shares a byte with anything."""
    assert found(stream(3)) == []


def test_rings_are_fine_when_instructions_run_in_turn():
    """A slot is free when the instance in it is read."""
    program = stream(4)

    assert found(program, in_rings(program, {"xt": 2, "zt": 1})) == []


def test_two_live_locations_on_one_byte_are_found():
    """What the operation reads and what it writes are alive together."""
    program = stream(1)
    placement = moved(
        program, private(program), {("xt", 0): (0, 0), ("zt", 0): (0, 63)}
    )
    (hazard,) = found(program, placement)

    assert hazard == Hazard(
        "overlap",
        "double[i = 0] touches zt[i = 0] at sb partitions [0, 128) bytes [63, 127), "
        "but "
        "xt[i = 0] at sb partitions [0, 128) bytes [0, 64) is alive there until after "
        "double[i = 0]",
        (1, 1),
    )


def test_locations_side_by_side_are_fine():
    """The byte after the last of one is the first of the other."""
    program = stream(1)
    placement = moved(
        program, private(program), {("xt", 0): (0, 0), ("zt", 0): (0, 64)}
    )

    assert found(program, placement) == []


def test_locations_in_different_partitions_are_fine():
    """The same bytes of other partitions are other bytes."""
    a, b = sb("a", (64, 16)), sb("b", (64, 16))
    program = build([Op("f", Engine.VECTOR, (Touch(a), Touch(b)))])
    to = {("a", 0): (0, 0), ("b", 0): (64, 0)}

    assert found(program, moved(program, private(program), to)) == []


def test_a_location_that_is_read_early_and_late_is_alive_between():
    """Another location in its bytes breaks the late read."""
    a, b = sb("a", (128, 16)), sb("b", (128, 16))
    ops = [
        Op("f", Engine.VECTOR, (Touch(a),)),
        Op("g", Engine.VECTOR, (Touch(b),)),
        Op("h", Engine.VECTOR, (Touch(b, 1),), (Touch(a),)),
    ]
    program = build(ops)
    to = {("a", 0): (0, 0), ("b", 0): (0, 0)}
    hazards = found(program, moved(program, private(program), to))

    assert [h.instructions for h in hazards] == [(2, 1)]


def test_the_longest_lived_of_several_is_compared():
    """A short life in between does not hide that the first goes on."""
    tiles = [sb(name, (128, 16)) for name in "abc"]
    a, b, c = (Touch(tile) for tile in tiles)
    ops = [
        Op("a", Engine.VECTOR, (a,)),
        Op("b", Engine.VECTOR, (b,)),
        Op("c", Engine.VECTOR, (c,)),
        Op("d", Engine.VECTOR, (c,), (a,)),
    ]
    program = build(ops)
    to = {("a", 0): (0, 0), ("b", 0): (0, 0), ("c", 0): (0, 0)}
    hazards = found(program, moved(program, private(program), to))

    assert [h.instructions for h in hazards if h.check == "overlap"] == [(3, 1), (3, 2)]


def test_a_piece_that_is_no_longer_read_may_be_overwritten():
    """A location is handed over piece by piece; whoever reads a piece keeps it."""
    a = sb("a", (128, 32))
    left, right = ((0, 0), (128, 16)), ((0, 16), (128, 16))
    ops = [
        Op("f", Engine.VECTOR, (Touch(a, 0),)),
        Op("g", Engine.VECTOR, (Touch(sb("b", (128, 16))),), (Touch(a, 0, *left),)),
        Op("h", Engine.VECTOR, (Touch(a, 1, *left),)),
        Op("k", Engine.VECTOR, (Touch(a, 1, *right),), (Touch(a, 0, *right),)),
    ]
    program = build(ops)
    to = {("a", 0): (0, 0), ("a", 1): (0, 0)}
    hazards = found(program, moved(program, private(program), to))

    assert [(h.check, h.instructions) for h in hazards] == [("overlap", (3, 3))]


def test_dram_tensors_that_share_bytes_are_found():
    """The world outside looks at all of DRAM, so all of it is always alive."""
    program = stream(1)
    placement = moved(program, private(program), {("z", 0): (0, 64)})

    assert found(program, placement) == [
        Hazard("overlap", "z at dram byte 64 shares bytes with x at dram byte 0", ())
    ]


def test_no_more_overlaps_are_spelled_out_than_fit_a_screen():
    """The others are counted."""
    trips = MOST_SHOWN + 5
    program = stream(trips)
    to = {("xt", i): (0, 4096 * i) for i in range(trips)}
    to |= {("zt", i): (0, 4096 * i) for i in range(trips)}
    hazards = found(program, moved(program, private(program), to))

    assert len(hazards) == MOST_SHOWN + 1
    assert hazards[-1].message == "and 5 more of this kind"


# Times


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


# Against brute force


@given(st.data(), programs())
def test_live_overlaps_are_found_if_and_only_if_some_byte_has_two_owners(
    data: st.DataObject, program: Program
):
    """The sweep over cells agrees with a walk over bytes and positions."""
    placement = data.draw(placements(program))
    hazards = found(program, placement)

    assert ("overlap" in kinds(hazards)) == _has_two_owners(program, placement)


def _has_two_owners(program: Program, placement: Placement) -> bool:
    lives: dict[object, dict[int, list[int]]] = {}
    for access, location in enumerate(program.access_location.tolist()):
        row = int(program.access_instruction[access])
        for byte in touched(program, access, placement):
            lives.setdefault(byte, {}).setdefault(location, []).append(row)
    return any(
        min(one) <= max(other) and min(other) <= max(one)
        for owners in lives.values()
        for one, other in combinations(owners.values(), 2)
    )


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
