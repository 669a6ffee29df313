"""Faults are planted in good placements; the checker must find each."""

import ast
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rotation.allocation.check as checker
from rotation.allocation import Buffers, allocate, buffers, faults
from tests.rotation.allocation.strategies import small_tables
from tests.rotation.allocation.tables import trace

TABLE = buffers(
    [0, 2, 2, 5],
    [4, 6, 6, 9],
    [8, 16, 8, 8],
    alignment=[8, 8, 8, 8],
    pinned=[-1, -1, 32, -1],
)


def test_the_checker_shares_no_code_with_the_allocator():
    """It imports the table and nothing else of the project."""
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    modules = {
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("rotation")
    }

    assert modules == {"rotation.allocation.buffers", "rotation.columns"}


def test_a_good_placement_has_no_fault():
    """Bytes may be used again from the end on."""
    assert faults(TABLE, np.array([0, 8, 32, 0]), capacity=40) == ()


@pytest.mark.parametrize(
    ("offset", "found"),
    [
        ([0, 0, 32, 0], ["overlap"]),
        ([0, 24, 32, 0], ["overlap"]),
        ([0, 8, 32, 8], ["overlap"]),
        ([0, 8, 32, 4], ["alignment", "overlap"]),
        ([0, 8, 32, 40], ["capacity"]),
        ([0, 16, 8, 0], ["moved"]),
        ([-8, 8, 32, 0], ["unplaced"]),
    ],
)
def test_a_planted_fault_is_found(offset: list[int], found: list[str]):
    """Each kind, and no other beside it."""
    kinds = [fault.kind for fault in faults(TABLE, np.array(offset), capacity=40)]

    assert kinds == found


def test_the_message_names_the_buffers_and_the_bytes():
    """One can look it up."""
    fault = faults(TABLE, np.array([0, 24, 32, 0]))[0]

    assert fault.rows == (1, 2)
    assert fault.message == "buffers 1 and 2 live together and share bytes 32 to 39"


@given(small_tables(), st.data())
def test_an_overlap_is_found_exactly_if_there_is_one(
    table: Buffers, data: st.DataObject
):
    """It agrees with looking at each pair."""
    offset = data.draw(
        st.lists(st.integers(0, 60), min_size=len(table), max_size=len(table))
    )
    clash = any(
        table.start[a] < table.end[b]
        and table.start[b] < table.end[a]
        and offset[a] < offset[b] + table.size[b]
        and offset[b] < offset[a] + table.size[a]
        for a, b in combinations(range(len(table)), 2)
    )
    found = {fault.kind for fault in faults(table, np.array(offset))}

    assert ("overlap" in found) == clash


def test_a_buffer_of_a_trace_that_is_moved_onto_another_is_found():
    """The buffer at the peak is put to the bottom, in ten traces."""
    for name in "ABCDEFGHIJ":
        table = trace(name)
        offset = allocate(table, steps=0).offset.copy()
        row = int((offset + table.size).argmax())
        offset[row] = 0

        assert any(row in fault.rows for fault in faults(table, offset))
