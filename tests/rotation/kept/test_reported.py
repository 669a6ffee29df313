"""Faults that users of other systems reported, as kernels with run-time trips.

Each runs with rings of three at trip counts 0, 1, 2 and more; every run proves its
claims for all of them.
"""

from __future__ import annotations

from functools import cache

import pytest

from rotation import run
from rotation.errors import KernelError
from rotation.kept.tables import tables_of
from rotation.result import Result
from tests.rotation.kept.programs import NEST, ROWS, kept_program
from tests.rotation.programs import kernel

STAGES = ROWS.replace("] fp32\n    sb", "] fp32 ring 3\n    sb").replace(
    "zt [128, 512] fp32", "zt [128, 512] fp32 ring 3"
)
"""Load, copy, store in rings of three."""

SUM = """
kernel sum on planning {
  dram first [128, 512] fp32 input
  dram x [128, 4096] fp32 input
  dram z [128, 512] fp32 output
  sb acc [128, 512] fp32
  ld_f: dma.load acc <- first
  for i in [0, %n) {
    sb t [128, 512] fp32 ring 3
    ld: dma.load t <- x[0:+128, 512*i:+512]
    ad: vector.add acc <- acc, t inplace
  }
  st: dma.store z <- acc
}
"""
"""A value from before the loop, added to in it, and used after it."""

AGAIN = """
kernel again on planning {
  dram x [4096, 512] fp32 input
  dram z [4096, 512] fp32 output
  for i in [0, %n) {
    sb t [128, 512] fp32 ring 3
    ld: dma.load t <- x[128*i:+128, 0:+512]
    st: dma.store z[128*i:+128, 0:+512] <- t
  }
  for j in [0, %n) {
    sb u [128, 22528] fp32
    ld2: dma.load u[0:+128, 0:+512] <- z[128*j:+128, 0:+512]
    st2: dma.store z[128*j:+128, 0:+512] <- u[0:+128, 0:+512]
  }
}
"""
"""Two loops one after the other; the second reads what the first stored."""


@cache
def result(text: str, n: int) -> Result:
    """Return the run of a kernel with a number in its register."""
    return run(kernel(text), assume={"n": n})


def names(done: Result) -> list[tuple[str, int]]:
    """Return the operations that ran, in their order, with their trips."""
    program = done.after.program
    instructions = program.function.instructions
    return [
        (instructions[program.statement[row]].name, int(program.iteration[row]))
        for row in done.after.schedule.order
    ]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_g06_each_stage_runs_once_for_each_trip(n: int):
    """Also with fewer trips than stages: nothing twice, nothing before the first."""
    done = result(STAGES, n)

    assert sorted(names(done)) == [(o, k) for o in ("cp", "ld", "st") for k in range(n)]
    assert (done.hazards, done.equivalent) == ((), True)
    assert done.proofs.proved == done.proofs.total


def test_g08_the_last_operation_works_on_the_last_trip():
    """Four trips: the last store is that of trip 3, and nothing reads further."""
    done = result(STAGES, 4)
    program = done.after.program
    rows = program.access_start[:, 0] + program.access_extent[:, 0]

    assert names(done)[-1] == ("st", 3)
    assert rows.max() == 4 * 128


def test_g09_one_trip_loads_once():
    """Loads of trips that do not exist are not issued ahead."""
    assert [name for name, _ in names(result(STAGES, 1))] == ["ld", "cp", "st"]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_g10_a_value_from_before_the_loop_comes_out_of_it(n: int):
    """Without a trip it is what it was; the placed program stores the same."""
    done = result(SUM, n)

    assert names(done)[0] == ("ld_f", 0)
    assert names(done)[-1] == ("st", 0)
    assert (done.hazards, done.equivalent) == ((), True)


def test_g10_a_value_that_only_trips_make_is_refused():
    """Without a trip there would be none."""
    text = SUM.replace("  ld_f: dma.load acc <- first\n", "")
    text = text.replace("acc <- acc, t inplace", "acc <- t over(i)")

    with pytest.raises(KernelError, match="st reads elements of acc .* with %n = 0"):
        run(kernel(text))


def test_g05_the_slots_run_on_over_an_outer_loop():
    """Five trips in each of four: the ring of three does not start again."""
    done = run(kernel(NEST), assume={"n": 5})
    tensors = [t.name for t in done.after.program.function.tensors]
    mine = done.after.program.location_tensor == tensors.index("t")

    assert done.after.placement.slot[mine].tolist() == [k % 3 for k in range(20)]


def test_g24_the_slot_of_trip_k_is_k_mod_3_everywhere():
    """In the trips that drain too: 0, 1, 2, 0, 1."""
    done = result(STAGES, 5)
    tensors = [t.name for t in done.after.program.function.tensors]
    mine = done.after.program.location_tensor == tensors.index("xt")

    assert done.after.placement.slot[mine].tolist() == [0, 1, 2, 0, 1]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_g26_nothing_is_under_way_when_memory_is_used_again(n: int):
    """What the first loop left under way is complete before the second begins."""
    done = result(AGAIN, n)
    program, schedule = done.after.program, done.after.schedule
    complete = schedule.start_ps + program.busy_ps + program.latency_ps
    of_first = program.statement < 2

    assert (done.hazards, done.equivalent) == ((), True)
    if n:
        assert schedule.start_ps[~of_first].min() >= complete[of_first].max()


def test_g41_fewer_trips_than_stages_need_no_negative_rounds():
    """One trip in three stages is three rounds, none is none."""
    kept = kept_program(kernel(ROWS), {"xt": 3, "zt": 3}, {"n": 64})
    (rounds,) = kept.rounds.values()

    assert rounds.num_stages >= 2
    assert [len(tables_of(kept, {"n": n}).program) for n in (0, 1)] == [0, 3]
