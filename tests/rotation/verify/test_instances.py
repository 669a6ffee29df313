import pytest

from pelican.errors import LocatedError
from rotation.errors import KernelError
from rotation.text.parse import parse
from rotation.unrolled.unroll import unroll
from rotation.verify.verify import verify
from tests.rotation.programs import PLANNING, kernel

HEAD = """kernel k on planning {
dram y [8, 4] fp32 output
for o in [0, 2) {
sb c [8, 4] fp32 at i
vector.memset c@(1) <-
for i in [3, 9) step 2 {
"""


def mistake(body: str, after: str = "") -> LocatedError:
    """Return the one mistake of a kernel whose loop has that body."""
    text = f"{HEAD}{body}\n}} {after} }}\nsb z [8, 4] fp32\nvector.memset z <-\n"
    (function,) = parse(f"{text}dma.store y <- z }}")
    with pytest.raises(LocatedError) as caught:
        verify(function, PLANNING)
    return caught.value


def test_an_instance_between_two_iterations_is_refused():
    """The loop takes odd values; the place and the values are named."""
    error = mistake("vector.copy c <- c@(i - 1)")

    assert error.message == "c@(i - 1) is between two iterations of i"
    assert (error.line, error.column) == (7, 21)
    assert error.hint == "i takes the values 3, 5, 7, ..."


def test_more_instances_than_tables_hold_are_refused():
    """Nothing is made of the kernel before that is known."""
    error = mistake("vector.copy c <- c@(2*i*12345678 + 1)")

    assert error.message.endswith(
        "makes 172,839,492 instances of c; the most is 24,999,999"
    )


def test_numbers_of_instances_have_64_bits():
    """A selection that no table can hold has its own message."""
    error = mistake(f"vector.copy c <- c@({2**62}*i + 1)")

    assert error.message == "the number of an instance needs more than 64 bits"


def test_an_operation_outside_the_loops_around_has_no_instance():
    """Each iteration of o has instances of its own."""
    text = """kernel k on planning { dram y [8, 4] fp32 output
    sb c [8, 4] fp32 at i
    vector.memset c@(0) <-
    for o in [0, 2) { for i in [0, 3) { vector.f c <- dma.store y <- c } } }"""
    with pytest.raises(KernelError) as caught:
        verify(kernel(text), PLANNING)

    assert caught.value.message == (
        "c has instances of its own in each iteration of o, and memset1 is outside it"
    )
    assert caught.value.hint == "move memset1 into loop o"


def test_a_sum_goes_to_one_instance_of_all_iterations():
    """What is added to must not be new in every iteration."""
    good = "vector.memset c <-\nvector.f c@(3) <- c over(i)"
    (function,) = parse(
        f"{HEAD}{good} }} }} dma.store y <- y }}".replace("y <- y", "y <-")
    )
    verify(function, PLANNING)

    for target in ("c", "c@(i + 2)"):
        error = mistake(f"vector.f {target} <- over(i)")
        assert "c is new in every iteration of i" in error.message


def test_two_instances_are_no_region_in_place():
    """An operation in place reads the very instance that it writes."""
    assert "is inplace" in mistake("vector.f c <- c@(i - 2) inplace").message
    verify(
        kernel(f"{HEAD}vector.f c <- c@(i) inplace }} }} dma.store y <- }}"), PLANNING
    )


def test_two_destinations_may_be_two_instances():
    """Only elements of one instance are written twice."""
    start = f"{HEAD}vector.f c, "
    end = " <- } } dma.store y <- }"
    unroll(kernel(f"{start}c@(i + 2){end}"), PLANNING)

    with pytest.raises(KernelError, match="writes elements of c twice"):
        unroll(kernel(f"{start}c@(i){end}"), PLANNING)


def test_an_instance_that_nothing_wrote_is_not_read():
    """The remedy is to fill it before the loop."""
    text = f"{HEAD}vector.f c <- c@(i - 4) }} }} dma.store y <- }}"
    with pytest.raises(KernelError) as caught:
        unroll(kernel(text), PLANNING)

    assert caught.value.message == (
        "f1 reads elements of c that nothing wrote before, at o = 0, i = 3"
    )
    assert caught.value.hint == "write its first instance before the loop: c@(VALUE)"


@pytest.mark.parametrize(("trips", "fits"), [(2**19 - 4, True), (2**19, False)])
def test_every_instance_in_dram_has_an_address_of_64_bits(trips, fits):
    """A plan may try as many slots as there are instances, behind the window."""
    text = (
        "kernel k on planning { dram y [8, 4] fp32 output sb z [8, 4] fp32\n"
        f"vector.memset z <- for i in [0, {trips}) {{ dram c [{2**44}] int8\n"
        "dma.store c[0:+32] <- z } dma.store y <- z }"
    )
    if fits:
        verify(kernel(text), PLANNING)
        return
    with pytest.raises(KernelError) as caught:
        verify(kernel(text), PLANNING)

    assert caught.value.message.startswith("the dram buffers up to c need 92233720")
