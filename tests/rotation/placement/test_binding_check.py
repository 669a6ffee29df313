"""What a placement takes, and why one cannot be installed."""

from dataclasses import replace

import numpy as np
import pytest

from rotation.loop_form.kernel import MemorySpace
from rotation.placement.binding import bound_to_rings, initial_placement, private_arenas
from rotation.placement.binding_check import binding_fault, high_water_bytes
from rotation.unrolled.program import Placement, Program
from tests.rotation.programs import PLANNING, STREAM, unrolled

SB, PSUM, DRAM = MemorySpace.SB, MemorySpace.PSUM, MemorySpace.DRAM


def ringed(program: Program) -> Placement:
    slots = {t: 1 for t in program.function.tensors if t.on_chip}
    arenas = private_arenas(program, PLANNING, SB, slots)
    return bound_to_rings(program, initial_placement(program), arenas.of, slots)


def test_private_rings_have_no_fault():
    """A map of private arenas may be installed."""
    program = unrolled(STREAM)

    assert binding_fault(program, ringed(program), PLANNING, SB) is None


@pytest.mark.parametrize(
    ("byte", "fault"),
    [
        (4096, "yt at byte 8192 overlaps xt"),
        (PLANNING.sb_bytes_per_partition, "xt at byte 180224 is outside sb"),
        (-1, "xt at byte -1 is outside sb"),
    ],
)
def test_a_faulty_map_is_found(byte, fault):
    """Overlap, overflow and unbound locations each have a reason."""
    program = unrolled(STREAM)
    placement = ringed(program)
    tensors = program.function.tensors
    mine = np.array([tensors[t].name == "xt" for t in program.location_tensor])
    moved = replace(placement, byte=np.where(mine, byte, placement.byte))

    assert binding_fault(program, moved, PLANNING, SB) == fault


@pytest.mark.parametrize(("space", "peak"), [(SB, 24576), (PSUM, 0), (DRAM, 3 << 24)])
def test_the_high_water_mark_is_the_end_of_the_last_byte(space, peak):
    """Each space is measured on its own."""
    program = unrolled(STREAM)

    assert high_water_bytes(program, ringed(program), space) == peak
