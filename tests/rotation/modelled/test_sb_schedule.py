import pytest
from hypothesis import given
from hypothesis import strategies as st

from rotation.loop_form.kernel import Engine
from rotation.modelled.sb_schedule import (
    SB_POST_SCHEDULE,
    SB_SCHEDULE,
    byte_windows,
)

BORDERS = {
    98_304: (19_664, 39_328),
    196_608: (39_328, 78_648),
    229_376: (45_880, 91_752),
    262_144: (52_432, 104_864),
    180_224: (36_048, 72_096),
    212_984: (42_600, 85_200),
}
"""Bytes of a partition, and where the second and the third window begin."""


def row(step):
    return (step.target.value, step.period, step.window.value, step.rotate, step.engine)


def test_the_schedule_before_scheduling():
    """Targets 1, 2, 5, 7, 3, 12 with their periods and windows."""
    assert [row(step) for step in SB_SCHEDULE] == [
        (1, 5, "middle", True, None),
        (2, 20, "high", False, None),
        (5, 10, "middle", True, None),
        (7, 20, "middle", True, None),
        (3, 10, "low", True, None),
        (12, 60, "low", True, None),
    ]


def test_the_schedule_after_scheduling():
    """The first five, then target 4 of DVE and of Pool."""
    assert SB_POST_SCHEDULE[:5] == SB_SCHEDULE[:5]
    assert [row(step) for step in SB_POST_SCHEDULE[5:]] == [
        (4, 1, "low", False, Engine.VECTOR),
        (4, 1, "low", False, Engine.GPSIMD),
    ]


@pytest.mark.parametrize("size", BORDERS)
def test_windows_are_a_fifth_two_fifths_and_the_rest(size):
    """Each border a multiple of 8, never that times 8."""
    low, middle, high = byte_windows(size).values()

    assert (low.end_byte, middle.end_byte) == BORDERS[size]
    assert (low.first_byte, high.end_byte) == (0, size)


@given(st.integers(0, 300_000), st.integers(0, 10_000))
def test_windows_tile_the_bytes(size, base):
    """One begins where another ends, and none leaves the bytes."""
    low, middle, high = byte_windows(size, base).values()
    borders = [low.first_byte, low.end_byte, middle.end_byte, high.end_byte]

    assert (low.end_byte, middle.end_byte) == (middle.first_byte, high.first_byte)
    assert borders == sorted(borders)
    assert (borders[0], borders[-1]) == (base, base + size)


def test_borders_are_rounded_up_to_multiples_of_8():
    """A fifth of 256 bytes is 51, two fifths are 102."""
    low, middle, _ = byte_windows(256).values()

    assert (low.end_byte, middle.end_byte) == (56, 104)
