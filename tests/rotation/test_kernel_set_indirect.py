"""The kernels of the public set that gather, scatter or read through a map."""

from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from pelican_rotation.screen import show
from rotation.dependence.dependences import flow_edges, storage_edges
from rotation.loop_form.kernel import EdgeKind
from rotation.passes.unroll import DISTINCT
from rotation.running.pipeline import run
from rotation.running.result import Result
from rotation.text.parse import parse
from rotation.unrolled.footprint import logical_cells
from rotation.unrolled.program import Edges, Ints, Program

ROOT = Path(__file__).parents[2]
LOWER_BOUND_NS = {
    "depthwise_conv1d": ("scalar", 122_880),
    "embedding_gather": ("dma", 182_406),
    "moe_token_shuffle": ("dma", 182_628),
}
"""The engine that the public set names, and its busy time."""

NAMES = tuple(LOWER_BOUND_NS)


@cache
def result_of(name: str, *changes: tuple[str, str]) -> Result:
    """Return the run of an example, some texts of it replaced."""
    text = (ROOT / "examples" / f"{name}.kernel").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (function,) = parse(text)
    return run(function)


def ringed(name: str, **slots: int) -> Result:
    """Return the run of an example with rings that its user asks for."""
    declared = {
        "it": "int32\n    sb rows" if name == "embedding_gather" else "",
        "rows": "bf16\n    ld_i",
        "ot": "bf16\n      mm",
    }
    changes = [
        (declared[b], declared[b].replace("\n", f" ring {n}\n", 1))
        for b, n in slots.items()
    ]
    return result_of(name, *changes)


def slots_of(result: Result) -> dict[str, int]:
    """Return the slots of each buffer."""
    return {ring.tensor: ring.slots for ring in result.rings or ()}


def program_of(result: Result) -> Program:
    """Return the tables of a run."""
    return result.after.program


def rows_of(program: Program, name: str) -> Ints:
    """Return the executions of a statement."""
    statements = [i.name for i in program.function.instructions]
    return np.flatnonzero(program.statement == statements.index(name))


def dependences(result: Result) -> tuple[Edges, Edges]:
    """Return the flow edges of a run, and its anti and output edges, unreduced."""
    program = program_of(result)
    cells = logical_cells(program)
    placement = result.after.placement
    return flow_edges(program, cells), storage_edges(program, cells, placement)


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_is_accepted_near_its_bound(name: str):
    """All checks hold, and the makespan is within 5 percent."""
    result = result_of(name)

    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert result.proofs.proved == result.proofs.total
    assert result.schedule.ratio <= 1.05


@pytest.mark.parametrize("name", NAMES)
def test_the_bound_is_that_of_the_set(name: str):
    """The busy time of its engine agrees within 1 percent, and bounds the bound."""
    (engine, lower_ns), result = LOWER_BOUND_NS[name], result_of(name)

    assert abs(result.engines[engine].busy_ns / lower_ns - 1) <= 0.01
    assert result.schedule.bound_ns >= lower_ns
    assert result.schedule.bound.name == engine


@pytest.mark.parametrize("name", NAMES)
def test_fewer_than_three_edges_an_operation_are_left(name: str):
    """Before and after."""
    result = result_of(name)

    for edges in (result.edges.before, result.edges.after):
        assert edges.flow + edges.anti + edges.output < 3 * len(program_of(result))


def test_a_slot_of_one_partition_takes_a_whole_bank():
    """`it` takes 4096 bytes a slot, `acc` a bank; three of these are planned."""
    result = result_of("depthwise_conv1d")
    sizes = {ring.tensor: ring.slot_bytes for ring in result.rings}

    assert (sizes["it"], sizes["acc"]) == (4096, 2048)
    assert slots_of(result)["acc"] == 3


def test_small_stores_that_share_a_queue_with_long_loads_need_six_slots():
    """Four slots of `ot` are a quarter above the bound, five still too many ns."""
    planned = result_of("depthwise_conv1d")
    four, five = (ringed("depthwise_conv1d", ot=n).schedule.ratio for n in (4, 5))

    assert slots_of(planned)["ot"] == 6
    assert four == pytest.approx(1.256, abs=0.005)
    assert four > five > 1.05


def test_a_tile_of_one_partition_starts_where_the_machine_allows():
    """At partition 0, 32, 64 or 96."""
    result = result_of("depthwise_conv1d")
    program, placement = program_of(result), result.after.placement
    tensors = [t.name for t in program.function.tensors]
    small = np.isin(program.location_tensor, [tensors.index(n) for n in ("acc", "ot")])

    assert set(placement.partition[small].tolist()) <= {0, 32, 64, 96}


def test_overlapping_reads_of_one_row_are_no_hazard():
    """Nothing writes the image: no load waits for another because of it."""
    result = result_of("depthwise_conv1d")
    program = program_of(result)
    image = [t.name for t in program.function.tensors].index("img")
    cells = logical_cells(program)
    touched = program.location_tensor[program.access_location[cells.access]]
    loads = rows_of(program, "ld_i")

    assert image not in touched
    for edges in dependences(result):
        inside = np.isin(edges.source, loads) & np.isin(edges.sink, loads)
        anti = edges.sink[inside] - edges.source[inside]
        assert (anti >= 2 * 13).all()  # by the ring of `it` only: two iterations


def test_without_rings_a_lookup_is_a_chain_of_three_transfers():
    """Ids, rows, store: each waits out the latency of the one before."""
    result = ringed("embedding_gather", it=1, rows=1)
    program, schedule = program_of(result), result.after.schedule
    chain = np.array([rows_of(program, name)[0] for name in ("ld_i", "gat", "st")])
    done_ps = schedule.start_ps + program.busy_ps + program.latency_ps

    assert done_ps[chain[-1]] == program.busy_ps[chain].sum() + 3 * 1_300_000
    assert result.schedule.ratio == pytest.approx(1, abs=0.01)  # of the bound for N = 1
    planned = result_of("embedding_gather").schedule
    assert result.schedule.after_ns > 1.4 * planned.after_ns


def test_the_row_numbers_need_a_ring_too():
    """With one slot for them the rows cannot be fetched ahead."""
    planned = slots_of(result_of("embedding_gather"))
    one = ringed("embedding_gather", it=1, rows=2)

    assert planned["it"] >= 2
    assert planned["rows"] == 2
    assert one.schedule.ratio > 1.05


def test_a_gather_from_a_tensor_that_is_only_read_waits_for_no_other():
    """The table orders nothing."""
    result = result_of("embedding_gather")
    program = program_of(result)
    table = [t.name for t in program.function.tensors].index("table")
    cells = logical_cells(program)

    assert table not in program.location_tensor[program.access_location[cells.access]]


def test_a_gather_from_a_tensor_that_is_written_waits():
    """The next gather may name a row that the store has written, wherever it is."""
    result = result_of(
        "embedding_gather",
        ("32000, 4096] bf16 input", "32000, 4096] bf16 output"),
        ("for t in", "sb z [125, 4096] bf16 vector.clear z <-\n"
         "for r in [0, 256) { dma.store table[125*r:+125, 0:+4096] <- z }\nfor t in"),
        ("st: dma", "back: dma.store table[128*t:+128, 0:+4096] <- rows st: dma"),
    )  # fmt: skip
    flow, storage = dependences(result)
    gathers, stores = (rows_of(program_of(result), name) for name in ("gat", "back"))
    back_to_gather = set(zip(flow.source.tolist(), flow.sink.tolist(), strict=True))
    gather_to_back = set(zip(storage.source, storage.sink, strict=True))

    assert (result.hazards, result.equivalent) == ((), True)
    for k in range(31):
        assert (stores[k], gathers[k + 1]) in back_to_gather
        assert (gathers[k], stores[k]) in gather_to_back


def scatter_chain(result: Result) -> list[tuple[int, int]]:
    """Return the output edges between scatters, as (from, to) by iteration."""
    scatters = rows_of(program_of(result), "sca").tolist()
    _, storage = dependences(result)
    return [
        (scatters.index(source), scatters.index(sink))
        for source, sink, kind in zip(
            *(c.tolist() for c in (storage.source, storage.sink, storage.kind)),
            strict=True,
        )
        if kind == EdgeKind.OUTPUT and source in scatters and sink in scatters
    ]


ORDERED = (" unique", "")


def test_scatters_of_rows_that_are_declared_distinct_have_no_order():
    """That is why the kernel is accepted as it is."""
    result = result_of("moe_token_shuffle")

    assert scatter_chain(result) == []
    assert result.passes[2].statistics[DISTINCT.name] == 1


def test_without_the_declaration_each_scatter_waits_for_the_one_before():
    """Serial, still correct, and not refused."""
    result = result_of("moe_token_shuffle", ORDERED)

    assert scatter_chain(result) == [(k, k + 1) for k in range(63)]
    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert result.edges.after.output > 0
    assert result.schedule.ratio <= 1.05


def test_the_declaration_is_shown_as_an_assumption():
    """It is not taken silently, and nothing is shown where it is not made."""
    shown = []
    for result in (
        result_of("moe_token_shuffle"),
        result_of("moe_token_shuffle", ORDERED),
    ):
        text = StringIO()
        show(result, Console(file=text, width=100))
        shown.append([n for n in text.getvalue().splitlines() if "assumed" in n])

    assert shown == [
        ["assumed    sca writes no row twice: line 29 says unique"],
        [],
    ]
