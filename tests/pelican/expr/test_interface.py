"""The table of slots, and the methods that have no other home."""

from pathlib import Path

import pytest

from pelican import Expr, IndexRangeError, index, runtime
from pelican.expr.interface import SLOTS
from pelican.expr.interface_page import interface_page, meaning

DOCS = Path(__file__).parents[3] / "docs"
X = index("x", 0, 64)


def test_the_page_is_up_to_date(golden):
    """The page in the docs is the one that the code gives."""
    golden(DOCS / "interface.md", interface_page())


def test_every_slot_is_there():
    """Each of the 39 slots, and the extra one of two families."""
    assert sorted({slot for slot, _, _ in SLOTS}) == list(range(40))


@pytest.mark.parametrize("name", sorted({name for _, _, name in SLOTS if name}))
def test_a_slot_has_a_method_with_a_meaning(name: str):
    """The Python name is one of an index, which has them all, and is described."""
    assert hasattr(type(X), name)
    assert meaning(name)


def test_bounds_are_the_ends_of_the_range():
    """The fast pair."""
    expr = Expr.__add__(X % 8, 3)

    assert (expr.infimum, expr.supremum) == (3, 10)
    assert runtime("r").infimum is runtime("r").supremum is None


def test_simplify_is_the_engine():
    """As a method."""
    assert ((X % 64) + 1).simplify() == X + 1


def test_a_default_stands_for_unbound_leaves():
    """It is checked like any value."""
    y = index("y", 1, 8)

    assert int((X + y).eval({X: 3}, default=7)) == 10
    assert not (X + y).eval({X: 3}).valid
    with pytest.raises(IndexRangeError, match="y = 0 is outside"):
        (X + y).eval({X: 3}, default=0)
