"""All laws, as tests take them one by one, and the names of their examples."""

from __future__ import annotations

import pytest

from pelican import Expr, index
from pelican.laws.lemma import Lemma
from pelican.lemmas import LEMMAS
from pelican.text.declarations import parse_declaration

lemmas = pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)


def names_of(lemma: Lemma) -> dict[str, Expr]:
    """Return the indices of a law's example: x and y, bounded where it says so."""
    example = lemma.example
    assert example is not None
    bounded = [parse_declaration(t, index, name="index") for t in example.indices]
    names: dict[str, Expr] = {name: index(name) for name in ("x", "y")}
    return names | {idx.name: idx for idx in bounded}
