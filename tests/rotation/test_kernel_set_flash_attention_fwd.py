"""The kernel flash_attention_fwd of the public set, with two blocks of queries of 32.

The steady state is that of the whole kernel; what the whole one comes to is in
docs/modelled.md.
"""

from functools import cache

import numpy as np
import pytest

from rotation import run
from rotation.dependence.dependences import storage_edges
from rotation.running.result import Result
from rotation.text.parse import parse
from rotation.unrolled.footprint import logical_cells
from tests.rotation.ringed import example, with_rings

BLOCKS = 2
SCALAR_BUSY_NS = 259_627 / 32
"""Busy time of scalar for a block of queries, from the public kernel set."""


@cache
def result_of(**slots: int) -> Result:
    """Return the result with rings that the user asks for."""
    text = example("flash_attention_fwd").replace("[0, 32)", f"[0, {BLOCKS})")
    text = text.replace("dram o [4096,", f"dram o [{128 * BLOCKS},")
    (function,) = parse(with_rings(text, **slots))
    return run(function)


def slots_of(result: Result) -> dict[str, int]:
    """Return the slots of each buffer."""
    return {ring.tensor: ring.slots for ring in result.rings or ()}


def test_it_is_accepted_near_its_bound():
    """All checks hold, and the makespan is within 5 percent."""
    result = result_of()

    assert (result.verdict, result.hazards, result.equivalent) == ("accepted", (), True)
    assert result.proofs.proved == result.proofs.total > 0
    assert result.schedule.ratio <= 1.05


def test_the_scalar_engine_binds():
    """It is as busy as the set says, and no schedule is shorter than that."""
    result = result_of()

    assert result.engines["scalar"].busy_ns == pytest.approx(
        SCALAR_BUSY_NS * BLOCKS, rel=0.01
    )
    assert result.schedule.bound.name == "scalar"
    assert result.schedule.bound_ns >= SCALAR_BUSY_NS * BLOCKS


def test_what_the_blocks_of_keys_carry_has_one_slot():
    """A ring of m, l or oa over the blocks would lose what they hold."""
    slots = slots_of(result_of())

    assert [slots[name] for name in ("m", "l", "oa")] == [1, 1, 1]


def test_the_rings_of_psum_fit_in_its_banks():
    """Nine banks, three for each, are one more than there are."""
    result = result_of()
    slots = slots_of(result)

    assert slots["s"] + slots["pT"] + slots["pv"] <= 8
    assert result.memory["psum"].after <= 8


def test_the_running_maximum_is_read_before_it_is_written_anew():
    """um(j) waits for al(j), which reads the maximum of the blocks before."""
    result = result_of()
    program = result.after.program
    names = [each.name for each in program.function.instructions]
    al, um = (
        np.flatnonzero(program.statement == names.index(name)) for name in ("al", "um")
    )
    edges = storage_edges(program, logical_cells(program), result.after.placement)
    waits = set(zip(edges.sink.tolist(), edges.source.tolist(), strict=True))

    assert set(zip(um.tolist(), al.tolist(), strict=True)) <= waits


def test_three_slots_of_scores_and_two_of_products_come_nearer():
    """With 3, 3 and 2 slots in PSUM the product of the next block is never late."""
    wide = dict.fromkeys(["qt", "kt", "vt", "al", "ls", "p", "pTs"], 3) | {"qt": 2}
    result = result_of(**wide, s=3, pT=3, pv=2)

    assert result.schedule.after_ns < result_of().schedule.after_ns
    assert (result.hazards, result.equivalent) == ((), True)
