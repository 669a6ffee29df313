"""Faults that the description has if it is copied literally; a check must find each.

The check of the whole map, which would keep each from being installed, is switched
off: the three checkers stand alone.
"""

from dataclasses import replace

import pytest
from pyroaring import BitMap

from rotation.modelled.live_grid import LiveGrid
from rotation.modelled.live_ids import LiveIds
from rotation.modelled.psum import _Walk
from rotation.modelled.sb_schedule import byte_windows
from rotation.passes.base import State
from rotation.running.pipeline import PASSES, run_passes, under_policy
from rotation.unrolled.liveness import live_intervals
from tests.rotation.finished import found
from tests.rotation.programs import PLANNING, STREAM, kernel, matmul

PRODUCTS = kernel(matmul(rows=4, columns=3, steps=4))
CHAIN = kernel("""
kernel chain on planning {
  dram x [128, 2048] fp32 input
  dram z [128, 2048] fp32 output
  for i in [0, 4) {
    sb t [128, 512] fp32
    psum p [128, 512] fp32
    psum q [128, 512] fp32
    sb u [128, 512] fp32
    ld: dma.load t <- x[0:+128, 512*i:+512]
    mm: pe.matmul p <- t
    cp: vector.copy q <- p
    up: scalar.copy u <- q
    st: dma.store z[0:+128, 512*i:+512] <- u
  }
}
""")

WIDE = kernel("""
kernel wide on planning {
  dram x [128, 2048] fp32 input
  dram z [128, 2048] fp32 output
  for i in [0, 4) {
    sb t [128, 512] fp32
    psum w [128, 2048] fp32
    psum p [128, 512] fp32
    psum v [128, 1536] fp32
    sb u [128, 512] fp32
    ld: dma.load t <- x[0:+128, 512*i:+512]
    a: pe.matmul w[0:+128, 0:+512] <- t
    b: pe.matmul p <- t
    c: pe.matmul v[0:+128, 0:+512] <- t
    up: vector.add u <- w[0:+128, 0:+512], p, v[0:+128, 0:+512]
    st: dma.store z[0:+128, 512*i:+512] <- u
  }
}
""")


def compiled(function=PRODUCTS) -> State:
    """Return the final state of a function, rotated by policy `modelled`."""
    passes = under_policy("modelled", PASSES)
    return run_passes(passes, State(function, PLANNING))[0]


@pytest.fixture
def unchecked(monkeypatch):
    """Install every map."""
    monkeypatch.setattr("rotation.modelled.rotating.map_fault", lambda *_: None)


@pytest.mark.parametrize("function", [PRODUCTS, CHAIN], ids=["matmul", "chain"])
@pytest.mark.usefixtures("unchecked")
def test_without_a_fault_there_is_nothing_to_find(function):
    """So it is the fault that is found."""
    assert found(compiled(function)) == set()


@pytest.mark.usefixtures("unchecked")
def test_a_bank_that_is_the_number_of_banks(monkeypatch):
    """The literal bound, with a grid that is one bank too wide."""
    monkeypatch.setattr(
        "rotation.modelled.psum.start_banks", lambda width, banks: range(banks + 1)
    )
    monkeypatch.setattr(
        "rotation.modelled.psum.LiveGrid",
        lambda bands, banks: LiveGrid(bands, banks + 1),
    )

    assert "capacity" in found(compiled())


@pytest.mark.usefixtures("unchecked")
def test_a_window_that_ends_beyond_the_space(monkeypatch):
    """A budget of two fifths times 8."""
    monkeypatch.setattr(
        "rotation.modelled.sb.byte_windows", lambda size: byte_windows(8 * size)
    )

    assert "capacity" in found(compiled())


@pytest.mark.usefixtures("unchecked")
def test_a_place_that_is_free_at_the_last_use(monkeypatch):
    """A result stands on the operand of its own operation."""

    def shorter(program, order=None):
        lives = live_intervals(program, order)
        return replace(lives, last=lives.last - 1)

    monkeypatch.setattr("rotation.modelled.rotating.live_intervals", shorter)
    monkeypatch.setattr("rotation.modelled.psum.farthest", lambda _, find: find(()))

    assert "overlap" in found(compiled(CHAIN))


@pytest.mark.usefixtures("unchecked")
def test_old_places_that_are_not_held(monkeypatch):
    """A location that has to stay finds another in its place."""
    monkeypatch.setattr(_Walk, "_held", lambda *_: [])

    assert "overlap" in found(compiled(WIDE))


@pytest.mark.usefixtures("unchecked")
def test_a_free_matrix_without_what_lives(monkeypatch):
    """Batches that run at a time do not see each other's locations."""
    monkeypatch.setattr(LiveIds, "near", lambda *_: BitMap())
    monkeypatch.setattr("rotation.modelled.sb.farthest", lambda _, find: find(()))

    assert "overlap" in found(compiled(kernel(STREAM)))


def test_addresses_that_change_after_scheduling_without_new_dependences():
    """The waits are for what lived there before."""
    state = compiled()
    passes = under_policy("modelled", PASSES)
    colored = [step.name for step in passes].index("coloring_allocator_sb") + 1
    packed, _ = run_passes(passes[:colored], State(PRODUCTS, PLANNING))
    moved = replace(state.placement, byte=packed.placement.byte)

    assert "race" in found(replace(state, placement=moved))
