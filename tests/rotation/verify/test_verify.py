from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelican.errors import LocatedError
from rotation.errors import CapacityError, KernelError
from rotation.loading import load
from rotation.loop_form.kernel import Function
from rotation.machine.machine import get_machine
from rotation.running.pipeline import run
from rotation.text.parse import parse
from rotation.verify.verify import verify

ROOT = Path(__file__).parents[3]
MACHINE = get_machine("planning")

DECLARATIONS = """
  dram x [256, 512] bf16 input
  dram c [256, 512] bf16 const
  dram y [256, 512] bf16 output
  sb a [128, 512] bf16
  sb b [128, 512] bf16
  psum p [128, 512] fp32
"""


STORE = "last: dma.store y[0:+128, 0:+512] <- a"


def function_of(body: str, last: str = STORE) -> Function:
    """Return a kernel of that body, whose first line is line 8; it ends in a store."""
    text = f"kernel k on planning {{{DECLARATIONS}{body}\n{last}\n}}"
    (function,) = parse(text, "k.kernel")
    return function


def mistakes(body: str) -> list[LocatedError]:
    """Return what is wrong with a kernel of that body."""
    try:
        verify(function_of(body), MACHINE)
    except KernelError as error:
        return list(error.errors)
    except LocatedError as error:
        return [error]
    return []


def mistake(body: str) -> LocatedError:
    """Return the one thing that is wrong with a kernel of that body."""
    (error,) = mistakes(body)
    return error


@pytest.mark.parametrize(
    "body",
    [
        "dma.load a <- x[0:+128, 0:+512]",
        "dma.load a <- c[0:+128, 0:+512]",
        "dma.store y[128:+128, 0:+512] <- a",
        "dma.copy a <- b",
        "pe.matmul p <- a, b",
        "vector.copy a <- p",
        "gpsimd.memset a <-",
        "vector.scale a <- a inplace",
        "for i in [0, 4) { pe.matmul p <- a, b over(i) }",
        "cc.all_reduce y[0:+128, 0:+512] <- a",
        "sb t [128, 90112] bf16 psum q [128, 4096] fp32",
        "dma.gather a <- x, b[0:+128, 0:+1]",
    ],
)
def test_a_sound_operation_is_accepted(body: str):
    """Nothing is wrong with these."""
    assert mistakes(body) == []


@pytest.mark.parametrize("name", ["stream_add", "matmul_tiled"])
@pytest.mark.parametrize("machine", ["planning", "trn2"])
def test_the_examples_are_accepted(name: str, machine: str):
    """The public kernels make sense on the machines."""
    verify(load(ROOT / "examples" / f"{name}.kernel"), get_machine(machine))


def test_a_tile_larger_than_sb_names_need_and_capacity():
    """The error has the numbers, the place and the remedy."""
    error = mistake("sb t [128, 90113] bf16")

    assert isinstance(error, CapacityError)
    assert (error.need, error.capacity, error.unit) == (
        180_226,
        180_224,
        "bytes/partition",
    )
    assert (error.line, error.column) == (8, 1)
    assert "one tile of t needs 180226 bytes/partition" in error.message
    assert error.hint == "give it at most 90112 elements of bf16 in each partition"


def test_a_tile_larger_than_psum_is_counted_in_banks():
    """A tile of one element more than eight banks needs nine."""
    error = mistake("psum q [128, 4097] fp32")

    assert isinstance(error, CapacityError)
    assert (error.need, error.capacity, error.unit) == (9, 8, "banks")
    assert error.hint == "give it at most 4096 elements of fp32 in each partition"


def test_a_tile_has_no_more_partitions_than_the_machine():
    """A first dimension of 129 does not fit."""
    error = mistake("sb t [129, 1] bf16")

    assert error.message == "t has 129 partitions; sb of planning has 128"


@pytest.mark.parametrize("role", ["input", "output", "const"])
def test_only_dram_is_seen_from_outside(role: str):
    """A tile on chip has no role."""
    assert f"cannot be {role}" in mistake(f"sb t [128, 1] bf16 {role}").message


def test_dram_is_addressed_by_64_bits():
    """Buffers that only together are too large are too large."""
    body = f"dram u [{2**62}] int8\n dram v [{2**62}] int8"

    assert mistake(body).line == 9


def test_the_alignment_of_dram_counts_too():
    """A buffer may end within 64 bits, and what its alignment adds may not."""
    others = 3 * 256 * 512 * 2
    message = mistake(f"dram u [{2**63 - 1 - others}] int8").message

    assert message == "the dram buffers up to u need 9223372036854775808 bytes"


EDGES = [0, 1, 2**31, 2**61 - 1, 2**62, 2**63 - 4096, 2**63 - 2, 2**63 - 1]


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(EDGES[1:]), min_size=2, max_size=2),
    st.tuples(st.sampled_from(EDGES), st.sampled_from([1, -1])),
    st.integers(1, 4) | st.sampled_from(EDGES).filter(bool),
    st.sampled_from(EDGES).filter(bool),
    st.sampled_from(["0", "i", "i mod 2", "2*i", "i - 1", "4096*i"]),
)
def test_numbers_at_the_edge_of_64_bits_run_or_are_refused(
    shape, lo, trips, step, start
):
    """No table of the passes overflows."""
    first = lo[0] * lo[1]
    text = f"""
    kernel k on planning {{
      dram x {shape} fp32 input
      dram y [1, 1] fp32 output
      sb t [4, 4] fp32
      vector.memset t <-
      for i in [{first}, {first + trips}) step {step} {{
        dma.load t[0:+1, 0:+1] <- x[{start}:+1, 0:+1]
        vector.add t[{start}:+1, 0:+1] <- t[0:+1, 0:+1]
      }}
      dma.store y <- t[0:+1, 0:+1]
    }}
    """
    try:
        (function,) = parse(text)
        result = run(function)
    except LocatedError:
        return
    assert (result.hazards, result.equivalent) == ((), True)


@pytest.mark.parametrize("engine", ["pe", "vector", "scalar", "gpsimd"])
def test_a_compute_engine_does_not_reach_dram(engine: str):
    """Reading DRAM is an error at the operand."""
    error = mistake(f"{engine}.copy a <- x[0:+128, 0:+512]")

    assert error.message == f"{engine} cannot reach x in dram"
    assert error.column == len(f"{engine}.copy a <- ") + 1


def test_gpsimd_does_not_reach_psum():
    """Both directions are wrong."""
    errors = mistakes("gpsimd.copy p <- p")

    assert [e.message for e in errors] == ["gpsimd cannot reach p in psum"] * 2


def test_sync_runs_no_operations():
    """The engine exists and has nothing to run."""
    assert mistake("sync.wait a <- a").message == "sync runs no operations"


def test_an_output_is_written():
    """Its declaration is the place."""
    with pytest.raises(KernelError) as error:
        verify(function_of("", ""), MACHINE)

    assert error.value.message == "y is output, and nothing writes it"
    assert (error.value.line, error.value.column) == (4, 3)
    assert error.value.hint is not None


@pytest.mark.parametrize(
    "last",
    [
        f"for i in [2, 2) {{ {STORE} }}",
        f"for i in [2, 2) {{ for j in [3, 3) {{ {STORE} }} }}",
        f"for i in [0, 2) {{ for j in [3, 3) {{ {STORE} }} }}",
        f"for i in [0, 2) {{ if i > 2 {{ {STORE} }} }}",
    ],
)
def test_an_output_may_be_named_where_nothing_is_ever_done(last: str):
    """A loop without trips, or a dead arm, leaves it as it came, and that is meant."""
    verify(function_of("", last), MACHINE)


@pytest.mark.parametrize(("name", "role"), [("x", "input"), ("c", "const")])
def test_an_input_is_never_written(name: str, role: str):
    """Inputs and constants are what the outside world gives."""
    error = mistake(f"dma.store {name}[0:+128, 0:+512] <- a")

    assert error.message == f"{name} is {role} and is written"


def test_a_load_reads_dram():
    """A load from chip to chip has another name."""
    assert mistake("dma.load a <- b").message == "dma.load reads nothing in dram"


def test_a_store_writes_dram():
    """A store from chip to chip has another name."""
    assert mistake("dma.store a <- b").message == "dma.store writes nothing in dram"


def test_a_transfer_moves_as_much_as_it_fills():
    """Source and destination have the same number of elements."""
    error = mistake("ld: dma.load a <- x[0:+128, 0:+511]")

    assert error.message == "ld moves 65408 elements into a place of 65536"
    assert error.hint == (
        "make the extents agree: [128, 511] against [128, 512]; "
        'or add view "broadcast", if it reads elements more than once'
    )


def test_a_transposed_transfer_has_other_extents():
    """Only the number of elements has to agree."""
    assert mistakes("dma.load a[0:+128, 0:+4] <- x[0:+4, 0:+128] transpose") == []


def test_a_wrong_region_is_not_reported_again_as_a_wrong_transfer():
    """One mistake in the extents is one error."""
    error = mistake("dma.load a <- x[0:+257, 0:+512]")

    assert error.message == "dimension 0 of x has 256 elements, and 257 are used"


def test_an_accumulator_is_declared_outside_its_loop():
    """A buffer that is new in every iteration cannot be added to over them."""
    error = mistake(
        "for i in [0, 2) { for k in [0, 4) { sb t [128, 512] bf16\n"
        "vector.add t <- a over(i) } }"
    )

    assert (
        error.message == "t is new in every iteration of i, and is accumulated over i"
    )
    assert error.hint == "declare t outside loop i"


def test_a_loop_that_is_accumulated_over_is_around_the_operation():
    """A function that was not read from text is checked too."""
    inside = function_of("for i in [0, 2) { add: vector.add a <- b over(i) }")
    outside = replace(inside, body=(*inside.tensors, *inside.instructions))

    with pytest.raises(KernelError, match="add is not inside loop i"):
        verify(outside, MACHINE)


def test_an_operation_in_place_names_one_region_twice():
    """Equal starts are enough, however they are written."""
    body = (
        "for i in [0, 4) { vector.f a[i:+1, 0:+512] <- a[2*i - i:+1, 0:+512] inplace }"
    )

    assert mistakes(body) == []


@pytest.mark.parametrize("source", ["b", "a[0:+128, 0:+511]", "a[0:+64, 0:+512]"])
def test_an_operation_in_place_reads_what_it_writes(source: str):
    """Another buffer or another box is not in place."""
    assert (
        "reads no region that it writes"
        in mistake(f"vector.f a <- {source} inplace").message
    )


def test_mistakes_come_in_the_order_of_the_text():
    """All mistakes of a kernel are found in one run."""
    errors = mistakes("vector.copy a <- x\n sb t [129, 1] bf16\n dma.load a <- b")

    assert [error.line for error in errors] == [8, 9, 10]


def test_the_message_of_several_mistakes_is_that_of_the_first():
    """The error that is raised reads like its first mistake."""
    with pytest.raises(KernelError, match=r"^k.kernel:8:18: vector cannot reach x"):
        verify(function_of("vector.copy a <- x\n dma.load a <- b"), MACHINE)


def test_trips_that_need_more_than_64_bits_to_count_are_refused():
    """Instances are numbered by an expression over the loops."""
    far = 2**62
    error = mistake(
        f"for i in [{far}, {far + 4}) {{ for j in [0, 4) {{\n"
        " sb u [1, 8] fp32 gpsimd.memset u <- } }"
    )

    assert "the trips of loop j needs more than 64 bits" in error.message
    assert error.hint == "start its loops nearer to 0"
