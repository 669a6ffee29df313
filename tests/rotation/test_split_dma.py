"""A machine whose loads and stores have servers of their own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from rotation import load, run
from rotation.loop_form.kernel import EdgeKind, Engine
from rotation.passes.base import State
from rotation.running.pipeline import check
from rotation.running.result import Result, to_json
from rotation.unrolled.program import Bools, Edges
from rotation.unrolled.unroll import unroll
from tests.rotation.finished import finished, found
from tests.rotation.kept.programs import ROWS
from tests.rotation.programs import PLANNING, SPLIT, kernel

LATENCY_PS = 1_300_000

ONE_SERVER_NS = {
    "stream_add": 550_817,
    "matmul_tiled": 242_389,
    "softmax_rows": 195_298,
    "rmsnorm": 457_235,
    "flash_attention_fwd": 276_495,
    "depthwise_conv1d": 129_887,
    "embedding_gather": 185_003,
    "allreduce_ring_dram": 548_288,
    "moe_token_shuffle": 187_939,
    "attention_hand_banks": 80_643,
    "consume_then_load": 21_490,
    "short_loop": 5_217,
    "if_else_block_mask": 127_198,
}
"""Makespan of each kernel of the public set on `planning`."""


def pipeline(
    loaded: int, stored: int, engine: str, trips: int, slots: tuple[int, int]
) -> str:
    """Return load, operation and store, on tiles of so many columns in two rings."""
    return f"""
kernel pipeline on split-dma {{
  dram x [128, {loaded * trips}] fp32 input
  dram z [128, {stored * trips}] fp32 output
  for i in [0, {trips}) {{
    sb xt [128, {loaded}] fp32 ring {slots[0]}
    sb zt [128, {stored}] fp32 ring {slots[1]}
    ld: dma.load xt <- x[0:+128, {loaded}*i:+{loaded}]
    op: {engine}.fold zt <- xt
    st: dma.store z[0:+128, {stored}*i:+{stored}] <- zt
  }}
}}
"""


def transfer_ps(columns: int) -> int:
    """Return how long a tile of fp32 takes its server."""
    return -(-128 * columns * 4 * 1000 // 368)


@pytest.mark.parametrize("trips", [1, 4, 13])
@pytest.mark.parametrize("slots", [(1, 1), (2, 1), (1, 3), (2, 2), (3, 4)])
@pytest.mark.parametrize(
    ("loaded", "stored", "engine", "cycles_per_column", "mhz"),
    [
        (2048, 512, "vector", Fraction(1, 2), 960),
        (512, 2048, "vector", Fraction(1, 2), 960),
        (1024, 1024, "gpsimd", Fraction(2), 1200),
        (64, 64, "scalar", Fraction(1), 1200),
    ],
    ids=["load", "store", "compute", "latency"],
)
def test_a_pipeline_takes_as_long_as_its_formula(
    trips: int,
    slots: tuple[int, int],
    loaded: int,
    stored: int,
    engine: str,
    cycles_per_column: Fraction,
    mhz: int,
):
    """One tile through all stages, and an interval for each other tile.

    The interval is that of the slowest server, or what a ring allows: a slot is free
    again when the tile in it was worked on, or stored. Where a ring binds, tiles come
    in bunches of its size, and the formula holds at the first tile of each.
    """
    slots = min(slots[0], trips), min(slots[1], trips)
    cycles = cycles_per_column * max(loaded, stored) + 64
    computing = -(-cycles * 1_000_000 // mhz)
    loading, storing = transfer_ps(loaded), transfer_ps(stored)
    servers = max(loading, computing, storing)
    full = Fraction(loading + LATENCY_PS + computing, slots[0])
    empty = Fraction(computing + storing + LATENCY_PS, slots[1])
    interval = max(servers, full, empty)
    one_tile = loading + LATENCY_PS + computing + storing + LATENCY_PS
    text = pipeline(loaded, stored, engine, trips, slots)
    makespan_ps = finished(text, SPLIT).schedule.makespan_ps

    expected = one_tile + (trips - 1) * interval
    bunch = 1 if interval == servers else slots[0] if interval == full else slots[1]
    if (trips - 1) % bunch:
        assert expected - interval < makespan_ps <= expected
    else:
        assert makespan_ps == expected


@cache
def result_of(name: str) -> Result:
    """Return the result of a kernel with two servers of dma."""
    return run(load(f"examples/{name}.kernel"), SPLIT)


@pytest.mark.parametrize("name", ONE_SERVER_NS)
def test_a_kernel_of_the_set_stays_the_same_program(name: str):
    """It is accepted, or left for its join, with all checks and proofs."""
    result = result_of(name)

    assert result.verdict == ("left" if "if_else" in name else "accepted")
    assert (result.hazards, result.equivalent) == ((), True)
    assert result.proofs.proved == result.proofs.total > 0


@pytest.mark.parametrize("name", ONE_SERVER_NS)
def test_two_servers_take_no_longer_than_one(name: str):
    """Nor less than the bound."""
    schedule = result_of(name).schedule

    assert schedule.bound_ns <= schedule.after_ns <= ONE_SERVER_NS[name] + 1


@pytest.mark.parametrize("name", ONE_SERVER_NS)
def test_two_servers_share_the_work_of_one(name: str):
    """Each is an engine of its own in what is told of a run."""
    engines = result_of(name).engines
    one = unroll(load(f"examples/{name}.kernel"), PLANNING)
    dma_ps = int(one.busy_ps[one.engine == Engine.DMA].sum())

    assert "dma" not in engines
    assert engines["dma_load"].busy_ns + engines["dma_store"].busy_ns == pytest.approx(
        dma_ps / 1000
    )


OVERTAKING = """
kernel overtaking on split-dma {
  dram b [128, 512] fp32 output
  dram z [128, 2048] fp32 output
  sb w [128, 512] fp32
  clear: vector.memset w <-
  st_0: dma.store b <- w
  for i in [0, 4) {
    sb t [128, 512] fp32
    sb u [128, 512] fp32
    ld: dma.load t <- b
    new: vector.memset u <-
    st: dma.store b <- u
    out: dma.store z[0:+128, 512*i:+512] <- t
  }
}
"""
"""Each iteration loads a region of DRAM that it then writes, from elsewhere."""


def test_a_store_waits_for_the_load_of_the_same_region():
    """The queue of the other server does not hold it back, so an edge does."""
    state = finished(OVERTAKING, SPLIT)
    edges, pairs = state.edges, between_servers(state)

    assert check(state) == ()
    assert EdgeKind.ANTI in edges.kind[pairs]
    assert EdgeKind.FLOW in edges.kind[pairs]


@pytest.mark.parametrize("kind", [EdgeKind.ANTI, EdgeKind.FLOW])
def test_a_transfer_that_overtakes_one_of_the_other_server_is_a_race(kind: EdgeKind):
    """Without the edge nothing orders them, though the order is legal."""
    state = finished(OVERTAKING, SPLIT)
    edges = state.edges
    kept = ~(between_servers(state) & (edges.kind == kind))
    fewer = Edges(edges.source[kept], edges.sink[kept], edges.kind[kept])

    assert found(replace(state, edges=fewer)) == {"race"}


def between_servers(state: State) -> Bools:
    """Return which edges lead from one server of dma to the other, (e,)."""
    source = state.program.engine[state.edges.source]
    sink = state.program.engine[state.edges.sink]
    servers = Engine.DMA_LOAD, Engine.DMA_STORE
    return np.isin(source, servers) & np.isin(sink, servers) & (source != sink)


def test_a_run_time_loop_runs_with_two_servers():
    """Proved for all trip counts, and faster than with one server."""
    split = run(kernel(ROWS), SPLIT, assume={"n": 64})
    one = run(kernel(ROWS), assume={"n": 64})

    assert (split.verdict, split.hazards) == ("accepted", ())
    assert split.proofs.proved == split.proofs.total > 0
    assert split.schedule.after_ns < 0.6 * one.schedule.after_ns


def test_the_modelled_policy_runs_with_two_servers():
    """It moves buffers, and all checks hold for where they go."""
    result = run(load("examples/spill_dram.kernel"), SPLIT, policy="modelled")
    moved = [p.statistics["moved"] for p in result.passes if "_rotation_sb" in p.name]

    assert min(moved) > 0
    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)


def test_every_instruction_is_told_with_its_server():
    """In the timeline, in which the queues of the servers overlap."""
    timeline = to_json(result_of("short_loop"), timeline=True)["timeline"]
    engines = {each["operation"]: each["engine"] for each in timeline}

    assert set(engines.values()) == {"scalar", "dma_load", "dma_store"}
