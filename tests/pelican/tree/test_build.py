"""The builder: sums of many indices, to which few are added."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelican import AffineExpr, index, sum_of
from pelican.tree import build

MANY = [index(f"v{k:02}", 0, 9) for k in range(40)]
LONG = sum_of(MANY[k] for k in range(1, 40, 2))

parts = st.dictionaries(st.sampled_from(MANY), st.integers(-2, 2), max_size=2)


@given(parts)
def test_few_terms_put_into_many_are_terms_added_up(few: dict[Any, int]):
    """At their places; like terms are added, and what is 0 is gone."""
    small = sum_of(c * idx for idx, c in few.items())
    terms = [*LONG.flatten_terms()[0], *few.items()]

    assert LONG + small == small + LONG == AffineExpr(terms).simplify()


def test_many_terms_are_not_looked_at_for_one(monkeypatch: pytest.MonkeyPatch):
    """They are copied."""
    monkeypatch.setattr(build, "added_up", None)

    assert len((LONG + MANY[20]).flatten_terms()[0]) == 21
