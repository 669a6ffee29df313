"""The kernel stream_add of the public set, with servers shared and of their own."""

from dataclasses import replace

import pytest

from rotation import load, run
from rotation.loop_form.kernel import Engine
from rotation.machine.machine import get_machine
from rotation.text.parse import parse

DMA_NS = 2_849.392
"""Work of dma on a tile of 128 times 2048 elements of fp32."""

LATENCY_NS = 1_300
ADD_NS = (2_048 / 2 + 64) / 0.96
TRIPS = 32

OWN_SERVERS = f"""
kernel own on planning {{
  dram x [4096, 2048] fp32 input
  dram z [4096, 2048] fp32 output
  for i in [0, {TRIPS}) {{
    sb xt [128, 2048] fp32
    sb zt [128, 2048] fp32
    ld: dma.load xt <- x[128*i:+128, 0:+2048]
    add: vector.add zt <- xt
    st: cc.store z[128*i:+128, 0:+2048] <- zt
  }}
}}
"""
"""Loads on dma, stores on cc."""


def test_loads_and_stores_share_a_server():
    """An iteration takes two loads and a store of it, not the longer of the two."""
    schedule = run(load("examples/stream_add.kernel")).schedule

    assert schedule.bound_ns == pytest.approx(64 * 3 * DMA_NS + LATENCY_NS)
    assert schedule.steady_interval_ns == pytest.approx(3 * DMA_NS)


def test_a_pipeline_of_three_servers_takes_as_long_as_its_formula():
    """One pass of a tile through all stages, and an interval for each other tile."""
    planning = get_machine("planning")
    transfers = {**planning.transfers, Engine.CC: planning.transfers[Engine.DMA]}
    machine = replace(planning, name="two servers", transfers=transfers)
    (function,) = parse(OWN_SERVERS.replace("fp32\n    sb", "fp32 ring 3\n    sb"))
    schedule = run(function, machine).schedule
    one_tile_ns = DMA_NS + LATENCY_NS + ADD_NS + DMA_NS + LATENCY_NS

    assert schedule.steady_interval_ns == pytest.approx(max(DMA_NS, ADD_NS))
    assert schedule.bound_ns == pytest.approx(one_tile_ns + (TRIPS - 1) * DMA_NS)
    assert schedule.after_ns == pytest.approx(schedule.bound_ns)
