"""Covered locations: all that is read in them was written there before."""

from __future__ import annotations

import numpy as np

from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Bools, Program


def covered_locations(program: Program) -> Bools:
    """Return whether what is read of each location was written before, (l,).

    Each read region must lie in the union of what earlier instructions wrote to the
    same location, in source order. A location that is written piece by piece is
    covered; one that is never written is not, unless nothing reads it.
    """
    cells = logical_cells(program)
    location = program.access_location[cells.access]
    moment = program.access_instruction[cells.access]
    is_write = program.access_is_write[cells.access]
    key = location * cells.count + cells.cell
    # Reads stand before writes at one moment, since they stand so in the table.
    by = np.lexsort((is_write, moment, key))
    opens = np.ones(len(by), np.bool_)
    opens[1:] = np.diff(key[by]) != 0
    # A cell whose first access is a read is read before it is written.
    early = by[opens & ~is_write[by]]
    covered = np.ones(len(program.location_tensor), np.bool_)
    covered[location[early]] = False
    written = np.unique(program.access_location[program.access_is_write])
    never = np.ones(len(covered), np.bool_)
    never[written] = False
    read = np.unique(program.access_location[~program.access_is_write])
    covered[read[never[read]]] = False
    return covered
