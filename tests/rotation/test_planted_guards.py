"""Faults behind guards: the guard is taken away, and a check finds what it kept out.

What is refused today would be a fault of another check's if it were not; each test
patches the guard, or the placed program that it would let through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rotation.check import (
    check_equivalence,
    check_overlap,
    check_races,
    check_windows,
)
from rotation.check.kept import check_kept, hazards_of
from rotation.errors import InternalError
from rotation.kept.data import KeptProgram, Rounds
from rotation.kept.tables import tables_of
from rotation.loop_form.kernel import Window
from rotation.modelled.live_grid import LiveGrid
from rotation.modelled.psum import rotated_psum
from rotation.modelled.psum_schedule import PSUM_SWEEPS
from rotation.passes.base import State, built
from rotation.rings.stages import slots_needed
from rotation.running.pipeline import PASSES, check, run_passes, under_policy
from rotation.text.parse import parse
from tests.rotation.finished import finished
from tests.rotation.kept.programs import ROWS, kept_program
from tests.rotation.programs import PLANNING, kernel

HALF = """
kernel half on planning {
  dram x [1024, 512] fp32 input
  dram z [1024, 512] fp32 output
  for i in [0, 8) {
    sb t [128, 512] fp32
    ld: dma.load t[0:+128, 0:+256] <- x[128*i:+128, 0:+256]
    st: dma.store z[128*i:+128, 0:+512] <- t
  }
}
"""
"""The store reads columns that nothing has written."""

CHAIN = """
kernel chain on planning {
  dram x [128, 2048] fp32 input
  dram z [128, 2048] fp32 output
  for i in [0, 4) {
    sb t [128, 512] fp32
    psum p [128, 512] fp32
    psum q [128, 512] fp32
    ld: dma.load t <- x[0:+128, 512*i:+512]
    mm: pe.matmul p <- t
    cp: vector.copy q <- p
    st: dma.store z[0:+128, 512*i:+512] <- q
  }
}
"""
"""Two tiles of PSUM that live at a time."""

CALLED = """
kernel copy on planning {
  dram a [512, 64] fp32 input
  dram b [512, 64] fp32 output
  for i in [0, 4) {
    sb t [128, 64] fp32
    ld: dma.load t <- a[128*i:+128, 0:+64]
    st: dma.store b[128*i:+128, 0:+64] <- t
  }
}
kernel top on planning {
  dram x [512, 64] fp32 input
  dram y [512, 64] fp32 output
  call copy(x, y) scope kernel sb(0, 0) banks 0
}
"""

SMALL = ROWS.replace("128", "32").replace("%n", "8")

TWO_OPERANDS = (
    ROWS.replace("dram z", "dram y [8192, 512] fp32 input\n  dram z")
    .replace("sb zt", "sb yt [128, 512] fp32\n    sb zt")
    .replace(
        "    cp: vector.copy zt <- xt",
        "    ly: dma.load yt <- y[128*i:+128, 0:+512]\n    cp: vector.add zt <- xt, yt",
    )
)


def test_uncovered_reads_that_are_let_through_are_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """Nobody looks at what is read before it is written (H7)."""
    monkeypatch.setattr("rotation.unrolled.unroll.verify_reads", lambda _: None)
    state = finished(HALF)

    assert {hazard.check for hazard in check(state)} == {"equivalence"}


class _Loose(LiveGrid):
    """A grid that releases twice, and takes a count below zero for a free cell."""

    def add(
        self, first_band: int, end_band: int, bank: int, width: int, *, delta: int
    ) -> None:
        for band in range(first_band, end_band):
            for cell in range(bank, bank + width):
                self.live[band][cell] += min(delta, 2 * delta)

    def is_free(self, first_band: int, end_band: int, bank: int, width: int) -> bool:
        rows = self.live[first_band:end_band]
        return not any(n > 0 for row in rows for n in row[bank : bank + width])


def test_counts_below_zero_are_caught(monkeypatch: pytest.MonkeyPatch):
    """A bank that is released twice is free while its next owner lives (H10).

    One walk; those that come later keep away from old places, and mend it.
    """
    monkeypatch.setattr("rotation.modelled.rotating.map_fault", lambda *_: None)
    monkeypatch.setattr("rotation.modelled.psum.LiveGrid", _Loose)
    monkeypatch.setattr("rotation.modelled.psum.farthest", lambda _, find: find(()))
    once = partial(rotated_psum, sweeps=PSUM_SWEEPS[:1])
    monkeypatch.setattr("rotation.modelled.rotating.rotated_psum", once)
    passes = [
        step
        for step in under_policy("modelled", PASSES)
        if step.name != "address_rotation_psum_post_schedule"
    ]
    state = run_passes(passes, State(kernel(CHAIN), PLANNING))[0]

    assert "overlap" in {hazard.check for hazard in check(state)}


def test_a_third_band_on_a_machine_with_two_is_caught():
    """A tile goes to partition 64 of 64 (H14)."""
    machine = replace(PLANNING, partitions=64)
    state = finished(SMALL, machine)
    placement = built(state.placement, "placement")
    chip = [tensor.on_chip for tensor in state.function.tensors]
    mine = np.array(chip)[built(state.program, "program").location_tensor]
    moved = replace(placement, partition=np.where(mine, 64, placement.partition))

    assert check(state) == ()
    assert "capacity" in {h.check for h in check(replace(state, placement=moved))}


def test_a_window_without_a_size_that_is_taken_for_one_is_caught(
    monkeypatch: pytest.MonkeyPatch,
):
    """A call is rotated in a window of no bytes (H15)."""
    text = CALLED.replace("sb(0, 0)", "sb(128, 4096)")

    def empty(callee: str, *_: object) -> Window:
        return Window(callee, 0, 0, 0)

    monkeypatch.setattr("rotation.text.calling.Window", empty)
    monkeypatch.setattr("rotation.verify.verify.call_mistakes", lambda *_: ())
    monkeypatch.setattr("rotation.placement.binding.window_bytes", lambda *_: 4096)
    state = finished(parse(text)[-1])
    hazards = check_windows(
        built(state.program, "program"), built(state.placement, "placement")
    )

    assert {hazard.check for hazard in hazards} == {"capacity"}


def staged(
    text: str, slots: dict[str, int], stage: dict[str, int], order: str
) -> KeptProgram:
    """Return load, compute, store with rings and stages that are told."""
    kept = kept_program(kernel(text), slots, {"n": 10})
    (node,) = kept.tree.straights
    names = [op.name for op in node.ops]
    rounds = Rounds(
        tuple(stage[name] for name in names),
        tuple(map(names.index, order.split())),
        "test",
    )
    return replace(kept, rounds={node: rounds})


def proved_wrong(kept: KeptProgram) -> set[str]:
    """Return the checks that the proofs for all trip counts refute."""
    return {hazard.check for hazard in hazards_of(check_kept(kept))}


FAR = {"ld": 0, "cp": 3, "st": 3}


def test_a_slot_too_few_where_the_load_comes_first_is_caught():
    """Three slots for a use three stages on; four, or the use first, is right (G03)."""
    few = staged(ROWS, {"xt": 3, "zt": 3}, FAR, "ld cp st")
    many = staged(ROWS, {"xt": 4, "zt": 3}, FAR, "ld cp st")
    first = staged(ROWS, {"xt": 3, "zt": 3}, FAR, "cp st ld")

    assert proved_wrong(few) == {"race"}
    assert proved_wrong(many) == proved_wrong(first) == set()
    uses = {"ld": 0, "cp": 3}
    assert slots_needed(uses, ["ld", "cp"]) == 4
    assert slots_needed(uses, ["cp", "ld"]) == 3


def test_one_operand_without_a_ring_is_caught():
    """Two loads run ahead, and only one of them has slots for it (G04)."""
    ahead = {"ld": 0, "ly": 0, "cp": 2, "st": 2}
    order = "ld ly cp st"
    one = staged(TWO_OPERANDS, {"xt": 3, "yt": 1, "zt": 1}, ahead, order)
    both = staged(TWO_OPERANDS, {"xt": 3, "yt": 3, "zt": 1}, ahead, order)

    assert proved_wrong(one) == {"race"}
    assert proved_wrong(both) == set()


@pytest.mark.parametrize(
    "checked", [check_overlap, check_equivalence, check_races], ids=lambda f: f.__name__
)
def test_a_load_ahead_of_a_trip_that_is_not_there_is_caught(
    checked: Callable[..., object],
):
    """One trip, and the load is issued twice: the order names it twice (G09)."""
    tables = tables_of(kept_program(kernel(ROWS), {"xt": 3}, {"n": 8}), {"n": 1})
    program, placement = tables.program, tables.placement
    twice = np.insert(tables.schedule.order, 0, tables.schedule.order[0])
    schedule = replace(tables.schedule, order=twice)
    edges = (tables.edges,) if checked is check_races else ()

    with pytest.raises(InternalError, match="does not name 3 rows once each"):
        checked(program, placement, *edges, schedule)
