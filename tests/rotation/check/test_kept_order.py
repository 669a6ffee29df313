from dataclasses import replace

from rotation.check.kept_order import Waits
from rotation.kept.data import KeptProgram, LoopEdge, Rounds
from rotation.loop_form.kernel import EdgeKind
from rotation.machine.machine import Machine
from tests.rotation.kept.programs import ROWS, kept_program
from tests.rotation.programs import PLANNING, SPLIT, kernel

LD, CP, ST = range(3)


def waits(
    rounds: Rounds, *edges: tuple[int, int, int], machine: Machine = PLANNING
) -> Waits:
    """Return the waits of load, copy, store with edges (source, sink, distance)."""
    slots = {"xt": 1, "zt": 1}
    kept: KeptProgram = kept_program(kernel(ROWS), slots, {"n": 4}, machine=machine)
    (node,) = kept.tree.straights
    own = tuple(LoopEdge(b, a, d, EdgeKind.FLOW) for a, b, d in edges)
    return Waits(replace(kept, rounds={node: rounds}, edges={node: own}), node)


IN_TURN = Rounds((0, 0, 0), (LD, CP, ST), "test")


def test_a_compute_engine_completes_before_its_next_trip():
    """A transfer does not: it may complete in any order."""
    found = waits(IN_TURN)

    assert found.least(CP, CP, 1) == 1
    assert found.least(LD, LD, 1) is None


def test_an_edge_holds_for_greater_distances():
    """The sink's own queue goes on."""
    found = waits(IN_TURN, (LD, CP, 0), (CP, LD, 2))

    assert found.least(LD, CP, 0) == 0
    assert found.least(LD, CP, 2) == 2
    assert found.least(CP, LD, 1) == 2


def test_waits_are_followed_through():
    """The store waits for the copy, which waits for the load."""
    assert waits(IN_TURN, (LD, CP, 0), (CP, ST, 0)).least(LD, ST, 0) == 0


def test_a_path_through_a_later_trip_does_not_count():
    """It would not be there if the loop ended before.

    In its round the load of trip k + 2 stands before the store of trip k, and waits
    for the copy of trip k: but is there a trip k + 2?
    """
    found = waits(Rounds((0, 0, 2), (LD, CP, ST), "test"), (CP, LD, 2))

    assert found.least(CP, ST, 0) == 2


def test_the_queue_goes_on_from_the_store_to_later_loads():
    """In turn the next load comes after it; two stages later the third does."""
    edges = (LD, CP, 0), (CP, ST, 0)

    assert waits(IN_TURN, *edges).least(LD, LD, 1) == 1
    assert waits(Rounds((0, 0, 2), (LD, CP, ST), "test"), *edges).least(LD, LD, 1) == 3


def test_a_queue_of_stores_does_not_hold_up_loads():
    """With two servers of dma the next load is not behind the store."""
    edges = (LD, CP, 0), (CP, ST, 0)

    assert waits(IN_TURN, *edges, machine=SPLIT).least(LD, LD, 1) is None
    assert waits(IN_TURN, *edges, machine=SPLIT).least(LD, ST, 0) == 0
