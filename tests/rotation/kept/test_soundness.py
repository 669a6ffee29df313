"""What is seen to go wrong at some trip count is never proved right for all."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pelican.errors import LocatedError
from rotation.check.kept import check_kept, hazards_of
from rotation.kept.data import KeptProgram, Rounds
from rotation.kept.reads import verify_kept_reads
from rotation.kept.registers import limits
from rotation.kept.run import checked
from rotation.kept.tables import tables_of
from rotation.loop_form.kernel import Function
from tests.rotation.kept.kernels import RunTime, run_time_kernels
from tests.rotation.kept.programs import kept_program
from tests.rotation.programs import PLANNING, kernel


@st.composite
def damaged(draw: st.DrawFn, kept: KeptProgram) -> KeptProgram:
    """Draw a kept program with one fault planted; it may be harmless."""
    node = draw(st.sampled_from(kept.tree.straights))
    edges, rounds = list(kept.edges[node]), kept.rounds[node]
    kind = draw(st.sampled_from(["drop", "later", "slots", "stage"]))
    if kind in {"drop", "later"} and edges:
        at = draw(st.integers(0, len(edges) - 1))
        edge = edges.pop(at)
        if kind == "later" and node.loop is not None:
            edges.insert(at, replace(edge, distance=edge.distance + 1))
        return replace(kept, edges={**kept.edges, node: tuple(edges)})
    if kind == "stage":
        op = draw(st.integers(0, len(node.ops) - 1))
        stage = list(rounds.stage)
        stage[op] += 0 if node.loop is None else draw(st.integers(1, 2))
        moved = Rounds(tuple(stage), rounds.order, "test")
        return replace(kept, rounds={**kept.rounds, node: moved})
    ringed = [t for t, p in kept.locations.items() if p.slots > 1]
    if not ringed:
        return kept
    tensor = draw(st.sampled_from(ringed))
    place = kept.locations[tensor]
    fewer = place.slots - 1
    short = replace(place, slots=fewer, slot=place.slot.numer % fewer)
    return replace(kept, locations={**kept.locations, tensor: short})


def at_most(function: Function, number: int) -> dict[str, int]:
    """Return a number for each register, or the most that it may hold."""
    return {limit.register: min(number, limit.most) for limit in limits(function)}


@settings(max_examples=6)
@given(st.data(), run_time_kernels(), st.integers(2, 3))
def test_a_hazard_at_some_trip_count_is_refuted_for_all(
    data: st.DataObject, drawn: RunTime, slots: int
):
    """By whatever fault: a wait, a stage, a slot."""
    try:
        function = kernel(drawn.text)
        values = at_most(function, 4)
        sizes = {t.name: slots for t in function.tensors if t.on_chip}
        kept = kept_program(function, sizes, values)
        verify_kept_reads(kept.tree, PLANNING)
    except LocatedError:
        return
    assume(kept.tree.straights)
    faulty = data.draw(damaged(kept))
    seen = [
        hazard
        for n in range(9)
        for hazard in checked(tables_of(faulty, at_most(function, n)))
    ]

    if seen:
        assert hazards_of(check_kept(faulty)), seen[0]
