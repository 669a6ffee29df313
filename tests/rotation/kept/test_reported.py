"""Faults that users of other systems reported, as kernels with run-time trips.

Each is placed in rings of three. Its claims are proved for all trip counts, and the
three checkers look at 0, 1, 2 and more trips.
"""

from __future__ import annotations

from functools import cache

import pytest

from rotation import run
from rotation.check.kept import check_kept, hazards_of
from rotation.errors import KernelError
from rotation.kept.data import KeptProgram
from rotation.kept.run import checked
from rotation.kept.tables import Tables, tables_of
from tests.rotation.kept.programs import NEST, ROWS, kept_program, slots_of
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
    sb u [128, 4096] fp32
    ld2: dma.load u[0:+128, 0:+512] <- z[128*j:+128, 0:+512]
    st2: dma.store z[128*j:+128, 0:+512] <- u[0:+128, 0:+512]
  }
}
"""
"""Two loops one after the other; the second reads what the first stored."""


@cache
def kept(text: str) -> KeptProgram:
    """Return a kernel in rings of three, of which every claim is proved."""
    function = kernel(text)
    program = kept_program(function, slots_of(function, 3), {"n": 6})
    assert hazards_of(check_kept(program)) == ()
    return program


@cache
def tables(text: str, n: int) -> Tables:
    """Return the tables of a number of trips, in which the checkers find nothing."""
    found = tables_of(kept(text), {"n": n})
    assert checked(found) == ()
    return found


def names(done: Tables) -> list[tuple[str, int]]:
    """Return the operations that ran, in their order, with their trips."""
    instructions = done.program.function.instructions
    return [
        (
            instructions[done.program.statement[row]].name,
            int(done.program.iteration[row]),
        )
        for row in done.schedule.order
    ]


def slots(done: Tables, name: str) -> list[int]:
    """Return the slot of each instance of a buffer."""
    tensors = [tensor.name for tensor in done.program.function.tensors]
    if name not in tensors:
        return []
    mine = done.program.location_tensor == tensors.index(name)
    return [int(slot) for slot in done.placement.slot[mine]]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_g06_each_stage_runs_once_for_each_trip(n: int):
    """Also with fewer trips than stages: nothing twice, nothing before the first."""
    ran = sorted(names(tables(STAGES, n)))

    assert ran == [(o, k) for o in ("cp", "ld", "st") for k in range(n)]


@pytest.mark.parametrize("n", [0, 1, 2, 4])
def test_g08_the_last_operation_works_on_the_last_trip(n: int):
    """The last store is that of trip n - 1, and nothing reads further."""
    done = tables(STAGES, n)
    program = done.program
    rows = program.access_start[:, 0] + program.access_extent[:, 0]

    assert names(done)[-1:] == [("st", n - 1)][: len(program)]
    assert rows.max(initial=0) == n * 128


def test_g09_one_trip_loads_once():
    """Loads of trips that do not exist are not issued ahead."""
    assert [name for name, _ in names(tables(STAGES, 1))] == ["ld", "cp", "st"]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_g10_a_value_from_before_the_loop_comes_out_of_it(n: int):
    """Without a trip it is what it was; the placed program stores the same."""
    done = tables(SUM, n)

    assert names(done)[0] == ("ld_f", 0)
    assert names(done)[-1] == ("st", 0)


def test_g10_a_value_that_only_trips_make_is_refused():
    """Without a trip there would be none."""
    text = SUM.replace("  ld_f: dma.load acc <- first\n", "")
    text = text.replace("acc <- acc, t inplace", "acc <- t over(i)")

    with pytest.raises(KernelError, match=r"st reads elements of acc .* with %n = 0"):
        run(kernel(text))


def test_g05_the_slots_run_on_over_an_outer_loop():
    """Five trips in each of four: the ring of three does not start again."""
    assert slots(tables(NEST, 5), "t") == [k % 3 for k in range(20)]


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_g24_the_slot_of_trip_k_is_k_mod_3_everywhere(n: int):
    """In the trips that drain too: 0, 1, 2, 0, 1."""
    assert slots(tables(STAGES, n), "xt") == [0, 1, 2, 0, 1][:n]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_g26_nothing_is_under_way_when_memory_is_used_again(n: int):
    """What the first loop left under way is complete before the second begins."""
    done = tables(AGAIN, n)
    program, schedule = done.program, done.schedule
    complete = schedule.start_ps + program.busy_ps + program.latency_ps
    of_first = program.statement < 2

    assert len(program) == 4 * n
    if n:
        assert schedule.start_ps[~of_first].min() >= complete[of_first].max()


def test_g41_fewer_trips_than_stages_need_no_negative_rounds():
    """One trip in three stages is three rounds, none is none."""
    (rounds,) = kept(STAGES).rounds.values()

    assert rounds.num_stages >= 2
    assert [len(tables(STAGES, n).program) for n in (0, 1, 2)] == [0, 3, 6]


RECURRENT = (
    STAGES.replace(
        "  for i", "  sb c [128, 512] fp32\n  z: vector.memset c <-\n  for i"
    )
    .replace("cp: vector.copy zt <- xt", "cp: vector.add zt <- xt, c")
    .replace("    st:", "    up: scalar.copy c <- zt\n    st:")
)
"""What one trip leaves in a plain buffer is read by the next."""


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_g41_a_plain_buffer_beside_rings_keeps_its_order(n: int):
    """Each sum comes after the copy of the trip before."""
    ran = [name for name in names(tables(RECURRENT, n)) if name[0] in {"cp", "up"}]

    assert ran == [(name, k) for k in range(n) for name in ("cp", "up")]
