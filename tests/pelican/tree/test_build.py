"""The builder: sums of many indices, to which few are added."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import AffineExpr, index, shard, sum_of
from pelican.tree import build
from pelican.tree.build import MIN_RATIO

MANY = [index(f"v{k:03}", 0, 9) for k in range(3 * MIN_RATIO)]
LONG = sum_of(idx for k, idx in enumerate(MANY) if k % 6)
"""So many terms that two are put in between them one by one."""

parts = st.dictionaries(st.sampled_from(MANY), st.integers(-2, 2), max_size=2)


@given(parts)
def test_few_terms_put_into_many_are_terms_added_up(few: dict[Any, int]):
    """At their places; like terms are added, and what is 0 is gone."""
    small = sum_of(c * idx for idx, c in few.items())
    terms = [*LONG.flatten_terms()[0], *few.items()]

    assert LONG + small == small + LONG == AffineExpr(terms).simplify()


def test_a_new_term_before_one_that_is_there_is_put_in_once():
    """The second of the few ends the putting in, after the first was put in."""
    few = MANY[0] + MANY[5]

    assert LONG + few - LONG == few


def test_many_terms_are_not_looked_at_for_one(monkeypatch: pytest.MonkeyPatch):
    """They are copied."""
    monkeypatch.setattr(build, "added_up", None)

    assert len((LONG + MANY[18]).flatten_terms()[0]) == 41


@given(
    st.dictionaries(st.sampled_from(MANY[:5]), st.integers(-2, 2)),
    st.dictionaries(st.sampled_from(MANY[:5]), st.integers(-2, 2)),
)
def test_two_sums_of_indices_are_terms_added_up(left: dict[Any, int], right):
    """In whatever places the indices of the one are among those of the other."""
    one, other = (sum_of(c * i for i, c in part.items()) for part in (left, right))
    terms = [*left.items(), *right.items()]

    assert one + other == AffineExpr(terms).simplify()
    assert (one + other).flatten_terms() == AffineExpr(terms).simplify().flatten_terms()


def test_two_objects_of_one_index_are_one_term():
    """The shards of one count are equal, whatever their names."""
    one, other = shard(2, "s"), shard(2, "t")

    assert (3 * MANY[0] + one) + (other - MANY[0]) == 2 * MANY[0] + 2 * one
