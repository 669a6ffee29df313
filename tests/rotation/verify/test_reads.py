import pytest

from rotation.errors import KernelError
from rotation.machine.machine import get_machine
from rotation.text.parse import parse
from rotation.unrolled.unroll import unroll


def check(body: str) -> None:
    """Unroll a kernel of that body, which checks its reads."""
    (function,) = parse(
        "kernel k on planning {\n dram x [4, 8] fp32 input\n dram c [4, 8] fp32 const\n"
        f" dram y [4, 8] fp32 output\n sb t [4, 8] fp32\n{body}\n}}"
    )
    unroll(function, get_machine("planning"))


def test_a_read_before_any_write_is_an_error_at_the_operand():
    """The error names the operation and the buffer, and points at the read."""
    with pytest.raises(KernelError) as caught:
        check("st: dma.store y <- t")

    assert caught.value.message == "st reads elements of t that nothing wrote before"
    assert (caught.value.line, caught.value.column) == (6, 20)
    assert caught.value.hint == "write all of it first; vector.memset t <- clears it"


def test_a_partly_written_tile_is_not_read_as_a_whole():
    """Seven written columns of eight are not enough."""
    with pytest.raises(KernelError, match="nothing wrote"):
        check("vector.memset t[0:+4, 0:+7] <-\n dma.store y <- t")


def test_pieces_add_up():
    """Overlapping pieces that cover the tile allow a read of the whole."""
    check(
        "vector.memset t[0:+4, 0:+5] <-\n vector.memset t[0:+3, 3:+5] <-\n"
        "vector.memset t[3:+1, 4:+4] <-\n dma.store y <- t"
    )


def test_each_instance_is_written_on_its_own():
    """A write of the first iteration does not fill the next instance."""
    with pytest.raises(KernelError, match=r"before, at i = 0\n"):
        check("for i in [0, 2) { sb u [4, 8] fp32 vector.copy u <- u inplace }")


def test_what_an_older_instance_held_is_not_there():
    """Row 0 is written in the first iteration only, and its instance is over."""
    with pytest.raises(KernelError, match="before, at i = 1\n"):
        check(
            "for i in [0, 2) { sb u [4, 8] fp32 gpsimd.memset u[i:+1, 0:+8] <-\n"
            "dma.store y[0:+1, 0:+8] <- u[0:+1, 0:+8] }"
        )


def test_the_iteration_of_the_first_bad_read_is_named():
    """A row that only a later iteration reads is found there."""
    with pytest.raises(KernelError, match=r"before, at i = 3, j = 7\n"):
        check(
            "vector.memset t[0:+3, 0:+8] <-\n"
            "for i in [1, 4) { for j in [7, 9) step 2 {\n"
            "st: dma.store y[i:+1, 0:+8] <- t[i:+1, 0:+8] } }"
        )


def test_inputs_and_constants_are_written_from_the_start():
    """A kernel may read what the outside world fills."""
    check("dma.load t <- x\n dma.load t <- c")


def test_an_output_is_not_written_from_the_start():
    """What was not stored cannot be loaded back."""
    with pytest.raises(KernelError) as caught:
        check("dma.load t <- y")

    assert caught.value.hint == "store to all of it first, or declare y as input"


def test_a_write_of_the_same_operation_comes_after_its_reads():
    """An operation in place needs what it reads to be there before."""
    with pytest.raises(KernelError, match="nothing wrote"):
        check("vector.scale t <- t inplace")


def test_every_buffer_is_reported():
    """Two buffers that are read too early are two mistakes of one run."""
    with pytest.raises(KernelError) as caught:
        check("sb u [4, 8] fp32\n dma.store y <- t\n dma.store y <- u")

    assert [error.line for error in caught.value.errors] == [7, 8]
