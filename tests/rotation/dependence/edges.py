"""Placements of random programs, and their edges."""

from __future__ import annotations

import numpy as np

from rotation.dependence.dependences import flow_edges, merged, storage_edges
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Edges, Placement, Program

SIZE = 6  # bytes of a partition of the random tiles


def ringed(program: Program, slots: int) -> Placement:
    """Return a placement with private rings for the tiles of a random program."""
    slot = program.location_instance % slots
    byte = program.location_tensor * 100 + slot * SIZE
    return Placement(np.zeros_like(slot), byte, slot)


def edges_of(program: Program, slots: int) -> Edges:
    """Return the edges of a random program whose tiles have private rings."""
    cells = logical_cells(program)
    storage = storage_edges(program, cells, ringed(program, slots))
    return merged(flow_edges(program, cells), storage)
