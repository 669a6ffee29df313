import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.dependence.reduction import _covered, _Queues, reduced
from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.unrolled.program import Edges, Program
from tests.rotation.dependence.edges import edges_of
from tests.rotation.programs import Op, pairs, program_of, random_programs, tile

Event = tuple[str, int]


def known_complete(program: Program, edges: Edges, order: list[int]) -> list[set[int]]:
    """Return what is complete when each instruction starts, at whatever speeds.

    A closure over the events "starts" and "is complete", straight from the rules.
    """
    after: dict[Event, set[Event]] = {}

    def implies(earlier: Event, later: Event) -> None:
        after.setdefault(later, set()).add(earlier)

    last: dict[int, int] = {}
    for row in order:
        implies(("start", row), ("complete", row))
        engine = int(program.engine[row])
        if engine in last:
            in_order = Engine(engine).completes_in_order
            implies(("start", last[engine]), ("start", row))
            if in_order:
                implies(("complete", last[engine]), ("start", row))
        last[engine] = row
    for source, sink, _ in pairs(edges):
        implies(("complete", source), ("start", sink))

    def closure(event: Event) -> set[Event]:
        found: set[Event] = set()
        front = [event]
        while front:
            for earlier in after.get(front.pop(), ()):
                if earlier not in found:
                    found.add(earlier)
                    front.append(earlier)
        return found

    return [
        {row for kind, row in closure(("start", i)) if kind == "complete"}
        for i in range(len(program))
    ]


@given(random_programs(most=12), st.integers(1, 2))
def test_a_dropped_edge_is_implied_by_the_rest(program: Program, slots: int):
    """The reduced edges order, at all speeds, all that the whole edges order."""
    order = np.arange(len(program))
    whole = edges_of(program, slots)
    left = known_complete(program, reduced(program, whole, order), order.tolist())

    assert all(source in left[sink] for source, sink, _ in pairs(whole))


@given(random_programs(most=12), st.integers(1, 2))
def test_a_kept_edge_is_one_of_the_given(program: Program, slots: int):
    """Reduction invents nothing."""
    whole = edges_of(program, slots)
    left = reduced(program, whole, np.arange(len(program)))

    assert pairs(left) <= pairs(whole)


@given(random_programs(most=10), st.integers(1, 2))
def test_a_kept_edge_is_not_implied(program: Program, slots: int):
    """Without it, the others do not order its ends at all speeds."""
    order = np.arange(len(program))
    left = reduced(program, edges_of(program, slots), order)
    for edge in range(len(left)):
        others = np.arange(len(left)) != edge
        rest = Edges(left.source[others], left.sink[others], left.kind[others])
        known = known_complete(program, rest, order.tolist())

        assert left.source[edge] not in known[left.sink[edge]]


@given(random_programs(most=12))
def test_reduction_ends_after_one_round(program: Program):
    """Reduced edges are not reduced any further."""
    order = np.arange(len(program))
    once = reduced(program, edges_of(program, 1), order)

    assert pairs(reduced(program, once, order)) == pairs(once)


def hand(engines: list[Engine], *edges: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the reduced edges of instructions in source order."""
    ops = [Op(engine, 1, 0, ()) for engine in engines]
    program = program_of([tile("s", (4,))], ops)
    columns = np.array(sorted(edges, key=lambda edge: edge[::-1])).reshape(-1, 2)
    kinds = np.full(len(columns), EdgeKind.FLOW)
    whole = Edges(columns[:, 0], columns[:, 1], kinds)
    left = reduced(program, whole, np.arange(len(ops)))
    return {(a, b) for a, b, _ in pairs(left)}


def test_the_queue_of_a_compute_engine_implies_an_edge():
    """A compute engine completes one instruction before it starts the next."""
    assert hand([Engine.PE, Engine.PE], (0, 1)) == set()


def test_the_queue_of_dma_implies_no_edge():
    """Two transfers complete in any order, so their edge stays."""
    assert hand([Engine.DMA, Engine.DMA], (0, 1)) == {(0, 1)}


def test_a_transfer_is_known_complete_through_one_that_waited_for_it():
    """If the waiting instruction has started, what it waited for is complete."""
    engines = [Engine.DMA, Engine.PE, Engine.VECTOR]

    assert hand(engines, (0, 1), (1, 2), (0, 2)) == {(0, 1), (1, 2)}


def test_a_later_wait_of_the_same_queue_is_implied():
    """What waits behind a waiting instruction in its queue need not wait again."""
    engines = [Engine.DMA, Engine.PE, Engine.PE]

    assert hand(engines, (0, 1), (0, 2)) == {(0, 1)}


def test_a_started_transfer_tells_nothing_of_its_completion():
    """A transfer behind a waiting one does not make the earlier one complete."""
    engines = [Engine.DMA, Engine.DMA, Engine.VECTOR]

    assert hand(engines, (1, 2), (0, 2)) == {(1, 2), (0, 2)}


def test_the_latest_of_a_compute_queue_covers_the_earlier():
    """Waiting for the last of a compute queue is waiting for all before it."""
    engines = [Engine.VECTOR, Engine.VECTOR, Engine.PE]

    assert hand(engines, (0, 2), (1, 2)) == {(1, 2)}


def test_what_a_source_knew_is_known():
    """An edge that a path of other edges implies is dropped."""
    engines = [Engine.PE, Engine.VECTOR, Engine.SCALAR]

    assert hand(engines, (0, 1), (1, 2), (0, 2)) == {(0, 1), (1, 2)}


def test_what_the_queues_imply_is_found_without_clocks():
    """Of many edges between two queues, clocks see those that the others leave."""
    engines = [Engine.VECTOR, Engine.VECTOR, Engine.PE, Engine.PE, Engine.DMA]
    program = program_of(
        [tile("s", (4,))], [Op(engine, 1, 0, ()) for engine in engines]
    )
    ends = np.array([(0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (1, 4), (3, 4)])
    whole = Edges(ends[:, 0], ends[:, 1], np.full(len(ends), EdgeKind.FLOW))
    order = np.arange(len(program))
    covered = _covered(whole, _Queues.of(program, order), order)

    assert ends[~covered].tolist() == [[1, 2], [1, 4], [3, 4]]


@pytest.mark.parametrize(
    ("load", "store", "kept"),
    [
        (Engine.DMA, Engine.DMA, {(0, 1)}),
        (Engine.DMA_LOAD, Engine.DMA_STORE, {(0, 1), (0, 2)}),
    ],
    ids=["one server", "two servers"],
)
def test_a_load_knows_what_a_store_waited_for_only_behind_it(
    load: Engine, store: Engine, kept: set[tuple[int, int]]
):
    """With a queue of its own it may start before the store."""
    assert hand([load, store, load], (0, 1), (0, 2)) == kept
