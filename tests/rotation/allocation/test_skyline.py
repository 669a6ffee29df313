import numpy as np
from hypothesis import given

from rotation.allocation import Buffers, buffers, faults
from rotation.allocation.buffers import time_slots
from rotation.allocation.skyline import Search, Skyline
from tests.rotation.allocation.strategies import small_tables
from tests.rotation.allocation.tables import trace


def skyline(table: Buffers) -> Skyline:
    """Return the skyline of all rows."""
    return Skyline(table, time_slots(table), np.arange(len(table)))


def test_the_greater_score_comes_first():
    """Of two that could both lie at the bottom."""
    table = buffers([0, 0], [2, 2], [8, 4])
    offset, failed = skyline(table).offsets(np.array([1.0, 2.0]), limit=12)

    assert (offset.tolist(), failed) == ([4, 0], [])


def test_what_does_not_fit_is_named_and_takes_no_room():
    """Others may still fit."""
    table = buffers([0, 0, 0], [2, 2, 2], [8, 8, 4])
    offset, failed = skyline(table).offsets(np.array([3.0, 2.0, 1.0]), limit=12)

    assert (sorted(offset.tolist()), len(failed)) == ([-1, 0, 8], 1)


@given(small_tables())
def test_a_skyline_has_no_fault(table: Buffers):
    """Without a limit everything is placed, each on its alignment."""
    offset, failed = skyline(table).offsets(np.ones(len(table)), limit=1 << 40)

    assert failed == []
    assert faults(table, offset) == ()


def test_turns_never_raise_the_peak():
    """The best placement is kept, and each turn places every buffer once."""
    table = trace("A")
    search = Search(skyline(table), least=0)
    peaks = [search.peak]
    for _ in range(6):
        search.turn()
        peaks.append(search.peak)

    assert peaks == sorted(peaks, reverse=True)
    assert search.steps == (4 + 6) * len(table)
