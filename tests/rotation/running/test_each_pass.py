"""`verify_each`: what can be checked after a pass is, and is told with its name."""

from dataclasses import replace

import numpy as np
import pytest

from rotation.errors import InternalError
from rotation.loop_form.kernel import EdgeKind
from rotation.passes.base import State
from rotation.running.each_pass import PassCheck, bound_part, one_by_one
from rotation.running.pipeline import PASSES, run, run_passes
from rotation.text.parse import parse
from rotation.unrolled.program import Edges
from tests.rotation.programs import COPY, MATMUL, PLANNING, kernel

STATES: dict[str, State] = {}
run_passes(PASSES, State(kernel(MATMUL), PLANNING), [STATES.__setitem__])


def found(name: str, state: State) -> set[str]:
    """Return the checks that find a hazard in a state after a pass."""
    check = PassCheck()
    check(name, state)
    assert all(h.message.startswith(f"after {name}: ") for h in check.hazards)
    return {hazard.check for hazard in check.hazards}


@pytest.mark.parametrize("name", STATES)
def test_a_state_without_a_fault_is_clean(name: str):
    """After every pass of the pipeline."""
    assert found(name, STATES[name]) == set()


def moved(state: State) -> State:
    """Return a state in which the first location of `lt` stands on `acc`'s bytes."""
    names = [tensor.name for tensor in state.function.tensors]
    byte = state.placement.byte.copy()
    rows = [
        int(np.flatnonzero(state.program.location_tensor == names.index(n))[0])
        for n in ("lt", "rt")
    ]
    byte[rows[0]] = byte[rows[1]]
    return replace(state, placement=replace(state.placement, byte=byte))


def test_an_overlap_is_found_before_there_is_a_schedule():
    """Right after the pass that made it, in source order."""
    name = "coloring_allocator_sb"

    assert found(name, moved(STATES[name])) == {"overlap"}


def test_a_lost_edge_is_found_before_there_is_a_schedule():
    """Anti edges are checked as soon as they are made."""
    name = "anti_dependency_analyzer"
    states: dict[str, State] = {}
    copy = kernel(COPY.replace("RING", "ring 1"))
    run_passes(PASSES, State(copy, PLANNING), [states.__setitem__])
    edges = states[name].edges
    kept = edges.kind != EdgeKind.ANTI
    fewer = Edges(edges.source[kept], edges.sink[kept], edges.kind[kept])

    assert found(name, replace(states[name], edges=fewer)) == {"race"}


def test_a_half_placed_program_is_checked_as_far_as_it_goes():
    """Locations without a place are left out, and so are their accesses."""
    state = STATES["coloring_allocator_psum"]
    part, placement = bound_part(state.program, state.placement)

    assert 0 < len(part.location_tensor) < len(state.program.location_tensor)
    assert (placement.byte >= 0).all()
    assert len(part.access_location) == len(part.access_start)


def test_one_by_one_is_the_source_order():
    """Each instruction is complete before the next starts."""
    program = STATES["perf_sim"].program
    schedule = one_by_one(program)
    total_ps = int((program.busy_ps + program.latency_ps).sum())

    assert schedule.order.tolist() == list(range(len(program)))
    assert schedule.makespan_ps == total_ps


def test_a_dump_that_does_not_read_back_is_a_fault_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
):
    """It is told which pass it was."""
    monkeypatch.setattr("rotation.running.each_pass.print_kernels", lambda _: "")
    with pytest.raises(InternalError, match="the dump after verify does not read back"):
        PassCheck()("verify", STATES["verify"])


def test_a_run_reports_what_is_found_after_a_pass():
    """The hazards of passes come before those of the result."""
    skipped = ["anti_dependency_analyzer"]
    result = run(kernel(MATMUL), skip_passes=skipped, verify_each=True)

    assert result.hazards[0].message.startswith("after post_sched: ")
    assert result.equivalent is False


NESTED = """
kernel inner on planning {
  dram a [128, 256] fp32 input
  dram b [128, 256] fp32 output
  for j in [0, 4) {
    sb t [128, 64] fp32
    ld: dma.load t <- a[0:+128, 64*j:+64]
    st: dma.store b[0:+128, 64*j:+64] <- t
  }
}
kernel outer on planning {
  dram x [128, 256] fp32 input
  dram y [128, 256] fp32 output
  call inner(x, y) scope kernel sb(128, 512) banks 0
}
kernel caller on planning {
  dram x [128, 256] fp32 input
  dram y [128, 256] fp32 output
  dram z [128, 256] fp32 output
  call inner(x, z) scope global
  call outer(x, y) scope global
}
"""


@pytest.mark.parametrize("policy", ["ring", "modelled"])
def test_a_kernel_with_calls_holds_after_every_pass(policy):
    """Its dumps hold the kernels that it calls, those inside these too."""
    caller = parse(NESTED)[-1]
    result = run(caller, machine="trn2", policy=policy, verify_each=True)

    assert (result.hazards, result.equivalent) == ((), True)
