from dataclasses import replace

import numpy as np
from hypothesis import given

from rotation.allocation import Buffers, buffers, faults
from rotation.allocation.buffers import Ints, time_slots
from rotation.allocation.packing import MOST_UNITS, first_fit, settled
from tests.rotation.allocation.strategies import small_tables
from tests.rotation.allocation.tables import random_table


def in_order(table: Buffers) -> Ints:
    """Return the offsets of first fit in the order of the rows [bytes]."""
    packing = first_fit(table, time_slots(table), range(len(table)))
    return np.array(packing.offset) * packing.unit


def test_each_takes_the_lowest_offset_that_is_free_over_its_life():
    """A gap below an earlier buffer is used."""
    table = buffers([0, 0, 1], [1, 9, 3], [4, 4, 4])

    assert in_order(table).tolist() == [0, 4, 0]


@given(small_tables())
def test_first_fit_has_no_fault(table: Buffers):
    """Rounded up, aligned offsets stay aligned."""
    assert faults(table, in_order(table)) == ()


def test_sizes_are_rounded_up_to_few_units():
    """Masks stay short, and the placement is good."""
    table = random_table(300, seed=0)
    slots = time_slots(table)
    packing = first_fit(table, slots, range(len(table)))

    assert slots.load.max() <= packing.unit * MOST_UNITS
    assert faults(table, np.array(packing.offset) * packing.unit) == ()


@given(small_tables())
def test_settled_buffers_never_rise(table: Buffers):
    """What sinks stays without a fault."""
    loose = in_order(replace(table, size=3 * table.size))
    down = settled(table, time_slots(table), loose)

    assert (down <= loose).all()
    assert faults(table, down) == ()
