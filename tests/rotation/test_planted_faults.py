"""Each fault that a pass may have is planted once; a check must find it.

Every test names the checks that find its fault. The same kernels without a fault are
clean, so it is the fault that is found.
"""

from dataclasses import replace

import numpy as np
import pytest

from rotation.allocation import Packing, Request, first_fit
from rotation.binding import bound_to_rings, capacity_bytes
from rotation.check import Hazard
from rotation.dependences import storage_edges
from rotation.kernel import MemorySpace
from rotation.machine import get_machine
from rotation.passes.base import State
from rotation.passes.unroll import unroll
from rotation.pipeline import PASSES, check, run_passes, unrotated
from rotation.program import Edges, Placement, Program
from rotation.text.parse import parse

PLANNING = get_machine("planning")

MATMUL = """
kernel matmul on planning {
  dram lhsT [512, 512] bf16 input
  dram rhs [512, 1536] bf16 input
  dram out [512, 1536] bf16 output
  for m in [0, 4) step 1 { for n in [0, 3) step 1 {
    psum acc [128, 512] fp32 RING
    sb ot [128, 512] bf16
    for k in [0, 4) step 1 {
      sb lt [128, 128] bf16
      sb rt [128, 512] bf16
      ld_l: dma.load lt <- lhsT[128*k:+128, 128*m:+128]
      ld_r: dma.load rt <- rhs[128*k:+128, 512*n:+512]
      mm: pe.matmul acc <- lt, rt over(k)
    }
    ev: vector.copy ot <- acc
    st: dma.store out[128*m:+128, 512*n:+512] <- ot
  } }
}
"""

STREAM = """
kernel stream on planning {
  dram x [1024, 512] fp32 input
  dram z [1024, 512] fp32 output
  for i in [0, 8) step 1 {
    sb xt [128, 512] fp32
    sb zt [128, 512] fp32
    ld: dma.load xt <- x[128*i:+128, 0:+512]
    double: vector.double zt <- xt
    st: dma.store z[128*i:+128, 0:+512] <- zt
  }
}
"""


def compiled(text: str, program: Program | None = None) -> State:
    """Return a kernel after all passes, unrolled by `unroll` or given unrolled."""
    (function,) = parse(text.replace("RING", ""))
    if program is not None:
        function = program.function
    return run_passes(PASSES, State(function, PLANNING, program=program))[0]


def found(state: State) -> set[str]:
    """Return the checks that find a hazard."""
    return {hazard.check for hazard in check(state)}


@pytest.mark.parametrize("text", [MATMUL, STREAM], ids=["matmul", "stream"])
def test_without_a_fault_there_is_no_hazard(text: str):
    """Rotated or not, the kernels are clean."""
    state = compiled(text)

    assert check(state) == ()
    assert check(unrotated(state)) == ()


def test_a_slot_freed_at_the_last_use_is_caught_by_the_overlap_check(
    monkeypatch: pytest.MonkeyPatch,
):
    """What an operation writes is put on what it reads."""

    def freed_at_the_last_use(requests: list[Request]) -> Packing:
        return first_fit([replace(r, last=max(r.first, r.last - 1)) for r in requests])

    monkeypatch.setattr("rotation.binding.first_fit", freed_at_the_last_use)

    assert found(unrotated(compiled(STREAM))) == {"overlap"}


def test_a_start_bank_equal_to_the_number_of_banks_is_caught_by_the_capacity_check(
    monkeypatch: pytest.MonkeyPatch,
):
    """The allocator accepts ``start + width <= banks + 1``: a ring of nine banks."""

    def one_bank_more(space: MemorySpace, machine: object) -> int:
        extra = PLANNING.psum_bank_bytes if space is MemorySpace.PSUM else 0
        return capacity_bytes(space, PLANNING) + extra

    monkeypatch.setattr("rotation.binding.capacity_bytes", one_bank_more)
    (function,) = parse(MATMUL.replace("RING", "ring 9"))
    state = run_passes(PASSES, State(function, PLANNING))[0]

    assert found(state) == {"capacity"}
    assert "bank 8" in check(state)[0].message


NO_EDGES = Edges(*np.zeros((3, 0), np.int64))


def test_anti_edges_left_out_for_the_scheduler_are_caught_by_all_checks(
    monkeypatch: pytest.MonkeyPatch,
):
    """Loads run ahead into slots that are still read."""
    monkeypatch.setattr(
        "rotation.passes.build_dependences.storage_edges", lambda *_: NO_EDGES
    )

    assert found(compiled(STREAM)) == {"overlap", "race", "equivalence"}


def test_anti_edges_left_out_of_the_final_edges_are_caught_by_the_race_check(
    monkeypatch: pytest.MonkeyPatch,
):
    """The schedule is legal, but on the machine nothing would hold the loads back."""

    def only_for_the_scheduler(*arguments: object) -> Edges:
        has_an_order = len(arguments) == 4
        return NO_EDGES if has_an_order else storage_edges(*arguments)

    monkeypatch.setattr(
        "rotation.passes.build_dependences.storage_edges", only_for_the_scheduler
    )

    assert found(compiled(STREAM)) == {"race"}


def with_rings(state: State, change: int) -> Placement:
    """Return the placement of a state with every ring longer by some slots."""
    program, placement = state.program, state.placement
    slots = {t: n + change for t, n in state.plan.slots().items() if n + change > 0}
    for space in (MemorySpace.SB, MemorySpace.PSUM):
        arenas = {t: a for t, a in state.arenas[space].items() if t in slots}
        placement = bound_to_rings(program, placement, arenas, slots)
    return placement


def test_slots_that_come_round_after_n_minus_1_are_caught_by_all_checks():
    """Waits and times are made for rings of N, addresses for rings of N - 1."""
    state = compiled(STREAM)
    faulty = replace(state, placement=with_rings(state, -1))

    assert found(faulty) == {"overlap", "race", "equivalence"}
