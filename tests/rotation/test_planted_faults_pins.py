"""Faults planted in what passes do with pins; a check must find each."""

from dataclasses import replace

import numpy as np
import pytest

from rotation.dependence.dependences import storage_edges
from rotation.loop_form.kernel import EdgeKind, MemorySpace
from rotation.machine.machine import get_machine
from rotation.passes.base import State
from rotation.placement.binding import initial_placement
from rotation.unrolled.footprint import Cells
from rotation.unrolled.pins import Pinned, pinned
from rotation.unrolled.program import Edges, Ints, Placement, Program
from tests.rotation.finished import finished, found
from tests.rotation.pinned import PINNED
from tests.rotation.programs import PLANNING


def compiled() -> State:
    """Return the pinned kernel after all passes."""
    return finished(PINNED)


@pytest.fixture(scope="module")
def clean() -> State:
    """Return the pinned kernel compiled without a fault, once."""
    return compiled()


def test_without_a_fault_there_is_no_hazard(clean: State):
    """It is the fault that is found."""
    assert found(clean) == set()


def test_an_allocator_that_forgets_reserved_bytes_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """A buffer of the passes is put on banks of the user, and nothing refuses it."""
    monkeypatch.setattr("rotation.placement.binding.reserved_bytes", lambda *_: [])
    monkeypatch.setattr(
        "rotation.passes.address_rotation.binding_fault", lambda *_: None
    )
    monkeypatch.setattr("rotation.dependence.dependences._clusters", _alone)

    assert found(compiled()) >= {"race", "equivalence"}


def _alone(program: Program, table: Ints) -> Ints:
    """Return a cluster for each frame, as if none shared a byte with another."""
    return np.arange(len(table))


def test_two_rings_on_the_same_banks_without_their_edges_are_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """Reuse is looked for inside each buffer only: the banks are shared by two."""
    monkeypatch.setattr("rotation.dependence.dependences._clusters", _alone)

    assert found(compiled()) == {"overlap", "race"}


def test_a_bank_of_the_map_that_is_one_off_is_caught(monkeypatch: pytest.MonkeyPatch):
    """All instances of one buffer move to the neighbouring bank."""

    def one_off(program: Program) -> Placement:
        placement = initial_placement(program)
        names = [tensor.name for tensor in program.function.tensors]
        mine = program.location_tensor == names.index("a")
        byte = placement.byte + np.where(mine, PLANNING.psum_bank_bytes, 0)
        return replace(placement, byte=byte)

    for module in ("passes.coloring_allocator", "rings.search", "rings.rooms"):
        monkeypatch.setattr(f"rotation.{module}.initial_placement", one_off)

    assert "pin" in found(compiled())


def test_a_map_that_stops_at_its_first_place_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """Every instance goes where the first one is."""

    def first_place(program: Program) -> Pinned:
        places = pinned(program)
        slot = np.zeros_like(places.slot)
        byte = np.where(
            places.here, places.byte.min(where=places.here, initial=9999), -1
        )
        return Pinned(places.here, places.partition, byte, slot)

    monkeypatch.setattr("rotation.placement.binding.pinned", first_place)

    assert "pin" in found(compiled())


def test_an_anti_edge_of_a_shared_bank_that_is_dropped_is_caught(clean: State):
    """Each of them is needed: the race check finds that any single one is missing."""
    state = clean
    edges = state.edges
    names = [i.name for i in state.function.instructions]
    sinks = [names[row] for row in state.program.statement[edges.sink]]
    reuse = np.flatnonzero(edges.kind == EdgeKind.ANTI)
    shared = [edge for edge in reuse.tolist() if sinks[edge] in {"f", "h"}]

    assert shared
    for edge in shared:
        kept = np.arange(len(edges)) != edge
        fewer = Edges(edges.source[kept], edges.sink[kept], edges.kind[kept])
        assert found(replace(state, edges=fewer)) == {"race"}


def test_a_machine_with_fewer_banks_refuses_the_map(clean: State):
    """A bank that is not there is found by the check of capacity, too."""
    state = clean
    small = replace(get_machine("planning"), psum_banks=2)
    program = replace(state.program, machine=small)

    assert "capacity" in found(replace(state, program=program))


def test_storage_edges_see_banks_of_the_user(clean: State):
    """The edges between the two rings come from the common bank."""
    state = clean
    cells: Cells = state.cells
    edges = storage_edges(state.program, cells, state.placement)
    names = [i.name for i in state.function.instructions]
    statement = state.program.statement
    pairs = {
        (names[statement[sink]], names[statement[source]])
        for sink, source in zip(edges.sink, edges.source, strict=True)
    }

    assert ("f", "k") in pairs
    assert ("h", "g") in pairs
    assert all(t.space is MemorySpace.PSUM for t in state.function.tensors[4:7])
