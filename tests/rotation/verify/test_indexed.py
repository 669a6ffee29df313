import pytest

from pelican.errors import LocatedError
from rotation.errors import KernelError
from rotation.loop_form.kernel import Function
from rotation.machine.machine import get_machine
from rotation.text.parse import parse
from rotation.verify.verify import verify

DECLARATIONS = """
  dram ids [256, 1] int32 input
  dram table [4096, 64] bf16 input
  dram big [256, 64] bf16
  dram out [256, 64] bf16 output
  sb i [128, 1] int32
  sb f [128, 1] fp32
  sb a [128, 64] bf16
  sb b [128, 64] bf16
  ld: dma.load i <- ids[0:+128, 0:+1]
"""
LAST = "last: dma.store out[0:+128, 0:+64] <- a"


def function_of(body: str) -> Function:
    """Return a kernel of that body, which stands on line 11."""
    text = f"kernel k on planning {{{DECLARATIONS}{body}\n{LAST}\n}}"
    (function,) = parse(text, "k.kernel")
    return function


def mistakes(body: str) -> list[LocatedError]:
    """Return what is wrong with a kernel of that body."""
    try:
        verify(function_of(body), get_machine("planning"))
    except KernelError as error:
        return list(error.errors)
    except LocatedError as error:
        return [error]
    return []


@pytest.mark.parametrize(
    "body",
    [
        "dma.gather a <- table index(i, dim 0)",
        "dma.gather a <- table, i index(i, dim 0)",
        "dma.gather a <- i, table index(i, dim 0)",
        "dma.gather a <- table[0:+100, 0:+64] index(i, dim 0)",
        "dma.gather a[0:+64, 0:+32] <- table[0:+9, 0:+32], i[64:+64, 0:+1] "
        "index(i, dim 0)",
        "dma.scatter big <- a index(i, dim 0)",
        "dma.scatter out <- a index(i, dim 0) unique",
        'dma.scatter out <- a index(ids, dim 0) view "half of them" unique',
        "gpsimd.gather a <- b index(i, dim 1)",
        "gpsimd.scatter a <- b, f index(i, dim 0)",
        'dma.gather a <- table index(i, dim 0) transpose view "by columns"',
        'dma.load a <- table[0:+1, 0:+64] view "one row to all partitions"',
        "cc.remote_copy big <- out",
        "dma.remote_copy big <- out",
        "dma.gather a <- table[0:+128, 0:+64]",
    ],
)
def test_a_sound_operation_is_accepted(body: str):
    """Nothing is wrong with these."""
    assert mistakes(body) == []


REFUSED = {
    "g: dma.scatter big <- a": (
        "g does not say which rows it writes",
        "add index(BUFFER, dim 0), or name the operation otherwise",
    ),
    "g: dma.load a <- table index(i, dim 0)": (
        "g has an index, and load is no gather or scatter",
        "a gather reads the rows that an index names, a scatter writes them",
    ),
    "g: dma.gather a <- table index(f, dim 0)": (
        "rows cannot be numbered by f, which is fp32",
        "use a buffer of one of int16, int32, int8, uint16, uint32, uint8",
    ),
    "g: dma.gather a <- table index(i, dim 2)": (
        "table has 2 dimensions, and no dim 2",
        "give a dim in [0, 1]",
    ),
    "g: dma.gather a <- i index(i, dim 0)": (
        "g needs one destination, and a source besides its index i",
        "write gather DST <- SRC index(i, dim 0)",
    ),
    "g: dma.gather a, b <- table index(i, dim 0)": (
        "g needs one destination, and a source besides its index i",
        "write gather DST <- SRC index(i, dim 0)",
    ),
    "g: dma.gather a[0:+64, 0:+64] <- table index(i, dim 0)": (
        "g moves 128 rows of 64 elements of table, and a has 4096",
        "make the extents agree: [64, 64] against 128 rows",
    ),
    "g: dma.scatter big <- a[0:+128, 0:+32] index(i, dim 0)": (
        "g moves 128 rows of 64 elements of big, and a has 4096",
        "make the extents agree: [128, 32] against 128 rows",
    ),
    "g: gpsimd.gather a <- a index(i, dim 0)": (
        "g reads and writes a; it runs in pieces, and would read what it has written",
        "gather into another buffer than a",
    ),
    "sb j [128, 1] int32 g: gpsimd.scatter i <- j index(i, dim 0)": (
        "g reads and writes i; it runs in pieces, and would read what it has written",
        "scatter into another buffer than i",
    ),
    "for k in [0, 2) { g: dma.scatter big <- a index(i, dim 0) over(k) }": (
        "g cannot add over a loop: which rows it has written before is not known",
        'clear the tensor first, and say fn "add" of a scatter that adds to rows',
    ),
    "g: dma.gather a <- table index(i, dim 0) unique": (
        "g is unique, and a gather writes no rows",
        "leave `unique` out: gathers never wait for one another",
    ),
    "m: vector.add i <- i inplace g: dma.scatter big <- a index(i, dim 0) unique": (
        "g is unique, and the row numbers in i are made by m: only numbers that no "
        "operation writes, in an input, can be promised to be distinct",
        "load i from an input with dma.load, or leave `unique` out: scatters then "
        "wait for one another",
    ),
    'g: gpsimd.iota a <- view "x"': (
        "g has a view, and no source to be read through it",
        "leave the view out",
    ),
    "g: vector.remote_copy a <- b": (
        "vector reaches no other rank",
        "write g: cc.remote_copy",
    ),
    "g: cc.remote_copy big <- out, table": (
        "g needs one destination and one source",
        "cc.remote_copy DST <- SRC",
    ),
    "g: cc.remote_copy big <- out[0:+128, 0:+64]": (
        "g moves 8192 elements into a place of 16384",
        "make the extents agree: [256, 64] against [128, 64]",
    ),
}


@pytest.mark.parametrize(("body", "expected"), REFUSED.items())
def test_a_mistake_is_told_with_its_remedy(body: str, expected: tuple[str, str]):
    """Once, with the names and numbers of the kernel, on the line of the operation."""
    (error,) = mistakes(body)

    assert (error.message, error.hint) == expected
    assert error.line == 11


def test_a_view_excuses_numbers_of_elements_that_differ():
    """One row of 2175 columns is read 128 times, 2048 columns each."""
    load = "g: dma.load a <- table[0:+1, 0:+64]"

    assert "moves 64 elements into a place of 8192" in str(mistakes(load)[0])
    assert mistakes(f'{load} view "128 times"') == []


def test_a_dimension_below_zero_is_no_number():
    """The grammar has no sign there, and the remedy is the whole form."""
    (error,) = mistakes("g: dma.gather a <- table index(i, dim -1)")

    assert error.hint == "write index(BUFFER, dim 0)"
