"""Faults of instances and of DRAM, planted once; a check must find each.

The faults that every kernel may have are in ``test_planted_faults.py``.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rotation import load
from rotation.check import check_overlap, check_races
from rotation.loop_form.kernel import MemorySpace
from rotation.passes.base import State, built
from rotation.placement.binding import bound_to_rings
from rotation.placement.dram import visible_end_bytes
from rotation.running.pipeline import PASSES, check, run_passes, unrotated
from rotation.unrolled.liveness import LiveIntervals
from rotation.unrolled.program import Edges, Placement, Program
from tests.rotation.finished import finished, found
from tests.rotation.programs import PLANNING

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("allreduce_ring_dram", "spill_dram")
PAGE = 4096


def compiled(name: str) -> State:
    """Return an example after all passes."""
    function = load(EXAMPLES / f"{name}.kernel")
    return finished(function)


def with_bytes(state: State, byte: np.ndarray) -> State:
    """Return the state with other addresses."""
    placement = built(state.placement, "placement")
    return replace(
        state, placement=Placement(placement.partition, byte, placement.slot)
    )


def in_dram(state: State) -> np.ndarray:
    """Return the locations of DRAM buffers that the compiler places."""
    program = built(state.program, "program")
    tensors = program.function.tensors
    mine = [t.space is MemorySpace.DRAM and t.is_placed for t in tensors]
    return np.array(mine)[program.location_tensor]


@pytest.mark.parametrize("name", NAMES)
def test_without_a_fault_there_is_no_hazard(name: str):
    """Rotated or not, the kernels are clean."""
    state = compiled(name)

    assert check(state) == ()
    assert check(unrotated(state)) == ()


def test_a_ring_below_the_legal_least_is_caught(monkeypatch: pytest.MonkeyPatch):
    """The plan takes it that one slot is always legal: a send stands on itself."""

    def one_slot(program: Program, _: LiveIntervals):
        return dict.fromkeys(program.function.tensors, 1)

    monkeypatch.setattr("rotation.rings.rooms.least_slots", one_slot)
    function = load(EXAMPLES / "allreduce_ring_dram.kernel")
    state = run_passes(PASSES[:2], State(function, PLANNING))[0]
    plan = built(state.plan, "plan").single()

    state = run_passes(PASSES[2:], replace(state, plan=plan))[0]
    assert found(state) == {"overlap"}


def test_a_reader_of_the_wrong_instance_is_caught_by_the_validation():
    """Each reload takes the slot of its own iteration: distance 0 instead of 1."""
    state = compiled("spill_dram")
    program = built(state.program, "program")
    names = [operation.name for operation in program.function.instructions]
    reload = program.statement[program.access_instruction] == names.index("rl")
    reads = np.flatnonzero(reload & ~program.access_is_write)
    location = program.access_location.copy()
    location[reads] += 1  # instances of a buffer follow one another
    other = replace(program, access_location=location)

    assert {"dependence", "race"} <= found(replace(state, program=other))


def test_a_slot_past_the_end_of_the_window_is_caught_by_the_capacity_check():
    """The cursor forgets to wrap."""
    state = compiled("spill_dram")
    byte = built(state.placement, "placement").byte.copy()
    byte[in_dram(state)] += PLANNING.dram_window_bytes

    assert found(with_bytes(state, byte)) == {"capacity"}


def test_a_slot_on_what_the_outside_sees_is_caught():
    """The cursor begins at 0, where an input lies."""
    state = compiled("spill_dram")
    byte = built(state.placement, "placement").byte.copy()
    byte[in_dram(state)] -= visible_end_bytes(built(state.program, "program"))

    assert {"capacity", "overlap", "equivalence"} <= found(with_bytes(state, byte))


def test_a_slot_that_is_one_page_off_is_caught():
    """Neighbouring slots then share bytes."""
    state = compiled("allreduce_ring_dram")
    placement = built(state.placement, "placement")
    byte = placement.byte.copy()
    byte[in_dram(state) & (placement.slot == 1)] -= PAGE

    assert {"overlap", "race"} <= found(with_bytes(state, byte))


WRAPPED = """
kernel wrapped on planning {
  dram x [8, 1024] fp32 input
  dram y [8, 1024] fp32 output
  for i in [0, 4) {
    dram a [1, 1024] fp32 ring 2
    dram b [2, 512] fp32 ring 2
    sb t [1, 1024] fp32
    sb u [1, 1024] fp32
    sb v [1, 1024] fp32
    ld: dma.load t <- x[i:+1, 0:+1024]
    sp: dma.store a <- t
    sp2: dma.store b <- t
    rl: dma.load u <- a
    rl2: dma.load v <- b
    st: dma.store y[i:+1, 0:+1024] <- u
    st2: dma.store y[i + 4:+1, 0:+1024] <- v
  }
}
"""


def test_a_wrap_onto_what_still_lives_is_caught():
    """Buffers of different shapes get the same slots."""
    state = finished(WRAPPED)
    program = built(state.program, "program")
    arenas = state.arenas[MemorySpace.DRAM]
    first = next(iter(arenas.values()))
    placement = bound_to_rings(
        program,
        built(state.placement, "placement"),
        dict.fromkeys(arenas, first),
        dict.fromkeys(arenas, 2),
    )
    schedule, edges = built(state.schedule, "schedule"), built(state.edges, "edges")

    assert check(state) == ()
    assert check_overlap(program, placement, schedule)
    assert check_races(program, placement, edges, schedule)
    assert "equivalence" in found(replace(state, placement=placement))


def test_dependences_that_know_on_chip_bytes_only_are_caught():
    """What goes through a spill in DRAM has no wait: spills and reloads race."""
    state = compiled("spill_dram")
    program, edges = built(state.program, "program"), built(state.edges, "edges")
    names = [operation.name for operation in program.function.instructions]
    spills = np.isin(program.statement, [names.index("sp"), names.index("rl")])
    through = spills[edges.source] & spills[edges.sink]
    columns = (edges.sink, edges.source, edges.kind)
    fewer = Edges(*(column[~through] for column in columns))

    assert through.any()
    assert found(replace(state, edges=fewer)) == {"race"}
