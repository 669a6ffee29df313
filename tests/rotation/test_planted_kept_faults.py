"""Each fault that a pass may have on a kept loop is planted once; a check finds it.

Every test says which checks find its fault, and whether the proofs for all trip
counts do, the unrolled programs of few trips, or both.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from rotation import run
from rotation.check.kept import check_kept, hazards_of
from rotation.kept.data import KeptProgram, Rounds
from rotation.kept.layout import live_intervals
from rotation.kept.run import checked
from rotation.kept.tables import tables_of
from rotation.unrolled.program import Edges
from tests.rotation.kept.kernels import SHARED
from tests.rotation.kept.programs import NEST, ROWS, kept_program
from tests.rotation.programs import kernel

LD, CP, ST = range(3)


def rows() -> KeptProgram:
    """Return load, copy, store in rings of three."""
    return kept_program(kernel(ROWS), {"xt": 3, "zt": 3}, {"n": 64})


def proved_wrong(kept: KeptProgram) -> set[str]:
    """Return the checks that the proofs for all trip counts refute."""
    return {hazard.check for hazard in hazards_of(check_kept(kept))}


def seen_wrong(kept: KeptProgram, n: int) -> set[str]:
    """Return the checks that find a hazard in the unrolled program."""
    return {hazard.check for hazard in checked(tables_of(kept, {"n": n}))}


def with_distance(kept: KeptProgram, more: int) -> KeptProgram:
    """Return a program whose waits for a ring come so many trips later."""
    (node,) = kept.tree.straights
    edges = tuple(
        replace(e, distance=e.distance + more) if e.distance else e
        for e in kept.edges[node]
    )
    return replace(kept, edges={node: edges})


def test_without_a_fault_there_is_no_hazard():
    """Proved for all, seen at few."""
    kept = rows()

    assert proved_wrong(kept) == set()
    assert set().union(*(seen_wrong(kept, n) for n in range(8))) == set()


def test_a_distance_of_n_plus_1_is_caught_by_the_race_checks():
    """Slots come round after N trips, waits are for N + 1 (G06, G24)."""
    kept = with_distance(rows(), 1)

    assert proved_wrong(kept) == {"race"}
    assert "race" in seen_wrong(kept, 5)


def test_a_distance_of_n_plus_1_is_not_seen_at_few_trips():
    """Three trips use each slot once: only the proof speaks of all trip counts."""
    assert seen_wrong(with_distance(rows(), 1), 3) == set()


def test_a_distance_of_1_only_costs_time():
    """A wait that comes too early is legal."""
    kept = with_distance(rows(), -2)
    (node,) = kept.tree.straights
    in_turn = Rounds((0, 0, 0), (LD, CP, ST), "test")

    assert proved_wrong(replace(kept, rounds={node: in_turn})) == set()


def test_a_slot_less_in_memory_is_caught_by_the_race_checks():
    """The ring has two slots, the waits are for three."""
    kept = rows()
    two = kept_program(kernel(ROWS), {"xt": 2, "zt": 2}, {"n": 64})
    names = {t.name: p for t, p in two.locations.items()}
    places = {t: names[t.name] for t in kept.locations}

    assert "race" in proved_wrong(replace(kept, locations=places))
    assert "race" in seen_wrong(replace(kept, locations=places), 5)


def test_a_slot_taken_from_the_raw_index_is_caught_by_the_race_proof():
    """With a step of 2 it never changes, and waits are for two slots (G11)."""
    text = ROWS.replace("[0, %n)", "[0, %n) step 2").replace("128*i:", "64*i:")
    kept = kept_program(kernel(text), {"xt": 2, "zt": 2}, {"n": 64})

    def raw(place):
        (i,) = place.slot.indices if place.slots > 1 else (None,)
        return place if i is None else replace(place, slot=i % 2)

    places = {t: raw(p) for t, p in kept.locations.items()}

    assert proved_wrong(kept) == set()
    assert proved_wrong(replace(kept, locations=places)) == {"race"}


def test_a_store_moved_before_its_copy_is_caught():
    """Its stage is too early: the order contradicts the edges (G08)."""
    kept = rows()
    (node,) = kept.tree.straights
    early = Rounds((1, 1, 0), (LD, CP, ST), "test")

    assert "race" in proved_wrong(replace(kept, rounds={node: early}))


def test_an_operation_left_out_of_the_rounds_is_caught():
    """It would run at no trip (G10)."""
    kept = rows()
    (node,) = kept.tree.straights
    fewer = Rounds((0, 0, 0), (LD, CP), "test")

    assert proved_wrong(replace(kept, rounds={node: fewer})) == {"dependence"}


def test_anti_edges_left_out_are_caught_by_both():
    """Loads run ahead into slots that are still read."""
    result = run(kernel(ROWS), skip_passes=["anti_dependency_analyzer"])

    assert result.proofs.refuted
    assert {"race"} <= {hazard.check for hazard in result.hazards}
    assert not result.equivalent


def test_a_buffer_that_is_free_in_the_loop_that_reads_it_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """Liveness without the back edge: scratch is put on what every trip reads (G33)."""

    def without_back_edges(tree):
        spans = live_intervals(tree)
        return {t: (0, 2) if t.name == "inv" else s for t, s in spans.items()}

    monkeypatch.setattr("rotation.kept.layout.live_intervals", without_back_edges)
    kept = kept_program(kernel(SHARED), {}, {"n": 8}, compact=True)

    assert "overlap" in proved_wrong(kept)
    assert "equivalence" in seen_wrong(kept, 3)
    assert "equivalence" not in seen_wrong(kept, 1)


def test_a_node_that_does_not_wait_for_the_one_before_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """Nothing drains the loop before its memory is used again (G25, G26)."""
    kept = kept_program(kernel(NEST), {"s": 1, "t": 3}, {"n": 8})
    empty = tables_of(kept, {"n": 0}).edges.source[:0]
    monkeypatch.setattr(
        "rotation.kept.tables._waits", lambda *_: Edges(empty, empty, empty)
    )

    assert {"race"} <= seen_wrong(kept, 2)


CARRIED = (
    ROWS.replace("  for i", "  sb c [128, 512] fp32\n  vector.memset c <-\n  for i")
    .replace("cp: vector.copy zt <- xt", "cp: vector.add zt <- xt, c")
    .replace("    st:", "    up: scalar.copy c <- zt\n    st:")
)
"""What one trip leaves in a plain buffer is read by the next."""


def test_a_recurrence_that_is_not_kept_is_caught():
    """Only rings were looked at, not the plain buffer (G41)."""
    kept = kept_program(kernel(CARRIED), {"c": 1, "xt": 3, "zt": 3}, {"n": 8})
    node = kept.tree.straights[-1]
    names = [op.name for op in node.ops]
    lost = names.index("up"), names.index("cp")
    edges = tuple(e for e in kept.edges[node] if (e.source, e.sink) != lost)

    assert proved_wrong(kept) == set()
    assert len(edges) == len(kept.edges[node]) - 1
    assert proved_wrong(replace(kept, edges={**kept.edges, node: edges})) == {"race"}
