import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rotation.check.kept_order import Waits
from rotation.kept.data import KeptProgram, Rounds
from rotation.kept.edges import Conflicts
from rotation.kept.form import tree_of
from rotation.kept.reduction import reduced
from rotation.kept.rounds import best_rounds, costs_of
from tests.rotation.kept.programs import ROWS
from tests.rotation.programs import PLANNING, kernel

TWO_LOADS = ROWS.replace(
    "    cp: vector.copy zt <- xt", "    cp: pe.add zt <- xt, xt\n"
).replace("    st:", "    up: scalar.copy zt <- zt inplace\n    st:")


def waits_of(tree, node, rounds: Rounds, edges) -> list[int | None]:
    """Return the least distance at which each operation waits for each other."""
    kept = KeptProgram(tree, PLANNING, {}, {node: rounds}, {node: tuple(edges)})
    waits = Waits(kept, node)
    waits.limit = 9
    ops = range(len(node.ops))
    return [waits.least(a, b, 0) for a in ops for b in ops]


@settings(max_examples=12)
@given(st.sampled_from([ROWS, TWO_LOADS]), st.integers(1, 4))
def test_what_is_dropped_is_still_waited_for(text: str, slots: int):
    """At the same distances, by the checker's own walk."""
    tree = tree_of(kernel(text))
    (node,) = tree.straights
    costs = costs_of(node, PLANNING)
    edges = Conflicts(node).edges(
        {t: slots for t in tree.function.tensors if t.on_chip}
    )
    rounds, _ = best_rounds(node, costs, edges, 16)
    fewer = reduced(costs, rounds, edges)

    assert len(fewer) < len(edges)
    assert waits_of(tree, node, rounds, edges) == waits_of(tree, node, rounds, fewer)


@pytest.mark.parametrize("slots", [2, 3])
def test_a_body_keeps_few_edges(slots: int):
    """Two flows, and what keeps the queues from running too far ahead."""
    tree = tree_of(kernel(ROWS))
    (node,) = tree.straights
    costs = costs_of(node, PLANNING)
    edges = Conflicts(node).edges(
        {t: slots for t in tree.function.tensors if t.on_chip}
    )
    rounds, _ = best_rounds(node, costs, edges, 16)

    assert len(reduced(costs, rounds, edges)) < len(node.ops) + 2
