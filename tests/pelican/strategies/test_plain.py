"""What a look at a sum of plain indices sees, and the sum that it folds to."""

import pytest

from pelican import Expr, index
from pelican.strategies.plain import folded, look_at
from tests.strategies import I, J, K, N

A, C = index("a", 0, 5), index("c", 3, 5)


@pytest.mark.parametrize("idx", [J, K, I % 8, index("s", 0, 8, 2)])
def test_an_index_that_leaves_values_out_is_not_plain(idx: Expr):
    """A step, or a single value, is a matter of classes."""
    assert look_at(N + idx, 8) is None
    assert look_at(N + I, 8) == (((I, 1), (N, 1)), 0, ((I, 1), (N, 1)), False)


def test_a_look_sees_what_the_divisor_leaves_and_how_wide_it_is():
    """``64*i + 9*a + 3`` modulo 64 reaches over 36 values, modulo 32 over all."""
    terms = ((A, 9), (I, 64))

    assert look_at(64 * I + 9 * A + 3, 64) == (terms, 3, ((A, 9),), True)
    assert look_at(64 * I + 9 * A + 3, 32) == (terms, 3, ((A, 9),), False)


@pytest.mark.parametrize("numer", [I - I + 5, I % 8 + N % 3, 2 * (N // 3)])
def test_what_is_no_sum_of_indices_is_not_looked_at(numer: Expr):
    """A constant folds; divisions may vary together."""
    assert look_at(numer, 8) is None


def test_a_fold_may_turn_one_coefficient():
    """``(5*a + 2) mod 8`` is no sum; ``(7*c + 3) mod 8`` is ``7*c - 21``."""
    assert folded("%", ((A, 5),), 2, 8) is None
    assert folded("%", ((C, 7),), 3, 8) == (((C, 7),), -21)
    assert folded("//", ((C, 15),), 3, 8) == (((C, 1),), 3)


def test_a_fold_drops_what_the_divisor_divides():
    """Also of an index without an end: it is 0, whatever its value."""
    assert folded("%", ((I, 64), (A, 9), (N, 128)), 70, 64) == (((A, 9),), 6)
    assert folded("//", ((A, 65), (N, 128)), 5, 64) == (((A, 1), (N, 2)), 0)
