"""Kernels with run-time loops for tests, and what passes make of them."""

from __future__ import annotations

from collections.abc import Mapping

from rotation.kept.data import KeptProgram, Straight
from rotation.kept.form import tree_of
from rotation.kept.layout import laid_out
from rotation.kept.search import bodies_of
from rotation.kept.widen import widened
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from tests.rotation.programs import PLANNING, kernel

ROWS = """
kernel rows on planning {
  dram x [8192, 512] fp32 input
  dram z [8192, 512] fp32 output
  for i in [0, %n) {
    sb xt [128, 512] fp32
    sb zt [128, 512] fp32
    ld: dma.load xt <- x[128*i:+128, 0:+512]
    cp: vector.copy zt <- xt
    st: dma.store z[128*i:+128, 0:+512] <- zt
  }
}
"""
"""Load, copy, store: three stages."""

NEST = """
kernel nest on planning {
  dram x [1024, 4096] fp32 input
  dram z [1024, 512] fp32 output
  for m in [0, 4) {
    sb s [128, 512] fp32
    clear: vector.memset s <-
    for k in [0, %n) {
      sb t [128, 512] fp32 ring 3
      ld: dma.load t <- x[128*m:+128, 512*k:+512]
      ad: vector.add s <- s, t inplace
    }
    st: dma.store z[128*m:+128, 0:+512] <- s
  }
}
"""
"""A sum over a run-time inner loop, in a static one."""


def slots_of(function: Function, slots: int) -> dict[str, int]:
    """Return that many slots for every on-chip buffer, by name."""
    return {t.name: slots for t in function.tensors if t.on_chip}


def kept_program(
    function: Function,
    slots: Mapping[str, int],
    values: Mapping[str, int],
    *,
    compact: bool = False,
    machine: Machine = PLANNING,
) -> KeptProgram:
    """Return a function placed and ordered, its edges all kept."""
    bodies = bodies_of(tree_of(function), machine)
    sizes = {t: slots[t.name] for t in function.tensors if t.name in slots}
    layout = laid_out(bodies.tree, machine, sizes, compact=compact)
    rounds, edges, _ = bodies.scheduled(layout, values)
    return KeptProgram(bodies.tree, machine, widened(function, layout), rounds, edges)


def straight(text: str, loop: str) -> Straight:
    """Return the straight node of a loop of a kernel."""
    nodes = tree_of(kernel(text)).straights
    (node,) = (n for n in nodes if n.loop is not None and n.loop.index.name == loop)
    return node
