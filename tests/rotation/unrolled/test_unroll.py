import numpy as np
import pytest
from hypothesis import given

from pelican.errors import LocatedError
from rotation.errors import KernelError
from rotation.loop_form.kernel import Engine, Function
from rotation.machine.machine import get_machine
from rotation.text.parse import parse
from rotation.unrolled.unroll import (
    MAX_INSTRUCTIONS,
    count_instructions,
    unroll,
)
from tests.rotation.interpreter import executions, reads_undefined
from tests.rotation.kernels import kernel_texts
from tests.rotation.unrolled.tables import table_of

MACHINE = get_machine("planning")

NEST = """
kernel nest on planning {
  dram x [64, 8] fp32 input
  dram y [64, 8] fp32 output
  for i in [1, 6) step 2 {
    psum acc [4, 8] fp32
    for k in [0, 4) step 1 {
      sb t [4, 8] fp32
      ld: dma.load t <- x[4*(i + k):+4, 0:+8]
      mm: pe.matmul acc <- t over(k)
    }
    ev: vector.copy acc <- acc inplace
    st: dma.store y[4*i:+4, 0:+8] <- acc
  }
}
"""


def test_times_that_64_bits_cannot_count_are_refused(monkeypatch: pytest.MonkeyPatch):
    """The most is lowered here, since it takes months to reach."""
    function = function_of(NEST)
    total_ps = int(unroll(function, MACHINE).busy_ps.sum())
    monkeypatch.setattr("rotation.unrolled.unroll.MAX_TOTAL_PS", total_ps)

    with pytest.raises(KernelError, match=r"kernel nest takes \d+ days on planning"):
        unroll(function, MACHINE)


def function_of(text: str) -> Function:
    """Return the one kernel of a text."""
    (function,) = parse(text)
    return function


@given(kernel_texts())
def test_rows_are_the_executions_in_source_order(text: str):
    """A program has the executions and accesses of a plain run of the loops."""
    function = function_of(text)
    if reads_undefined(function):
        with pytest.raises(KernelError, match=r"that nothing wrote| elements into a"):
            unroll(function, MACHINE)
    else:
        try:
            program = unroll(function, MACHINE)
        except KernelError as error:
            assert " elements into a place of" in error.message  # noqa: PT017
            return
        rows = [row._replace(when=()) for row in executions(function)]
        assert table_of(program) == rows


def test_an_accumulating_operation_reads_its_destination_but_the_first_time():
    """The first iteration over k overwrites, the others read and write."""
    program = unroll(function_of(NEST), MACHINE)
    accumulates = [e for e in table_of(program) if e.name == "mm"]
    reads = [[a.tensor for a in e.accesses if not a.is_write] for e in accumulates]

    assert reads == ([["t"]] + [["t", "acc"]] * 3) * 3


def test_an_instance_is_numbered_over_the_scope_loop_and_those_outside():
    """The instance of a buffer of loop k in loop i is 4*trip(i) + trip(k)."""
    program = unroll(function_of(NEST), MACHINE)
    loaded = [e.accesses[-1].instance for e in table_of(program) if e.name == "ld"]

    assert loaded == list(range(12))


def test_iteration_is_the_linear_trip_number_of_all_loops():
    """The instructions of one statement are numbered 0, 1, 2, ..."""
    program = unroll(function_of(NEST), MACHINE)
    iterations = program.iteration[program.statement == 1]

    assert iterations.tolist() == list(range(12))


def test_costs_come_from_the_machine():
    """A load of 4 x 8 fp32 takes 128 bytes at 368 bytes/ns, and 1300 ns more."""
    program = unroll(function_of(NEST), MACHINE)
    load = int(np.flatnonzero(program.engine == Engine.DMA)[0])

    assert (program.busy_ps[load], program.latency_ps[load]) == (348, 1_300_000)


def test_locations_are_sorted_and_all_are_touched():
    """Locations come by tensor and instance, without gaps or strangers."""
    program = unroll(function_of(NEST), MACHINE)
    pairs = list(zip(program.location_tensor, program.location_instance, strict=True))

    assert pairs == sorted(set(pairs))
    assert set(program.access_location.tolist()) == set(range(len(pairs)))


def test_a_kernel_that_does_nothing_unrolls_to_nothing():
    """A kernel whose only loop has no trip is a program without rows."""
    program = unroll(
        function_of("kernel idle on planning { for i in [0, 0) { } }"), MACHINE
    )

    assert (
        len(program) == len(program.access_start) == len(program.location_tensor) == 0
    )


def test_a_program_that_is_too_large_is_refused_before_memory_is_used():
    """A nest of 10^18 iterations is refused at once, at its loop."""
    text = NEST.replace("[1, 6)", "[1, 1000000000000000001)")

    with pytest.raises(KernelError, match="24,999,999") as caught:
        unroll(function_of(text), MACHINE)

    assert caught.value.line == 5


def test_one_instruction_above_the_limit_is_too_many():
    """The limit itself is the largest program."""
    text = (
        f"kernel k on planning {{ for i in [0, {MAX_INSTRUCTIONS + 1}) "
        "{ sb t [1, 1] fp32 gpsimd.memset t <- } }"
    )

    assert count_instructions(function_of(text).body) == MAX_INSTRUCTIONS + 1
    with pytest.raises(KernelError, match="25,000,000"):
        unroll(function_of(text), MACHINE)


def test_the_first_iteration_is_that_of_all_loops_accumulated_over():
    """An accumulation over two loops overwrites once in both."""
    program = unroll(
        function_of(
            "kernel k on planning { sb t [1, 1] fp32 for i in [0, 2) { "
            "for j in [0, 2) { vector.add t <- over(i, j) } } }"
        ),
        MACHINE,
    )

    assert program.access_is_write.tolist() == [True, *[False, True] * 3]


def test_large_numbers_that_cancel_do_not_wrap():
    """A start is exact though coefficients are close to 64 bits."""
    large = 2**62
    function = function_of(
        f"kernel k on planning {{ dram x [8, 8] fp32 output for i in [0, 8) {{ "
        f"sb t [1, 8] fp32 gpsimd.memset t <- "
        f"dma.store x[({large}*i + i) mod 8:+1, 0:+8] <- t }} }}"
    )
    starts = [e.accesses[-1].starts[0] for e in table_of(unroll(function, MACHINE))]

    assert starts[1::2] == list(range(8))


def test_errors_are_located():
    """A kernel that is too large is an error with a place."""
    with pytest.raises(LocatedError) as caught:
        unroll(function_of(NEST.replace("[1, 6)", "[1, 100000000)")), MACHINE)

    assert caught.value.span is not None


PARTIAL = """
kernel partial on planning {
  dram x [1000, 64] fp32 input
  dram y [1000, 64] fp32 output
  for i in [0, 8) {
    sb t [128, 64] fp32
    ld: dma.load t[0:+min(128, 1000 - 128*i), 0:+64]
      <- x[128*i:+min(128, 1000 - 128*i), 0:+64]
    if i + 1 < 8 and i != 2 {
      st: dma.store y[128*i:+128, 0:+64] <- t
    } else {
      en: dma.store y[128*i:+min(128, 1000 - 128*i), 0:+64]
        <- t[0:+min(128, 1000 - 128*i), 0:+64]
    }
  }
}
"""
"""A last tile of 104 rows; two iterations store in the other arm."""


def test_an_iteration_has_the_rows_of_one_arm():
    """The comparisons are folded for each iteration, and the rest is left out."""
    program = unroll(function_of(PARTIAL), MACHINE)

    assert len(program) == 16
    assert program.statement[1::2].tolist() == [1, 1, 2, 1, 1, 1, 1, 2]
    assert program.iteration[1::2].tolist() == list(range(8))


def test_a_partial_tile_costs_what_it_moves():
    """104 rows of 256 bytes at 368 bytes a ns, not 128 of them."""
    program = unroll(function_of(PARTIAL), MACHINE)

    assert program.access_extent[-1].tolist() == [104, 64]
    assert set(program.busy_ps[:-2].tolist()) == {-(-128 * 256 * 1000 // 368)}
    assert set(program.busy_ps[-2:].tolist()) == {-(-104 * 256 * 1000 // 368)}


def test_a_transfer_of_different_partial_tiles_is_refused():
    """The first iteration in which the sides differ is named."""
    text = PARTIAL.replace("t[0:+min(128, 1000 - 128*i), 0:+64]\n      <-", "t <-")

    with pytest.raises(KernelError, match="moves 6656 elements into a place of 8192"):
        unroll(function_of(text), MACHINE)


def test_both_arms_of_a_join_are_rows_that_read_what_decides():
    """The value that decides is read by each row, after its own sources."""
    program = unroll(
        function_of(
            """kernel join on planning { dram x [4, 4] fp32 input sb c [1, 1] int32
            sb t [4, 4] fp32 vector.memset c <- if loaded(c) { dma.load t <- x }
            else { vector.memset t <- } }"""
        ),
        MACHINE,
    )

    assert program.statement.tolist() == [0, 1, 2]
    tensors = [program.function.tensors[k].name for k in program.location_tensor]
    touched = [tensors[k] for k in program.access_location]
    assert touched == ["c", "x", "c", "t", "c", "t"]
