from dataclasses import replace

import numpy as np

from rotation.loop_form.kernel import EdgeKind
from rotation.passes.base import State, built
from rotation.passes.build_dependences import (
    ANTI,
    DROPPED,
    FLOW,
    ORDERED,
    OUTPUT,
    AntiDependencyAnalyzer,
    BuildFdeps,
    RebuildDependences,
)
from tests.rotation.passes.states import until
from tests.rotation.programs import MATMUL, pairs


def kinds(state: State) -> set[int]:
    return set(built(state.edges, "edges").kind.tolist())


def test_the_first_pass_makes_flow_only():
    """A read waits for its write; nothing else yet."""
    result = BuildFdeps().run(until("build_fdeps"))

    assert kinds(result.state) == {EdgeKind.FLOW}
    assert result.statistics == {FLOW: 3 * 16, ORDERED: 0}


def test_the_second_pass_adds_the_reuse_of_bytes():
    """Every instance but the first of each slot waits for the readers before."""
    result = AntiDependencyAnalyzer().run(until("anti_dependency_analyzer"))

    assert kinds(result.state) == {EdgeKind.FLOW, EdgeKind.ANTI}
    assert result.statistics == {ANTI: 14 + 15 + 15, OUTPUT: 0}


def test_the_rebuilt_edges_go_forward_in_the_final_order():
    """No instruction waits for a later one."""
    state = RebuildDependences().run(until("rebuild_dependences", MATMUL)).state
    order = built(state.schedule, "schedule").order
    position = np.argsort(order)
    edges = built(state.edges, "edges")

    assert (position[edges.source] < position[edges.sink]).all()


def test_fewer_than_three_edges_are_left_for_each_instruction():
    """What queues and other edges imply is dropped."""
    result = RebuildDependences().run(until("rebuild_dependences", MATMUL))

    assert len(built(result.state.edges, "edges")) < 3 * len(
        built(result.state.program, "program")
    )
    assert result.statistics[DROPPED] > 0


def test_old_edges_are_cleared():
    """The edges in force before are not carried over."""
    state = until("rebuild_dependences")
    edges = built(state.edges, "edges")
    bogus = replace(edges, source=np.zeros_like(edges.source))

    clean = RebuildDependences().run(state).state.edges
    again = RebuildDependences().run(replace(state, edges=bogus)).state.edges
    assert pairs(built(again, "edges")) == pairs(built(clean, "edges"))
