import pytest

from rotation.kept.data import Rounds
from rotation.kept.edges import Conflicts
from rotation.kept.rounds import best_rounds, costs_of, makespan_ps
from rotation.loop_form.kernel import Engine
from tests.rotation.kept.programs import ROWS, straight
from tests.rotation.programs import PLANNING, SPLIT

NODE = straight(ROWS, "i")
COSTS = costs_of(NODE, PLANNING)


def edges(slots: int):
    """Return the edges of the three operations for that many slots."""
    tensors = {a.tensor for op in NODE.ops for a in op.accesses if a.tensor.on_chip}
    return Conflicts(NODE).edges(dict.fromkeys(tensors, slots))


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_every_edge_goes_forward_in_the_rounds(slots: int):
    """The source of an edge stands before its sink, the distance counted."""
    rounds, _ = best_rounds(NODE, COSTS, edges(slots), trips=16)
    place = rounds.place()

    for edge in edges(slots):
        before = rounds.stage[edge.source], place[edge.source]
        assert before < (edge.distance + rounds.stage[edge.sink], place[edge.sink])


def test_more_slots_overlap_more_trips():
    """With one slot the trips follow one another, with three they are under way."""
    times = [best_rounds(NODE, COSTS, edges(n), trips=64)[1] for n in (1, 2, 3)]
    busy_ps = 64 * (COSTS.busy_ps[0] + COSTS.busy_ps[2])

    assert times[0] > 1.4 * busy_ps
    assert times[2] < 1.05 * busy_ps
    assert times == sorted(times, reverse=True)


THREE_STAGES = Rounds((0, 1, 2), (2, 1, 0), "test")


@pytest.mark.parametrize("trips", [0, 1])
def test_trips_that_overlap_with_none_take_their_own_time(trips: int):
    """Nothing for none; one trip takes what its operations take, one by one."""
    taken_ps = makespan_ps(COSTS, edges(3), THREE_STAGES, trips)

    assert taken_ps == trips * sum(COSTS.done_ps)


@pytest.mark.parametrize("trips", [2, 3, 7])
def test_trips_overlap(trips: int):
    """Several take less than one after the other."""
    taken_ps = makespan_ps(COSTS, edges(3), THREE_STAGES, trips)

    assert taken_ps < trips * sum(COSTS.done_ps)


def test_a_round_has_as_many_stages_as_the_last_one_says():
    """Stages count from 0; places are the inverse of the order."""
    rounds = Rounds((0, 2, 1), (1, 2, 0), "test")

    assert (rounds.num_stages, rounds.place()) == (3, (2, 0, 1))


def test_two_servers_of_dma_take_a_round_in_the_time_of_the_slower_one():
    """Loads and stores of a trip are under way together."""
    costs = costs_of(NODE, SPLIT)
    taken_ps = best_rounds(NODE, costs, edges(4), trips=64)[1]

    assert costs.engine == (Engine.DMA_LOAD, Engine.VECTOR, Engine.DMA_STORE)
    assert taken_ps == sum(costs.done_ps) + 63 * max(costs.busy_ps)
