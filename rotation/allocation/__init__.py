"""Memory allocation: tables of buffers in, offsets out; it knows nothing of kernels."""

from rotation.allocation.allocate import (
    FAST_STEPS,
    SEARCH_STEPS,
    Allocation,
    allocate,
)
from rotation.allocation.buffers import FREE, Buffers, buffers, max_live
from rotation.allocation.check import Fault, faults
from rotation.allocation.side_by_side import Room, side_by_side
from rotation.allocation.trace import read_trace

__all__ = [
    "FAST_STEPS",
    "FREE",
    "SEARCH_STEPS",
    "Allocation",
    "Buffers",
    "Fault",
    "Room",
    "allocate",
    "buffers",
    "faults",
    "max_live",
    "read_trace",
    "side_by_side",
]
