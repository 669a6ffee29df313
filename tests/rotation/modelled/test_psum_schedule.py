import pytest

from rotation.modelled.psum_schedule import (
    PSUM_SWEEPS,
    PsumTarget,
    prefer_bank_alignment,
    start_banks,
)

STARTS = {
    (8, 1): (0, 1, 2, 3, 4, 5, 6, 7),
    (8, 2): (0, 2, 4, 6),
    (8, 3): (0, 3),
    (8, 4): (0, 4),
    (8, 5): (0,),
    (8, 6): (0,),
    (8, 7): (0,),
    (8, 8): (0,),
    (4, 1): (0, 1, 2, 3),
    (4, 2): (0, 2),
}
"""Banks and width, and the right starts; taken literally 1 and 3 have one more."""


@pytest.mark.parametrize(("banks", "width"), STARTS)
def test_start_banks_are_those_of_the_table(banks, width):
    """Aligned to the width, and inside."""
    assert start_banks(width, banks) == STARTS[banks, width]


def test_what_is_wider_than_psum_starts_nowhere():
    """Nothing is returned rather than an overflow."""
    assert start_banks(9, 8) == ()


def test_a_start_is_preferred_at_multiples():
    """By 2, by 3 and by 4."""
    fits = {a: [s for s in range(8) if prefer_bank_alignment(s, a)] for a in (2, 3, 4)}

    assert fits == {2: [0, 2, 4, 6], 3: [0, 3, 6], 4: [0, 4]}


def test_there_are_three_equal_sweeps():
    """As data: a target and an integer each."""
    assert PSUM_SWEEPS == ((PsumTarget.ALL, 8),) * 3
