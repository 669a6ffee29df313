"""Tables of live nodes: what nothing else holds is gone."""

import gc

import pytest

from pelican import Expr, IndexRangeError, rank, runtime, symbol, tile
from pelican.core.live import FIRST_SWEEP, CountedTable, forget_dead

KEY = "key"


def entered(table: CountedTable, node: Expr) -> None:
    """Enter a node that the table alone holds then."""
    table[KEY] = node


def test_a_node_is_found_while_something_holds_it():
    """The same object."""
    table, node = CountedTable(), rank(0, 1)
    table[KEY] = node

    assert table.get(KEY) is node
    assert table.setdefault(KEY, rank(0, 2)) is node


def test_a_node_that_nothing_else_holds_is_not_found():
    """As in a weak table."""
    table = CountedTable()
    entered(table, rank(0, 1))

    assert table.get(KEY) is None
    assert len(table) == 0


def test_a_node_that_is_gone_gives_way():
    """Its key is free for another."""
    table, other = CountedTable(), rank(0, 2)
    entered(table, rank(0, 1))

    assert table.setdefault(KEY, other) is other


def test_the_values_of_a_node_do_not_hold_it():
    """They name the node itself; no other table has a register."""
    table, node = CountedTable(), runtime("r", 0, 4)
    assert node.values == (0, 1, 2, 3)
    entered(table, node)
    del node

    assert table.get(KEY) is None


@pytest.mark.parametrize("live", [True, False])
def test_a_large_table_forgets_what_is_gone(live: bool):
    """It is looked through when it has doubled."""
    table = CountedTable()
    held = [rank(0, k) for k in range(FIRST_SWEEP + 1) if live]
    for k in range(FIRST_SWEEP + 1):
        table[k] = held[k] if live else rank(0, k)

    assert len(table) == (FIRST_SWEEP + 1 if live else 1)


def test_a_symbol_is_free_when_only_tables_hold_it():
    """In either core, a tile of it that is gone does not keep it."""
    tiled = tile(symbol("free", 0, 64), 8)
    assert tiled.trip_count == 8
    del tiled
    gc.collect()
    forget_dead()

    assert symbol("free", 0, 128).hi == 128


def test_a_symbol_that_lives_is_not_free():
    """Two live symbols of one name have one range."""
    kept = symbol("kept", 0, 64)
    with pytest.raises(IndexRangeError, match="differs from the live one"):
        symbol("kept", 0, 128)

    assert kept.hi == 64
