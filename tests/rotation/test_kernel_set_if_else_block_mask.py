"""The kernel if_else_block_mask of the public set: every check and every trap."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rotation import load, run
from rotation.running.result import Result

EXAMPLE = "examples/if_else_block_mask.kernel"
LOWER_BOUND_NS = 17_098
"""Busy time of dma, from the public kernel set."""

SERIAL_NS = 375_498
ROTATION = ("address_rotation_psum", "address_rotation_sb")


@cache
def result(*skip_passes: str) -> Result:
    """Return the result of the kernel."""
    return run(load(EXAMPLE), skip_passes=skip_passes)


def test_it_is_left_and_nothing_else_fails():
    """Rotation is refused, the rest runs, and the program is the source program."""
    found = result()

    assert (found.verdict, found.hazards, found.equivalent) == ("left", (), True)
    assert found.proofs.proved == found.proofs.total > 0


@pytest.mark.parametrize(
    "named",
    [
        'the if on loaded(st, en) "st <= 3 and 3 < en"',
        "in line LINE",
        "join block after it in line JOIN has two predecessors",
        "buffers written in both arms: ot",
    ],
)
def test_the_message_names_the_if_its_line_the_join_and_the_buffers(named: str):
    """All that a user needs to find it."""
    lines = Path(EXAMPLE).read_text().splitlines()
    at = next(k for k, line in enumerate(lines, 1) if line.strip().startswith("if "))
    join = next(k for k, line in enumerate(lines, 1) if line == "    }")
    (refusal,) = result().refusals

    assert named.replace("LINE", str(at)).replace("JOIN", str(join)) in refusal.reason
    assert refusal.where == f"{EXAMPLE}:{at}:5"


@pytest.mark.parametrize("skipped", [ROTATION, ("plan_rings", *ROTATION)])
def test_it_comes_out_byte_for_byte_as_with_rotation_skipped(skipped):
    """Placement, edges, order and times are those without rotation."""
    mine, plain = result().after, result(*skipped).after

    for name in ("partition", "byte", "slot"):
        one, other = getattr(mine.placement, name), getattr(plain.placement, name)
        assert np.array_equal(one, other)
    for name in ("source", "sink", "kind"):
        one, other = getattr(mine.edges, name), getattr(plain.edges, name)
        assert np.array_equal(one, other)
    assert np.array_equal(mine.schedule.start_ps, plain.schedule.start_ps)


def test_it_is_the_unrotated_program():
    """Memory, edges and makespan after are those before; every ring has one slot."""
    found = result()

    assert {ring.slots for ring in found.rings} == {1}
    assert all(report.before == report.after for report in found.memory.values())
    assert found.edges.before == found.edges.after
    assert found.schedule.before_ns == found.schedule.after_ns


def test_its_engines_are_as_busy_as_the_set_says():
    """Both arms of the if count."""
    found = result()

    assert abs(found.engines["dma"].busy_ns / LOWER_BOUND_NS - 1) <= 0.01
    assert found.engines["vector"].busy_ns == pytest.approx(8_533, abs=1)
    assert found.engines["gpsimd"].busy_ns == pytest.approx(17_067, abs=1)
    assert found.schedule.bound_ns >= LOWER_BOUND_NS
    assert found.schedule.serial_ns == pytest.approx(SERIAL_NS, abs=1)


def test_no_engine_runs_past_the_if():
    """The rest runs serially: iteration k + 1 starts after the arms of iteration k."""
    after = result().after
    program, start_ps = after.program, after.schedule.start_ps
    done_ps = start_ps + program.busy_ps + program.latency_ps
    names = [i.name for i in program.function.instructions]
    rows = {n: np.flatnonzero(program.statement == k) for k, n in enumerate(names)}

    assert (start_ps[rows["zero"]] >= done_ps[rows["mul"]]).all()
    for load_name in ("ld_s", "ld_e", "ld_q"):
        assert (start_ps[rows["mul"]] >= done_ps[rows[load_name]]).all()
        assert (start_ps[rows[load_name]][1:] >= done_ps[rows["zero"]][:-1]).all()


def test_few_edges_are_left():
    """Below 3 for each instruction."""
    edges = result().edges.after

    assert edges.flow + edges.anti + edges.output + edges.ordered < 3 * 384
