import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.rings.legal import _farthest_overlap, least_slots, slot_clash
from rotation.unrolled.liveness import live_intervals
from rotation.unrolled.program import Program
from rotation.unrolled.unroll import unroll
from tests.rotation.instance_kernels import delay
from tests.rotation.programs import PLANNING


def carried(program: Program):
    """Return the buffer that is handed on."""
    return next(t for t in program.function.tensors if t.name == "c")


@pytest.mark.parametrize(
    ("distance", "first", "least"),
    [(2, False, 2), (4, False, 2), (2, True, 2), (4, True, 3)],
)
def test_the_least_ring_holds_all_that_is_needed_at_a_time(distance, first, least):
    """Two are filled before the loop; a third may come before the first is read."""
    program = unroll(delay(distance, first=first), PLANNING)
    slots = least_slots(program, live_intervals(program))
    c = carried(program)

    assert slots[c] == least
    assert set(slots.values()) == {1, least}


def test_a_ring_that_is_too_short_has_a_clash():
    """Two locations are named; from the least ring on there are none."""
    program = unroll(delay(4, first=True), PLANNING)
    c, lives = carried(program), live_intervals(program)
    older, newer = slot_clash(program, lives, c, 2)

    assert program.location_instance[newer] - program.location_instance[older] == 2
    assert [slot_clash(program, lives, c, n) for n in (3, 4, 5)] == [None] * 3


LIVES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=9
)


@given(LIVES)
def test_the_farthest_overlap_is_that_of_all_pairs(spans):
    """Heaps find what comparing every two instances finds."""
    lives = [(min(s), max(s), number) for number, s in enumerate(spans)]
    pairs = [
        abs(k - j)
        for first, last, k in lives
        for begin, end, j in lives
        if begin <= last and first <= end
    ]

    assert _farthest_overlap(sorted(lives)) == max(pairs)
