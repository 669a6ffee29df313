import pytest

from rotation.errors import KernelError
from rotation.kept.form import tree_of
from rotation.kept.reads import few_trips, verify_kept_reads
from tests.rotation.kept.programs import NEST, ROWS
from tests.rotation.programs import PLANNING, kernel


def refused(text: str) -> KernelError:
    """Return the error of a kernel that reads what nothing wrote."""
    with pytest.raises(KernelError) as error:
        verify_kept_reads(tree_of(kernel(text)), PLANNING)
    return error.value


@pytest.mark.parametrize("text", [ROWS, NEST])
def test_a_kernel_that_writes_before_it_reads_is_accepted(text: str):
    """For no, one and two trips, and so for all."""
    verify_kept_reads(tree_of(kernel(text)), PLANNING)


def test_what_a_loop_writes_counts_for_nothing_after_it():
    """The loop may have no trip; then the sum was never made."""
    text = NEST.replace("    clear: vector.memset s <-\n", "")
    text = text.replace("vector.add s <- s, t inplace", "vector.add s <- t over(k)")
    error = refused(text)

    assert error.message == (
        "st reads elements of s that nothing wrote before, at m = 0, with %n = 0"
    )
    assert error.hint == "write all of it first; vector.memset s <- clears it"


def test_what_a_trip_writes_counts_for_nothing_in_the_first():
    """A value that is carried needs one before the loop."""
    text = ROWS.replace("  for i", "  sb c [128, 512] fp32\n  for i")
    text = text.replace("cp: vector.copy zt <- xt", "cp: vector.add zt <- xt, c")
    text = text.replace("    st:", "    up: scalar.copy c <- zt\n    st:")

    assert "cp reads elements of c that nothing wrote before" in refused(text).message


TWO_LOOPS = """
kernel two on planning {
  dram x [4096, 512] fp32 input
  dram w [4096, 512] fp32
  dram z [4096, 512] fp32 output
  for i in [0, %n) {
    sb a [128, 512] fp32
    dma.load a <- x[128*i:+128, 0:+512]
    put: dma.store w[128*i:+128, 0:+512] <- a
  }
  for j in [0, %n) {
    sb b [128, 512] fp32
    get: dma.load b <- w[128*j:+128, 0:+512]
    dma.store z[128*j:+128, 0:+512] <- b
  }
}
"""


def test_a_read_that_moves_follows_a_write_that_moves_alike():
    """In an earlier loop over the same register."""
    verify_kept_reads(tree_of(kernel(TWO_LOOPS)), PLANNING)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("for j in [0, %n)", "for j in [0, %m)"),
        ("w[128*i:+128", "w[64*i:+128"),
        (
            "put: dma.store w[128*i:+128, 0:+512] <- a",
            "put: dma.store w[0:+128, 0:+512] <- a",
        ),
    ],
)
def test_a_read_that_moves_away_is_refused(old: str, new: str):
    """Another register, or other places: nothing is seen to cover it."""
    error = refused(TWO_LOOPS.replace(old, new))

    assert "get reads" in error.message
    assert error.span is not None


def test_two_registers_are_looked_at_in_all_combinations():
    """No, one and two trips of each."""
    text = TWO_LOOPS.replace("for j in [0, %n)", "for j in [0, %m)")
    found = {(v["n"], v["m"]) for v in few_trips(kernel(text))}

    assert found == {(a, b) for a in range(3) for b in range(3)}
