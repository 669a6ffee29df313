import pytest

from rotation.errors import InternalError
from rotation.loop_form.kernel import Instruction
from rotation.machine.cost import instruction_cost, transfer_region
from rotation.machine.machine import Cost, get_machine
from rotation.text.parse import parse

DECLARATIONS = """
  dram x [128, 4096] bf16 input
  dram y [128, 4096] fp32
  dram z [128, 4096] fp32
  sb a [128, 512] bf16
  sb b [128, 512] fp32
  sb c [128, 1] fp32
  psum p [128, 512] fp32
"""


def operation(text: str) -> Instruction:
    """Return the instruction of an operation on the buffers above."""
    (function,) = parse(f"kernel k on planning {{ {DECLARATIONS} {text} }}")
    return function.instructions[0]


def cost(text: str) -> Cost:
    """Return the cost of an operation on the machine `planning`."""
    return instruction_cost(operation(text), get_machine("planning"))


def test_a_load_costs_the_bytes_of_its_tile():
    """128 x 512 x 2 bytes at 368 bytes/ns, rounded up to a picosecond."""
    assert cost("dma.load a <- x[0:+128, 0:+512]") == Cost(356_174, 1_300_000)


def test_a_store_costs_the_bytes_of_its_tile_and_not_of_its_destination():
    """Half of a tile of bf16 that is stored as fp32 counts in bf16."""
    moved = "dma.store y[0:+128, 0:+256] <- a[0:+128, 0:+256]"

    assert cost(moved) == Cost(178_087, 1_300_000)


def test_a_transfer_inside_dram_costs_the_bytes_of_its_destination():
    """fp32 in the destination, bf16 in the source."""
    moved = operation("dma.copy y[0:+1, 0:+8] <- x[0:+1, 0:+8]")

    assert transfer_region(moved).size_bytes == 32


@pytest.mark.parametrize(
    ("text", "num_bytes"),
    [("dma.gather b <- x, c", 128 * 512 * 4), ("dma.scatter y <- a, c", 128 * 512 * 2)],
)
def test_the_first_tile_of_a_transfer_counts(text: str, num_bytes: int):
    """Destinations come before sources, and the data before its index."""
    assert transfer_region(operation(text)).size_bytes == num_bytes


def test_a_collective_has_its_own_server():
    """32 bytes at 64 bytes/ns, complete 3000 ns later."""
    assert cost("cc.remote_copy y[0:+1, 0:+8] <- z[0:+1, 0:+8]") == Cost(500, 3_000_000)


def test_a_matrix_product_costs_its_written_columns():
    """27 ns and 0.415 ns for each of 512 columns."""
    assert cost("pe.matmul p <- a, a") == Cost(239_480, 0)


def test_a_vector_operation_costs_its_largest_operand():
    """A reduction to one column reads 512: (512/2 + 64) cycles at 0.96 GHz."""
    assert cost("vector.reduce c <- a") == Cost(333_334, 0)


def test_the_rate_of_vector_goes_by_the_written_type():
    """bf16 is written twice as fast: (512/4 + 64) cycles at 0.96 GHz."""
    assert cost("vector.copy a <- b") == Cost(200_000, 0)


@pytest.mark.parametrize(
    ("engine", "busy_ps"), [("scalar", 480_000), ("gpsimd", 906_667)]
)
def test_scalar_and_gpsimd_have_one_rate(engine: str, busy_ps: int):
    """(512/rate + 64) cycles at 1.2 GHz, whatever the type."""
    assert cost(f"{engine}.copy a <- b") == cost(f"{engine}.copy b <- a")
    assert cost(f"{engine}.copy a <- b") == Cost(busy_ps, 0)


def test_sync_has_no_cost():
    """The verifier refuses operations of sync, so that none comes here."""
    with pytest.raises(InternalError):
        cost("sync.wait a <- a")
