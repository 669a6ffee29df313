from __future__ import annotations

from collections.abc import Sequence

import pytest

from pelican import Expr, index
from pelican.tree.traverse import fold
from proofs.exhaust import BLOCK_POINTS, MAX_POINTS, exhaust, is_small
from proofs.verdict import Proved, Refuted, Unknown

i, j = index("i", 0, 5), index("j", 1, 20, 3)


def _below(limit: int, expr: Expr):
    return lambda leaf, look: fold(expr, leaf, look=look) < limit


def test_a_claim_that_holds_at_every_point_is_proved():
    """Every point was tried."""
    total = i + j

    assert isinstance(exhaust(_below(24, total), (i, j), timeout_s=10), Proved)


def test_the_first_point_that_fails_is_the_counterexample():
    """The last index runs fastest, over its steps."""
    total = i + j

    assert exhaust(_below(20, total), (i, j), timeout_s=10) == Refuted({i: 1, j: 19})


def test_values_beyond_64_bits_do_not_overflow():
    """Values are integers of any size."""
    huge = i * 10**30

    verdict = exhaust(_below(4 * 10**30, huge), (i,), timeout_s=10)

    assert verdict == Refuted({i: 4})


def test_the_last_point_of_the_last_block_is_tried():
    """Blocks leave no gap."""
    trips = 2 * BLOCK_POINTS + 1
    k = index("k", 0, trips)

    verdict = exhaust(_below(trips - 1, k), (k,), timeout_s=10)

    assert verdict == Refuted({k: trips - 1})


def test_time_that_runs_out_is_unknown():
    """The reason says how far it came."""
    verdict = exhaust(_below(5, i), (i,), timeout_s=-1)

    assert isinstance(verdict, Unknown)
    assert "0 of 5 points" in verdict.reason


def test_the_clock_is_looked_at_while_one_block_is_evaluated():
    """One evaluation of a huge tree takes no longer than all of them may."""

    def endless(leaf, look):
        while True:
            look()

    verdict = exhaust(endless, (i,), timeout_s=0.01)

    assert isinstance(verdict, Unknown)
    assert "0 of 5 points" in verdict.reason


@pytest.mark.parametrize(
    ("domain", "small"),
    [
        ((), True),
        ((index("k", 0, MAX_POINTS),), True),
        ((index("k", 0, MAX_POINTS), index("l", 0, 2)), False),
        ((index("k", 0, None),), False),
        ((index("k", None, 8),), False),
    ],
)
def test_a_domain_is_small_up_to_a_million_points(domain: Sequence[Expr], small: bool):
    """Unbounded domains are never small."""
    assert is_small(domain) == small  # type: ignore[arg-type]
