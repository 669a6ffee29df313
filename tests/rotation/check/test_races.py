import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.check import Hazard, check_races
from rotation.errors import InternalError
from rotation.loop_form.kernel import Engine, Role
from rotation.unrolled.program import Program
from tests.rotation.check.builder import (
    Op,
    Touch,
    build,
    dram,
    in_rings,
    in_turn,
    private,
    sb,
    stream,
    waits,
)
from tests.rotation.check.oracle import can_race
from tests.rotation.check.random_programs import forward_waits, placements, programs

# Rows 3*i, 3*i + 1 and 3*i + 2 of `stream` are load, operation and store of trip i.
FLOW = [(3 * i + r, 3 * i + r + 1) for i in range(4) for r in range(2)]


def races(
    program: Program,
    pairs: list[tuple[int, int]],
    slots: dict[str, int] | None = None,
) -> list[Hazard]:
    """Return the races in source order, with some buffers in rings."""
    placement = in_rings(program, slots or {})
    return check_races(program, placement, waits(pairs), in_turn(program))


def rows(hazards: list[Hazard]) -> list[tuple[int, ...]]:
    return [hazard.instructions for hazard in hazards]


def test_flow_edges_are_enough_where_nothing_is_shared():
    """Private bytes are written once."""
    assert races(stream(4), FLOW) == []


def test_a_missing_flow_edge_is_found():
    """The operation may start before the load is complete."""
    hazards = races(stream(4), FLOW[1:])

    assert hazards == [
        Hazard(
            "race",
            "double[i = 0] reads xt[i = 0], but nothing makes it wait for ld[i = 0], "
            "which "
            "writes xt[i = 0], to be complete; they touch the same bytes",
            (0, 1),
        )
    ]


def test_a_missing_anti_edge_is_found():
    """The next load may overwrite the tile that the operation still reads."""
    assert (1, 3) in rows(races(stream(2), FLOW[:4], {"xt": 1}))


def test_an_anti_edge_from_the_reader_of_the_slot_is_enough():
    """In a ring of two the load of trip i waits for the operation of trip i - 2."""
    anti = [(1, 6), (4, 9)]

    assert races(stream(4), [*FLOW, *anti], {"xt": 2}) == []


def test_an_anti_edge_of_a_longer_ring_is_found():
    """Waiting for trip i - 3 leaves the operation of trip i - 2 unwaited for."""
    assert (1, 6) in rows(races(stream(4), [*FLOW, (1, 9)], {"xt": 2}))


def test_an_anti_edge_of_a_shorter_ring_costs_overlap_and_is_no_race():
    """Each operation waits for the store just before, so for all older ones too."""
    assert races(stream(4), [*FLOW, (2, 4), (5, 7), (8, 10)], {"zt": 2}) == []


def test_waiting_for_a_later_store_does_not_wait_for_an_older_one():
    """Stores complete in any order, so the last of three tells nothing of the first."""
    hazards = races(stream(4), [*FLOW, (8, 10)], {"zt": 3})

    assert rows(hazards) == [(2, 10)]


def test_waiting_for_a_later_operation_waits_for_all_older_ones():
    """A compute engine completes one operation before it starts the next."""
    assert races(stream(4), [*FLOW, (7, 9)], {"xt": 3}) == []


def test_two_transfers_that_only_share_a_queue_are_found():
    """The second may be complete before the first has read or written anything."""
    a, b = sb("a", (128, 16)), sb("b", (128, 16))
    ops = [
        Op("ld", Engine.DMA, (Touch(a),)),
        Op("st", Engine.DMA, (Touch(b),), (Touch(a),)),
    ]
    program = build(ops)
    found = check_races(program, private(program), waits([]), in_turn(program))

    assert rows(found) == [(0, 1)]


def test_two_operations_that_only_share_a_queue_are_ordered():
    """On a compute engine the queue is enough."""
    a, b = sb("a", (128, 16)), sb("b", (128, 16))
    ops = [
        Op("f", Engine.PE, (Touch(a),)),
        Op("g", Engine.PE, (Touch(b),), (Touch(a),)),
    ]
    program = build(ops)

    assert check_races(program, private(program), waits([]), in_turn(program)) == []


def test_a_transfer_is_complete_when_something_that_waits_for_it_has_started():
    """The wait may be far away: load, operation, and the next one of the same queue."""
    a, b, c = (Touch(sb(name, (128, 16))) for name in "abc")
    ops = [
        Op("ld", Engine.DMA, (a,)),
        Op("f", Engine.PE, (b,), (a,)),
        Op("g", Engine.PE, (c,), (a,)),
        Op("h", Engine.VECTOR, (a,), (c,)),
    ]
    program = build(ops)
    edges = waits([(0, 1), (2, 3)])

    assert check_races(program, private(program), edges, in_turn(program)) == []


def test_what_an_operation_waited_for_is_known_to_the_next_of_its_queue():
    """Vector, then scalar, then the first of PE; the second of PE knows of all."""
    a, b, c, d = (Touch(sb(name, (128, 16))) for name in "abcd")
    ops = [
        Op("v", Engine.VECTOR, (a,)),
        Op("s", Engine.SCALAR, (b,)),
        Op("f", Engine.PE, (c,)),
        Op("g", Engine.PE, (d,), (a,)),
    ]
    program = build(ops)
    edges = waits([(0, 1), (1, 2)])

    assert check_races(program, private(program), edges, in_turn(program)) == []


def test_an_edge_against_the_order_is_found():
    """The engines would wait for each other for ever."""
    hazards = races(stream(1), [*FLOW[:2], (2, 0)])

    assert hazards == [
        Hazard(
            "race",
            "ld[i = 0] waits for st[i = 0], which is not before it in the order",
            (0, 2),
        )
    ]


def test_an_edge_from_an_instruction_to_itself_is_found():
    """It would never start."""
    assert rows(races(stream(1), [*FLOW[:2], (1, 1)])) == [(1, 1)]


def test_start_times_play_no_part():
    """A schedule that leaves much time between two operations orders nothing."""
    program = stream(2)
    slow = in_turn(program)
    slow.start_ps[:] *= 1000

    placement = in_rings(program, {"xt": 1})
    assert (1, 3) in rows(check_races(program, placement, waits(FLOW[:4]), slow))


@pytest.mark.parametrize("pair", [(0, 3), (-1, 2)])
def test_an_edge_of_no_instruction_is_refused(pair: tuple[int, int]):
    """It is no edge of this program at all."""
    with pytest.raises(InternalError, match=r"outside \[0, 3\)"):
        races(stream(1), [pair])


def test_the_order_of_the_schedule_is_the_order_of_the_queues():
    """Two operations of one engine are ordered the way they are queued."""
    a, b = sb("a", (128, 16)), sb("b", (128, 16))
    ops = [
        Op("f", Engine.PE, (Touch(b),), (Touch(a),)),
        Op("g", Engine.PE, (Touch(a),)),
        Op("h", Engine.VECTOR, (Touch(b, 1),), (Touch(a),)),
    ]
    program = build(ops)
    first_g = in_turn(program, [1, 2, 0])

    assert check_races(program, private(program), waits([(1, 2)]), first_g) == []


@given(st.data(), programs())
def test_a_race_is_reported_if_and_only_if_some_run_breaks_a_conflict(
    data: st.DataObject, program: Program
):
    """The vector clocks agree with a walk through all runs of the machine."""
    placement = data.draw(placements(program))
    edges = data.draw(forward_waits(program))
    schedule = in_turn(program)
    found = check_races(program, placement, edges, schedule)

    assert can_race(program, placement, edges, schedule.order.tolist()) == bool(found)


@given(st.data(), programs())
def test_a_source_program_with_all_its_waits_is_clean(
    data: st.DataObject, program: Program
):
    """Where each instruction waits for all before it, nothing can go wrong."""
    placement = data.draw(placements(program))
    every = [(a, b) for b in range(len(program)) for a in range(b)]

    assert check_races(program, placement, waits(every), in_turn(program)) == []


@pytest.mark.parametrize(
    ("load", "store", "found"),
    [
        (Engine.DMA, Engine.DMA, []),
        (Engine.DMA_LOAD, Engine.DMA_STORE, [(0, 2)]),
    ],
    ids=["one server", "two servers"],
)
def test_a_wait_in_the_queue_of_the_other_server_holds_nothing_back(
    load: Engine, store: Engine, found: list[tuple[int, int]]
):
    """The second load is behind the store that waits for the first, or is not."""
    a, b = (Touch(sb(name, (128, 16))) for name in "ab")
    z = Touch(dram("z", (128, 16), Role.OUTPUT))
    ops = [Op("ld", load, (a,)), Op("st", store, (z,), (b,)), Op("ld2", load, (a,))]
    program = build(ops)
    hazards = check_races(program, private(program), waits([(0, 1)]), in_turn(program))

    assert rows(hazards) == found
