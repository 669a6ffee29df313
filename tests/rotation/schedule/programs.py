"""Programs and edges to be scheduled."""

from __future__ import annotations

import numpy as np

from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.passes.base import built
from rotation.running.pipeline import run_passes, selected
from rotation.unrolled.program import Edges, Program
from tests.rotation.programs import Op, program_of, state_of, tile

NEST = """
kernel nest on planning {
  dram x [TRIPS, 384] fp32 input
  dram z [TRIPS, 128] fp32 output
  sb one [128, 128] fp32
  ones: gpsimd.memset one <-
  for i in [0, COUNT) {
    psum acc [128, 128] fp32 ring RING0
    sb ot [128, 128] fp32 ring RING1
    for k in [0, 3) {
      sb t [128, 128] fp32 ring RING2
      sb u [128, 128] fp32 ring RING3
      ld: dma.load t <- x[128*i:+128, 128*k:+128]
      cp: scalar.copy u <- t
      mm: pe.matmul acc <- u, one over(k)
    }
    ev: vector.copy ot <- acc
    st: dma.store z[128*i:+128, 0:+128] <- ot
  }
}
"""


def parallel(*busy_ps: int) -> Program:
    """Return independent vector operations."""
    ops = [Op(Engine.VECTOR, busy, 0, ()) for busy in busy_ps]
    return program_of([tile("s", (1,))], ops)


def edge_list(*edges: tuple[int, int]) -> Edges:
    """Return edges, each from one row to another."""
    columns = np.array(edges, np.int64).reshape(-1, 2)
    return Edges(columns[:, 0], columns[:, 1], np.full(len(columns), EdgeKind.FLOW))


def nest(trips: int, rings: tuple[int, ...]) -> tuple[Program, Edges]:
    """Return a loop nest with rings of some sizes, and its dependences."""
    text = NEST.replace("TRIPS", str(128 * trips)).replace("COUNT", str(trips))
    for place, slots in enumerate(rings):
        text = text.replace(f"RING{place}", str(slots))
    passes = selected(("plan_rings",))
    names = [step.name for step in passes]
    state = run_passes(passes[: names.index("post_sched")], state_of(text))[0]
    return built(state.program, "program"), built(state.edges, "edges")
