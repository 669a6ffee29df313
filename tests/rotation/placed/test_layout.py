"""What was decided of a program, as records: rings where there are rings."""

from dataclasses import replace

import numpy as np

from rotation.loop_form.kernel import EdgeKind
from rotation.passes.base import State
from rotation.placed.layout import ROWS_IN_LINE, layout_of
from tests.rotation.finished import finished
from tests.rotation.pinned import PINNED
from tests.rotation.programs import COPY, STREAM, kernel

STATE = finished(STREAM)


def places(state: State, name: str):
    """Return the records of one buffer."""
    layout = layout_of(state.program, state.placement)
    return [place for place in layout.places if place.tensor == name]


def test_a_ring_is_one_record():
    """Base, slots and step say where all instances live."""
    (xt,) = places(STATE, "xt")

    assert (xt.slots, xt.step_bytes, xt.instance) == (2, 8192, None)


def test_one_slot_is_a_record_without_a_ring():
    """All instances are in one place."""
    (zt,) = places(STATE, "zt")

    assert (zt.slots, zt.step_bytes, zt.instance) == (None, 0, None)


def test_other_placements_have_a_record_for_each_instance():
    """One location that is elsewhere breaks the ring."""
    byte = STATE.placement.byte.copy()
    xt = [t.name for t in STATE.function.tensors].index("xt")
    location = int(np.flatnonzero(STATE.program.location_tensor == xt)[5])
    byte[location] += 40_000
    moved = replace(STATE, placement=replace(STATE.placement, byte=byte))
    found = places(moved, "xt")

    assert [place.instance for place in found[:3]] == [(0, 0), (0, 1), (1, 0)]
    assert [place.slot for place in found[:3]] == [0, 1, 0]
    assert found[5].byte == found[3].byte + 40_000


def test_a_location_without_a_place_has_no_record():
    """A half-finished placement is written as far as it goes."""
    byte = np.where(STATE.placement.byte == 0, -1, STATE.placement.byte)
    placement = replace(STATE.placement, byte=byte)
    names = {place.tensor for place in layout_of(STATE.program, placement).places}

    assert names < {
        place.tensor for place in layout_of(STATE.program, STATE.placement).places
    }


def test_a_map_of_the_user_that_is_a_ring_is_written_as_one():
    """Two banks in turn are a ring; in the opposite order they are not."""
    state = finished(PINNED)

    assert [(p.slots, p.step_bytes) for p in places(state, "a")] == [(2, 2048)]
    assert len(places(state, "b")) == 8


def test_queues_are_written_in_pieces():
    """Together they are the order of each engine."""
    layout = layout_of(STATE.program, None, STATE.schedule)
    dma = [
        row for queue in layout.queues if queue.engine == "dma" for row in queue.rows
    ]

    assert layout.waits is None
    assert layout.places == ()
    assert max(len(queue.rows) for queue in layout.queues) == ROWS_IN_LINE
    assert dma == [
        r for r in STATE.schedule.order.tolist() if STATE.program.engine[r] == 4
    ]


def test_the_distance_of_a_reuse_is_the_size_of_the_ring():
    """Loads of a ring of two wait for the readers two iterations before."""
    copy = kernel(COPY.replace("RING", "ring 2"))
    state = finished(copy)
    layout = layout_of(state.program, None, None, state.edges)
    loads = [w for w in layout.waits if w.kind is EdgeKind.ANTI and w.sink % 3 == 0]

    assert [(wait.sink, wait.source) for wait in loads] == [(6, 1), (9, 4)]
    assert {wait.distance for wait in loads} == {2}
