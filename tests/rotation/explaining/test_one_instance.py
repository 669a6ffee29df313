import pytest

from rotation.explaining.one_instance import declared_inside, needless, parted
from rotation.text.parse import parse
from rotation.unrolled.unroll import unroll
from tests.rotation.explaining.kernels import OUTSIDE
from tests.rotation.programs import COPY, MATMUL, PLANNING, STREAM, SUM, unrolled


def found(text: str) -> dict[str, str]:
    """Return the loop into which each buffer of a kernel could be moved."""
    loops = needless(unrolled(text))
    return {tensor.name: loop.index.name for tensor, loop in loops.items()}


def test_a_buffer_that_each_iteration_fills_may_be_declared_inside():
    """Both are: one by a load, the other by the copy of it."""
    assert found(OUTSIDE) == {"t": "i", "u": "i"}


@pytest.mark.parametrize("text", [STREAM, MATMUL, SUM, COPY.replace("RING", "")])
def test_a_buffer_in_its_place_stays(text: str):
    """It is declared in the loop that fills it, or carries a value."""
    assert found(text) == {}


def test_a_buffer_that_is_filled_before_the_loop_stays():
    """Its value is read in every iteration."""
    text = OUTSIDE.replace(
        "  for i", "  first: dma.load t <- x[0:+128, 0:+2048]\n  for i"
    )

    assert found(text) == {"u": "i"}


def test_a_buffer_that_is_partly_filled_stays():
    """The other half is what the iteration before has left."""
    text = OUTSIDE.replace(
        "ld: dma.load t <- x[0:+128, 2048*i:+2048]",
        "ld: dma.load t[0:+128, 0:+1024] <- x[0:+128, 2048*i:+1024]",
    ).replace("  for i", "  m: vector.memset t <-\n  for i")

    assert "t" not in found(text)


def test_a_buffer_that_only_some_iterations_fill_stays():
    """The others read what those have left."""
    text = OUTSIDE.replace("ld: ", "if i mod 2 == 0 { ld: ").replace(
        "2048*i:+2048]\n    cp", "2048*i:+2048] }\n    cp"
    )

    assert "t" not in found(text)


def test_a_declaration_at_an_outer_loop_counts_as_outside():
    """Each of the inner iterations may have its own."""
    text = STREAM.replace("sb xt [128, 2048] fp32", "sb xt [128, 2048] fp32 at i")

    assert found(text) == {"xt": "j"}


def test_a_sum_may_move_to_the_loop_around_its_additions():
    """Not into the loop that it is a sum over."""
    text = MATMUL.replace("    psum acc [128, 512] fp32\n", "").replace(
        "  for m", "  psum acc [128, 512] fp32\n  for m"
    )

    assert found(text) == {"acc": "n"}


def test_a_buffer_that_the_user_placed_stays():
    """All its instances would have the same place."""
    text = OUTSIDE.replace("sb t [128, 2048] fp32", "sb t [128, 2048] fp32 byte 0")

    assert found(text) == {"u": "i"}


def test_a_buffer_of_a_called_kernel_stays():
    """It is declared in another text."""
    inner = OUTSIDE.replace("kernel outside", "kernel inner")
    outer = """
    kernel outer on planning {
      dram x [128, 16384] fp32 input
      dram z [128, 16384] fp32 output
      call inner(x, z) scope global
    }
    """

    program = unroll(parse(inner + outer)[1], PLANNING)

    assert needless(program) == {}


def test_a_ring_for_the_instances_outside_is_left_out():
    """It was for one instance."""
    program = unrolled(
        OUTSIDE.replace("sb t [128, 2048] fp32", "sb t [128, 2048] fp32 ring 1")
    )
    moved = declared_inside(program.function, needless(program))
    t = next(tensor for tensor in moved.tensors if tensor.name == "t")

    assert (t.ring_slots, t.scope.name) == (None, "i")


def test_the_parted_program_has_the_same_rows():
    """Only the locations are more."""
    program = unrolled(OUTSIDE)
    parts = parted(program)

    assert (parts.program.statement == program.statement).all()
    assert len(parts.program.location_tensor) == len(program.location_tensor) + 14
