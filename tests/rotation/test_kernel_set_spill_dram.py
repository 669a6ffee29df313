"""A DRAM spill buffer in a loop of 32 trips: ring, window, time."""

from functools import cache
from pathlib import Path

import pytest

from rotation import load, run
from rotation.errors import PlanError
from rotation.running.result import Result
from tests.rotation.programs import kernel

EXAMPLE = Path(__file__).parents[2] / "examples/spill_dram.kernel"
TILE_BYTES = 128 * 1024 * 4


@cache
def result() -> Result:
    """Return what a run of it finds."""
    return run(load(EXAMPLE))


def test_it_is_accepted_near_its_bound():
    """DMA binds, and rotation brings much."""
    found = result()
    schedule = found.schedule

    assert (found.verdict, found.hazards, found.equivalent) == ("accepted", (), True)
    assert (schedule.bound.kind, schedule.bound.name) == ("engine", "dma")
    assert schedule.ratio <= 1.05
    assert schedule.before_ns / schedule.after_ns >= 1.7


def test_few_edges_are_left():
    """Fewer than 3 for each instruction, and the same number for each iteration."""
    edges = result().edges.after
    count = len(result().after.program)

    assert edges.flow + edges.anti + edges.output + edges.ordered < 3 * count


def test_the_spill_buffer_has_the_fewest_slots_that_are_legal():
    """33 instances, that before the loop included, in two slots."""
    rings = {ring.tensor: ring for ring in result().rings}
    memory = result().memory["dram"]

    assert {name: ring.slots for name, ring in rings.items() if ring.slots > 1} == {
        "spill": 2
    }
    assert memory.after == (2 * 32 + 2) * TILE_BYTES


@pytest.mark.parametrize(
    ("ring", "message"),
    [
        (1, "sp needs spill@(0) while rl still needs spill@(-1)"),
        (34, "ring 34 of spill has more slots than the 33 instances"),
    ],
)
def test_a_ring_that_cannot_be_is_refused(ring, message):
    """Too short, and longer than there are instances."""
    text = EXAMPLE.read_text().replace("fp32 at i", f"fp32 at i ring {ring}")

    with pytest.raises(PlanError) as error:
        run(kernel(text))

    assert message in error.value.message


def test_a_reload_that_comes_first_needs_one_slot():
    """Then the spill waits for it, and no two instances are needed at a time."""
    reload = "    rl: dma.load rt <- spill@(i - 1)\n"
    text = EXAMPLE.read_text().replace(reload, "")
    spill = "    sp: dma.store spill <- ct\n"
    text = text.replace(spill, reload + spill).replace("at i", "at i ring 1")
    found = run(kernel(text))
    (ring,) = (ring for ring in found.rings if ring.tensor == "spill")

    assert (ring.slots, found.hazards, found.equivalent) == (1, (), True)
